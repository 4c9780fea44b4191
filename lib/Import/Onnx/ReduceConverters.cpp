//===- ReduceConverters.cpp - reductions and scans ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::onnx;
using namespace tenon::graph;

/// Reads the axes from an attribute, or from input 1 since opset 13 (ReduceSum)
/// and 18 (the others). No axes means all axes, unless noop_with_empty_axes is
/// set.
static FailureOr<SmallVector<int64_t>> reducedAxes(NodeContext &n,
                                                   int64_t rank) {
  SmallVector<int64_t> list;
  if (auto attr = n.intsAttr("axes"))
    list = *attr;
  if (n.has(1)) {
    auto input = n.integers(1, "axes");
    if (failed(input))
      return failure();
    list = *input;
  }
  if (list.empty() && !n.intAttr("noop_with_empty_axes", 0))
    return llvm::to_vector(llvm::seq<int64_t>(0, rank));
  return n.axes(list, rank);
}

template <typename OpTy> static LogicalResult reduction(NodeContext &n) {
  Value x = n.data(0);
  if (!x)
    return failure();
  auto axes = reducedAxes(n, rankOf(x));
  if (failed(axes))
    return failure();
  return n.finish(n.reduce<OpTy>(x, *axes, n.intAttr("keepdims", 1)));
}

template <typename OpTy> static LogicalResult argReduction(NodeContext &n) {
  Value x = n.data(0);
  if (!x)
    return failure();
  FailureOr<int64_t> axis = n.axisAttr("axis", 0, rankOf(x));
  if (failed(axis))
    return failure();
  SmallVector<NamedAttribute> attrs = {n.integer("axis", *axis)};
  if (n.intAttr("keepdims", 1))
    attrs.push_back(n.flag("keepdims"));
  if (n.intAttr("select_last_index", 0))
    attrs.push_back(n.flag("select_last"));
  return n.finish(n.op<OpTy>({x}, attrs));
}

static LogicalResult convertTopK(NodeContext &n) {
  Value x = n.data(0);
  if (!x)
    return failure();
  FailureOr<int64_t> axis = n.axisAttr("axis", -1, rankOf(x));
  if (failed(axis))
    return failure();
  Shape k = {SymInt(n.intAttr("k", 0))};
  if (n.getOpset() >= 10) {
    auto input = n.sizes(1, "number of elements");
    if (failed(input))
      return failure();
    k = *input;
  }
  if (k.size() != 1)
    return n.fail("k has " + Twine(k.size()) + " elements; expected 1");
  SmallVector<NamedAttribute> attrs = {n.integer("axis", *axis),
                                       n.dims("k", k)};
  // Unsorted results may be in any order, so they are sorted as well.
  if (!n.intAttr("largest", 1))
    attrs.push_back(n.flag("smallest"));
  return n.finish(n.ops<TopKOp>({x}, attrs));
}

template <typename OpTy> static LogicalResult scan(NodeContext &n) {
  Value x = n.data(0);
  if (!x)
    return failure();
  auto input = n.integerInput(1, "axis");
  if (failed(input))
    return failure();
  FailureOr<int64_t> axis = n.axis(*input, rankOf(x));
  if (failed(axis))
    return failure();
  SmallVector<NamedAttribute> attrs = {n.integer("axis", *axis)};
  if (n.intAttr("exclusive", 0))
    attrs.push_back(n.flag("exclusive"));
  if (n.intAttr("reverse", 0))
    attrs.push_back(n.flag("reverse"));
  return n.finish(n.op<OpTy>({x}, attrs));
}

ArrayRef<Operator> tenon::onnx::reduceOperators() {
  constexpr Support D = Support::Direct;
  static const Operator table[] = {
      {"ArgMax", D, argReduction<ArgmaxOp>, ""},
      {"ArgMin", D, argReduction<ArgminOp>, ""},
      {"CumProd", D, scan<CumprodOp>, "the axis known at import"},
      {"CumSum", D, scan<CumsumOp>, "the axis known at import"},
      {"ReduceL1", D, reduction<ReduceL1Op>, "axes known at import"},
      {"ReduceL2", D, reduction<ReduceL2Op>, "axes known at import"},
      {"ReduceLogSum", D, reduction<ReduceLogSumOp>, "axes known at import"},
      {"ReduceLogSumExp", D, reduction<ReduceLogSumExpOp>,
       "axes known at import"},
      {"ReduceMax", D, reduction<ReduceMaxOp>, "axes known at import"},
      {"ReduceMean", D, reduction<ReduceMeanOp>, "axes known at import"},
      {"ReduceMin", D, reduction<ReduceMinOp>, "axes known at import"},
      {"ReduceProd", D, reduction<ReduceProdOp>, "axes known at import"},
      {"ReduceSum", D, reduction<ReduceSumOp>, "axes known at import"},
      {"ReduceSumSquare", D, reduction<ReduceSumSquareOp>,
       "axes known at import"},
      {"TopK", D, convertTopK, "k known at import"},
  };
  return table;
}
