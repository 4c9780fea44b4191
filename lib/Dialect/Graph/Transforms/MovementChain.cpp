//===- MovementChain.cpp - what a chain of reshapes and transposes does ---===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MovementChain.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

/// a / b, if that is exact for all sizes.
static std::optional<SymInt> divide(const SymInt &a, const SymInt &b) {
  SymInt quotient = a.floorDiv(b);
  if (quotient * b == a)
    return quotient;
  return std::nullopt;
}

static bool isOne(const SymInt &size) { return size.getConstant() == 1; }

/// Whether all sizes are known and none is the constant 0, of which every size
/// is a factor.
static bool areUsable(ArrayRef<SymInt> shape) {
  return llvm::none_of(shape, [](const SymInt &size) {
    return size.isUnknown() || size.getConstant() == 0;
  });
}

bool Movement::slices() const {
  // A reversed axis keeps its size.
  auto isOther = [](ArrayRef<SymInt> sizes, int64_t whole) {
    return llvm::any_of(sizes,
                        [&](const SymInt &size) { return size != whole; });
  };
  return parts != counts || isOther(starts, 0) || isOther(steps, 1);
}

bool Movement::transposes() const { return !llvm::is_sorted(order); }

bool MovementChain::Part::isWhole() const {
  return start == SymInt(0) && step == SymInt(1) && count == size;
}

MovementChain::MovementChain(ArrayRef<SymInt> shape) {
  for (auto [number, size] : llvm::enumerate(shape)) {
    parts.push_back({size, 0, size, 1});
    source.push_back(number);
    axes.push_back({static_cast<unsigned>(number)});
  }
}

bool MovementChain::append(Value value) {
  Operation *op = value.getDefiningOp();
  if (!areUsable(graph::getShape(op->getOperand(0))) ||
      !areUsable(graph::getShape(value)))
    return false;
  return TypeSwitch<Operation *, bool>(op)
      .Case([&](ReshapeOp op) {
        return reshape(graph::getShape(op.getResult()));
      })
      .Case([&](SliceOp op) {
        return slice(op.getStarts().getEntries(), op.getSizes().getEntries(),
                     op.getSteps().getEntries());
      })
      .Case([&](SplitOp op) {
        return takePart(op, cast<OpResult>(value).getResultNumber());
      })
      .Case([&](TransposeOp op) {
        transpose(op.getPerm().getValues());
        return true;
      })
      .Default(false);
}

void MovementChain::transpose(ArrayRef<int64_t> perm) {
  SmallVector<Parts> moved;
  for (int64_t axis : perm)
    moved.push_back(axes[axis]);
  axes = std::move(moved);
}

/// Splits a part into one whose count is `outer`, and the rest, which is
/// returned.
std::optional<unsigned> MovementChain::split(unsigned number,
                                             const SymInt &outer) {
  Part part = parts[number];
  std::optional<SymInt> inner = divide(part.count, outer);
  if (!inner)
    return std::nullopt;
  Part first{outer, 0, outer, 1};
  if (!part.isWhole()) {
    // Whole blocks of the inner part are taken.
    std::optional<SymInt> size = divide(part.size, *inner);
    std::optional<SymInt> start = divide(part.start, *inner);
    if (part.step != SymInt(1) || !size || !start)
      return std::nullopt;
    first = {*size, *start, outer, 1};
  }
  unsigned rest = parts.size();
  parts[number] = first;
  parts.push_back({*inner, 0, *inner, 1});
  source.insert(llvm::find(source, number) + 1, rest);
  return rest;
}

bool MovementChain::reshape(ArrayRef<SymInt> shape) {
  // The parts from the innermost, as a stack.
  Parts left;
  for (const Parts &axis : llvm::reverse(axes))
    llvm::append_range(left, llvm::reverse(axis));
  SmallVector<Parts> result(shape.size());
  for (auto [axis, size] : llvm::enumerate(shape)) {
    SymInt need = size;
    while (!isOne(need)) {
      if (left.empty())
        return false;
      unsigned part = left.pop_back_val();
      result[axis].push_back(part);
      if (std::optional<SymInt> more = divide(need, parts[part].count)) {
        need = *more;
        continue;
      }
      std::optional<unsigned> rest = split(part, need);
      if (!rest)
        return false;
      left.push_back(*rest);
      need = 1;
    }
  }
  // Parts of one element may be anywhere.
  while (!left.empty()) {
    unsigned part = left.pop_back_val();
    if (!parts[part].isUnit())
      return false;
    if (result.empty())
      continue;
    result.back().push_back(part);
  }
  axes = std::move(result);
  return true;
}

