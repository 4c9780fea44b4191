//===- OpDerivatives.h - the derivative of each op ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One overload of `differentiate` per op with a derivative of its own; the
// others are differentiated through their scalar form or their decomposition
// (OpDerivatives.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DIFFERENTIATE_OPDERIVATIVES_H
#define TENON_LIB_DIFFERENTIATE_OPDERIVATIVES_H

#include "tenon/Dialect/Graph/IR/Compose.h"

namespace tenon::differentiate {

/// The cotangents around one op: those of its results are given, those of its
/// operands are asked for.
class Cotangents : public graph::Compose {
public:
  Cotangents(mlir::OpBuilder &builder, mlir::Operation *op,
             llvm::ArrayRef<mlir::Value> results, llvm::ArrayRef<bool> wanted)
      : Compose(builder, op->getLoc()), op_(op), results(results),
        wanted(wanted), operands(wanted.size()) {}

  mlir::Operation *getOp() const { return op_; }
  /// The cotangent of a result; null if it is 0.
  mlir::Value of(unsigned result = 0) const { return results[result]; }
  /// The same in the type in which composites compute: f16 and bf16 are widened
  /// to f32.
  mlir::Value wideOf(unsigned result = 0) { return widen(results[result]); }
  llvm::ArrayRef<mlir::Value> ofResults() const { return results; }
  bool wants(unsigned operand) const { return wanted[operand]; }
  llvm::ArrayRef<bool> getWanted() const { return wanted; }

  /// States the cotangent of an operand, whose shape it has; it is cast to the
  /// element type of the operand.
  void give(unsigned operand, mlir::Value cotangent);
  llvm::ArrayRef<mlir::Value> getOperands() const { return operands; }

  /// Sums `x` over the axes along which `shape` was broadcast to the shape of
  /// `x`.
  mlir::Value sumTo(mlir::Value x, const graph::Shape &shape);
  mlir::Value transpose(mlir::Value x, llvm::ArrayRef<int64_t> perm);
  mlir::Value slice(mlir::Value x, int64_t axis, const graph::SymInt &start,
                    const graph::SymInt &size);
  /// The first elements of every axis.
  mlir::Value sliceTo(mlir::Value x, const graph::Shape &sizes);
  /// Adds zeros along one axis.
  mlir::Value pad(mlir::Value x, int64_t axis, const graph::SymInt &low,
                  const graph::SymInt &high);
  /// The positions along `axis`, of type i64.
  mlir::Value positions(const graph::Shape &shape, int64_t axis);
  mlir::Value zerosLike(mlir::Value x) { return fullLike(0, x); }
  graph::DimsAttr dims(llvm::ArrayRef<graph::SymInt> entries) const {
    return graph::DimsAttr::get(builder.getContext(), entries);
  }

private:
  mlir::Operation *op_;
  llvm::ArrayRef<mlir::Value> results;
  llvm::ArrayRef<bool> wanted;
  llvm::SmallVector<mlir::Value> operands;
};

#define TENON_DERIVATIVE(OP)                                                   \
  mlir::LogicalResult differentiate(graph::OP op, Cotangents &c)

// Linear ops: the adjoint (rules/adjoints states and proves each).
TENON_DERIVATIVE(TransposeOp);
TENON_DERIVATIVE(ReshapeOp);
TENON_DERIVATIVE(BroadcastOp);
TENON_DERIVATIVE(TileOp);
TENON_DERIVATIVE(SliceOp);
TENON_DERIVATIVE(ConcatOp);
TENON_DERIVATIVE(SplitOp);
TENON_DERIVATIVE(PadOp);
TENON_DERIVATIVE(ReverseOp);
TENON_DERIVATIVE(ResizeOp);
TENON_DERIVATIVE(ReduceSumOp);
TENON_DERIVATIVE(AllReduceOp);
TENON_DERIVATIVE(CumsumOp);
TENON_DERIVATIVE(AvgPoolOp);
TENON_DERIVATIVE(GatherOp);
TENON_DERIVATIVE(GatherElementsOp);
TENON_DERIVATIVE(GatherNdOp);
TENON_DERIVATIVE(ScatterElementsOp);
TENON_DERIVATIVE(ScatterNdOp);

// Linear in each operand.
TENON_DERIVATIVE(MatmulOp);
TENON_DERIVATIVE(ConvOp);
TENON_DERIVATIVE(ConvTransposeOp);
TENON_DERIVATIVE(ConvBackwardWeightOp);

// Others.
TENON_DERIVATIVE(ReduceProdOp);
TENON_DERIVATIVE(ReduceMaxOp);
TENON_DERIVATIVE(ReduceMinOp);
TENON_DERIVATIVE(CumprodOp);
TENON_DERIVATIVE(MaxPoolOp);
TENON_DERIVATIVE(LpPoolOp);
TENON_DERIVATIVE(LrnOp);
TENON_DERIVATIVE(TopKOp);
TENON_DERIVATIVE(SoftmaxOp);
TENON_DERIVATIVE(LogSoftmaxOp);
TENON_DERIVATIVE(LayerNormOp);
TENON_DERIVATIVE(RmsNormOp);
TENON_DERIVATIVE(BatchNormOp);
TENON_DERIVATIVE(GroupNormOp);
TENON_DERIVATIVE(InstanceNormOp);
TENON_DERIVATIVE(ReduceL2Op);
TENON_DERIVATIVE(ReduceLogSumExpOp);
TENON_DERIVATIVE(NllLossOp);
TENON_DERIVATIVE(SoftmaxCrossEntropyOp);
#undef TENON_DERIVATIVE

/// Differentiates an elementwise op through its scalar form.
mlir::LogicalResult differentiateElementwise(graph::ElementwiseInterface op,
                                             Cotangents &c);

/// Differentiates a composite through its decomposition, which is built anew:
/// the values between are computed again instead of kept.
mlir::LogicalResult differentiateDecomposition(graph::DecomposableInterface op,
                                               Cotangents &c);

/// The derivative of an elementwise op of scalar form `body` in the operand
/// number `operand`, an expression over the loads of `body`. Null if it is 0.
/// Fails if a function that `body` applies to the operand is not
/// differentiable.
mlir::FailureOr<graph::Expr> deriveScalar(const graph::Expr &body,
                                          unsigned operand);

/// Builds the value of an elementwise expression over the operands of an op:
/// load k is `operands[k]`, of the shape `shape`. Then `cotangent` times that.
class ScalarBuilder {
public:
  ScalarBuilder(graph::Compose &c, llvm::SmallVector<mlir::Value> operands,
                graph::Shape shape)
      : c(c), operands(std::move(operands)), shape(std::move(shape)) {}
  /// States that `expr` has been computed already.
  void bind(const graph::Expr &expr, mlir::Value value) {
    built[expr.getPointer()] = value;
    kept.push_back(expr);
  }
  mlir::Value build(const graph::Expr &expr);
  /// `cotangent * factor`, where 0 stays 0 whatever the cotangent, and branches
  /// that are not taken do not count. Both have one element type, unless the
  /// factor is 1, 0, -1 or a choice of these.
  mlir::Value multiply(mlir::Value cotangent, const graph::Expr &factor);

private:
  graph::Compose &c;
  llvm::SmallVector<mlir::Value> operands;
  graph::Shape shape;
  llvm::DenseMap<const graph::ExprNode *, mlir::Value> built;
  /// Keeps the nodes, whose addresses are the keys.
  std::vector<graph::Expr> kept;
};

} // namespace tenon::differentiate

#endif // TENON_LIB_DIFFERENTIATE_OPDERIVATIVES_H
