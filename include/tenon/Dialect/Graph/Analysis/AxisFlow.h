//===- AxisFlow.h - how axes flow through ops -----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Axis flow says which elements of the operands a slice of a result needs, axis
// by axis, and which axes of operands are reduced. It is derived from the index
// form of an op, from its decomposition if it is a composite, and from nothing
// else, so that it holds for every op and every size.
//
// (Shardy's sharding rules state the same per op by hand, as factors; here they
// follow from the meaning of the op.)
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_GRAPH_ANALYSIS_AXISFLOW_H
#define TENON_DIALECT_GRAPH_ANALYSIS_AXISFLOW_H

#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Dialect/Graph/IR/IndexForm.h"

#include <optional>
#include <string>

namespace tenon::graph {

/// Which elements of an operand the indices [from, to) of a result's axis need.
struct AxisAccess {
  enum class Kind {
    Unread, // none
    Shared, // elements that do not depend on the index: all slices need them
    Sliced, // the slice of `axis` given below
    Whole   // elements that depend on the index in a way not stated here
  };
  Kind kind = Kind::Unread;
  /// Sliced: the result's index i needs the indices
  ///   (stride * i + low) floordiv divisor ... (stride * i + high) floordiv
  ///   divisor
  /// of `axis`, both ends included and each clamped to the axis. `low` and
  /// `high` are the halo of a window; the divisor is above 1 if several indices
  /// of the result share one of the operand, as in a reshape that merges axes.
  unsigned axis = 0;
  SymInt stride = 1, divisor = 1, low = 0, high = 0;

  /// Index i of the result needs index i of the operand's axis, and no other.
  bool isSame() const;
  bool operator==(const AxisAccess &other) const;
};

/// One axis of a result.
struct ResultAxisFlow {
  /// One for each operand.
  llvm::SmallVector<AxisAccess, 4> operands;
  /// The index decides more than which elements are read, as in a mask, an
  /// iota or a padding.
  bool usesPosition = false;

  /// Whether the op, applied to the same slice of all operands that are sliced
  /// and to the other operands whole, gives that slice of the result.
  bool isUnchanged() const;
};

/// A reduction over axes of the operands, by which the result may be split: it
/// is the sum (product, maximum, minimum) of the op's results on the parts.
struct ReducedAxis {
  ReduceKind kind = ReduceKind::Sum;
  SymInt size;
  /// The (operand, axis) that are cut in the same places.
  llvm::SmallVector<std::pair<unsigned, unsigned>, 2> axes;
  /// The type in which the parts' results are combined.
  mlir::Type accumulation;
  /// The variable of the index form.
  unsigned var = 0;
};

/// One result of an op.
struct AxisFlow {
  llvm::SmallVector<ResultAxisFlow, 4> axes;
  llvm::SmallVector<ReducedAxis, 2> reduced;

  /// One line per axis and reduction: `axis 0: x[1], w shared`.
  void print(llvm::raw_ostream &os, llvm::ArrayRef<std::string> names) const;
  std::string str() const;
};

/// The flow of one index form. `operandShapes` are those that its loads refer
/// to.
AxisFlow getAxisFlow(const IndexForm &form,
                     llvm::ArrayRef<Shape> operandShapes);

/// The flow of a result of an op of the graph dialect. Operands of an op whose
/// meaning is opaque (ReferenceInterface) are needed whole. Nothing for ops
/// that do not compute.
std::optional<AxisFlow> getAxisFlow(mlir::Operation *op, unsigned result = 0);

/// The flow from `inputs` to `value`, through the ops between them, in one
/// block. Reductions are not stated. Values that depend on no input are shared
/// constants and do not appear.
std::optional<AxisFlow> getAxisFlow(llvm::ArrayRef<mlir::Value> inputs,
                                    mlir::Value value);

} // namespace tenon::graph

#endif // TENON_DIALECT_GRAPH_ANALYSIS_AXISFLOW_H
