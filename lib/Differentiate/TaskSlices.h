//===- TaskSlices.h - which ops a task computes ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DIFFERENTIATE_TASKSLICES_H
#define TENON_LIB_DIFFERENTIATE_TASKSLICES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

#include <string>

namespace tenon::differentiate {

/// The ops of a task, and what it is given: arguments of the joint function,
/// and values that other tasks compute.
struct TaskSlice {
  llvm::DenseSet<mlir::Operation *> ops;
  llvm::SetVector<mlir::Value> given;
};

/// A value with its name in the interface of a task.
struct NamedValue {
  mlir::Value value;
  std::string name;
};

/// Divides a function that computes a stage, and behind it the gradients, into
/// tasks. Nothing is kept from one task to another that follows only
/// from weights, or is a view or a broadcast of something else.
class TaskSlices {
public:
  /// `forward`: the ops of the stage itself, in their order.
  TaskSlices(mlir::func::FuncOp joint,
             llvm::ArrayRef<mlir::Operation *> forward);

  bool isForward(mlir::Value value) const;
  /// The slice of all ops that compute `roots`.
  TaskSlice getWhole(llvm::ArrayRef<mlir::Value> roots) const;
  /// The slice of a backward task, which is given what forward ops compute
  /// unless it computes that again, and what `before`, a backward task that has
  /// run, computes.
  TaskSlice getBackward(llvm::ArrayRef<mlir::Value> roots, bool recompute,
                        const TaskSlice *before = nullptr) const;
  /// Adds a function that is given the values of a slice, under the names that
  /// `getName` says, and returns `results`. `mapping` has its values at last,
  /// and the builder is before its end.
  mlir::func::FuncOp build(mlir::OpBuilder &builder, llvm::StringRef name,
                           const TaskSlice &slice,
                           llvm::ArrayRef<NamedValue> results,
                           llvm::function_ref<std::string(mlir::Value)> getName,
                           mlir::IRMapping &mapping) const;

private:
  TaskSlice slice(llvm::ArrayRef<mlir::Value> roots,
                  llvm::function_ref<bool(mlir::Value)> isGiven) const;
  bool isKept(mlir::Value value) const;

  mlir::Block *block; // of the joint function
  llvm::DenseSet<mlir::Operation *> forwardOps;
  /// What depends on arguments, or on states that the forward ops write.
  llvm::DenseSet<mlir::Value> dynamic;
};

} // namespace tenon::differentiate

#endif // TENON_LIB_DIFFERENTIATE_TASKSLICES_H
