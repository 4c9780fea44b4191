//===- SpecialConverters.cpp - windows, grids, columns --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"
#include "Windows.h"

#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::onnx;
using namespace tenon::graph;

/// Builds a0 - a1 cos(2 pi i / n) + a2 cos(4 pi i / n) for a size known at
/// import.
static LogicalResult window(NodeContext &n, double a0, double a1, double a2) {
  auto size = n.integerInput(0, "size");
  if (failed(size))
    return failure();
  if (*size < 0 || *size > (1 << 20))
    return n.fail("size is " + Twine(*size) + "; expected 0 to " +
                  Twine(1 << 20));
  int64_t number = n.intAttr("output_datatype", 1);
  auto dtype = toDType(static_cast<int32_t>(number));
  if (!dtype)
    return n.fail("element type " + onnxTypeName(number) + " is not supported");
  double period = n.intAttr("periodic", 1) ? *size : *size - 1;
  SmallVector<double> values;
  for (int64_t i = 0; i < *size; ++i) {
    double angle = period > 0 ? 2 * M_PI * i / period : 0;
    values.push_back(a0 - a1 * std::cos(angle) + a2 * std::cos(2 * angle));
  }
  Value result = n.constant(DenseElementsAttr::get(
      RankedTensorType::get({*size}, n.getBuilder().getF64Type()),
      ArrayRef<double>(values)));
  return n.finish(n.cast(result, toElementType(*dtype, n.getContext())));
}

static LogicalResult convertHann(NodeContext &n) {
  return window(n, 0.5, 0.5, 0);
}
static LogicalResult convertHamming(NodeContext &n) {
  return window(n, 25.0 / 46, 21.0 / 46, 0);
}
static LogicalResult convertBlackman(NodeContext &n) {
  return window(n, 0.42, 0.5, 0.08);
}

/// Multiplies coordinates in [-1, 1] of an output of static size by theta.
static LogicalResult convertAffineGrid(NodeContext &n) {
  Value theta = n.data(0); // [b, d, d + 1]
  if (!theta)
    return failure();
  auto size = n.integers(1, "size");
  if (failed(size))
    return failure();
  int64_t spatial = static_cast<int64_t>(size->size()) - 2;
  if (spatial < 2 || spatial > 3 || rankOf(theta) != 3)
    return n.fail("the size has " + Twine(size->size()) +
                  " entries; expected 4 or 5");
  Type type = elementTypeOf(theta);
  SymInt count(1);
  for (int64_t extent : ArrayRef<int64_t>(*size).drop_front(2)) {
    if (extent < 0 || extent > (1 << 24))
      return n.fail("the size has entry " + Twine(extent));
    count = count * SymInt(extent);
  }
  bool corners = n.intAttr("align_corners", 0);
  Shape grid;
  for (int64_t extent : ArrayRef<int64_t>(*size).drop_front(2))
    grid.push_back(SymInt(extent));
  // The last spatial axis is x, the first coordinate.
  SmallVector<Value> rows;
  for (int64_t axis = spatial; axis-- > 0;) {
    double extent = static_cast<double>((*size)[axis + 2]);
    double scale = corners ? (extent > 1 ? 2 / (extent - 1) : 0) : 2 / extent;
    double begin = corners ? (extent > 1 ? -1 : 0) : 1 / extent - 1;
    Value at = n.iota(grid, axis, type);
    Value coordinate =
        n.add(n.mul(at, n.scalar(scale, type)), n.scalar(begin, type));
    rows.push_back(n.reshape(coordinate, {SymInt(1), count}));
  }
  rows.push_back(n.splat(1, {SymInt(1), count}, type));
  Value points = n.concat(rows, 0); // [d + 1, count]
  Value moved = n.matmul(points, theta, /*transposeA=*/true,
                         /*transposeB=*/true); // [b, count, d]
  if (!moved)
    return failure();
  Shape shape = {getShape(theta)[0]};
  shape.append(grid.begin(), grid.end());
  shape.push_back(SymInt(spatial));
  return n.finish(n.reshape(moved, shape));
}

