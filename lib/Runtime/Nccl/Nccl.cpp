//===- Nccl.cpp - opening NCCL --------------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nccl.h"
#include "../Cuda/LibraryFile.h"

using namespace tenon::artifact;

namespace tenon::runtime::nccl {

/// The first with ncclCommSplit.
static constexpr int oldestVersion = 21800;

Expected<Nccl> Nccl::open() {
  Nccl nccl;
  auto start = [&](void *library, const std::string &file) -> Status {
    const char *missing = nullptr;
#define TENON_GET(NAME, SYMBOL, PARAMETERS)                                    \
  cuda::find(library, #SYMBOL, nccl.NAME, missing);
    TENON_NCCL_FUNCTIONS(TENON_GET)
#undef TENON_GET
    cuda::find(library, "ncclGetErrorString", nccl.getErrorString, missing);
    cuda::find(library, "ncclGetLastError", nccl.getLastError, missing);
    if (missing)
      return makeError("the library NCCL (", file, ") is too old: it lacks ",
                       missing);
    int version = 0;
    if (Result result = nccl.getVersion(&version); result != Success)
      return makeError("the library NCCL (", file,
                       ") does not start: ", nccl.describe(result));
    if (version < oldestVersion)
      return makeError("the library NCCL (", file,
                       ") is too old: expected 2.18 or newer, but got ",
                       version / 10000, ".", version / 100 % 100);
    return Status::success();
  };
  if (Status status = cuda::openLibrary({"NCCL",
                                         "run with --channels local or mpi",
                                         "TENON_NCCL",
                                         {"libnccl.so.2"}},
                                        start);
      !status)
    return status.takeError();
  return nccl;
}

std::string Nccl::describe(Result result) const {
  const char *name = getErrorString(result), *text = getLastError(nullptr);
  std::string described = name ? name : "an unknown error";
  return text && *text ? concat(described, " (", text, ")") : described;
}

} // namespace tenon::runtime::nccl
