//===- StoragePlan.h - where the buffers of a program lie ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_EMIT_STORAGEPLAN_H
#define TENON_LIB_EMIT_STORAGEPLAN_H

#include "tenon/Artifact/DType.h"
#include "tenon/Lower/LoweredProgram.h"

#include "llvm/Support/Error.h"

namespace tenon::emit {

struct StoragePlan {
  /// Per buffer: its place in the arena; -1 for other buffers, and for all of
  /// them when a size depends on a symbol.
  llvm::SmallVector<int64_t> offsets;
  /// -1: not known before the symbols are.
  int64_t arenaBytes = 0;
  /// -1 as above; without the packed weights of libraries.
  int64_t preparedBytes = 0;
  int64_t constantBytes = 0;
};

StoragePlan planStorage(const lower::LoweredProgram &program);

/// The artifact's name of an MLIR element type; none for others.
std::optional<artifact::DType> getDType(mlir::Type elementType);

/// The bytes of a constant in memory, row-major, one byte per bool.
llvm::Expected<std::string> getData(mlir::ElementsAttr data);

/// The inputs', then the outputs' sizes.
graph::Shape getBoundarySizes(const lower::LoweredProgram &program);

/// Floating-point operations of a library call, counting a multiplication and
/// an addition as two; 0 for other steps.
graph::SymInt countFlops(const lower::Step &step);

} // namespace tenon::emit

#endif // TENON_LIB_EMIT_STORAGEPLAN_H
