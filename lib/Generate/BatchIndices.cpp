//===- BatchIndices.cpp - values that are positions of samples ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BatchGenerator.h"

using namespace mlir;
using namespace tenon::generate;
using namespace tenon::graph;

Value BatchGenerator::fill(const Shape &shape, int64_t value) {
  return newConstant(shape, i64(), static_cast<double>(value));
}

Value BatchGenerator::toNumbers(Value x) {
  return x ? build("cast", {x},
                   {attribute("to", TypeAttr::get(builder.getF32Type()))})
           : Value();
}

Value BatchGenerator::position(const SymInt &number) {
  auto half = [&](Value doubled) {
    return doubled ? build("div", {doubled, fill({number}, 2)}) : Value();
  };
  switch (below(14)) {
  case 0:
    return iota({number}, 0, i64());
  case 1: {
    Value column = iota({number, SymInt(1)}, 0, i64());
    return column ? reshape(column, {number}) : Value();
  }
  case 2:
    return sliceAxis(iota({number + SymInt(1)}, 0, i64()), 0, 0, number);
  case 3: {
    Value next = sliceAxis(iota({number + SymInt(1)}, 0, i64()), 0, 1, number);
    return next ? build("sub", {next, fill({number}, 1)}) : Value();
  }
  case 4: {
    Value count = build("cumsum", {fill({number}, 1)}, {integer("axis", 0)});
    return count ? build("sub", {count, fill({number}, 1)}) : Value();
  }
  case 5:
    return half(sliceAxis(iota({SymInt(2) * number}, 0, i64()), 0, 0, number,
                          /*step=*/2));
  case 6: {
    Value grid = iota({SymInt(2) * number}, 0, i64());
    grid = grid ? reshape(grid, {number, SymInt(2)}) : Value();
    grid = sliceAxis(grid, 1, below(2), 1);
    return half(grid ? reshape(grid, {number}) : Value());
  }
  case 7: {
    bool adds = chance(50);
    return build(adds ? "add" : "mul",
                 {iota({number}, 0, i64()), fill({number}, adds ? 0 : 1)});
  }
  case 8: {
    Value row = iota({number, SymInt(3)}, 0, i64());
    row = sliceAxis(row, 1, below(3), 1);
    return row ? reshape(row, {number}) : Value();
  }
  default:
    return iota({number}, 0, i64());
  }
}

Value BatchGenerator::wrongPosition(const SymInt &number) {
  Value at = position(number);
  Shape shape = {number};
  auto repeatLast = [&] {
    Value last =
        build("reduce_max", {iota(shape, 0, i64())}, {ints("axes", {0})});
    return last ? broadcast(last, shape) : Value();
  };
  auto atMostLast = [&](Value any) {
    Value last = repeatLast();
    return any && last ? build("minimum", {any, last}) : Value();
  };
  if (!at)
    return {};
  Value one = fill(shape, 1), next = build("add", {at, one});
  switch (below(11)) {
  case 0:
    return build("reverse", {at}, {ints("axes", {0})});
  case 1:
    return build("sub", {repeatLast(), at});
  case 2:
    return atMostLast(next);
  case 3:
    return build("maximum", {build("sub", {at, one}), fill(shape, 0)});
  case 4: {
    Value count = build("reduce_sum", {one}, {ints("axes", {0})});
    return build("mod", {next, count ? broadcast(count, shape) : Value()});
  }
  case 5:
    return fill(shape, 0);
  case 6:
    return build("div", {at, fill(shape, 2)});
  case 7:
    return build(
        "concat",
        {sliceAxis(at, 0, 1, number - SymInt(1)), sliceAxis(at, 0, 0, 1)},
        {integer("axis", 0)});
  case 8:
    return atMostLast(build("maximum", {at, one}));
  case 9:
    return repeatLast();
  default:
    return atMostLast(build("mul", {at, at}));
  }
}

Value BatchGenerator::bounded(const Shape &shape, int64_t size) {
  auto row = llvm::find(shape, n);
  switch (below(6)) {
  case 0:
    for (auto [axis, other] : llvm::enumerate(shape))
      if (std::optional<int64_t> known = other.getConstant();
          known && *known <= size)
        return iota(shape, axis, i64());
    return fill(shape, below(size));
  case 1:
    return fill(shape, below(size));
  case 2:
    return build("mod",
                 {newIndices(shape, SymInt(size + 2)), fill(shape, size)});
  case 3: {
    // The largest of each sample's numbers.
    if (row == shape.end())
      return fill(shape, size - 1);
    Shape scores = {n, SymInt(size)};
    Sampled argument = putNew(newWhole(scores), 0, 1);
    Value largest = build("argmax", {argument.value}, {integer("axis", 1)});
    return spread(largest, shape, row - shape.begin());
  }
  default: {
    Value low =
        build("maximum", {newIndices(shape, SymInt(size)), fill(shape, 0)});
    return low ? build("minimum", {low, fill(shape, size - 1)}) : Value();
  }
  }
}
