//===- LibraryFile.h - finding and opening a library of CUDA --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_CUDA_LIBRARYFILE_H
#define TENON_LIB_RUNTIME_CUDA_LIBRARYFILE_H

#include "tenon/Artifact/Status.h"

#include <functional>

namespace tenon::runtime::cuda {

/// A library as it is looked for, and as messages name it.
struct LibraryNames {
  const char *name;               // "cuBLASLt"
  const char *backend;            // "cublaslt"
  const char *variable;           // names the one file in place of `files`
  std::vector<std::string> files; // what is preferred comes first
};

/// Starts an open library, or says why it can't be used. `file`: for messages.
using StartLibrary =
    std::function<artifact::Status(void *library, const std::string &file)>;

/// Opens files until `start` takes one: each where the loader looks, then in
/// the toolkit. Fails with the first reason of `start`; where nothing can be
/// opened, with that of the first file.
artifact::Status openLibrary(const LibraryNames &names,
                             const StartLibrary &start);

} // namespace tenon::runtime::cuda

#endif // TENON_LIB_RUNTIME_CUDA_LIBRARYFILE_H
