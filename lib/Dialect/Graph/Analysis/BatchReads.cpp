//===- BatchReads.cpp - what rows are read, and which of them are equal ---===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BatchFinder.h"
#include "tenon/Dialect/Graph/Analysis/SimplifyIndices.h"
#include "tenon/Dialect/Graph/IR/SizeFacts.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

/// Whether a variable occurs in an expression, also in the indices of loads.
static bool occurs(const Expr &expr, unsigned var) {
  bool found = false;
  walk(expr, [&](Expr node) {
    found |= node.getKind() == ExprKind::Var && node->var == var;
  });
  return found;
}

static bool isVar(const Expr &expr, unsigned var) {
  return expr.getKind() == ExprKind::Var && expr->var == var;
}

/// If the number of samples is a constant, what is not cut keeps its sizes.
bool BatchFinder::isIndependent(Value value) {
  if (found.hasSamples(value))
    return false;
  if (found.size.isConstant())
    return true;
  auto [place, isNew] = independent.try_emplace(value, true);
  if (!isNew)
    return place->second;
  bool result = llvm::none_of(getShape(value), [&](const SymInt &size) {
    return found.dependsOnNumber(size);
  });
  Operation *op = value.getDefiningOp();
  if (op && result) {
    for (Value operand : op->getOperands())
      result &= isIndependent(operand);
    op->getAttrDictionary().walk([&](DimsAttr dims) {
      for (const SymInt &entry : dims.getEntries())
        result &= !found.dependsOnNumber(entry);
    });
  }
  independent[value] = result;
  return result;
}

/// Operands have the samples at the same indices.
static bool addSamples(const SampleAxis &samples, Reads &reads) {
  if (reads.samples && !(provablyEqual(reads.samples->rows, samples.rows) &&
                         provablyEqual(reads.samples->outer, samples.outer)))
    return false;
  reads.samples = samples;
  return true;
}

/// Collects what an expression reads; fails if index v decides something else
/// than which samples are read.
bool BatchFinder::read(Operation *op, const Expr &expr, unsigned axis,
                       Reads &reads) {
  if (expr.getKind() == ExprKind::Var)
    return expr->var != axis;
  reads.usesNumber |=
      expr.getKind() == ExprKind::Size && found.dependsOnNumber(expr->size);
  if (expr.getKind() != ExprKind::Load)
    return llvm::all_of(expr->operands, [&](const Expr &operand) {
      return read(op, operand, axis, reads);
    });
  Value operand = op->getOperand(expr->operand);
  std::optional<SampleAxis> samples;
  if (found.hasSamples(operand))
    samples = found.get(operand);
  bool isUniform = false;
  for (auto [place, index] : llvm::enumerate(expr->operands)) {
    if (samples && place == samples->axis) {
      if (!isVar(index, axis) || !addSamples(*samples, reads))
        return false;
      continue;
    }
    if (!samples && isVar(index, axis)) {
      reads.uniform.emplace_back(operand, place);
      isUniform = true;
      continue;
    }
    // If all rows are equal, it does not matter which of them is read.
    if (!samples && occurs(index, axis) && hasEqualRows(operand, place) &&
        tryUniform(operand, place)) {
      isUniform = true;
      continue;
    }
    if (!read(op, index, axis, reads))
      return false;
  }
  if (!samples && !isUniform)
    reads.whole.push_back(operand);
  return true;
}

bool BatchFinder::hasEqualRows(Value value, unsigned axis) {
  Operation *op = value.getDefiningOp();
  if (auto constant = dyn_cast_or_null<ConstantOp>(op))
    return isa<SplatElementsAttr>(constant.getValue());
  auto primitive = dyn_cast_or_null<IndexFormInterface>(op);
  if (!primitive || found.hasSamples(value))
    return false;
  auto [place, isNew] = equalRows.try_emplace({value, axis}, false);
  if (!isNew)
    return place->second;
  auto check = [&](auto &self, const Expr &expr) -> bool {
    if (expr.getKind() == ExprKind::Var)
      return expr->var != axis;
    if (expr.getKind() != ExprKind::Load)
      return llvm::all_of(expr->operands, [&](const Expr &operand) {
        return self(self, operand);
      });
    for (auto [number, index] : llvm::enumerate(expr->operands))
      if (occurs(index, axis) &&
          !hasEqualRows(op->getOperand(expr->operand), number))
        return false;
    return true;
  };
  unsigned result = cast<OpResult>(value).getResultNumber();
  bool isEqual = check(check, primitive.getIndexForms()[result].body);
  equalRows[{value, axis}] = isEqual;
  return isEqual;
}

