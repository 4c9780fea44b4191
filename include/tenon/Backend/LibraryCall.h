//===- LibraryCall.h - a placed subgraph as a library call ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The description that a backend gives of a `kernel.call` placed on it, from
// which Lower makes a program.call. Sizes are SymInts.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_BACKEND_LIBRARYCALL_H
#define TENON_BACKEND_LIBRARYCALL_H

#include "tenon/Backend/PluginCall.h"
#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Dialect/Program/IR/Program.h"

#include <optional>
#include <string>

namespace tenon::backend {

/// An operand of a library call: its logical shape and the order of its axes in
/// memory, outermost first (empty: row-major).
struct CallOperand {
  mlir::Type elementType;
  graph::Shape shape;
  llvm::SmallVector<int32_t> order;
};

/// A call of a built-in library (tenon_call) or of a plug-in.
struct LibraryCall {
  program::Library library = program::Library::OneDnn;
  program::PrimitiveAttr primitive;
  /// The operands of the step's buffers, the result last.
  llvm::SmallVector<CallOperand, 0> operands;
  llvm::SmallVector<program::PostOpAttr> postOps;
  /// For each operand except the results: the kernel's input.
  llvm::SmallVector<unsigned> inputs;
  /// The order of axes that the library requires for operand 1, which must be
  /// known at load; empty: unchanged.
  llvm::SmallVector<unsigned> weightOrder;
  /// Used instead of all above for a plug-in call. `outputs` has the kernel's
  /// output for each of its results.
  std::optional<PluginCall> plugin;
  llvm::SmallVector<unsigned> outputs;
};

} // namespace tenon::backend

#endif // TENON_BACKEND_LIBRARYCALL_H
