//===- OwnFile.h - the file that an artifact is in
//-------------------------===//
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

/// The folder, an absolute name, of the library or program that has `address`.
/// That of this code is found when its library is opened: the current folder,
/// from which its name may count, can be another one later. Empty: not known.
std::string getFolderOf(const void *address);

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_OWNFILE_H