bool BatchFinder::tryUniform(Value value, unsigned axis) {
  std::optional<SymInt> rows = getRows(getShape(value)[axis]);
  if (!rows)
    return false;
  llvm::DenseMap<Value, SampleAxis> before = found.axes;
  if (makeUniform(value, {axis, *rows, true}))
    return true;
  found.axes = std::move(before);
  return false;
}

bool BatchFinder::makeUniform(Value value, const SampleAxis &axis) {
  if (std::optional<SampleAxis> known = found.get(value))
    return known->axis == axis.axis && provablyEqual(known->rows, axis.rows) &&
           provablyEqual(known->outer, axis.outer);
  if (!provablyEqual(getShape(value)[axis.axis],
                     axis.outer * found.size * axis.rows) ||
      findWrongSize(value, axis))
    return false;
  Operation *op = value.getDefiningOp();
  if (Value operand = operands.lookup(value)) {
    if (!parent->makeUniform(operand, axis))
      return false;
    found.axes[value] = axis;
    return true;
  }
  if (auto constant = dyn_cast_or_null<ConstantOp>(op)) {
    if (!isa<SplatElementsAttr>(constant.getValue()))
      return false;
    found.axes[value] = axis;
    return true;
  }
  if (auto reshape = dyn_cast_or_null<ReshapeOp>(op)) {
    std::optional<SampleAxis> from = getReshaped(
        axis, getShape(reshape.getResult()), getShape(reshape.getOperand()));
    if (!from || !makeUniform(reshape.getOperand(), *from))
      return false;
    found.axes[value] = axis;
    return true;
  }
  auto primitive = dyn_cast_or_null<IndexFormInterface>(op);
  if (!primitive || findCountedIndices(op))
    return false;
  auto result = cast<OpResult>(value);
  IndexForm form = primitive.getIndexForms()[result.getResultNumber()];
  auto isKnown = [&](const Reads &reads) {
    for (auto [operand, place] : reads.uniform)
      if (!makeUniform(operand, {place, axis.rows, true, axis.outer}))
        return false;
    return !reads.samples && !reads.usesNumber &&
           llvm::all_of(reads.whole,
                        [&](Value operand) { return isIndependent(operand); });
  };
  Reads reads;
  bool isUniform = read(op, form.body, axis.axis, reads) && isKnown(reads);
  if (Expr open; !isUniform && (open = forms.get(result))) {
    std::optional<Reads> opened = readOpen(getShape(result), open, axis);
    isUniform = opened && isKnown(*opened);
  }
  if (isUniform)
    found.axes[value] = axis;
  return isUniform;
}

//===----------------------------------------------------------------------===//
// Open forms
//===----------------------------------------------------------------------===//

bool BatchFinder::isLeaf(Value value) {
  return (found.get(value) || found.getPooling(value) ||
          isIndependent(value)) &&
         !counts.contains(value) && !isBoundedIndex(value);
}

