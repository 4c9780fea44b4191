//===- IndexConverters.cpp - gather, scatter, one-hot ---------------------===//
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

template <typename OpTy> static LogicalResult alongAxis(NodeContext &n) {
  Value x = n.data(0), indices = n.data(1);
  if (!x || !indices)
    return failure();
  FailureOr<int64_t> axis = n.axisAttr("axis", 0, rankOf(x));
  if (failed(axis))
    return failure();
  return n.finish(n.op<OpTy>({x, indices}, {n.integer("axis", *axis)}));
}

static LogicalResult convertGatherNd(NodeContext &n) {
  return n.finish(
      n.op<GatherNdOp>({n.data(0), n.data(1)},
                       {n.integer("batch_dims", n.intAttr("batch_dims", 0))}));
}

static ScatterReductionAttr reductionAttr(NodeContext &n) {
  StringRef text = n.stringAttr("reduction", "none");
  std::optional<ScatterReduction> reduction = symbolizeScatterReduction(text);
  if (!reduction) {
    n.error("reduction is '" + text + "'; expected none, add, mul, max or min");
    return {};
  }
  return ScatterReductionAttr::get(n.getContext(), *reduction);
}

static LogicalResult convertScatterElements(NodeContext &n) {
  Value x = n.data(0);
  ScatterReductionAttr reduction = reductionAttr(n);
  if (!x || !reduction)
    return failure();
  FailureOr<int64_t> axis = n.axisAttr("axis", 0, rankOf(x));
  if (failed(axis))
    return failure();
  return n.finish(n.op<ScatterElementsOp>(
      {x, n.data(1), n.data(2)},
      {n.integer("axis", *axis), n.attr("reduction", reduction)}));
}

static LogicalResult convertScatterNd(NodeContext &n) {
  ScatterReductionAttr reduction = reductionAttr(n);
  if (!reduction)
    return failure();
  return n.finish(n.op<ScatterNdOp>({n.data(0), n.data(1), n.data(2)},
                                    {n.attr("reduction", reduction)}));
}

static LogicalResult convertOneHot(NodeContext &n) {
  Value indices = n.data(0), values = n.data(2);
  if (!indices || !values)
    return failure();
  auto depth = n.sizes(1, "depth");
  if (failed(depth))
    return failure();
  if (depth->size() != 1)
    return n.fail("depth has " + Twine(depth->size()) +
                  " elements; expected 1");
  int64_t rank = rankOf(indices) + 1;
  FailureOr<int64_t> axis = n.axisAttr("axis", -1, rank);
  if (failed(axis))
    return failure();
  Type i64 = n.getBuilder().getI64Type();
  SymInt size = depth->front();
  // Indices in [-depth, -1] count from the end; other indices outside of [0,
  // depth) match no position.
  Value index = n.cast(indices, i64);
  Value wrapped = n.where(n.less(index, n.scalar(0, i64)),
                          n.add(index, n.size(size)), index);
  Shape positions(rank, SymInt(1));
  positions[*axis] = size;
  Value hot =
      n.equal(n.unsqueeze(wrapped, {*axis}), n.iota(positions, *axis, i64));
  Value off = n.squeeze(n.slice(values, 0, SymInt(0), SymInt(1)), {0});
  Value on = n.squeeze(n.slice(values, 0, SymInt(1), SymInt(1)), {0});
  return n.finish(n.where(hot, on, off));
}

/// The condition determines the shape, so it must be known at import.
static LogicalResult convertCompress(NodeContext &n) {
  Value x = n.data(0);
  if (!x)
    return failure();
  auto condition = n.integers(1, "condition");
  if (failed(condition))
    return failure();
  SmallVector<int64_t> chosen;
  for (auto [position, flag] : llvm::enumerate(*condition))
    if (flag)
      chosen.push_back(position);
  int64_t axis = 0;
  if (n.hasAttr("axis")) {
    FailureOr<int64_t> given = n.axisAttr("axis", 0, rankOf(x));
    if (failed(given))
      return failure();
    axis = *given;
  } else {
    x = n.reshape(x, {product(getShape(x))});
  }
  if (!x)
    return failure();
  std::optional<int64_t> size = getShape(x)[axis].getConstant();
  if (!size || (!chosen.empty() && chosen.back() >= *size))
    return n.fail("the condition selects element " +
                  Twine(chosen.empty() ? 0 : chosen.back()) +
                  " of an axis of size " + getShape(x)[axis].str());
  return n.finish(n.gather(x, n.indices(chosen), axis));
}

