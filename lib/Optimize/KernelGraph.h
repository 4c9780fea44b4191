//===- KernelGraph.h - an e-graph as a problem of extraction --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The nodes of the problem are kernels: e-nodes by themselves, and those that
// run together - a matmul or convolution with what follows it, an op with the
// elementwise ops and data movement that it reads through. A kernel costs what
// the device takes for all of it, so that extraction sees that an epilogue is
// nearly free.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_OPTIMIZE_KERNELGRAPH_H
#define TENON_LIB_OPTIMIZE_KERNELGRAPH_H

#include "tenon/Cost/CostModel.h"
#include "tenon/EGraph/EGraph.h"
#include "tenon/EGraph/Extraction.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tenon::optimize {

struct KernelGraph {
  egraph::ExtractionProblem problem;
  /// By node of the problem: its e-nodes, producers first; none for an argument
  /// of the function.
  std::vector<llvm::SmallVector<mlir::Operation *, 1>> ops;
  /// By node of the problem: what it does at run time.
  std::vector<cost::Work> work;
  /// Classes by representative.
  llvm::DenseMap<mlir::Value, unsigned> classes;
  /// How many nodes hold more than one op.
  unsigned numFused = 0;
};

KernelGraph buildKernelGraph(const egraph::EGraph &graph,
                             const cost::CostModel &costs);

/// Replaces the costs by random ones (OptimizeOptions::costSeed).
void randomizeCosts(KernelGraph &kernels, uint64_t seed);

/// The e-nodes of a choice, each once, producers first.
llvm::SmallVector<mlir::Operation *>
getChosenOps(const KernelGraph &kernels, const egraph::Extraction &choice);

/// A function like `like` whose body is these e-nodes: each reads what the
/// first of them (or an argument) that gives the class gives. Fails where a
/// class has no giver or the result does not verify.
mlir::FailureOr<mlir::OwningOpRef<mlir::func::FuncOp>>
buildFunction(mlir::func::FuncOp like, const egraph::EGraph &graph,
              llvm::ArrayRef<mlir::Operation *> ops);

} // namespace tenon::optimize

#endif // TENON_LIB_OPTIMIZE_KERNELGRAPH_H
