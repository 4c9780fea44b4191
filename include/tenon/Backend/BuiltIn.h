//===- BuiltIn.h - the backends of built-in libraries ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_BACKEND_BUILTIN_H
#define TENON_BACKEND_BUILTIN_H

#include "tenon/Backend/Backend.h"

namespace tenon::backend {

/// Make the backend of each library of Libraries.def: createOneDnnBackend() and
/// so on, defined in the folder of that backend.
#define TENON_LIBRARY(Name, NAME, number, name, device)                        \
  std::unique_ptr<Backend> create##Name##Backend();
#include "tenon/Artifact/Libraries.def"

} // namespace tenon::backend

#endif // TENON_BACKEND_BUILTIN_H