bool MovementChain::takePart(SplitOp op, unsigned part) {
  Shape sizes = graph::getShape(op.getResult(part));
  Shape starts(sizes.size(), SymInt(0)), steps(sizes.size(), SymInt(1));
  Shape all = op.getSizes().getEntries();
  for (const SymInt &before : ArrayRef<SymInt>(all).take_front(part))
    starts[op.getAxis()] = starts[op.getAxis()] + before;
  return slice(starts, sizes, steps);
}

bool MovementChain::slice(ArrayRef<SymInt> starts, ArrayRef<SymInt> sizes,
                          ArrayRef<SymInt> steps) {
  for (auto [axis, start, count, step] :
       llvm::zip_equal(axes, starts, sizes, steps)) {
    SymInt size = 1;
    Parts large;
    for (unsigned part : axis) {
      size = size * parts[part].count;
      if (!parts[part].isUnit())
        large.push_back(part);
    }
    if (start == SymInt(0) && step == SymInt(1) && count == size)
      continue;
    if (start.isUnknown() || step.isUnknown() || large.empty())
      return false;
    Part &outer = parts[large.front()];
    SymInt from = start, taken = count;
    if (large.size() > 1) {
      // Whole blocks of the inner parts are taken.
      SymInt block = 1;
      for (unsigned part : ArrayRef<unsigned>(large).drop_front())
        block = block * parts[part].count;
      std::optional<SymInt> first = divide(start, block);
      std::optional<SymInt> blocks = divide(count, block);
      if (step != SymInt(1) || !first || !blocks)
        return false;
      from = *first;
      taken = *blocks;
    }
    outer.start = outer.start + from * outer.step;
    outer.step = outer.step * step;
    outer.count = taken;
  }
  return true;
}

std::optional<SmallVector<int64_t>> MovementChain::sortRows() {
  Parts rows;
  for (const Parts &axis : ArrayRef<Parts>(axes).drop_back())
    for (unsigned part : axis)
      if (!parts[part].isUnit())
        rows.push_back(part);
  Parts sorted;
  for (unsigned part : source)
    if (llvm::is_contained(rows, part))
      sorted.push_back(part);
  if (sorted == rows)
    return std::nullopt;
  SmallVector<int64_t> order;
  for (unsigned part : rows)
    order.push_back(llvm::find(sorted, part) - sorted.begin());
  Parts last = axes.back();
  axes.clear();
  for (unsigned part : sorted)
    axes.push_back({part});
  axes.push_back(std::move(last));
  return order;
}

Shape MovementChain::getShape() const {
  Shape shape;
  for (const Parts &axis : axes) {
    SymInt size = 1;
    for (unsigned part : axis)
      size = size * parts[part].count;
    shape.push_back(size);
  }
  return shape;
}

Movement MovementChain::get() const {
  Parts target;
  SmallVector<size_t> axisOf(parts.size());
  for (auto [number, axis] : llvm::enumerate(axes))
    for (unsigned part : axis)
      if (!parts[part].isUnit()) {
        target.push_back(part);
        axisOf[part] = number;
      }
  // A part of one element stays before the part that it precedes, and is
  // dropped if the source has no more.
  Parts from;
  for (unsigned part : source)
    if (!parts[part].isUnit() || !parts[part].isWhole())
      from.push_back(part);
  for (auto [place, part] : llvm::enumerate(llvm::reverse(from)))
    if (parts[part].isUnit()) {
      unsigned *next = place == 0
                           ? target.end()
                           : llvm::find(target, from[from.size() - place]);
      target.insert(next, part);
    }
  Movement movement;
  SmallVector<int64_t> position(parts.size());
  for (size_t number = 0; number < from.size(); ++number) {
    const Part &part = parts[from[number]];
    unsigned *at = llvm::find(target, from[number]);
    bool joins = number > 0 && at != target.begin() &&
                 *std::prev(at) == from[number - 1] &&
                 axisOf[from[number]] == axisOf[from[number - 1]] &&
                 part.isWhole() && parts[from[number - 1]].isWhole();
    if (joins) {
      movement.parts.back() = movement.parts.back() * part.size;
      movement.counts.back() = movement.counts.back() * part.size;
    } else {
      movement.parts.push_back(part.size);
      movement.starts.push_back(part.start);
      movement.counts.push_back(part.count);
      movement.steps.push_back(part.step);
    }
    position[from[number]] = movement.parts.size() - 1;
  }
  for (unsigned part : target)
    if (movement.order.empty() || movement.order.back() != position[part])
      movement.order.push_back(position[part]);
  return movement;
}
