//===- PoolingRule.cpp - the theorem of an op that pools samples ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BatchValues.h"
#include "tenon/Dialect/Graph/IR/Compose.h"
#include "tenon/ProofKernel/BatchCut.h"

#include <set>

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::prove;

/// The symbols of the samples of two parts.
static constexpr StringLiteral kFirst = "batch_first", kSecond = "batch_second";

namespace {
class PoolingRule {
public:
  PoolingRule(Operation *op, const BatchAxes &axes)
      : op(op), axes(axes), builder(op->getContext()) {
    cone = BatchValues(axes).getCone(op, leaves);
    // Of a constant it matters which one it is: 0 may be added to a sum.
    llvm::erase_if(leaves, [&](Value leaf) {
      auto constant = leaf.getDefiningOp<ConstantOp>();
      bool isSplat = constant && isa<SplatElementsAttr>(constant.getValue());
      if (isSplat)
        cone.insert(cone.begin(), constant);
      return isSplat;
    });
    first = getUnusedSymbol(cone, kFirst);
    second = getUnusedSymbol(cone, kSecond);
  }

  OwningOpRef<rule::RuleOp> build();

private:
  /// The values of the two parts, or twice what is the same for both.
  using Parts = std::pair<Value, Value>;

  RankedTensorType getType(Value value, const SymInt &number) const {
    return replaceSizes(cast<RankedTensorType>(value.getType()),
                        [&](const SymInt &size) {
                          return replaceNumber(size, axes.size, number);
                        });
  }
  void addArguments();
  /// A leaf for both parts, from its arguments.
  Value join(Value leaf, Parts arguments);
  /// A leaf for each part.
  Parts cut(Value leaf, Parts arguments);
  /// What the pooled value of both parts is, times their number for a mean.
  Value pool(Pooling pooling, Parts parts);
  Value multiply(Value value, const SymInt &number);
  /// The op for a number of samples.
  Operation *compute(IRMapping &values, const SymInt &number);
  void addSide(rule::RuleOp statement, bool isSource);

  Operation *op;
  SmallVector<Operation *> cone;
  SmallVector<Value> leaves;
  const BatchAxes &axes;
  OpBuilder builder;
  SymInt first, second;
  SmallVector<Type> arguments;
};
} // namespace

/// What has several blocks of samples has an axis for them, and is merged on
/// both sides. A rule must name its symbols: each is a whole size of the last
/// argument.
void PoolingRule::addArguments() {
  std::set<std::string> names;
  auto note = [&](StringRef name) { names.insert(name.str()); };
  for (Value leaf : leaves) {
    auto type = cast<RankedTensorType>(leaf.getType());
    if (std::optional<SampleAxis> samples = axes.get(leaf);
        samples && !samples->isContiguous()) {
      Shape shape = getShape(type);
      shape[samples->axis] = axes.size * samples->rows;
      shape.insert(shape.begin() + samples->axis, samples->outer);
      type = getTensorType(shape, type.getElementType());
    }
    arguments.append(axes.getPooling(leaf) ? 2 : 1, type);
    rule::visitSymbols(leaf.getType(), note);
  }
  for (Operation *one : cone) {
    rule::visitSymbols(one, note);
    for (Type type : one->getResultTypes())
      rule::visitSymbols(type, note);
  }
  names.insert(axes.size.getSymbol()->str());
  Shape named = {first, second};
  for (const std::string &name : names)
    named.push_back(SymInt::symbol(name));
  arguments.push_back(getTensorType(named, builder.getI1Type()));
}

Value PoolingRule::multiply(Value value, const SymInt &number) {
  Compose c(builder, op->getLoc());
  Value count = c.count(number, getElementTypeOrSelf(value.getType()));
  return c.mul(value, c.broadcastLike(count, value));
}

Value PoolingRule::pool(Pooling pooling, Parts parts) {
  Compose c(builder, op->getLoc());
  if (pooling == Pooling::Sum)
    return c.add(parts.first, parts.second);
  return c.add(multiply(parts.first, first), multiply(parts.second, second));
}

Value PoolingRule::join(Value leaf, Parts arguments) {
  std::optional<Pooling> pooling = axes.getPooling(leaf);
  Compose c(builder, op->getLoc());
  if (!pooling)
    return c.reshape(arguments.first, getShape(leaf));
  Value pooled = pool(*pooling, arguments);
  if (*pooling == Pooling::Sum)
    return pooled;
  Value count = c.count(axes.size, getElementTypeOrSelf(pooled.getType()));
  return c.div(pooled, c.broadcastLike(count, pooled));
}

