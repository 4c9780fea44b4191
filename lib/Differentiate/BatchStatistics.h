//===- BatchStatistics.h - batch norms in training ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `graph.batch_norm` normalizes by statistics that it is given: in a model, by
// stored ones. In training, a norm normalizes by the mean and the variance of
// the batch, and the stored statistics follow those of the batches (Ioffe and
// Szegedy, ICML 2015, algorithms 1 and 2).
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DIFFERENTIATE_BATCHSTATISTICS_H
#define TENON_LIB_DIFFERENTIATE_BATCHSTATISTICS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringSet.h"

namespace tenon::differentiate {

/// Returns the names of the parameters that batch norms of a model use as
/// statistics and that `isFrozen` does not name. Norms whose statistics are
/// frozen or computed are unchanged. Fails, with a diagnostic, if only
/// one of a norm's statistics is frozen or one is a constant.
mlir::FailureOr<llvm::StringSet<>>
findStatistics(mlir::Block &model,
               llvm::function_ref<bool(llvm::StringRef)> isFrozen);

/// Lets each batch norm whose statistics are read from states use those of the
/// batch, and writes to the states, before the end of the block,
/// (1 - momentum) * state + momentum * statistic of the batch. The variance
/// that is stored is that of the sample: of n elements a channel, the sum of
/// the squares divided by n - 1. Fails, with a diagnostic, if n is 1 or 0.
mlir::LogicalResult normalizeByBatch(mlir::func::FuncOp entry, double momentum);

} // namespace tenon::differentiate

#endif // TENON_LIB_DIFFERENTIATE_BATCHSTATISTICS_H
