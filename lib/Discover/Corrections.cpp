//===- Corrections.cpp - partial equality made whole ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Discover/Corrections.h"
#include "Restrict.h"
#include "tenon/Discover/Statements.h"

#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::discover;
using graph::Shape;
using graph::SymInt;
using rule::RuleOp;

namespace {
/// A part of a grid, and how it is joined of others.
struct Piece {
  SmallVector<size_t, 4> begin, end; // cells
  enum class Kind { Equal, Differs, Joined } kind = Kind::Equal;
  unsigned axis = 0;
  std::vector<Piece> parts;
  unsigned count = 1;
};

/// Cuts a grid into as few pieces as cuts along one axis after another allow.
class Cutter {
public:
  explicit Cutter(const Grid &grid) : grid(grid) {}
  Piece cut(ArrayRef<size_t> begin, ArrayRef<size_t> end) const;

private:
  std::vector<bool> read(ArrayRef<size_t> begin, ArrayRef<size_t> end) const;
  const Grid &grid;
};
} // namespace

/// The cells of a range in row-major order.
std::vector<bool> Cutter::read(ArrayRef<size_t> begin,
                               ArrayRef<size_t> end) const {
  std::vector<bool> cells;
  SmallVector<size_t, 4> at(begin);
  auto visit = [&](auto &visit, size_t axis, size_t cell) -> void {
    if (axis == begin.size()) {
      cells.push_back(grid.differs[cell]);
      return;
    }
    for (size_t n = begin[axis]; n < end[axis]; ++n)
      visit(visit, axis + 1, cell * grid.countCells(axis) + n);
  };
  visit(visit, 0, 0);
  return cells;
}

Piece Cutter::cut(ArrayRef<size_t> begin, ArrayRef<size_t> end) const {
  Piece piece;
  piece.begin.assign(begin.begin(), begin.end());
  piece.end.assign(end.begin(), end.end());
  std::vector<bool> cells = read(begin, end);
  if (llvm::all_equal(cells)) {
    piece.kind = cells.front() ? Piece::Kind::Differs : Piece::Kind::Equal;
    return piece;
  }
  piece.kind = Piece::Kind::Joined;
  piece.count = ~0u;
  for (unsigned axis = 0; axis < begin.size(); ++axis) {
    if (end[axis] - begin[axis] < 2)
      continue;
    std::vector<Piece> parts;
    unsigned count = 0;
    for (size_t from = begin[axis]; from < end[axis];) {
      SmallVector<size_t, 4> low(begin), high(end);
      auto readAt = [&](size_t place) {
        low[axis] = place;
        high[axis] = place + 1;
        return read(low, high);
      };
      std::vector<bool> slab = readAt(from);
      size_t to = from + 1;
      while (to < end[axis] && readAt(to) == slab)
        ++to;
      low[axis] = from;
      high[axis] = to;
      if (from == begin[axis] && to == end[axis])
        break; // the axis makes no difference
      parts.push_back(cut(low, high));
      count += parts.back().count;
      from = to;
    }
    if (parts.empty() || count >= piece.count)
      continue;
    piece.count = count;
    piece.axis = axis;
    piece.parts = std::move(parts);
  }
  return piece;
}

namespace {
/// Writes the target of a rule with a correction.
class Corrector {
public:
  Corrector(RuleOp rule, const Grid &grid, Value main, std::string &reason)
      : grid(grid), main(main), builder(main.getContext()), reason(reason) {
    builder.setInsertionPoint(rule.getTarget().front().getTerminator());
    arguments.map(rule.getSource().getArguments(),
                  rule.getTarget().getArguments());
    source = rule.getSource().front().getTerminator()->getOperand(0);
  }

  FailureOr<Value> build(const Piece &piece);
  /// At least 0 where the rule may fire.
  SmallVector<SymInt> assumptions;

private:
  Box getBox(const Piece &piece) const;

  const Grid &grid;
  Value main, source;
  OpBuilder builder;
  IRMapping arguments;
  std::string &reason;
};
} // namespace

Box Corrector::getBox(const Piece &piece) const {
  Box box;
  for (size_t axis = 0; axis < piece.begin.size(); ++axis) {
    box.begin.push_back(grid.bounds[axis][piece.begin[axis]]);
    box.end.push_back(grid.bounds[axis][piece.end[axis]]);
  }
  return box;
}

