//===- TrainStep.h - the entry that trains --------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DIFFERENTIATE_TRAINSTEP_H
#define TENON_LIB_DIFFERENTIATE_TRAINSTEP_H

#include "tenon/Differentiate/Passes.h"
#include "tenon/Differentiate/ReverseMode.h"

#include "tenon/Dialect/Graph/IR/Compose.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

namespace tenon::differentiate {

/// The values of trained parameters at their uses, by name, in the order of the
/// function.
using Trained =
    llvm::MapVector<llvm::StringRef, llvm::SmallVector<mlir::Value, 1>>;

/// Adds a state after the others. It starts as `parameter`, as `value`, or as
/// zeros. Fails, with a diagnostic at `loc`, if the name is used.
mlir::LogicalResult addState(mlir::ModuleOp module, mlir::Location loc,
                             llvm::StringRef name, mlir::RankedTensorType type,
                             mlir::FlatSymbolRefAttr parameter = {},
                             mlir::ElementsAttr value = {});

/// Returns the gradient of each trained parameter: the sum over its uses.
/// Fails, with a diagnostic, if there is none, but for those of `shared`, which
/// may have gradients in other stages only.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
sumGradients(graph::Compose &compose, const Trained &trained,
             const CotangentMap &cotangents,
             llvm::ArrayRef<std::string> shared = {});

/// The name of the state of a parameter's update that the optimizer calls
/// `kind`.
std::string getOptimizerState(llvm::StringRef kind, llvm::StringRef parameter);

/// Adds the gradients and the updates to an entry that computes the loss, whose
/// statistics of batch norms and trained parameters are reads of states.
/// `hasDecay` returns whether a parameter has weight decay. Returns the ops of
/// the forward pass.
mlir::FailureOr<llvm::SmallVector<mlir::Operation *>>
addTrainStep(mlir::func::FuncOp entry, const Trained &trained,
             const GraphTrainOptions &options,
             llvm::function_ref<bool(llvm::StringRef)> hasDecay);

/// Replaces each `graph.dropout` by one that drops elements, which follow from
/// `seed` and the state of the step.
void dropElements(mlir::func::FuncOp entry, uint64_t seed);

/// The state that counts the runs of the train step.
constexpr llvm::StringLiteral kStepState = "optimizer.step";

} // namespace tenon::differentiate

#endif // TENON_LIB_DIFFERENTIATE_TRAINSTEP_H
