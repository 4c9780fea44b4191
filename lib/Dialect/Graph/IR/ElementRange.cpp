//===- ElementRange.cpp - ranges of the elements of values ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/IR/ElementRange.h"
#include "tenon/Dialect/Graph/IR/Graph.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace tenon::graph;
using End = std::optional<SymInt>;

/// With larger bounds, sums and products could overflow 64 bits.
static constexpr int64_t kLargest = int64_t(1) << 30;

bool tenon::graph::isKnownLessEqual(const SymInt &a, const SymInt &b) {
  if (a.isUnknown() || b.isUnknown())
    return false;
  std::optional<int64_t> least = (b - a).lowerBound();
  return least && *least >= 0;
}

static bool isAtLeast(const End &end, int64_t value) {
  return end && isKnownLessEqual(SymInt(value), *end);
}

/// The larger of two bounds, or the one that is known.
static End larger(const End &a, const End &b) {
  return a && b ? SymInt::max(*a, *b) : a ? a : b;
}
static End smaller(const End &a, const End &b) {
  return a && b ? SymInt::min(*a, *b) : a ? a : b;
}

static ElementRange join(const ElementRange &a, const ElementRange &b) {
  ElementRange both;
  if (a.low && b.low)
    both.low = SymInt::min(*a.low, *b.low);
  if (a.high && b.high)
    both.high = SymInt::max(*a.high, *b.high);
  return both;
}

/// Whether all integers up to this bound are exact in the type. Symbolic bounds
/// of wide types are assumed to be, since they are made of sizes.
static bool isExact(const End &end, Type element) {
  if (!end || end->isUnknown())
    return false;
  int64_t largest = element.isF16()         ? 1 << 11
                    : element.isBF16()      ? 1 << 8
                    : element.isF32()       ? 1 << 24
                    : element.isF64()       ? kLargest
                    : element.isInteger(64) ? kLargest
                    : element.isInteger(32) ? kLargest
                    : isUnsigned(element)   ? 255
                    : element.isInteger(8)  ? 127
                                            : 1;
  if (std::optional<int64_t> value = end->getConstant())
    return *value <= largest && *value >= (isUnsigned(element) ? 0 : -largest);
  return element.isF32() || element.isF64() || element.isInteger(64);
}

/// The range of results that were rounded or wrapped to `element`. Only bounds
/// that are exact in `element` are kept.
static ElementRange within(ElementRange range, Type element) {
  bool low = isExact(range.low, element), high = isExact(range.high, element);
  // Integers that overflow at one end wrap to the other.
  if (isa<IntegerType>(element) && !(low && high))
    return {};
  return {low ? range.low : End(), high ? range.high : End()};
}

static ElementRange rangeOfType(Type element) {
  if (isBool(element))
    return {SymInt(0), SymInt(1)};
  if (isUnsigned(element))
    return {SymInt(0), SymInt(255)};
  if (element.isInteger(8))
    return {SymInt(-128), SymInt(127)};
  return {};
}

static ElementRange rangeOfConstant(ElementsAttr value) {
  auto elements = dyn_cast<DenseElementsAttr>(value);
  if (!elements || elements.empty())
    return {};
  Type element = elements.getElementType();
  int64_t low = INT64_MAX, high = INT64_MIN;
  auto add = [&](int64_t from, int64_t to) {
    low = std::min(low, from);
    high = std::max(high, to);
  };
  if (isa<FloatType>(element)) {
    for (APFloat number : elements.getValues<APFloat>()) {
      bool inexact;
      number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                     &inexact);
      double at = number.convertToDouble();
      if (std::isnan(at))
        continue;
      if (!(std::abs(at) <= kLargest))
        return {};
      add(static_cast<int64_t>(std::floor(at)),
          static_cast<int64_t>(std::ceil(at)));
    }
  } else {
    bool isSigned = !isUnsigned(element) && !isBool(element);
    for (const APInt &number : elements.getValues<APInt>()) {
      int64_t at = isSigned ? number.getSExtValue()
                            : static_cast<int64_t>(number.getZExtValue());
      add(at, at);
    }
  }
  if (low > high)
    return {};
  return {SymInt(low), SymInt(high)};
}