FailureOr<Value> Corrector::build(const Piece &piece) {
  Box box = getBox(piece);
  switch (piece.kind) {
  case Piece::Kind::Equal:
    for (auto [begin, end] : llvm::zip_equal(box.begin, box.end))
      assumptions.push_back(end - begin);
    return sliceBox(builder, main, box);
  case Piece::Kind::Differs: {
    // An empty piece may be too small for the source's ops.
    for (auto [begin, end] : llvm::zip_equal(box.begin, box.end))
      assumptions.push_back(end - begin - 1);
    Restriction restriction(builder, arguments, grid.instances, reason);
    FailureOr<Value> part = restriction.restrict(source, box);
    llvm::append_range(assumptions, restriction.getAssumptions());
    return part;
  }
  case Piece::Kind::Joined: {
    FailureOr<Value> joined = failure();
    for (const Piece &each : piece.parts) {
      FailureOr<Value> part = build(each);
      if (failed(part))
        return failure();
      joined = succeeded(joined) ? Value(graph::ConcatOp::create(
                                       builder, builder.getUnknownLoc(),
                                       ValueRange{*joined, *part}, piece.axis))
                                 : *part;
    }
    return joined;
  }
  }
  llvm_unreachable("all kinds are handled");
}

/// None if the value is known to be at least 0.
static std::optional<rule::ConditionAttr> getCondition(MLIRContext *context,
                                                       const SymInt &value) {
  if (value.lowerBound().value_or(-1) >= 0)
    return std::nullopt;
  return stateAtLeastZero(context, value);
}

FailureOr<CorrectedRule> tenon::discover::correct(RuleOp partial,
                                                  const Grid &grid,
                                                  StringRef name,
                                                  std::string &reason) {
  reason.clear();
  MLIRContext *context = partial.getContext();
  ScopedDiagnosticHandler quiet(context, [&](Diagnostic &d) {
    if (reason.empty())
      reason = d.str();
    return success();
  });
  CorrectedRule result;
  result.rule = partial.clone();
  RuleOp rule = *result.rule;
  rule.setSymName(name);
  Operation *yield = rule.getTarget().front().getTerminator();
  SmallVector<size_t, 4> begin(grid.bounds.size(), 0), end;
  for (size_t axis = 0; axis < grid.bounds.size(); ++axis)
    end.push_back(grid.countCells(axis));
  Piece piece = Cutter(grid).cut(begin, end);
  result.numPieces = piece.count;
  Corrector corrector(rule, grid, yield->getOperand(0), reason);
  FailureOr<Value> corrected = corrector.build(piece);
  if (failed(corrected))
    return failure();
  // Sums of sizes may be written in another way than the source's.
  Type type = rule.getSource().front().getTerminator()->getOperand(0).getType();
  corrected->setType(type);
  yield->setOperand(0, *corrected);
  SmallVector<Attribute> conditions(rule.getConditions().getValue());
  for (const SymInt &value : corrector.assumptions)
    if (auto condition = getCondition(context, value);
        condition && !llvm::is_contained(conditions, *condition)) {
      conditions.push_back(*condition);
      result.added.push_back(*condition);
    }
  rule.setConditionsAttr(ArrayAttr::get(context, conditions));
  if (failed(verify(rule)))
    return failure();
  return result;
}

FailureOr<OwningOpRef<RuleOp>>
tenon::discover::stateEqualIn(RuleOp partial, const Box &box, StringRef name) {
  MLIRContext *context = partial.getContext();
  OwningOpRef<RuleOp> result(partial.clone());
  result->setSymName(name);
  SmallVector<Attribute> types, conditions(result->getConditions().getValue());
  for (Region *side : {&result->getSource(), &result->getTarget()}) {
    Operation *yield = side->front().getTerminator();
    OpBuilder builder(yield);
    Value part = sliceBox(builder, yield->getOperand(0), box);
    yield->setOperand(0, part);
    if (types.empty())
      types.push_back(TypeAttr::get(part.getType()));
  }
  result->setResultTypesAttr(ArrayAttr::get(context, types));
  for (auto [begin, end] : llvm::zip_equal(box.begin, box.end))
    if (auto condition = getCondition(context, end - begin))
      conditions.push_back(*condition);
  result->setConditionsAttr(ArrayAttr::get(context, conditions));
  if (failed(verify(*result)))
    return failure();
  return result;
}

OwningOpRef<RuleOp>
tenon::discover::dropCondition(RuleOp rule, rule::ConditionAttr condition) {
  OwningOpRef<RuleOp> result(rule.clone());
  SmallVector<Attribute> conditions(rule.getConditions().getValue());
  llvm::erase(conditions, condition);
  result->setConditionsAttr(ArrayAttr::get(rule.getContext(), conditions));
  return result;
}
