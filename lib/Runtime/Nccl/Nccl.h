//===- Nccl.h - the functions of NCCL -------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The library is opened when a model whose ranks use it is loaded. The types
// and constants are repeated here, because Tenon is built without NCCL's
// headers; a test compares them with nccl.h if that is found. They are those of
// NCCL 2.18, which later versions accept.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_NCCL_NCCL_H
#define TENON_LIB_RUNTIME_NCCL_NCCL_H

#include "../Cuda/Driver.h"

#include <climits>

namespace tenon::runtime::nccl {

/// ncclResult_t
using Result = int;
enum : Result { Success = 0, InProgress = 7 };
using Comm = struct CommTag *; // ncclComm_t
// ncclDataType_t
enum : int { Int8 = 0, Float32 = 7, Float64 = 8 };
// ncclRedOp_t
enum : int { Sum = 0, Average = 4 };
/// NCCL_SPLIT_NOCOLOR: the rank is in no part.
constexpr int noColor = -1;
/// How many operations a group may hold.
constexpr size_t mostGrouped = 2048;

/// ncclUniqueId
struct UniqueId {
  char bytes[128];
};

/// ncclConfig_t
struct Config {
  size_t size = sizeof(Config);
  unsigned magic = 0xcafebeef;
  unsigned version = 21800;
  /// 0: a call that has to wait for other ranks returns InProgress.
  int blocking = 0;
  // INT_MIN and null: the library chooses.
  int cgaClusterSize = INT_MIN;
  int minCTAs = INT_MIN, maxCTAs = INT_MIN;
  const char *netName = nullptr;
  int splitShare = INT_MIN;
};

/// Name in Nccl, name in the library, parameters.
#define TENON_NCCL_FUNCTIONS(F)                                                \
  F(getVersion, ncclGetVersion, (int *))                                       \
  F(getUniqueId, ncclGetUniqueId, (UniqueId *))                                \
  F(commInit, ncclCommInitRankConfig, (Comm *, int, UniqueId, int, Config *))  \
  F(commSplit, ncclCommSplit, (Comm, int, int, Comm *, Config *))              \
  F(commGetAsyncError, ncclCommGetAsyncError, (Comm, Result *))                \
  F(commFinalize, ncclCommFinalize, (Comm))                                    \
  F(commDestroy, ncclCommDestroy, (Comm))                                      \
  F(commAbort, ncclCommAbort, (Comm))                                          \
  F(groupStart, ncclGroupStart, ())                                            \
  F(groupEnd, ncclGroupEnd, ())                                                \
  F(send, ncclSend, (const void *, size_t, int, int, Comm, cuda::Stream))      \
  F(receive, ncclRecv, (void *, size_t, int, int, Comm, cuda::Stream))         \
  F(allReduce, ncclAllReduce,                                                  \
    (const void *, void *, size_t, int, int, Comm, cuda::Stream))

/// The open library, which stays loaded until the process ends.
struct Nccl {
#define TENON_DECLARE(NAME, SYMBOL, PARAMETERS)                                \
  Result(*NAME) PARAMETERS = nullptr;
  TENON_NCCL_FUNCTIONS(TENON_DECLARE)
#undef TENON_DECLARE
  const char *(*getErrorString)(Result) = nullptr;
  const char *(*getLastError)(Comm) = nullptr;

  /// Opens libnccl.so.2, or the library that TENON_NCCL names.
  static artifact::Expected<Nccl> open();

  /// For example "invalid usage (...)", with the last error's text.
  std::string describe(Result result) const;
};

} // namespace tenon::runtime::nccl

#endif // TENON_LIB_RUNTIME_NCCL_NCCL_H
