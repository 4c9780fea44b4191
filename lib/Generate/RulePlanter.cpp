//===- RulePlanter.cpp - sources of rules in random graphs ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Generate/RulePlanter.h"

#include "tenon/Dialect/Rule/Analysis/DeterminedSizes.h"

#include <numeric>

using namespace mlir;
using namespace tenon;
using namespace tenon::generate;
using graph::Shape;
using graph::SymInt;
using rule::ValueKind;

/// Choices of sizes before a rule is given up, and how many of those that
/// satisfy its conditions are tried.
static constexpr unsigned kAttempts = 300, kBuilds = 5;

/// The rule's symbols, leading axes, and element type.
void RulePlanter::chooseForm() {
  names = rule.getSymbols();
  if (certificate.liftProved && generator.chance(30))
    for (unsigned axes = generator.between(1, 2); axes > 0; --axes)
      batch.push_back(SymInt(generator.between(1, 3)));
  for (unsigned number = 0; number < rule.getArgumentTypes().size(); ++number)
    lifted.push_back(
        !batch.empty() &&
        llvm::is_contained(rule.getLifted(), static_cast<int64_t>(number)));

  element = generator.builder.getF32Type();
  // If the rule states types, it is about these.
  bool hasTypes = false;
  for (Region *side : {&rule.getSource(), &rule.getTarget()})
    side->walk([&](Operation *op) {
      hasTypes |= isa<graph::ConstantOp, graph::CastOp>(op);
    });
  if (!hasTypes && generator.chance(20))
    element = certificate.elements != "real" && generator.chance(40)
                  ? generator.anyInteger()
                  : generator.anyFloat();
}

Type RulePlanter::elementOf(Type type) const {
  Type own = getElementTypeOrSelf(type);
  return own.isF32() ? element : own;
}

Shape RulePlanter::shapeOf(unsigned operand) const {
  Shape shape;
  if (lifted[operand])
    shape = batch;
  for (const SymInt &size : graph::getShape(rule.getArgumentTypes()[operand]))
    shape.push_back(
        size.substitute([&](StringRef name) -> std::optional<SymInt> {
          auto it = symbols.find(name.str());
          return it == symbols.end() ? std::nullopt
                                     : std::optional<SymInt>(it->second);
        }));
  return shape;
}

/// Uses `value` as an operand, if the symbols can be chosen so that it fits.
bool RulePlanter::bind(unsigned operand, Value value) {
  Shape pattern = shapeOf(operand), shape = graph::getShape(value);
  if (elementOf(rule.getArgumentTypes()[operand]) !=
          getElementTypeOrSelf(value.getType()) ||
      pattern.size() != shape.size())
    return false;
  rule::SymbolMap before = symbols;
  for (auto [from, to] : llvm::zip(pattern, shape)) {
    std::optional<StringRef> name = from.getSymbol();
    bool isOpen = name && llvm::is_contained(names, *name);
    if (isOpen && symbols.emplace(name->str(), to).second)
      continue;
    // Sums and products of symbols may turn out to be this size later.
    bool isLater = !isOpen && !from.isConstant();
    if (!isLater && (isOpen ? symbols.at(name->str()) : from) != to) {
      symbols = std::move(before);
      return false;
    }
  }
  operands[operand] = value;
  return true;
}

bool RulePlanter::holds() const {
  auto lookup = [&](StringRef name) {
    return std::optional<SymInt>(symbols.at(name.str()));
  };
  for (rule::ConditionAttr condition : rule.getConditionList())
    if (condition.evaluate(lookup) != true)
      return false;
  for (unsigned number = 0; number < operands.size(); ++number) {
    Shape shape = shapeOf(number);
    if (!GraphGenerator::isSmall(shape) ||
        (operands[number] && shape != graph::getShape(operands[number])))
      return false;
  }
  return true;
}

/// Gives every symbol that is not bound a small number.
bool RulePlanter::chooseSymbols() {
  const rule::SymbolMap bound = symbols;
  const auto determined = rule::getDeterminedSizes(rule);
  for (unsigned attempt = 0; attempt < kAttempts; ++attempt) {
    symbols = bound;
    int64_t least = generator.chance(60), most = generator.between(1, 5);
    for (const std::string &name : names)
      if (!symbols.count(name))
        symbols[name] = generator.isDynamic() && generator.chance(8)
                            ? SymInt::symbol("n")
                            : SymInt(generator.between(least, most));
    for (const rule::DeterminedSize &size : determined) {
      if (bound.count(size.symbol))
        continue;
      SymInt value = size.value.substitute([&](StringRef other) {
        return std::optional<SymInt>(symbols.at(other.str()));
      });
      if (value.lowerBound().value_or(-1) >= 0)
        symbols[size.symbol] = value;
    }
    if (holds())
      return true;
  }
  return false;
}

