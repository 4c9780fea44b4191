//===- ShapeConverters.cpp - reshapes, transposes, concat, split ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"
#include "SizeArithmetic.h"

#include "tenon/Dialect/Graph/IR/SizeFacts.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::onnx;
using namespace tenon::graph;

static LogicalResult convertTranspose(NodeContext &n) {
  Value x = n.data(0);
  if (!x)
    return failure();
  int64_t rank = rankOf(x);
  auto perm = n.intsAttr("perm");
  if (!perm)
    perm = llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, rank)));
  if (rank == 0 && perm->empty())
    return n.finish(x);
  SmallVector<int64_t> sorted = *perm;
  llvm::sort(sorted);
  if (sorted != llvm::to_vector(llvm::seq<int64_t>(0, rank)))
    return n.fail("expected perm to be a permutation of " + Twine(rank) +
                  " axes");
  return n.finish(n.transpose(x, *perm));
}

static LogicalResult convertReshape(NodeContext &n) {
  Value x = n.data(0);
  if (!x)
    return failure();
  auto wanted = n.sizes(1, "shape");
  if (failed(wanted))
    return failure();
  Shape from = getShape(x), to;
  int64_t open = -1;
  for (auto [i, size] : llvm::enumerate(*wanted)) {
    std::optional<int64_t> constant = size.getConstant();
    if (constant == 0 && !n.intAttr("allowzero", 0)) {
      if (i >= from.size())
        return n.fail("shape entry " + Twine(i) +
                      " is 0, but the input has rank " + Twine(from.size()));
      to.push_back(from[i]);
    } else if (constant == -1) {
      if (open >= 0)
        return n.fail("more than one entry of the shape is -1");
      open = i;
      to.push_back(SymInt(1));
    } else if (constant && *constant < 0) {
      return n.fail("shape entry " + Twine(i) + " is " + Twine(*constant) +
                    "; expected at least -1");
    } else {
      to.push_back(size);
    }
  }
  if (open >= 0) {
    std::optional<SymInt> rest = remainingSize(from, to);
    // Whether the other sizes divide the number of elements is checked at run
    // time.
    SymInt others = product(to);
    if (!rest && others.getConstant() != 0)
      rest = simplify(product(from).floorDiv(others));
    if (!rest || rest->isUnknown())
      return n.fail(
          "the size for -1 can't be inferred: " + product(from).str() +
          " elements divided by " + others.str());
    to[open] = *rest;
  }
  return n.finish(n.reshape(x, to));
}

static LogicalResult convertFlatten(NodeContext &n) {
  Value x = n.data(0);
  if (!x)
    return failure();
  int64_t axis = n.intAttr("axis", 1), rank = rankOf(x);
  if (axis < -rank || axis > rank)
    return n.fail("axis " + Twine(axis) + " is out of range; expected " +
                  Twine(-rank) + " to " + Twine(rank));
  if (axis < 0)
    axis += rank;
  Shape shape = getShape(x);
  ArrayRef<SymInt> sizes(shape);
  return n.finish(n.reshape(
      x, {product(sizes.take_front(axis)), product(sizes.drop_front(axis))}));
}

/// Axes from the attribute or from input 1; nullopt if none are given.
static FailureOr<std::optional<SmallVector<int64_t>>>
givenAxes(NodeContext &n) {
  std::optional<SmallVector<int64_t>> axes = n.intsAttr("axes");
  if (n.has(1)) {
    auto input = n.integers(1, "axes");
    if (failed(input))
      return failure();
    axes = *input;
  }
  return axes;
}

static LogicalResult convertSqueeze(NodeContext &n) {
  Value x = n.data(0);
  if (!x)
    return failure();
  auto given = givenAxes(n);
  if (failed(given))
    return failure();
  Shape shape = getShape(x);
  SmallVector<int64_t> dropped;
  if (*given) {
    auto axes = n.axes(**given, rankOf(x));
    if (failed(axes))
      return failure();
    // A size that may be 1 must be 1 at run time: the reshape checks it.
    for (int64_t axis : *axes)
      if (provablyUnequal(shape[axis], SymInt(1)))
        return n.fail("axis " + Twine(axis) + " has size " + shape[axis].str() +
                      "; expected 1");
    dropped = *axes;
  } else {
    for (auto [axis, size] : llvm::enumerate(shape)) {
      if (!size.getConstant())
        return n.fail("which axes have size 1 can't be inferred: axis " +
                      Twine(axis) + " has size " + size.str());
      if (size.getConstant() == 1)
        dropped.push_back(axis);
    }
  }
  return n.finish(n.squeeze(x, dropped));
}

