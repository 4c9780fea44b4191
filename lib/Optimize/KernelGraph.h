//===- KernelGraph.h - an e-graph as an extraction problem ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The nodes of the problem are kernels: single e-nodes, and e-nodes that run
// together, such as a matmul or convolution with the ops that follow it, or an
// op with the elementwise ops and data movement that are inlined into it. The
// cost of a kernel is the device's time for all of its ops, so that extraction
// knows that an epilogue is nearly free.
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
  /// For each node of the problem, its e-nodes, producers first; empty for an
  /// argument of the function.
  std::vector<llvm::SmallVector<mlir::Operation *, 1>> ops;
  /// For each node of the problem, its work at run time.
  std::vector<cost::Work> work;
  /// The number of each class, by its representative.
  llvm::DenseMap<mlir::Value, unsigned> classes;
  /// The number of nodes with more than one op.
  unsigned numFused = 0;
};

KernelGraph buildKernelGraph(const egraph::EGraph &graph,
                             const cost::CostModel &costs);

/// Replaces the costs by random costs (OptimizeOptions::costSeed).
void randomizeCosts(KernelGraph &kernels, uint64_t seed);

/// Returns the e-nodes of a choice, each once, producers first.
llvm::SmallVector<mlir::Operation *>
getChosenOps(const KernelGraph &kernels, const egraph::Extraction &choice);

/// Builds a function like `like` whose body consists of these e-nodes. Each
/// reads the result of the first e-node (or the argument) that provides the
/// class. Fails if nothing provides a class, or if the result does not verify.
mlir::FailureOr<mlir::OwningOpRef<mlir::func::FuncOp>>
buildFunction(mlir::func::FuncOp like, const egraph::EGraph &graph,
              llvm::ArrayRef<mlir::Operation *> ops);

} // namespace tenon::optimize

#endif // TENON_LIB_OPTIMIZE_KERNELGRAPH_H
