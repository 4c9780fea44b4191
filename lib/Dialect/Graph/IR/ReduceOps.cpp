//===- ReduceOps.cpp - reductions and scans: types, checks, index forms ---===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormExpressions.h"
#include "InferenceChecks.h"
#include "OperandTypes.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tenon::graph;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static LogicalResult inferReduce(std::optional<Location> loc, Value x,
                                 DimsAttr axes, bool keepdims,
                                 SmallVectorImpl<Type> &types) {
  if (failed(checkTensors(loc, x)))
    return failure();
  auto type = cast<RankedTensorType>(x.getType());
  if (failed(checkAscendingAxes(loc, axes, type.getRank())))
    return failure();
  Shape shape;
  std::optional<SmallVector<int64_t>> constants = axes.getConstants();
  if (!constants) {
    // A rule with symbolic axes determines only the rank.
    shape.assign(type.getRank() - (keepdims ? 0 : axes.size()),
                 SymInt::unknown());
  } else {
    for (auto [axis, size] : llvm::enumerate(getShape(x))) {
      if (!llvm::is_contained(*constants, axis))
        shape.push_back(size);
      else if (keepdims)
        shape.push_back(1);
    }
  }
  types.push_back(getTensorType(shape, type.getElementType()));
  return success();
}

#define TENON_REDUCE(OP)                                                       \
  LogicalResult OP::inferReturnTypes(                                          \
      MLIRContext *, std::optional<Location> loc, Adaptor adaptor,             \
      SmallVectorImpl<Type> &types) {                                          \
    return inferReduce(loc, adaptor.getX(), adaptor.getAxes(),                 \
                       adaptor.getKeepdims(), types);                          \
  }

TENON_REDUCE(ReduceSumOp)
TENON_REDUCE(ReduceProdOp)
TENON_REDUCE(ReduceMaxOp)
TENON_REDUCE(ReduceMinOp)
TENON_REDUCE(ReduceMeanOp)
TENON_REDUCE(ReduceL1Op)
TENON_REDUCE(ReduceL2Op)
TENON_REDUCE(ReduceSumSquareOp)
TENON_REDUCE(ReduceLogSumOp)
TENON_REDUCE(ReduceLogSumExpOp)

static LogicalResult inferArg(std::optional<Location> loc, Value x,
                              int64_t axis, bool keepdims,
                              SmallVectorImpl<Type> &types) {
  if (failed(checkTensors(loc, x)))
    return failure();
  Shape shape = getShape(x);
  if (failed(checkAxis(loc, axis, shape.size())))
    return failure();
  requireNotNegative(loc, shape[axis] - SymInt(1),
                     "axis " + Twine(axis) +
                         ": expected at least 1 element, but got " +
                         shape[axis].str());
  if (keepdims)
    shape[axis] = SymInt(1);
  else
    shape.erase(shape.begin() + axis);
  types.push_back(getTensorType(shape, IntegerType::get(x.getContext(), 64)));
  return success();
}

/// Checks that the axis is not empty: no elements have no largest one.
static LogicalResult verifyArg(Operation *op, int64_t axis) {
  Shape shape = getShape(op->getOperand(0));
  if (failed(checkAxis(op->getLoc(), axis, shape.size())))
    return failure();
  if (shape[axis].getConstant() == 0)
    return op->emitOpError("axis ") << axis << ": expected at least 1 element, "
                                    << "but got 0";
  return success();
}

#define TENON_ARG_REDUCE(OP)                                                   \
  LogicalResult OP::inferReturnTypes(                                          \
      MLIRContext *, std::optional<Location> loc, Adaptor adaptor,             \
      SmallVectorImpl<Type> &types) {                                          \
    return inferArg(loc, adaptor.getX(), adaptor.getAxis(),                    \
                    adaptor.getKeepdims(), types);                             \
  }                                                                            \
  LogicalResult OP::verify() { return verifyArg(*this, getAxis()); }

TENON_ARG_REDUCE(ArgmaxOp)
TENON_ARG_REDUCE(ArgminOp)

static LogicalResult inferScan(std::optional<Location> loc, Value x,
                               int64_t axis, SmallVectorImpl<Type> &types) {
  if (failed(checkTensors(loc, x)))
    return failure();
  auto type = cast<RankedTensorType>(x.getType());
  if (failed(checkAxis(loc, axis, type.getRank())))
    return failure();
  types.push_back(getTensorType(getShape(x), type.getElementType()));
  return success();
}

