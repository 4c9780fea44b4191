//===- LoopPlan.h - fusion groups as kernel loops over shared rows --------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Generated kernels are planned on index forms, not on loops. A fusion group
// becomes a list of kernel loops: the loop nests of one kernel. Each is one
// index form, into which all producers that need no storage were composed. All
// loops of a kernel share their leading "row" dimensions, so that one thread
// computes whole rows through all of them (softmax, norms) with row-local
// temporaries.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_KERNEL_ANALYSIS_LOOPPLAN_H
#define TENON_DIALECT_KERNEL_ANALYSIS_LOOPPLAN_H

#include "tenon/Dialect/Graph/IR/Graph.h"

#include "mlir/IR/Value.h"

namespace tenon::kernel {

/// One loop nest of a kernel.
struct KernelLoop {
  graph::Shape shape;
  mlir::Type elementType;
  /// Load number n < numInputs is kernel input n; numInputs + s is kernel loop
  /// s.
  graph::Expr body;
  /// The kernel result that this kernel loop writes, or -1 if it is row-local.
  int output = -1;
  /// The kernel input whose storage that result reuses, or -1. Set only by code
  /// generation, not by planLoops.
  int inPlaceOf = -1;
};

/// A kernel as loop nests over shared rows.
struct LoopPlan {
  unsigned numInputs = 0;
  llvm::SmallVector<graph::Shape, 0> inputShapes;
  llvm::SmallVector<KernelLoop, 0> loops;
  /// The number of leading dimensions that are rows: they are equal in all
  /// kernel loops, and every load of a kernel loop addresses the row of that
  /// loop.
  unsigned numRowDims = 0;

  /// The sizes of the row dimensions.
  llvm::ArrayRef<graph::SymInt> rowShape() const;
  /// The number of elements in the inner dimensions of a kernel loop.
  graph::SymInt innerSize(unsigned loop) const;
  /// The whole plan as text; kernels with equal texts are equal.
  std::string describe() const;
};

/// Caches index forms of ops while many fusion groups of one graph are planned.
/// The ops must not change meanwhile.
class IndexFormCache {
public:
  llvm::ArrayRef<graph::IndexForm> get(graph::IndexFormInterface op);

private:
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<graph::IndexForm, 0>>
      forms;
};

/// Plans the ops (of the graph dialect, in topological order, with index forms)
/// that compute `outputs` from `inputs`. Fails, without a diagnostic, if an op
/// has no index form. A plan of several kernel loops may have no row dimension;
/// it is then correct but serial.
mlir::FailureOr<LoopPlan> planLoops(llvm::ArrayRef<mlir::Operation *> ops,
                                    llvm::ArrayRef<mlir::Value> inputs,
                                    llvm::ArrayRef<mlir::Value> outputs,
                                    IndexFormCache *forms = nullptr);

/// Whether it is cheaper to compose the value's form into each use than to
/// store the value: data movement, or one or two cheap functions.
bool isCheap(const graph::IndexForm &form);

} // namespace tenon::kernel

#endif // TENON_DIALECT_KERNEL_ANALYSIS_LOOPPLAN_H
