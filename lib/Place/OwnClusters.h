//===- OwnClusters.h - pieces for own code --------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PLACE_OWNCLUSTERS_H
#define TENON_LIB_PLACE_OWNCLUSTERS_H

#include "mlir/IR/Block.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/DenseSet.h"

#include <map>
#include <memory>
#include <vector>

namespace tenon::place {

class PieceKeys;

/// Which unions of ops make a good kernel, as far as it was asked. Holds as
/// long as the ops are not changed.
struct GoodPieces {
  std::map<std::vector<mlir::Operation *>, bool> unions;
  /// Ops of pieces that turned out not to be good: every union with one of them
  /// is planned.
  llvm::DenseSet<mlir::Operation *> doubted;
  /// Of the block; knows what was asked of other graphs.
  std::shared_ptr<const PieceKeys> keys;
};

/// Divides the block's ops that are not taken by others into pieces, each of
/// which one kernel can compute. Every piece is convex, in order, and comes
/// after the pieces that it reads. Splat constants are part of those that use
/// them. With `keepsWeights`, what is made at load of weights alone, and is no
/// larger than they are, is not computed again in pieces that run.
std::vector<llvm::SmallVector<mlir::Operation *>>
clusterOwnOps(mlir::Block &block,
              llvm::function_ref<bool(mlir::Operation *)> isTaken,
              GoodPieces &goodPieces, bool keepsWeights);

/// The op with the splat constants that it uses.
llvm::SmallVector<mlir::Operation *> makeOwnPiece(mlir::Operation *op);

} // namespace tenon::place

#endif // TENON_LIB_PLACE_OWNCLUSTERS_H