/// A constant of which `kind` holds.
Value RulePlanter::makeStated(ValueKind kind, const Shape &shape,
                              Type element) {
  if (kind != ValueKind::Identity)
    return generator.newConstant(shape, element,
                                 kind == ValueKind::Zero   ? 0
                                 : kind == ValueKind::Ones ? 1
                                 : isa<FloatType>(element)
                                     ? generator.between(1, 9) * 0.25
                                     : generator.between(1, 4));
  std::optional<int64_t> rows = shape[0].getConstant();
  if (!rows)
    return {};
  SmallVector<Attribute> numbers;
  Builder &builder = generator.builder;
  for (int64_t n = 0; n < *rows * *rows; ++n) {
    bool one = n / *rows == n % *rows;
    numbers.push_back(isa<FloatType>(element)
                          ? Attribute(builder.getFloatAttr(element, one))
                          : Attribute(builder.getIntegerAttr(element, one)));
  }
  auto type = RankedTensorType::get({*rows, *rows}, element);
  return graph::ConstantOp::create(generator.builder, builder.getUnknownLoc(),
                                   DenseElementsAttr::get(type, numbers));
}

Value RulePlanter::makeOperand(unsigned operand) {
  Shape shape = shapeOf(operand);
  Type own = elementOf(rule.getArgumentTypes()[operand]);
  for (rule::ValueConditionAttr condition : rule.getValueConditionList())
    if (condition.getOperand() == operand)
      return makeStated(condition.getKind(), shape, own);
  if (generator.chance(70))
    for (unsigned attempt = 0; attempt < 8; ++attempt) {
      ArrayRef<Value> values = generator.getValues();
      Value value = values[generator.below(values.size())];
      if (value.getType() == graph::getTensorType(shape, own))
        return value;
    }
  for (const SymInt &size : shape)
    if (!size.isConstant() && !size.getSymbol())
      return {}; // an input can't have a computed size
  return generator.newWeight(shape, own);
}

/// Siblings that are given together are looked at first (see Saturate.h), and
/// some rules ask for nothing else of them.
void RulePlanter::join(ArrayRef<Value> results) {
  Shape shape = graph::getShape(results.front());
  for (int64_t axis = shape.size(); axis-- > 0;)
    if (generator.chance(60) &&
        generator.add("concat", results, {generator.integer("axis", axis)}))
      return;
}

bool RulePlanter::build() {
  for (unsigned number = 0; number < operands.size(); ++number)
    if (!operands[number] && !(operands[number] = makeOperand(number)))
      return false;
  OpBuilder &builder = generator.builder;
  Block *block = builder.getInsertionBlock();
  Operation *last = block->empty() ? nullptr : &block->back();
  std::string reason;
  FailureOr<SmallVector<Value>> results =
      rule::instantiate(builder, builder.getUnknownLoc(), rule.getSource(),
                        operands, symbols, lifted, batch, reason);
  if (failed(results))
    return false;
  SmallVector<Operation *> built;
  for (Operation *op = last ? last->getNextNode() : &block->front(); op;
       op = op->getNextNode())
    built.push_back(op);
  bool isSmall = llvm::all_of(built, [](Operation *op) {
    return llvm::all_of(op->getResultTypes(), [](Type type) {
      return GraphGenerator::isSmall(graph::getShape(type));
    });
  });
  if (!isSmall) {
    for (Operation *op : llvm::reverse(built))
      op->erase();
    return false;
  }
  generator.offer(*results);
  if (results->size() > 1 && generator.chance(70))
    join(*results);
  // If other ops read values inside a source, these are computed beside the
  // target, too.
  if (generator.chance(20) && !built.empty())
    generator.offer(built[generator.below(built.size())]->getResults());
  return true;
}

bool RulePlanter::plant() {
  chooseForm();
  operands.assign(rule.getArgumentTypes().size(), Value());
  SmallVector<unsigned> order(operands.size());
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), generator.random);
  bool isFirst = true;
  for (unsigned operand : order) {
    if (!generator.chance(isFirst ? 80 : 40) ||
        llvm::any_of(rule.getValueConditionList(), [&](auto condition) {
          return condition.getOperand() == operand;
        }))
      continue;
    ArrayRef<Value> values = generator.getValues();
    // Recent ones are taken more often: that lets rules meet.
    for (unsigned attempt = 0; attempt < 10; ++attempt) {
      size_t back = std::min(generator.below(values.size()),
                             generator.below(values.size()));
      if (bind(operand, values[values.size() - 1 - back])) {
        isFirst = false;
        break;
      }
    }
  }
  // Ops have conditions of their own, which few choices may satisfy.
  const rule::SymbolMap bound = symbols;
  const SmallVector<Value> found = operands;
  for (unsigned attempt = 0; attempt < kBuilds; ++attempt) {
    if (!chooseSymbols())
      return false;
    if (build())
      return true;
    symbols = bound;
    operands = found;
  }
  return false;
}