/// The positions of nonzero elements; the tensor must be known at import.
static LogicalResult convertNonZero(NodeContext &n) {
  auto values =
      n.numbers(0, "tensor, which determines the shape of the result");
  if (failed(values))
    return failure();
  SmallVector<int64_t> shape(n.type(0).getShape());
  SmallVector<SmallVector<int64_t>> positions(shape.size());
  for (auto [linear, value] : llvm::enumerate(*values)) {
    if (value == 0)
      continue;
    int64_t rest = linear;
    for (size_t axis = shape.size(); axis-- > 0; rest /= shape[axis])
      positions[axis].push_back(rest % shape[axis]);
  }
  FactTensor fact;
  fact.shape = {static_cast<int64_t>(shape.size()),
                shape.empty() ? 0 : static_cast<int64_t>(positions[0].size())};
  for (const SmallVector<int64_t> &row : positions)
    for (int64_t position : row)
      fact.elements.push_back(Fact(position));
  return n.finish(std::move(fact));
}

/// Returns column - row for the last two axes.
static Value diagonals(NodeContext &n, const SymInt &rows,
                       const SymInt &columns) {
  Type i64 = n.getBuilder().getI64Type();
  return n.sub(n.iota({rows, columns}, 1, i64),
               n.iota({rows, columns}, 0, i64));
}

static LogicalResult convertTrilu(NodeContext &n) {
  Value x = n.data(0);
  if (!x)
    return failure();
  if (rankOf(x) < 2)
    return n.fail("the input has rank " + Twine(rankOf(x)) +
                  "; expected at least 2");
  Type i64 = n.getBuilder().getI64Type();
  Value k = n.has(1) ? n.reshape(n.data(1), {}) : n.scalar(0, i64);
  Shape shape = getShape(x);
  Value diagonal = diagonals(n, shape[shape.size() - 2], shape.back());
  Value keep = n.intAttr("upper", 1) ? n.binary<LessEqualOp>(k, diagonal)
                                     : n.binary<LessEqualOp>(diagonal, k);
  return n.finish(n.where(keep, x, n.scalarLike(0, x)));
}

static LogicalResult convertEyeLike(NodeContext &n) {
  if (!n.has(0))
    return n.fail("input 0 is missing");
  Shape shape = n.shape(0);
  if (shape.size() != 2)
    return n.fail("the input has rank " + Twine(shape.size()) + "; expected 2");
  Type type = n.type(0).getElementType();
  if (n.hasAttr("dtype")) {
    int64_t number = n.intAttr("dtype", 0);
    auto dtype = toDType(static_cast<int32_t>(number));
    if (!dtype)
      return n.fail("element type " + onnxTypeName(number) +
                    " is not supported");
    type = toElementType(*dtype, n.getContext());
  }
  Value k = n.scalar(static_cast<double>(n.intAttr("k", 0)),
                     n.getBuilder().getI64Type());
  return n.finish(n.cast(n.equal(diagonals(n, shape[0], shape[1]), k), type));
}

ArrayRef<Operator> tenon::onnx::indexOperators() {
  constexpr Support D = Support::Direct, C = Support::Composed;
  static const Operator table[] = {
      {"Compress", D, convertCompress,
       "the condition known at import, and a static axis"},
      {"EyeLike", C, convertEyeLike, ""},
      {"Gather", D, alongAxis<GatherOp>, ""},
      {"GatherElements", D, alongAxis<GatherElementsOp>, ""},
      {"GatherND", D, convertGatherNd, ""},
      {"NonZero", Support::Import, convertNonZero,
       "of a tensor known at import"},
      {"OneHot", C, convertOneHot, "the depth known at import"},
      {"Scatter", D, convertScatterElements, ""},
      {"ScatterElements", D, convertScatterElements, ""},
      {"ScatterND", D, convertScatterNd, ""},
      {"Trilu", C, convertTrilu, ""},
  };
  return table;
}