PoolingRule::Parts PoolingRule::cut(Value leaf, Parts arguments) {
  std::optional<SampleAxis> samples = axes.get(leaf);
  if (!samples)
    return arguments;
  SampleAxis place{samples->isContiguous() ? samples->axis : samples->axis + 1,
                   samples->rows};
  auto slice = [&](const SymInt &begin, const SymInt &count) {
    Value part =
        sliceSamples(builder, arguments.first, place, axes.size, begin, count);
    return Compose(builder, op->getLoc())
        .reshape(part, getShape(getType(leaf, count)));
  };
  Value before = slice(0, first);
  return {before, slice(first, second)};
}

Operation *PoolingRule::compute(IRMapping &values, const SymInt &number) {
  Operation *copy = nullptr;
  for (Operation *one : cone)
    copy = cloneWithSizes(builder, one, values, [&](const SymInt &size) {
      return replaceNumber(size, axes.size, number);
    });
  return copy;
}

void PoolingRule::addSide(rule::RuleOp statement, bool isSource) {
  Region &side = isSource ? statement.getSource() : statement.getTarget();
  Block &block = side.emplaceBlock();
  for (Type type : arguments)
    block.addArgument(type, op->getLoc());
  builder.setInsertionPointToStart(&block);
  IRMapping whole, ofFirst, ofSecond;
  unsigned next = 0;
  for (Value leaf : leaves) {
    Parts parts;
    parts.first = parts.second = block.getArgument(next++);
    if (axes.getPooling(leaf))
      parts.second = block.getArgument(next++);
    if (isSource) {
      whole.map(leaf, join(leaf, parts));
      continue;
    }
    parts = cut(leaf, parts);
    ofFirst.map(leaf, parts.first);
    ofSecond.map(leaf, parts.second);
  }
  SmallVector<Value> yielded;
  Operation *one =
      compute(isSource ? whole : ofFirst, isSource ? axes.size : first);
  Operation *other = isSource ? nullptr : compute(ofSecond, second);
  for (auto [number, result] : llvm::enumerate(op->getResults())) {
    std::optional<Pooling> pooling = axes.getPooling(result);
    if (!pooling)
      continue;
    Value value = one->getResult(number);
    if (!isSource)
      value = pool(*pooling, {value, other->getResult(number)});
    else if (*pooling == Pooling::Mean)
      value = multiply(value, axes.size);
    yielded.push_back(value);
  }
  yielded.push_back(
      NotOp::create(builder, op->getLoc(), block.getArguments().back()));
  rule::YieldOp::create(builder, op->getLoc(), yielded);
}

OwningOpRef<rule::RuleOp> PoolingRule::build() {
  SmallVector<Attribute> results, names;
  for (Value result : op->getResults())
    if (axes.getPooling(result))
      results.push_back(TypeAttr::get(result.getType()));
  if (results.empty())
    return {};
  addArguments();
  results.push_back(TypeAttr::get(arguments.back()));
  for (unsigned number = 0; number < arguments.size(); ++number)
    names.push_back(builder.getStringAttr("x" + Twine(number)));
  auto relate = [&](const SymInt &a, rule::ConditionKind kind,
                    const SymInt &b) -> Attribute {
    return rule::ConditionAttr::get(builder.getContext(), kind, a, b);
  };
  SmallVector<Attribute> conditions = {
      relate(axes.size, rule::ConditionKind::Equal, first + second)};
  bool isMean = llvm::any_of(op->getResults(), [&](Value result) {
    return axes.getPooling(result) == Pooling::Mean;
  });
  for (const SymInt &size : getShape(cast<RankedTensorType>(arguments.back())))
    if (isMean ? size != axes.size : size == first || size == second)
      conditions.push_back(relate(size, rule::ConditionKind::AtLeast, 1));
  OwningOpRef<rule::RuleOp> statement = rule::RuleOp::create(
      builder, op->getLoc(), "pooling", builder.getArrayAttr(results),
      builder.getArrayAttr(names), ArrayRef<int64_t>(),
      builder.getArrayAttr(conditions), ArrayAttr());
  addSide(*statement, /*isSource=*/true);
  addSide(*statement, /*isSource=*/false);
  return statement;
}

bool prove::isPooledCast(Operation *op, const BatchAxes &axes) {
  auto cast = dyn_cast<CastOp>(op);
  if (!cast)
    return false;
  Value from = cast->getOperand(0), to = cast->getResult(0);
  Type element = getElementTypeOrSelf(from.getType());
  return (isa<FloatType>(element) || element.isInteger(64)) &&
         isa<FloatType>(getElementTypeOrSelf(to.getType())) &&
         axes.getPooling(from) && axes.getPooling(from) == axes.getPooling(to);
}

OwningOpRef<rule::RuleOp> prove::makePoolingRule(Operation *op,
                                                 const BatchAxes &axes) {
  if (isPooledCast(op, axes) ||
      llvm::none_of(op->getResults(), [&](Value result) {
        return axes.getPooling(result).has_value();
      }))
    return {};
  return PoolingRule(op, axes).build();
}
