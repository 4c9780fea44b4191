//===- NcclComms.h - the communicators of a rank --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_NCCL_NCCLCOMMS_H
#define TENON_LIB_RUNTIME_NCCL_NCCLCOMMS_H

#include "../Pipeline/Transport.h"
#include "Nccl.h"

#include <functional>
#include <vector>

namespace tenon::runtime::nccl {

/// One communicator for messages between all ranks, and one for each set of
/// ranks that sum gradients. No call waits inside of NCCL: what takes time is
/// asked for again and again, so that a rank that is lost is noticed.
class NcclComms {
public:
  /// Whether to go on waiting.
  using Check = std::function<artifact::Status()>;

  explicit NcclComms(Nccl functions) : functions(functions) {}
  /// What is left is aborted.
  ~NcclComms() { abort(); }
  NcclComms(const NcclComms &) = delete;
  NcclComms &operator=(const NcclComms &) = delete;

  const Nccl &nccl() const { return functions; }
  bool areOpen() const { return world; }
  /// All ranks of `control` call it at the same time, with their device's
  /// context current, and with the same `groups`: sets of ranks, each in the
  /// order in which they sum.
  artifact::Status open(Transport &control, int tag,
                        const std::vector<std::vector<int64_t>> &groups,
                        const Check &check);
  /// All ranks call it at the same time, after all work has ended.
  void close(const Check &check);
  /// Ends work that waits for other ranks.
  void abort();

  Comm getWorld() const { return world; }
  /// Null if this rank is not in it.
  Comm getGroup(size_t group) const { return parts[group]; }
  /// Waits until what was begun on `comm` is in its stream.
  artifact::Status settle(Comm comm, const Check &check) const;
  /// Fails if NCCL has found an error.
  artifact::Status checkErrors() const;
  artifact::Error fail(Result result, const char *what) const;

private:
  artifact::Status shareId(Transport &control, int tag);
  std::vector<Comm *> listOpen();

  Nccl functions;
  UniqueId id = {}; // outlives messages that carry it
  Comm world = nullptr;
  std::vector<Comm> parts; // by group
};

/// Sleeps between attempts, at first briefly.
class Pause {
public:
  void wait();

private:
  int64_t microseconds = 10;
};

} // namespace tenon::runtime::nccl

#endif // TENON_LIB_RUNTIME_NCCL_NCCLCOMMS_H
