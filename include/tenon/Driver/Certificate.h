//===- Certificate.h - what was proved of an artifact -----------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The certificate of a pipeline is the module whose programs of ranks the
// artifact runs, as it was checked: with the plan, and with bodies of tasks
// before they are optimized. It lies beside the artifact, as NAME.proof.mlir,
// and the artifact knows its SHA-256.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DRIVER_CERTIFICATE_H
#define TENON_DRIVER_CERTIFICATE_H

#include "tenon/Dialect/Pipe/IR/Pipe.h"

#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace tenon {

/// The memory of the devices of ranks.
struct RankMemoryLimit {
  std::vector<uint64_t> bytes; // of each rank; empty: unknown
  /// Inputs and outputs of callers take so much of it.
  uint64_t givenBytes = 0;
};

/// The SHA-256 of a text, in hexadecimal digits.
std::string getDigest(llvm::StringRef text);

/// `mesh`: null if nothing is known of devices; `devices`: of each rank, the
/// position. `module` has what the ranks run.
RankMemoryLimit getMemoryLimit(mlir::ModuleOp module, pipe::MeshAttr mesh,
                               llvm::ArrayRef<int64_t> devices);
RankMemoryLimit getMemoryLimit(pipe::ProgramOp program);

/// Plans the memory of each rank of a library, on this machine and as it is
/// loaded by default, and checks that it fits. Emits a diagnostic at `loc`: a
/// warning if this machine can't plan, because it lacks what the library needs.
/// Libraries whose first program is for CUDA are not checked. `os`: null, or
/// where the numbers go.
mlir::LogicalResult checkMemory(const std::string &library,
                                const RankMemoryLimit &limit,
                                mlir::Location loc,
                                llvm::raw_ostream *os = nullptr);

/// Checks an artifact against its certificate, without planning or compiling:
/// proves the programs of ranks, compares the tables in the artifact with them,
/// and checks the memory. Says on `os` what was shown.
mlir::LogicalResult checkArtifact(const std::string &library,
                                  mlir::MLIRContext &context,
                                  llvm::raw_ostream &os);

} // namespace tenon

#endif // TENON_DRIVER_CERTIFICATE_H
