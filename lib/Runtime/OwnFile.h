//===- OwnFile.h - the file that this code is in -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_OWNFILE_H
#define TENON_LIB_RUNTIME_OWNFILE_H

#include <string>

namespace tenon::runtime {

/// The folder, an absolute name, of the artifact's library, or of the
/// program that it is linked into. It is found when the library is opened: the
/// current folder, from which its name may count, can be another one later.
/// Empty: not known.
std::string getOwnFolder();

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_OWNFILE_H
