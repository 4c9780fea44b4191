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

#include <vector>

namespace tenon::place {

/// Divides the block's ops that own code must run into pieces, each of which
/// one kernel can compute. Every piece is convex, in order, and comes after
/// the pieces that it reads.
std::vector<llvm::SmallVector<mlir::Operation *>>
clusterOwnOps(mlir::Block &block);

} // namespace tenon::place

#endif // TENON_LIB_PLACE_OWNCLUSTERS_H
