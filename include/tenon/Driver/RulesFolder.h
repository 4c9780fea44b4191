//===- RulesFolder.h - where Tenon's own rules are ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DRIVER_RULESFOLDER_H
#define TENON_DRIVER_RULESFOLDER_H

#include <string>

namespace tenon {

/// Returns the folder of the rules that come with Tenon: `share/tenon/rules`
/// beside the `bin` of an installation, else `rules` of the source tree that
/// the program was built in. Returns an empty path if neither exists.
std::string findRulesFolder();

} // namespace tenon

#endif // TENON_DRIVER_RULESFOLDER_H
