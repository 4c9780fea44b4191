//===- BatchRule.cpp - the theorem of an op on a part of the samples ------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BatchValues.h"
#include "tenon/ProofKernel/BatchCut.h"

#include "llvm/ADT/StringSet.h"

#include <set>

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::prove;

using Symbols = llvm::StringSet<>;

/// The symbols of a part of the samples, and of all rows where a sample has
/// several of them.
static constexpr StringLiteral kBegin = "batch_begin", kCount = "batch_count",
                               kRows = "batch_rows";

namespace {
class BatchRule {
public:
  BatchRule(Operation *op, const BatchAxes &axes)
      : op(op), axes(axes), builder(op->getContext()) {
    cone = BatchValues(axes).getCone(op, arguments);
    nameSymbols();
    findUnit();
  }

  OwningOpRef<rule::RuleOp> build();

private:
  void nameSymbols();
  void findUnit();
  void findUnnamed();
  void addSide(rule::RuleOp statement, bool isSource);
  /// What belongs to the part of a value.
  Value slice(Value value, const SampleAxis &samples);
  /// An op for another number of samples, of which all sizes are replaced.
  Operation *clone(Operation *one, IRMapping &values, const SymInt &number);
  SymInt replace(const SymInt &size, const SymInt &number) const;
  RankedTensorType replace(RankedTensorType type, const SymInt &number) const {
    return replaceSizes(
        type, [&](const SymInt &size) { return replace(size, number); });
  }
  /// The rows in which an axis is counted, per sample.
  SymInt getRows(const SampleAxis &samples) const {
    return unit == SymInt(1) ? samples.rows : SymInt(1);
  }

  Operation *op;
  /// The op, and those that it has to be seen with.
  SmallVector<Operation *> cone;
  const BatchAxes &axes;
  OpBuilder builder;
  /// The unit where the part begins, the units of the part, and of the whole.
  SymInt begin, count, all;
  /// How many rows are the unit in which values are cut: all that a sample has,
  /// if all values have as many rows for a sample. Then the theorem is about
  /// any rows, and their number is a symbol.
  SymInt unit = 1;
  /// What the ops read of others, each once, and the types of the theorem's.
  SmallVector<Value> arguments;
  SmallVector<RankedTensorType> types;
  /// The sizes of the operand that names symbols, the first of which is that of
  /// the whole.
  Shape unnamed;
};
} // namespace

/// Symbols of the op keep their names: another meaning would make the theorem
/// one about equal sizes only.
void BatchRule::nameSymbols() {
  begin = getUnusedSymbol(cone, kBegin);
  count = getUnusedSymbol(cone, kCount);
  all = getUnusedSymbol(cone, kRows);
}

void BatchRule::findUnit() {
  std::optional<SymInt> rows;
  bool isSame = cone.size() == 1;
  auto visit = [&](Value value) {
    if (std::optional<SampleAxis> samples = axes.get(value)) {
      isSame &= samples->isContiguous() && (!rows || *rows == samples->rows);
      rows = samples->rows;
    }
  };
  llvm::for_each(op->getOperands(), visit);
  llvm::for_each(op->getResults(), visit);
  // Numbers of samples of their own, such as how often to repeat, have
  // relations to the rows.
  BatchValues values(axes);
  auto check = [&](ArrayRef<SymInt> sizes) {
    for (const SymInt &size : sizes)
      isSame &= !values.usesNumber(size) || (rows && size == axes.size * *rows);
  };
  op->getAttrDictionary().walk(
      [&](DimsAttr dims) { check(dims.getEntries()); });
  for (Value operand : op->getOperands())
    check(getShape(operand));
  for (Value result : op->getResults())
    check(getShape(result));
  // With 0 rows, the op's other zeros would be sizes of the axis of samples.
  if (isSame && rows && !(*rows == SymInt(0)))
    unit = *rows;
  if (unit == SymInt(1))
    all = axes.size;
}

SymInt BatchRule::replace(const SymInt &size, const SymInt &number) const {
  if (size == axes.size * unit)
    return number;
  return unit == SymInt(1) ? replaceNumber(size, axes.size, number) : size;
}

Value BatchRule::slice(Value value, const SampleAxis &samples) {
  SampleAxis counted = samples;
  counted.rows = getRows(samples);
  return sliceSamples(builder, value, counted, all, begin, count);
}

Operation *BatchRule::clone(Operation *one, IRMapping &values,
                            const SymInt &number) {
  return cloneWithSizes(builder, one, values, [&](const SymInt &size) {
    return replace(size, number);
  });
}