/// Adds blocks of columns to an image, by a transposed convolution whose kernel
/// copies column k to position k of the block.
static LogicalResult convertCol2Im(NodeContext &n) {
  Value x = n.data(0); // [b, c * block, positions]
  if (!x)
    return failure();
  auto image = n.integers(1, "image shape"),
       block = n.integers(2, "block shape");
  if (failed(image) || failed(block))
    return failure();
  size_t count = image->size();
  if (count < 1 || count > 3 || block->size() != count || rankOf(x) != 3)
    return n.fail("the image has " + Twine(count) +
                  " axes; expected 1 to 3, as many as the block");
  auto strides = spatialAttr(n, "strides", count, 1, 1);
  auto dilations = spatialAttr(n, "dilations", count, 1, 1);
  auto pads = spatialAttr(n, "pads", 2 * count, 0, 0);
  if (failed(strides) || failed(dilations) || failed(pads))
    return failure();
  Shape shape = getShape(x), positions, result;
  SymInt elements(1);
  SmallVector<int64_t> outputPadding;
  for (size_t i = 0; i < count; ++i) {
    if ((*block)[i] < 1 || (*block)[i] > (1 << 12) || (*image)[i] < 0 ||
        (*image)[i] > (1 << 24))
      return n.fail("the block or the image has a size that is not supported");
    int64_t reach = ((*block)[i] - 1) * (*dilations)[i] + 1;
    int64_t room = (*image)[i] + (*pads)[i] + (*pads)[count + i] - reach;
    if (room < 0)
      return n.fail("the block does not fit in the image");
    positions.push_back(SymInt(room / (*strides)[i] + 1));
    outputPadding.push_back(room % (*strides)[i]);
    elements = elements * SymInt((*block)[i]);
  }
  std::optional<int64_t> rows = shape[1].getConstant();
  int64_t perBlock = *elements.getConstant();
  if (!rows || *rows % perBlock || perBlock > (1 << 12))
    return n.fail("the columns have " + shape[1].str() +
                  " rows; expected a multiple of " + Twine(perBlock));
  int64_t channels = *rows / perBlock;
  // There is one group per channel: the weight is an identity [c * block, 1,
  // block...].
  Type type = elementTypeOf(x);
  Type i64 = n.getBuilder().getI64Type(), f64 = n.getBuilder().getF64Type();
  Type inner = isFloat(type) ? type : f64;
  SmallVector<SymInt> eye = {SymInt(perBlock), SymInt(perBlock)};
  Value identity =
      n.cast(n.equal(n.iota(eye, 0, i64), n.iota(eye, 1, i64)), inner);
  Value tiled = n.broadcast(identity, {SymInt(channels), eye[0], eye[1]});
  Shape kernel = {SymInt(channels * perBlock), SymInt(1)};
  for (int64_t size : *block)
    kernel.push_back(SymInt(size));
  Shape input = {shape[0], shape[1]};
  input.append(positions.begin(), positions.end());
  auto place = [&](Value columns) {
    return n.op<ConvTransposeOp>(
        {n.reshape(columns, input), n.reshape(tiled, kernel)},
        {n.dims("strides", *strides), n.dims("pads", *pads),
         n.dims("dilations", *dilations),
         n.dims("output_padding", outputPadding),
         n.dims("groups", ArrayRef<int64_t>{channels})});
  };
  if (isFloat(type))
    return n.finish(place(x));
  // Sums of halves of 32 bits are numbers in doubles.
  x = n.cast(x, i64);
  Value half = n.scalar(0x1p32, i64);
  Value low = n.binary<ModOp>(x, half), high = n.div(n.sub(x, low), half);
  auto placeIntegers = [&](Value columns) {
    return n.cast(place(n.cast(columns, f64)), i64);
  };
  return n.finish(n.cast(
      n.add(n.mul(placeIntegers(high), half), placeIntegers(low)), type));
}

ArrayRef<Operator> tenon::onnx::specialOperators() {
  constexpr Support C = Support::Composed;
  static const Operator table[] = {
      {"AffineGrid", C, convertAffineGrid, "the size known at import"},
      {"BlackmanWindow", C, convertBlackman, "the size known at import"},
      {"Col2Im", C, convertCol2Im,
       "the shapes known at import, a static number of rows"},
      {"HammingWindow", C, convertHamming, "the size known at import"},
      {"HannWindow", C, convertHann, "the size known at import"},
  };
  return table;
}