static LogicalResult convertUnsqueeze(NodeContext &n) {
  Value x = n.data(0);
  if (!x)
    return failure();
  auto given = givenAxes(n);
  if (failed(given))
    return failure();
  if (!*given)
    return n.fail("the axes are missing");
  if ((*given)->size() > 64)
    return n.fail("there are " + Twine((*given)->size()) +
                  " axes; expected at most 64");
  auto axes = n.axes(**given, rankOf(x) + (*given)->size());
  if (failed(axes))
    return failure();
  return n.finish(n.unsqueeze(x, *axes));
}

static LogicalResult convertExpand(NodeContext &n) {
  Value x = n.data(0);
  if (!x)
    return failure();
  auto wanted = n.sizes(1, "shape");
  if (failed(wanted))
    return failure();
  auto shape = n.expandShape(getShape(x), *wanted);
  auto joined = n.broadcastShapes({getShape(x), *wanted});
  if (!shape || !joined)
    return failure();
  // Broadcast in two steps, which keeps what is known about the sizes.
  return n.finish(n.broadcast(n.broadcast(x, *shape), *joined));
}

static LogicalResult convertTile(NodeContext &n) {
  Value x = n.data(0);
  if (!x)
    return failure();
  auto repeats = n.sizes(1, "repeats");
  if (failed(repeats))
    return failure();
  if (static_cast<int64_t>(repeats->size()) != rankOf(x))
    return n.fail("repeats has " + Twine(repeats->size()) +
                  " entries; expected " + Twine(rankOf(x)));
  return n.finish(n.op<TileOp>({x}, {n.dims("repeats", *repeats)}));
}

/// The progression that the concatenated vectors form, if they form one.
static std::shared_ptr<const Progression> joinProgressions(NodeContext &n) {
  std::optional<Progression> all;
  for (size_t i = 0; i < n.numInputs(); ++i) {
    std::optional<Progression> part = n.progression(i);
    if (!part)
      return nullptr;
    if (!all) {
      all = part;
      continue;
    }
    // A single element may be continued with any step.
    if (all->count.getConstant() == 1)
      all->delta = part->start - all->start;
    if (!provablyEqual(part->start, all->at(all->count)) ||
        (part->count.getConstant() != 1 &&
         !provablyEqual(part->delta, all->delta)))
      return nullptr;
    all->count = simplify(all->count + part->count);
  }
  return all ? std::make_shared<Progression>(*all) : nullptr;
}

static LogicalResult convertConcat(NodeContext &n) {
  SmallVector<Value> parts = n.allData();
  if (parts.empty() || !parts.front())
    return n.fail("there is no input");
  FailureOr<int64_t> axis = n.axisAttr("axis", 1, rankOf(parts.front()));
  if (failed(axis))
    return failure();
  n.getOutput(0).progression = joinProgressions(n);
  return n.finish(n.concat(parts, *axis));
}

static LogicalResult convertSplit(NodeContext &n) {
  Value x = n.data(0);
  if (!x)
    return failure();
  FailureOr<int64_t> axis = n.axisAttr("axis", 0, rankOf(x));
  if (failed(axis))
    return failure();
  SymInt total = getShape(x)[*axis];
  Shape sizes;
  int64_t parts = n.numOutputs();
  if (n.has(1)) {
    auto input = n.sizes(1, "sizes");
    if (failed(input))
      return failure();
    sizes = *input;
  } else if (auto attr = n.intsAttr("split")) {
    sizes.assign(attr->begin(), attr->end());
  } else {
    // The last part is smaller if the size is not a multiple.
    int64_t stated = n.intAttr("num_outputs", parts);
    if (stated != parts)
      return n.fail("num_outputs is " + Twine(stated) + ", but the node has " +
                    Twine(parts) + " outputs");
    SymInt each = total.ceilDiv(SymInt(parts)), left = total;
    for (int64_t i = 0; i < parts; ++i) {
      sizes.push_back(SymInt::min(each, left));
      left = simplify(left - sizes.back());
    }
  }
  if (static_cast<int64_t>(sizes.size()) != parts)
    return n.fail("there are " + Twine(sizes.size()) + " sizes, but " +
                  Twine(parts) + " outputs");
  return n.finish(
      n.ops<SplitOp>({x}, {n.integer("axis", *axis), n.dims("sizes", sizes)}));
}

static LogicalResult convertIdentity(NodeContext &n) {
  if (!n.has(0))
    return n.fail("input 0 is missing");
  if (n.numOutputs())
    n.getOutput(0).alias = n.getImported(0);
  return success();
}

/// Returns the sizes of `x` in [start, end). The attributes exist since opset
/// 15.
static LogicalResult convertShape(NodeContext &n) {
  if (!n.has(0))
    return n.fail("input 0 is missing");
  Shape shape = n.shape(0);
  int64_t rank = shape.size();
  auto clamp = [&](int64_t at) {
    return std::clamp<int64_t>(at < 0 ? at + rank : at, 0, rank);
  };
  int64_t start = clamp(n.intAttr("start", 0));
  int64_t end = clamp(n.intAttr("end", rank));
  ArrayRef<SymInt> sizes(shape);
  return n.finish(FactTensor::vector(
      sizes.slice(start, std::max<int64_t>(end - start, 0))));
}

