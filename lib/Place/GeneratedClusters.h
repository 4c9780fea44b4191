//===- GeneratedClusters.h - clustering of ops for generated code ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PLACE_GENERATEDCLUSTERS_H
#define TENON_LIB_PLACE_GENERATEDCLUSTERS_H

#include "mlir/IR/Block.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/DenseSet.h"

#include <map>
#include <memory>
#include <vector>

namespace tenon::place {

class SubgraphKeys;

/// Which unions of ops make a good kernel, as far as known. Valid until the ops
/// are changed.
struct GoodSubgraphs {
  std::map<std::vector<mlir::Operation *>, bool> unions;
  /// Ops of subgraphs that turned out not to be good. Every union with one of
  /// them is planned.
  llvm::DenseSet<mlir::Operation *> doubted;
  /// The keys of the block, through which results for other graphs are shared.
  std::shared_ptr<const SubgraphKeys> keys;
};

/// Divides the ops of the block that other backends do not run into subgraphs,
/// each of which one kernel can compute. Every subgraph is convex, in order,
/// and comes after the subgraphs that it reads. Splat constants are part of the
/// subgraphs that use them. With `keepsWeights`, values that are computed at
/// load only from weights, and are no larger than these, are not computed again
/// in kernels that run later.
std::vector<llvm::SmallVector<mlir::Operation *>>
clusterGeneratedOps(mlir::Block &block,
                    llvm::function_ref<bool(mlir::Operation *)> isTaken,
                    GoodSubgraphs &goodSubgraphs, bool keepsWeights);

/// Returns the op with the splat constants that it uses.
llvm::SmallVector<mlir::Operation *> getWithSplats(mlir::Operation *op);

} // namespace tenon::place

#endif // TENON_LIB_PLACE_GENERATEDCLUSTERS_H