/// Whether an index belongs to the sample that a variable is, along an axis
/// that has them. It is (o * n + sample) * rows + r, with o and r in their
/// ranges and no other sample in them. The range of data is known to proofs
/// only between bounds.
bool BatchFinder::isOwnRow(const Expr &index, const SampleAxis &samples,
                           unsigned sample, const IndexRanges &ranges,
                           Reads &reads) {
  SymInt block = found.size * samples.rows;
  LinearIndex outer, row, linear = getLinearIndex(index, &ranges);
  if (!(linear.getCoefficient(sample) == samples.rows))
    return false;
  for (const LinearIndex::Term &term : linear.terms) {
    if (term.index.getKind() == ExprKind::Var && term.index->var == sample)
      continue;
    bool isBounded = term.index.getKind() == ExprKind::IndexMin ||
                     term.index.getKind() == ExprKind::IndexMax;
    bool isUnknown = false;
    walk(term.index, [&](Expr node) {
      isUnknown |= !isBounded && node.getKind() == ExprKind::Load;
    });
    if (isUnknown || !readOpen(term.index, sample, ranges, reads))
      return false;
    SymInt blocks = term.coefficient.floorDiv(block);
    bool isBlocks = blocks * block == term.coefficient;
    (isBlocks ? outer : row)
        .add(term.index, isBlocks ? blocks : term.coefficient);
  }
  // A constant's share that does not depend on the number is a row.
  std::optional<StringRef> symbol = found.size.getSymbol();
  row.constant = linear.constant.substitute([&](StringRef name) {
    return name == symbol ? std::optional<SymInt>(0) : std::nullopt;
  });
  SymInt whole = linear.constant - row.constant;
  outer.constant = whole.floorDiv(block);
  if (outer.constant * block != whole)
    return false;
  auto isWithin = [&](const LinearIndex &part, const SymInt &size) {
    IndexInterval range = ranges.get(part);
    return range.low && provablyAtLeast(*range.low, SymInt(0)) && range.high &&
           provablyAtLeast(size - SymInt(1), *range.high);
  };
  return isWithin(row, samples.rows) && isWithin(outer, samples.outer);
}

bool BatchFinder::readOpen(const Expr &expr, unsigned sample,
                           const IndexRanges &ranges, Reads &reads) {
  if (expr.getKind() == ExprKind::Var)
    return expr->var != sample;
  reads.usesNumber |=
      expr.getKind() == ExprKind::Size && found.dependsOnNumber(expr->size);
  if (expr.getKind() != ExprKind::Load)
    return llvm::all_of(expr->operands, [&](const Expr &operand) {
      return readOpen(operand, sample, ranges, reads);
    });
  Value leaf = forms.getLeaf(expr->operand);
  std::optional<SampleAxis> samples = found.get(leaf);
  for (auto [place, index] : llvm::enumerate(expr->operands)) {
    if (samples && place == samples->axis) {
      if (!isOwnRow(index, *samples, sample, ranges, reads))
        return false;
      continue;
    }
    if (!readOpen(index, sample, ranges, reads))
      return false;
  }
  if (samples && !samples->isUniform)
    reads.samples = *samples;
  else if (!samples)
    reads.whole.push_back(leaf);
  return true;
}

std::optional<Reads> BatchFinder::readOpen(Shape shape, const Expr &open,
                                           const SampleAxis &samples) {
  unsigned rank = shape.size(), sample = rank;
  shape.append({found.size, samples.outer, samples.rows});
  auto getVar = [&](unsigned number) {
    return shape[number] == SymInt(1) ? Expr::index(0) : Expr::var(number);
  };
  // There is an element, so no size is 0.
  std::vector<std::unique_ptr<SizeAssumption>> assumptions;
  for (const SymInt &size : shape)
    if (!size.isConstant() && !size.isUnknown())
      assumptions.push_back(std::make_unique<SizeAssumption>(size - SymInt(1)));
  Reads reads;
  auto readBlock = [&](const Expr &block) {
    // The index is (block * n + sample) * rows + row.
    SmallVector<Expr> at;
    for (unsigned axis = 0; axis < rank; ++axis)
      at.push_back(Expr::var(axis));
    Expr index = Expr::addIndex(Expr::mulIndex(block, Expr::size(found.size)),
                                Expr::var(sample));
    at[samples.axis] = Expr::addIndex(
        Expr::mulIndex(index, Expr::size(samples.rows)), getVar(sample + 2));
    Expr body = substituteVars(open, at);
    IndexRanges ranges(shape, body);
    return readOpen(simplifyIndices(body, ranges), sample, ranges, reads) &&
           !reads.usesNumber;
  };
  std::optional<int64_t> count = samples.outer.getConstant();
  bool isRead = true;
  if (count && *count <= kMostBlocks)
    for (int64_t block = 0; block < *count; ++block)
      isRead = isRead && readBlock(Expr::index(block));
  else
    isRead = readBlock(getVar(sample + 1));
  return isRead ? std::optional(std::move(reads)) : std::nullopt;
}