static LogicalResult convertSize(NodeContext &n) {
  if (!n.has(0))
    return n.fail("input 0 is missing");
  return n.finish(FactTensor::scalar(product(n.shape(0))));
}

/// The quotient, if it may be exact: the reshape that uses it checks it.
static std::optional<SymInt> divideChecked(const SymInt &total,
                                           const SymInt &divisor) {
  std::optional<SymInt> exact = divideExactly(total, divisor);
  if (exact || total.isConstant())
    return exact;
  SymInt quotient = total.floorDiv(divisor);
  return provablyUnequal(quotient * divisor, total) ? std::nullopt
                                                    : std::optional(quotient);
}

/// Moves blocks of channels of [b, c, h, w] into h and w.
static LogicalResult convertDepthToSpace(NodeContext &n) {
  Value x = n.data(0);
  if (!x)
    return failure();
  int64_t block = n.intAttr("blocksize", 0);
  if (rankOf(x) != 4 || block < 1 || block > INT32_MAX)
    return n.fail("the input has rank " + Twine(rankOf(x)) +
                  " and blocksize is " + Twine(block) +
                  "; expected rank 4 and at least 1");
  Shape s = getShape(x);
  std::optional<SymInt> depth = divideChecked(s[1], SymInt(block * block));
  if (!depth)
    return n.fail("the channels, " + s[1].str() +
                  ", are not a multiple of blocksize squared");
  StringRef mode = n.stringAttr("mode", "DCR");
  SymInt k(block);
  Value cut;
  if (mode == "DCR")
    cut = n.transpose(n.reshape(x, {s[0], k, k, *depth, s[2], s[3]}),
                      {0, 3, 4, 1, 5, 2});
  else if (mode == "CRD")
    cut = n.transpose(n.reshape(x, {s[0], *depth, k, k, s[2], s[3]}),
                      {0, 1, 4, 2, 5, 3});
  else
    return n.fail("mode is '" + mode + "'; expected DCR or CRD");
  return n.finish(n.reshape(cut, {s[0], *depth, s[2] * k, s[3] * k}));
}

static LogicalResult convertSpaceToDepth(NodeContext &n) {
  Value x = n.data(0);
  if (!x)
    return failure();
  int64_t block = n.intAttr("blocksize", 0);
  if (rankOf(x) != 4 || block < 1 || block > INT32_MAX)
    return n.fail("the input has rank " + Twine(rankOf(x)) +
                  " and blocksize is " + Twine(block) +
                  "; expected rank 4 and at least 1");
  StringRef mode = n.stringAttr("mode", "DCR");
  Shape s = getShape(x);
  SymInt k(block);
  std::optional<SymInt> h = divideChecked(s[2], k), w = divideChecked(s[3], k);
  if (!h || !w)
    return n.fail("the sizes " + s[2].str() + " and " + s[3].str() +
                  " are not multiples of blocksize");
  bool crd = mode == "CRD";
  if (!crd && mode != "DCR")
    return n.fail("mode is '" + mode + "'; expected DCR or CRD");
  Value cut = n.transpose(n.reshape(x, {s[0], s[1], *h, k, *w, k}),
                          crd ? ArrayRef<int64_t>{0, 1, 3, 5, 2, 4}
                              : ArrayRef<int64_t>{0, 3, 5, 1, 2, 4});
  return n.finish(n.reshape(cut, {s[0], s[1] * k * k, *h, *w}));
}

ArrayRef<Operator> tenon::onnx::shapeOperators() {
  constexpr Support D = Support::Direct, C = Support::Composed,
                    I = Support::Import;
  static const Operator table[] = {
      {"Concat", D, convertConcat, ""},
      {"DepthToSpace", C, convertDepthToSpace, ""},
      {"Expand", D, convertExpand, "the shape known at import"},
      {"Flatten", D, convertFlatten, ""},
      {"Identity", I, convertIdentity, "", true},
      {"Reshape", D, convertReshape,
       "the shape known at import; a size of another tensor that is 0 in a run "
       "stays 0, as with allowzero=1"},
      {"Shape", I, convertShape, ""},
      {"Size", I, convertSize, ""},
      {"SpaceToDepth", C, convertSpaceToDepth, ""},
      {"Split", D, convertSplit, "the sizes known at import"},
      {"Squeeze", D, convertSqueeze, "the axes known at import"},
      {"Tile", D, convertTile, "the repeats known at import"},
      {"Transpose", D, convertTranspose, ""},
      {"Unsqueeze", D, convertUnsqueeze, "the axes known at import"},
  };
  return table;
}
