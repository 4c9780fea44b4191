//===- WeightRoles.h - what training does with a weight ---------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIFFERENTIATE_WEIGHTROLES_H
#define TENON_DIFFERENTIATE_WEIGHTROLES_H

#include "tenon/Dialect/Graph/IR/Graph.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/GlobPattern.h"

namespace tenon::differentiate {

struct GraphTrainOptions;

enum class WeightRole {
  Trained,
  /// A mean or variance of a batch norm, which follows those of the batches.
  Statistic,
  Fixed
};

/// Patterns of the names of weights.
class WeightPatterns {
public:
  /// The texts are right (checkTrainOptions).
  explicit WeightPatterns(llvm::ArrayRef<std::string> texts);
  bool match(llvm::StringRef name) const;

private:
  llvm::SmallVector<llvm::GlobPattern> patterns;
};

/// The one definition of what is trained: weights of floating-point types, but
/// no statistics, buffers, and what `freeze` matches. `include` makes
/// parameters of buffers.
class WeightRoles {
public:
  /// For the weights that `model`, the block of a function or of a stage, has.
  /// Fails, with a diagnostic, if only one of a batch norm's statistics is
  /// frozen or one is a constant.
  static mlir::FailureOr<WeightRoles> find(mlir::Block &model,
                                           const GraphTrainOptions &options);

  WeightRole get(graph::ParameterOp weight) const;
  /// Why it is not trained; empty if it is.
  std::string getReason(graph::ParameterOp weight) const;

private:
  explicit WeightRoles(const GraphTrainOptions &options);
  WeightPatterns frozen, included;
  llvm::StringSet<> statistics;
};

/// A pattern that fits no weight of `model` is a slip: it would change nothing.
/// Fails with a diagnostic.
mlir::LogicalResult checkWeightPatterns(mlir::Operation *model,
                                        const GraphTrainOptions &options);

/// Says in a remark which weights of `model` are taken for buffers. Fails like
/// WeightRoles::find.
mlir::LogicalResult remarkOnBuffers(mlir::Operation *model,
                                    const GraphTrainOptions &options);

/// Writes a line for each weight of `model`, with its role, and for each
/// constant of a floating-point type. Fails like WeightRoles::find.
mlir::LogicalResult listWeights(mlir::Operation *model,
                                const GraphTrainOptions &options,
                                llvm::raw_ostream &os);

} // namespace tenon::differentiate

#endif // TENON_DIFFERENTIATE_WEIGHTROLES_H
