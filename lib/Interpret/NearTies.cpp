//===- NearTies.cpp - choices that errors may change --------------------===//
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
  return isa<ArgmaxOp, ArgminOp, HardmaxOp>(op);
}

static int64_t axisOf(Operation *op) {
  int64_t axis = op->getAttrOfType<IntegerAttr>("axis").getInt();
  int64_t rank = cast<RankedTensorType>(op->getOperand(0).getType()).getRank();
  return axis < 0 ? axis + rank : axis;
}

void tenon::interpret::excludeNearTies(Operation *op, const Tensor &operand,
                                       MutableArrayRef<Tensor> results) {
  int64_t axis = axisOf(op), size = operand.getShape()[axis], inner = 1;
  for (int64_t after : operand.getShape().drop_front(axis + 1))
    inner *= after;
  if (size == 0)
    return;
  double sign = isa<ArgminOp>(op) ? -1 : 1;
  int64_t lines = operand.getNumElements() / size;
  for (int64_t line = 0; line < lines; ++line) {
    int64_t first = line / inner * size * inner + line % inner;
    auto at = [&](int64_t position) { return first + position * inner; };
    auto value = [&](int64_t position) {
      return sign * operand.data()[at(position)].number;
    };
    int64_t best = 0;
    for (int64_t position = 1; position < size; ++position)
      if (value(position) > value(best))
        best = position;
    bool isTie = false;
    for (int64_t position = 0; position < size; ++position) {
      isTie |= operand.excluded()[at(position)] != 0;
      double error =
          operand.errors()[at(position)] + operand.errors()[at(best)];
      isTie |= position != best && error > 0 &&
               !(value(best) - value(position) > error);
    }
    if (!isTie)
      continue;
    for (Tensor &result : results) {
      if (result.getNumElements() == lines) {
        result.excluded()[line] = true;
        continue;
      }
      for (int64_t position = 0; position < size; ++position)
        result.excluded()[at(position)] = true;
    }
  }
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