namespace {
class Ranges {
public:
  ElementRange get(Value value);

private:
  ElementRange compute(Operation *op, OpResult result);
  ElementRange arithmetic(Operation *op, Type element);

  llvm::DenseMap<Value, ElementRange> known;
  unsigned depth = 0;
};
} // namespace

ElementRange Ranges::get(Value value) {
  constexpr unsigned kDeepest = 64;
  Type element = getElementTypeOrSelf(value.getType());
  auto result = dyn_cast<OpResult>(value);
  if (!result || depth == kDeepest)
    return rangeOfType(element);
  if (auto it = known.find(value); it != known.end())
    return it->second;
  ++depth;
  ElementRange range = compute(result.getOwner(), result);
  --depth;
  ElementRange type = rangeOfType(element);
  return known[value] = {range.low ? range.low : type.low,
                         range.high ? range.high : type.high};
}

/// The range [0, size - 1].
static ElementRange positionsOf(const SymInt &size) {
  if (size.isUnknown())
    return {};
  return {SymInt(0), size - SymInt(1)};
}

static ElementRange add(const ElementRange &a, const ElementRange &b) {
  ElementRange sum;
  if (a.low && b.low)
    sum.low = *a.low + *b.low;
  if (a.high && b.high)
    sum.high = *a.high + *b.high;
  return sum;
}

static ElementRange negate(const ElementRange &a) {
  return {a.high ? End(-*a.high) : End(), a.low ? End(-*a.low) : End()};
}

/// Multiplies ranges of non-negative numbers, or a range by a constant.
static ElementRange multiply(const ElementRange &a, const ElementRange &b) {
  if (isAtLeast(a.low, 0) && isAtLeast(b.low, 0))
    return {*a.low * *b.low, a.high && b.high ? End(*a.high * *b.high) : End()};
  for (const auto &[factor, other] : {std::pair(a, b), std::pair(b, a)}) {
    if (!factor.low || !factor.high || *factor.low != *factor.high)
      continue;
    std::optional<int64_t> value = factor.low->getConstant();
    if (!value)
      continue;
    ElementRange scaled = *value < 0 ? negate(other) : other;
    SymInt scale(std::abs(*value));
    return {scaled.low ? End(*scaled.low * scale) : End(),
            scaled.high ? End(*scaled.high * scale) : End()};
  }
  return {};
}

ElementRange Ranges::arithmetic(Operation *op, Type element) {
  ElementRange a = get(op->getOperand(0)), b;
  if (op->getNumOperands() > 1)
    b = get(op->getOperand(1));
  bool isInteger = isa<IntegerType>(element);
  return llvm::TypeSwitch<Operation *, ElementRange>(op)
      .Case([&](AddOp) { return within(add(a, b), element); })
      .Case([&](SubOp) { return within(add(a, negate(b)), element); })
      .Case([&](NegOp) { return within(negate(a), element); })
      .Case([&](MulOp) { return within(multiply(a, b), element); })
      .Case([&](DivOp) -> ElementRange {
        if (!isInteger || !isAtLeast(a.low, 0) || !isAtLeast(b.low, 1))
          return {};
        return {SymInt(0), a.high ? End(a.high->floorDiv(*b.low)) : End()};
      })
      .Case([&](ModOp) -> ElementRange { // has the divisor's sign
        if (!isInteger || !isAtLeast(b.low, 1))
          return {};
        return {SymInt(0), b.high ? End(*b.high - SymInt(1)) : End()};
      })
      .Case([&](FmodOp) -> ElementRange { // has the dividend's sign
        if (!isInteger || !isAtLeast(b.low, 1))
          return {};
        End most = b.high ? End(*b.high - SymInt(1)) : End();
        return {isAtLeast(a.low, 0) ? End(SymInt(0))
                : most              ? End(-*most)
                                    : End(),
                most};
      })
      .Case([&](MaximumOp) -> ElementRange {
        return {larger(a.low, b.low),
                a.high && b.high ? larger(a.high, b.high) : End()};
      })
      .Case([&](MinimumOp) -> ElementRange {
        return {a.low && b.low ? smaller(a.low, b.low) : End(),
                smaller(a.high, b.high)};
      })
      .Case([&](ReluOp) -> ElementRange {
        return {larger(a.low, SymInt(0)), larger(a.high, SymInt(0))};
      })
      .Case([&](AbsOp) -> ElementRange {
        // The minimum integer has no absolute value in its type.
        if (!a.low || !a.high)
          return {};
        return within({SymInt(0), SymInt::max(-*a.low, *a.high)}, element);
      })
      .Case<FloorOp, CeilOp, RoundOp>([&](auto) { return a; })
      .Default(ElementRange());
}

