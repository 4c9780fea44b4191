//===- NcclRuntime.h - the part of the runtime for NCCL -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_PIPELINE_NCCLRUNTIME_H
#define TENON_LIB_RUNTIME_PIPELINE_NCCLRUNTIME_H

#include "RankRunner.h"

namespace tenon::runtime {

/// Creates ranks whose messages and sums go over NCCL. `control` connects the
/// same ranks on the host.
struct NcclRuntime {
  std::unique_ptr<RankRunner> (*createRank)(
      const tenon_program &program, int64_t rank,
      std::shared_ptr<const ProgramSlice> slice, Transport &control);
};

} // namespace tenon::runtime

/// Defined in Nccl/NcclRank.cpp.
extern "C" const tenon::runtime::NcclRuntime tenon_runtime_nccl;

#endif // TENON_LIB_RUNTIME_PIPELINE_NCCLRUNTIME_H
