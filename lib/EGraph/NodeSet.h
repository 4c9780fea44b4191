//===- NodeSet.h - hash-consing of ops ------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_EGRAPH_NODESET_H
#define TENON_LIB_EGRAPH_NODESET_H

#include "tenon/EGraph/EGraph.h"

namespace tenon::egraph {

/// E-nodes by their computation: op, attributes, operands, and the element
/// types of their results. Result sizes are determined by these, but one e-node
/// may know more of them than another.
struct EGraph::NodeInfo {
  void insert(mlir::Operation *op);
  void erase(mlir::Operation *op);
  /// Returns null if there is none.
  mlir::Operation *find(mlir::Operation *op,
                        llvm::ArrayRef<mlir::Value> operands) const;

private:
  llvm::DenseMap<uint64_t, llvm::SmallVector<mlir::Operation *, 1>> buckets;
  llvm::DenseMap<mlir::Operation *, uint64_t> hashes;
};

} // namespace tenon::egraph

#endif // TENON_LIB_EGRAPH_NODESET_H