/// Integers wrap around, floats are truncated and saturate; NaN becomes 0.
static ElementRange castRange(const ElementRange &x, Type from, Type to) {
  if (isBool(to))
    return {SymInt(0), SymInt(1)};
  ElementRange range = x;
  if (isa<FloatType>(from) && isa<IntegerType>(to)) {
    if (!range.low || !range.high)
      return {};
    range = join(range, {SymInt(0), SymInt(0)});
  }
  return within(range, to);
}

ElementRange Ranges::compute(Operation *op, OpResult result) {
  Type element = getElementTypeOrSelf(result.getType());
  auto first = [&] { return get(op->getOperand(0)); };
  return llvm::TypeSwitch<Operation *, ElementRange>(op)
      .Case([&](ConstantOp constant) {
        return rangeOfConstant(constant.getValue());
      })
      .Case([&](IotaOp iota) {
        return within(positionsOf(getShape(result)[iota.getAxis()]), element);
      })
      .Case<ArgmaxOp, ArgminOp>([&](auto choice) {
        return positionsOf(getShape(choice.getX())[choice.getAxis()]);
      })
      .Case([&](TopKOp top) {
        return result.getResultNumber() == 1
                   ? positionsOf(getShape(top.getX())[top.getAxis()])
                   : first();
      })
      .Case([&](ArgmaxPoolOp pool) {
        SymInt count = 1;
        for (const SymInt &size : getShape(pool->getOperand(0)))
          count = count * size;
        return positionsOf(count);
      })
      .Case([&](CastOp cast) {
        return castRange(first(), getElementTypeOrSelf(cast.getX().getType()),
                         element);
      })
      .Case<ReshapeOp, OptimizationBarrierOp, BroadcastOp, TransposeOp, TileOp,
            SliceOp, SplitOp, ReverseOp, GatherOp, GatherElementsOp,
            GatherNdOp>([&](auto) { return first(); })
      .Case([&](PadOp pad) {
        if (pad.getMode() != PadMode::Constant)
          return first();
        double value = pad.getValue().convertToDouble();
        if (!(std::abs(value) <= kLargest))
          return ElementRange();
        return join(first(), {SymInt(static_cast<int64_t>(std::floor(value))),
                              SymInt(static_cast<int64_t>(std::ceil(value)))});
      })
      .Case([&](ConcatOp concat) {
        ElementRange all = first();
        for (Value input : concat.getInputs().drop_front())
          all = join(all, get(input));
        return all;
      })
      .Case([&](WhereOp where) {
        return join(get(where->getOperand(1)), get(where->getOperand(2)));
      })
      .Case([&](ClipOp clip) -> ElementRange {
        double low = std::floor(clip.getLow().convertToDouble());
        double high = std::ceil(clip.getHigh().convertToDouble());
        if (!(std::abs(low) <= kLargest && std::abs(high) <= kLargest))
          return {};
        return within({SymInt(static_cast<int64_t>(low)),
                       SymInt(static_cast<int64_t>(high))},
                      element);
      })
      .Default([&](Operation *) {
        return op->getNumResults() == 1 && op->getNumOperands() > 0 &&
                       isa<ElementwiseInterface>(op)
                   ? arithmetic(op, element)
                   : ElementRange();
      });
}

ElementRange tenon::graph::getElementRange(Value value) {
  return Ranges().get(value);
}
