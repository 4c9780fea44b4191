//===- CodeFolder.h - the folder of loaded code ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_CODEFOLDER_H
#define TENON_LIB_RUNTIME_CODEFOLDER_H

#include <string>

namespace tenon::runtime {

/// Returns the folder, as an absolute path, of the library or program that
/// contains `address`; empty if not known. For this code itself, it is
/// determined when its library is opened: the name may be relative to the
/// current folder, which can change later.
std::string getFolderOf(const void *address);

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_CODEFOLDER_H
