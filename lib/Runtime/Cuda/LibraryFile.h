//===- LibraryFile.h - finding and opening a CUDA library -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_CUDA_LIBRARYFILE_H
#define TENON_LIB_RUNTIME_CUDA_LIBRARYFILE_H

#include "tenon/Artifact/Status.h"

#include <dlfcn.h>
#include <functional>

namespace tenon::runtime::cuda {

/// The names under which a library is searched for and appears in messages.
struct LibraryNames {
  const char *name;               // such as "cuBLASLt"
  const char *otherwise;          // what to do without it, such as "compile
                                  // with --without=cublaslt"
  const char *variable;           // environment variable with a file to use
                                  // instead of `files`
  std::vector<std::string> files; // in order of preference
};

/// Starts an open library, or returns why it can't be used. `file` is used in
/// messages.
using StartLibrary =
    std::function<artifact::Status(void *library, const std::string &file)>;

/// Opens files until `start` accepts one: each is searched for by the loader,
/// then in the toolkit. Fails with the first reason of `start`; if no file can
/// be opened, with the reason for the first file.
artifact::Status openLibrary(const LibraryNames &names,
                             const StartLibrary &start);

/// Finds one function of an open library; `missing` keeps the name of the first
/// one not found.
template <typename F>
void find(void *library, const char *symbol, F &function,
          const char *&missing) {
  function = reinterpret_cast<F>(::dlsym(library, symbol));
  if (!function && !missing)
    missing = symbol;
}

} // namespace tenon::runtime::cuda

#endif // TENON_LIB_RUNTIME_CUDA_LIBRARYFILE_H
