//===- DataFolders.h - the files that come with Tenon ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DRIVER_DATAFOLDERS_H
#define TENON_DRIVER_DATAFOLDERS_H

#include <string>

namespace tenon {

// Folders are `share/tenon/NAME` beside the `bin` of an installation, else
// `NAME` of the source tree that the program was built in. A path is empty if
// neither exists.

/// The rules that come with Tenon.
std::string findRulesFolder();

/// The archive of the rules in that folder (tenon/Optimize/RuleArchive.h):
/// share/tenon/rules.archive of the installation or the build. Empty: none.
std::string findRulesArchive();

/// The profiles of CPUs that come with Tenon, by LLVM's name of the processor.
std::string findProfilesFolder();

/// The folder for what Tenon keeps for this user: `tenon` below XDG_CACHE_HOME,
/// if that is an absolute path, else below ~/.cache. Empty if there is no home.
std::string findCacheFolder();

} // namespace tenon

#endif // TENON_DRIVER_DATAFOLDERS_H
