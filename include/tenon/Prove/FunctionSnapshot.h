//===- FunctionSnapshot.h - a function at one moment of a compile -*- C++ -*-=//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PROVE_FUNCTIONSNAPSHOT_H
#define TENON_PROVE_FUNCTIONSNAPSHOT_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>

namespace tenon::prove {

/// A copy of a function in a form that can be compared: one block of graph ops
/// without regions. The subgraphs of `kernel.call` stand in the block, and
/// states are inputs and outputs, as --graph-functionalize-state writes them.
struct FunctionSnapshot {
  std::string name;
  mlir::OwningOpRef<mlir::func::FuncOp> function;
  /// What each argument of the block is: "argument N" or "@STATE". Equal inputs
  /// of two snapshots have equal keys.
  llvm::SmallVector<std::string> inputs;
  /// What the function computes: "result N", "@STATE" or "check N".
  llvm::SmallVector<std::pair<std::string, mlir::Value>> outputs;
  /// For ops of the copy, the op of the module at the time of the copy. Only
  /// compared, and never followed, since that op may be gone.
  llvm::DenseMap<mlir::Operation *, const void *> origins;
  /// Why the function can't be compared; empty if it can.
  std::string problem;
};

/// Copies a function that has a body.
FunctionSnapshot takeSnapshot(mlir::func::FuncOp function);

/// Adds what `more` computes to what `snapshot` does, of the same inputs.
void appendSnapshot(FunctionSnapshot &snapshot, FunctionSnapshot &&more);

} // namespace tenon::prove

#endif // TENON_PROVE_FUNCTIONSNAPSHOT_H
