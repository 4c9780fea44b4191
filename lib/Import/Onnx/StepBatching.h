//===- StepBatching.h - batching the steps of a loop ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_IMPORT_ONNX_STEPBATCHING_H
#define TENON_LIB_IMPORT_ONNX_STEPBATCHING_H

#include "../GraphBuilder.h"

#include "llvm/ADT/DenseMap.h"

namespace tenon::onnx {

/// Rewrites ops that compute one step of a loop, in terms of the symbol of the
/// step number, into ops that compute all steps: their values get a leading
/// axis of size `numSteps`.
class StepBatching {
public:
  StepBatching(GraphBuilder &b, std::string step, graph::SymInt numSteps)
      : b(b), step(std::move(step)), numSteps(std::move(numSteps)) {}

  /// Builds the batched form of `op`, if it differs between steps. Returns
  /// false after an error, if the op has no such form.
  bool add(mlir::Operation *op);
  /// Returns the value for all steps; null after an error.
  mlir::Value get(mlir::Value value);
  /// Whether the op is replaced by its batched form.
  bool isReplaced(mlir::Operation *op) const {
    return op->getNumResults() == 1 &&
           (isBatched(op->getResult(0)) || prefixes.count(op->getResult(0)));
  }
  /// Whether attributes or types of the op contain the step number.
  bool mentionsStep(mlir::Operation *op) const;

private:
  bool mentionsStep(const graph::SymInt &value) const;
  bool isBatched(mlir::Value value) const { return batched.count(value); }
  graph::Shape withSteps(llvm::ArrayRef<graph::SymInt> shape) const;
  mlir::Value window(graph::SliceOp op);
  mlir::Value moveStepsToFront(mlir::Value value, int64_t axis);
  mlir::Value batch(mlir::Operation *op);

  GraphBuilder &b;
  std::string step;
  graph::SymInt numSteps;
  llvm::DenseMap<mlir::Value, mlir::Value> batched;
  /// Values of which each step has a beginning, and the longest of all steps.
  llvm::DenseMap<mlir::Value, mlir::Value> prefixes;
};

} // namespace tenon::onnx

#endif // TENON_LIB_IMPORT_ONNX_STEPBATCHING_H
