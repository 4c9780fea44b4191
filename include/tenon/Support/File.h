//===- File.h - the files that tools read and write -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_SUPPORT_FILE_H
#define TENON_SUPPORT_FILE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <string>

namespace tenon {

/// Reads a whole file of at most 2 GiB, followed by a null byte. A path must
/// name a regular file; pipes, sockets, devices and folders are refused
/// immediately. "-" and the names of descriptors that the caller opened
/// (/dev/stdin, /dev/fd/N, /proc/self/fd/N) may also be pipes or terminals, of
/// which at most 256 MiB are read. Errors name the path.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readInputFile(llvm::StringRef path);

/// Writes a whole file, which appears only when it is complete; "-" is standard
/// output.
llvm::Error writeOutputFile(llvm::StringRef path, llvm::StringRef text);

/// Returns the file that a model in the folder `folder` (empty: the current
/// one) refers to as `name`, which must be a relative path without "..". Links
/// must not lead out of the folder, unless into the one that TENON_MODEL_ROOT
/// names. Messages begin with `what`. The file need
/// not exist.
llvm::Expected<std::string> findBesideModel(llvm::StringRef folder,
                                            llvm::StringRef name,
                                            llvm::StringRef what);

} // namespace tenon

#endif // TENON_SUPPORT_FILE_H