#define TENON_SCAN(OP)                                                         \
  LogicalResult OP::inferReturnTypes(                                          \
      MLIRContext *, std::optional<Location> loc, Adaptor adaptor,             \
      SmallVectorImpl<Type> &types) {                                          \
    return inferScan(loc, adaptor.getX(), adaptor.getAxis(), types);           \
  }

TENON_SCAN(CumsumOp)
TENON_SCAN(CumprodOp)

//===----------------------------------------------------------------------===//
// Index forms
//===----------------------------------------------------------------------===//

/// A reduction, in the type that it accumulates in.
static Expr accumulate(ReduceKind kind, ArrayRef<unsigned> vars,
                       ArrayRef<Expr> extents, Expr guard, Expr element) {
  Type type = element->type;
  // The maximum of f16 numbers is one of them, so it needs no wider type; a sum
  // does.
  bool rounds = kind == ReduceKind::Sum || kind == ReduceKind::Prod;
  Type wide = rounds ? getAccumulationType(type) : type;
  Expr sum =
      Expr::reduce(kind, vars, extents, guard, Expr::cast(element, wide));
  return Expr::cast(sum, type);
}

static SmallVector<IndexForm> reduceForms(ReduceKind kind, Value x,
                                          DimsAttr axes, bool keepdims,
                                          Value result) {
  std::optional<SmallVector<int64_t>> constants = axes.getConstants();
  if (!constants)
    return {};
  Type element = cast<RankedTensorType>(x.getType()).getElementType();
  Shape shape = getShape(result);
  unsigned outer = 0, bound = shape.size();
  SmallVector<Expr> index, extents;
  SmallVector<unsigned> vars;
  for (auto [axis, size] : llvm::enumerate(getShape(x))) {
    if (!llvm::is_contained(*constants, axis)) {
      index.push_back(Expr::var(outer++));
      continue;
    }
    outer += keepdims;
    vars.push_back(bound);
    index.push_back(Expr::var(bound++));
    extents.push_back(Expr::size(size));
  }
  Expr body = accumulate(kind, vars, extents, Expr::always(),
                         Expr::load(0, index, element));
  return {IndexForm{shape, element, body}};
}

#define TENON_REDUCE_FORM(OP, KIND)                                            \
  SmallVector<IndexForm> OP::getIndexForms() {                                 \
    return reduceForms(ReduceKind::KIND, getX(), getAxes(), getKeepdims(),     \
                       getResult());                                           \
  }

TENON_REDUCE_FORM(ReduceSumOp, Sum)
TENON_REDUCE_FORM(ReduceProdOp, Prod)
TENON_REDUCE_FORM(ReduceMaxOp, Max)
TENON_REDUCE_FORM(ReduceMinOp, Min)

/// Element i combines all elements up to i: a reduction over the whole axis
/// under a guard.
static SmallVector<IndexForm> scanForms(ReduceKind kind, Value x, int64_t axis,
                                        bool exclusive, bool reverse) {
  Type element = cast<RankedTensorType>(x.getType()).getElementType();
  Shape shape = getShape(x);
  SmallVector<Expr> index;
  for (size_t number = 0; number < shape.size(); ++number)
    index.push_back(Expr::var(number));
  Expr here = index[axis], other = Expr::var(shape.size());
  index[axis] = other;
  Expr first = reverse ? here : other, last = reverse ? other : here;
  Expr guard =
      exclusive ? Expr::less(first, last) : Expr::lessEqual(first, last);
  Expr body = accumulate(kind, {static_cast<unsigned>(shape.size())},
                         {Expr::size(shape[axis])}, guard,
                         Expr::load(0, index, element));
  return {IndexForm{shape, element, body}};
}

SmallVector<IndexForm> CumsumOp::getIndexForms() {
  return scanForms(ReduceKind::Sum, getX(), getAxis(), getExclusive(),
                   getReverse());
}

SmallVector<IndexForm> CumprodOp::getIndexForms() {
  return scanForms(ReduceKind::Prod, getX(), getAxis(), getExclusive(),
                   getReverse());
}