/// A rule must name its symbols: each is a whole size or parameter somewhere.
/// For those that are not, an operand of these sizes and its part are added to
/// both sides.
void BatchRule::findUnnamed() {
  std::set<std::string> used;
  Symbols named;
  auto add = [&](const SymInt &size, bool isWritten) {
    size.visitSymbols([&](StringRef name) { used.insert(name.str()); });
    if (std::optional<StringRef> symbol = size.getSymbol(); symbol && isWritten)
      named.insert(*symbol);
  };
  for (const SymInt &size : {begin, count, all})
    add(size, false);
  for (Value argument : arguments)
    for (const SymInt &size : getShape(argument))
      add(replace(size, all), true);
  for (Operation *one : cone) {
    one->getAttrDictionary().walk([&](DimsAttr dims) {
      for (const SymInt &entry : dims.getEntries()) {
        add(replace(entry, all), true);
        add(replace(entry, count), false);
      }
    });
    for (Value result : one->getResults())
      for (const SymInt &size : getShape(result)) {
        add(replace(size, all), false);
        add(replace(size, count), false);
      }
  }
  for (Value result : op->getResults())
    for (auto [axis, size] : llvm::enumerate(getShape(result))) {
      std::optional<SampleAxis> samples = axes.get(result);
      bool isTheirs = samples && samples->axis == axis;
      add(replace(size, all), samples && !isTheirs);
      if (!isTheirs)
        continue;
      add(begin * getRows(*samples), true);
      add(count * getRows(*samples), true);
      add(samples->outer, false);
    }
  if (llvm::all_of(used, [&](StringRef name) { return named.contains(name); }))
    return;
  unnamed.push_back(all);
  for (StringRef name : used)
    if (SymInt symbol = SymInt::symbol(name); !named.contains(name) &&
                                              symbol != begin &&
                                              symbol != count && symbol != all)
      unnamed.push_back(symbol);
}

void BatchRule::addSide(rule::RuleOp statement, bool isSource) {
  Region &side = isSource ? statement.getSource() : statement.getTarget();
  Block &block = side.emplaceBlock();
  for (Type type : types)
    block.addArgument(type, op->getLoc());
  builder.setInsertionPointToStart(&block);
  IRMapping values;
  for (auto [number, argument] : llvm::enumerate(arguments)) {
    std::optional<SampleAxis> samples = axes.get(argument);
    Value value = block.getArgument(number);
    values.map(argument, isSource || !samples ? value : slice(value, *samples));
  }
  Operation *copy = nullptr;
  for (Operation *one : cone)
    copy = clone(one, values, isSource ? all : count);
  SmallVector<Value> yielded;
  for (auto [result, other] : llvm::zip(op->getResults(), copy->getResults()))
    if (std::optional<SampleAxis> samples = axes.get(result))
      yielded.push_back(isSource ? slice(other, *samples) : other);
  if (!unnamed.empty())
    yielded.push_back(slice(block.getArguments().back(), {0, unit, false}));
  rule::YieldOp::create(builder, op->getLoc(), yielded);
}

OwningOpRef<rule::RuleOp> BatchRule::build() {
  if (llvm::none_of(op->getResults(),
                    [&](Value result) { return axes.get(result); }))
    return {};
  for (Value argument : arguments)
    types.push_back(replace(cast<RankedTensorType>(argument.getType()), all));
  findUnnamed();
  SmallVector<Attribute> results;
  auto addResult = [&](RankedTensorType type, unsigned axis,
                       const SymInt &rows) {
    Shape shape = getShape(type);
    shape[axis] = count * rows;
    results.push_back(
        TypeAttr::get(getTensorType(shape, type.getElementType())));
  };
  for (Value result : op->getResults())
    if (std::optional<SampleAxis> samples = axes.get(result))
      addResult(replace(cast<RankedTensorType>(result.getType()), all),
                samples->axis, samples->outer * getRows(*samples));
  if (!unnamed.empty()) {
    RankedTensorType type = getTensorType(unnamed, builder.getI1Type());
    types.push_back(type);
    addResult(type, 0, 1);
  }
  SmallVector<Attribute> names;
  for (unsigned number = 0; number < types.size(); ++number)
    names.push_back(builder.getStringAttr("x" + Twine(number)));
  auto atLeast = [&](const SymInt &lhs, const SymInt &rhs) -> Attribute {
    return rule::ConditionAttr::get(builder.getContext(),
                                    rule::ConditionKind::AtLeast, lhs, rhs);
  };
  OwningOpRef<rule::RuleOp> statement = rule::RuleOp::create(
      builder, op->getLoc(), "batch", builder.getArrayAttr(results),
      builder.getArrayAttr(names), ArrayRef<int64_t>(),
      builder.getArrayAttr(
          {atLeast(begin, 0), atLeast(count, 1), atLeast(all, begin + count)}),
      ArrayAttr());
  addSide(*statement, /*isSource=*/true);
  addSide(*statement, /*isSource=*/false);
  return statement;
}

OwningOpRef<rule::RuleOp> prove::makeBatchRule(Operation *op,
                                               const BatchAxes &axes) {
  return BatchRule(op, axes).build();
}
