//===- NearTies.cpp - choices that depend on errors -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NearTies.h"
#include "tenon/Dialect/Graph/IR/Graph.h"

#include <cmath>

using namespace mlir;
using namespace tenon::graph;
using namespace tenon::interpret;

bool tenon::interpret::choosesExtreme(Operation *op) {
  return isa<ArgmaxOp, ArgminOp, HardmaxOp, TopKOp, ArgmaxPoolOp>(op);
}

namespace {
/// The elements along one axis, for every choice of the other indices.
struct Lines {
  Lines(Operation *op, const Tensor &operand) {
    int64_t axis = op->getAttrOfType<IntegerAttr>("axis").getInt();
    if (axis < 0)
      axis += operand.getRank();
    size = operand.getShape()[axis];
    for (int64_t after : operand.getShape().drop_front(axis + 1))
      inner *= after;
    count = size == 0 ? 0 : operand.getNumElements() / size;
  }
  /// The offset in a tensor with `length` elements along the axis.
  int64_t at(int64_t line, int64_t position, int64_t length) const {
    return (line / inner * length + position) * inner + line % inner;
  }

  int64_t size = 0, count = 0, inner = 1;
};
} // namespace

/// Whether errors leave open which of two elements is larger. Equal elements
/// without errors are ordered by their positions.
static bool areClose(const Tensor &operand, int64_t a, int64_t b) {
  double error = operand.errors()[a] + operand.errors()[b];
  double distance =
      std::fabs(operand.data()[a].number - operand.data()[b].number);
  return error > 0 && !(distance > error);
}

/// For argmax, argmin and hardmax: another element may be the extreme one.
static void excludeCloseSeconds(Operation *op, const Tensor &operand,
                                MutableArrayRef<Tensor> results) {
  Lines lines(op, operand);
  double sign = isa<ArgminOp>(op) ? -1 : 1;
  for (int64_t line = 0; line < lines.count; ++line) {
    auto at = [&](int64_t position) {
      return lines.at(line, position, lines.size);
    };
    auto value = [&](int64_t position) {
      return sign * operand.data()[at(position)].number;
    };
    int64_t best = 0;
    for (int64_t position = 1; position < lines.size; ++position)
      if (value(position) > value(best))
        best = position;
    bool isTie = false;
    for (int64_t position = 0; position < lines.size; ++position) {
      isTie |= operand.excluded()[at(position)] != 0;
      isTie |= position != best && areClose(operand, at(position), at(best));
    }
    if (!isTie)
      continue;
    for (Tensor &result : results) {
      if (result.getNumElements() == lines.count) {
        result.excluded()[line] = true;
        continue;
      }
      for (int64_t position = 0; position < lines.size; ++position)
        result.excluded()[at(position)] = true;
    }
  }
}

/// For top_k: the error of the n-th largest number is at most the largest error
/// in its line; its position is certain if no other number is close.
static void boundTopK(Operation *op, const Tensor &operand,
                      MutableArrayRef<Tensor> results) {
  Lines lines(op, operand);
  Tensor &values = results[0], &positions = results[1];
  if (lines.count == 0)
    return;
  int64_t k = values.getNumElements() / lines.count;
  for (int64_t line = 0; line < lines.count; ++line) {
    auto at = [&](int64_t position) {
      return lines.at(line, position, lines.size);
    };
    double worst = 0;
    bool excluded = false;
    for (int64_t position = 0; position < lines.size; ++position) {
      worst = std::max(worst, operand.errors()[at(position)]);
      excluded |= operand.excluded()[at(position)] != 0;
    }
    for (int64_t number = 0; number < k; ++number) {
      int64_t to = lines.at(line, number, k);
      int64_t chosen = positions.data()[to].integer;
      values.errors()[to] = worst;
      values.excluded()[to] = positions.excluded()[to] = excluded;
      for (int64_t position = 0; position < lines.size; ++position)
        if (position != chosen && areClose(operand, at(position), at(chosen)))
          positions.excluded()[to] = true;
    }
  }
}

/// For argmax_pool: the same for every window.
static void excludeCloseInWindows(ArgmaxPoolOp op, const Tensor &operand,
                                  Tensor &result) {
  ArrayRef<int64_t> shape = operand.getShape(), outer = result.getShape();
  unsigned count = shape.size() - 2;
  unsigned first = op.getLayout() == Layout::ChannelsLast ? 1 : 2;
  auto getNumber = [](DimsAttr list, unsigned position) {
    return *list.getEntry(position).getConstant();
  };
  SmallVector<int64_t> out(shape.size(), 0), tap(count), at(shape.size());
  auto getOffset = [&] {
    int64_t offset = 0;
    for (auto [index, size] : llvm::zip(at, shape))
      offset = offset * size + index;
    return offset;
  };
  // Advances to the next index of a box in lexicographic order; returns false
  // after the last.
  auto advance = [](MutableArrayRef<int64_t> index, auto size) {
    for (size_t axis = index.size(); axis-- > 0;) {
      if (++index[axis] < size(axis))
        return true;
      index[axis] = 0;
    }
    return false;
  };
  int64_t number = 0;
  do {
    SmallVector<int64_t> inside;
    llvm::fill(tap, 0);
    do {
      at = out;
      bool isInside = true;
      for (unsigned axis = 0; axis < count; ++axis) {
        int64_t &index = at[first + axis];
        index = index * getNumber(op.getStrides(), axis) +
                tap[axis] * getNumber(op.getDilations(), axis) -
                getNumber(op.getPads(), axis);
        isInside &= index >= 0 && index < shape[first + axis];
      }
      if (isInside)
        inside.push_back(getOffset());
    } while (advance(
        tap, [&](size_t axis) { return getNumber(op.getKernel(), axis); }));
    int64_t best = -1;
    bool isTie = false;
    for (int64_t offset : inside) {
      isTie |= operand.excluded()[offset] != 0;
      if (best < 0 ||
          operand.data()[offset].number > operand.data()[best].number)
        best = offset;
    }
    for (int64_t offset : inside)
      isTie |= offset != best && areClose(operand, offset, best);
    result.excluded()[number++] |= isTie;
  } while (advance(out, [&](size_t axis) { return outer[axis]; }));
}

void tenon::interpret::excludeNearTies(Operation *op, const Tensor &operand,
                                       MutableArrayRef<Tensor> results) {
  if (isa<TopKOp>(op))
    boundTopK(op, operand, results);
  else if (auto pool = dyn_cast<ArgmaxPoolOp>(op)) {
    if (results[0].getNumElements() > 0)
      excludeCloseInWindows(pool, operand, results[0]);
  } else
    excludeCloseSeconds(op, operand, results);
}

void tenon::interpret::boundReference(ArrayRef<Tensor> operands,
                                      MutableArrayRef<Tensor> results) {
  double worst = 0;
  bool excluded = false;
  for (const Tensor &operand : operands)
    for (int64_t number = 0;
         operand.errors() && number < operand.getNumElements(); ++number) {
      worst = std::max(worst, operand.errors()[number]);
      excluded |= operand.excluded()[number] != 0;
    }
  for (Tensor &result : results) {
    result.trackErrors();
    bool isFloat = isa<FloatType>(result.getElementType());
    for (int64_t number = 0; number < result.getNumElements(); ++number) {
      result.errors()[number] = isFloat ? worst : 0;
      result.excluded()[number] = excluded || (!isFloat && worst > 0);
    }
  }
}
