//===- NearIdentities.cpp - false rules that hold for common numbers ------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Generate/NearIdentities.h"

#include "tenon/Interpret/Interpreter.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <map>

using namespace mlir;
using namespace tenon;
using namespace tenon::generate;
using interpret::Cell;
using interpret::Tensor;
using rule::RuleOp;

/// The maximum number of ops in one expression. Constants and their broadcasts
/// do not count.
static constexpr unsigned maxOps = 4;
/// The maximum number of pairs from one set of expressions that agree for small
/// numbers.
static constexpr size_t maxPairsOfOne = 12;

/// Lists the values of operands: small numbers, and others.
static void listNumbers(Type element, std::vector<double> &small,
                        std::vector<double> &others) {
  if (graph::isFloat(element)) {
    small = {0.25, 0.5, 1, 1.5, 2, 3, 5};
    others = {-0.25, -0.5, -1, -1.5, -2, -3, -5, 0};
    return;
  }
  auto type = cast<IntegerType>(element);
  unsigned bits = std::min(type.getWidth(), 32u);
  bool isUnsigned = type.isUnsigned();
  small = {0, 1, 2, 3};
  if (!isUnsigned)
    small.insert(small.end(), {-1, -2, -3});
  double high = std::ldexp(1.0, isUnsigned ? bits : bits - 1);
  for (double back : {1, 2, 3})
    others.push_back(high - back);
  others.insert(others.end(), {high / 2, high / 2 - 1, 5, 7, 11, 16, 100});
  if (!isUnsigned) {
    for (double number : std::vector<double>(others))
      others.push_back(-number);
    others.push_back(-high);
  }
}

NearIdentities::NearIdentities(MLIRContext *context, Type element,
                               uint64_t seed, unsigned count)
    : element(element), random(seed), builder(context),
      shape(graph::DimsAttr::get(context, {graph::SymInt::symbol("n")})) {
  builder.setInsertionPointToEnd(&block);
  ScopedDiagnosticHandler quiet(context,
                                [](Diagnostic &) { return success(); });
  addOperands();
  for (double number : {0, 1, 2})
    addConstant(number);
  if (!element.isUnsignedInteger())
    addConstant(-1);
  for (unsigned attempt = 0; attempt < 10 * count && expressions.size() < count;
       ++attempt)
    addRandom();
  findPairs();
}

void NearIdentities::addOperands() {
  std::vector<double> low, others;
  listNumbers(element, low, others);
  std::vector<double> all(low);
  all.insert(all.end(), others.begin(), others.end());
  auto type = graph::getTensorType(shape.getEntries(), element);
  for (unsigned operand : {0, 1}) {
    Expression expression;
    expression.value = block.addArgument(type, builder.getUnknownLoc());
    expression.uses[operand] = true;
    std::vector<double> numbers;
    for (size_t i = 0; i < all.size(); ++i)
      for (size_t j = 0; j < all.size(); ++j)
        numbers.push_back(all[operand == 0 ? i : j]);
    expression.results =
        Tensor::of(element, {static_cast<int64_t>(numbers.size())}, numbers);
    expressions.push_back(std::move(expression));
  }
  for (size_t i = 0; i < low.size(); ++i)
    for (size_t j = 0; j < low.size(); ++j)
      small.push_back(i * all.size() + j);
}

void NearIdentities::addConstant(double number) {
  auto type = RankedTensorType::get({}, element);
  Attribute value;
  if (graph::isFloat(element))
    value = builder.getFloatAttr(element, number);
  else
    value = builder.getIntegerAttr(element, static_cast<int64_t>(number));
  Location loc = builder.getUnknownLoc();
  Value scalar = graph::ConstantOp::create(builder, loc,
                                           DenseElementsAttr::get(type, value));
  Expression expression;
  expression.value = graph::BroadcastOp::create(builder, loc, scalar, shape);
  std::vector<double> numbers(expressions.front().results.getNumElements(),
                              number);
  expression.results =
      Tensor::of(element, {static_cast<int64_t>(numbers.size())}, numbers);
  expressions.push_back(std::move(expression));
}

const NearIdentities::Expression &
NearIdentities::pick(llvm::function_ref<bool(const Expression &)> fits) {
  // Small expressions come first, and are chosen more often. Operands and
  // constants are always suitable, except for truth values.
  for (unsigned attempt = 0; attempt < 50; ++attempt) {
    size_t number =
        std::min(random() % expressions.size(), random() % expressions.size());
    if (fits(expressions[number]))
      return expressions[number];
  }
  return expressions.front();
}

void NearIdentities::add(Operation *op, ArrayRef<const Expression *> operands) {
  Expression expression;
  expression.ops = 1;
  SmallVector<Tensor> inputs;
  for (const Expression *operand : operands) {
    expression.ops += operand->ops;
    for (unsigned i : {0, 1})
      expression.uses[i] |= operand->uses[i];
    inputs.push_back(operand->results);
  }
  interpret::Options options;
  options.threads = 1;
  interpret::Symbols symbols;
  symbols["n"] = expressions.front().results.getNumElements();
  FailureOr<SmallVector<Tensor>> results = failure();
  if (expression.ops <= maxOps && succeeded(verify(op)))
    results = interpret::evaluateOp(op, inputs, symbols, options);
  if (failed(results)) {
    op->erase();
    return;
  }
  expression.value = op->getResult(0);
  expression.results = results->front();
  Type type = expression.results.getElementType();
  for (const Expression *operand : operands)
    for (size_t n = 0; n < operand->isNumber.size(); ++n) {
      expression.isNumber.resize(operand->isNumber.size(), true);
      expression.isNumber[n] = expression.isNumber[n] && operand->isNumber[n];
    }
  if (graph::isFloat(type)) {
    expression.isNumber.resize(expression.results.getNumElements(), true);
    for (size_t n = 0; n < expression.isNumber.size(); ++n)
      expression.isNumber[n] =
          expression.isNumber[n] &&
          std::isfinite(expression.results.data()[n].number);
  }
  llvm::raw_string_ostream os(expression.fingerprint);
  os << type << ':';
  for (size_t place : small) {
    Cell cell = expression.results.data()[place];
    if (isa<IntegerType>(type))
      os << cell.integer << ' ';
    else
      os << llvm::format("%.6g ", cell.number == 0 ? 0.0 : cell.number);
  }
  expressions.push_back(std::move(expression));
}

void NearIdentities::addRandom() {
  bool isReal = graph::isFloat(element);
  auto ofElement = [&](const Expression &e) {
    return e.results.getElementType() == element;
  };
  auto ofTruth = [&](const Expression &e) {
    return e.results.getElementType().isInteger(1);
  };
  static constexpr StringLiteral unaryOps[] = {"graph.neg", "graph.abs",
                                               "graph.sign", "graph.relu"};
  static constexpr StringLiteral unaryReal[] = {
      "graph.sqrt",  "graph.rsqrt", "graph.exp",   "graph.log",
      "graph.floor", "graph.ceil",  "graph.round", "graph.reciprocal"};
  static constexpr StringLiteral binaryOps[] = {
      "graph.add", "graph.sub",     "graph.mul",     "graph.div", "graph.mod",
      "graph.mod", "graph.maximum", "graph.minimum", "graph.fmod"};
  static constexpr StringLiteral binaryInt[] = {
      "graph.bit_and", "graph.bit_or", "graph.bit_xor", "graph.shift_left",
      "graph.shift_right"};
  static constexpr StringLiteral comparisons[] = {
      "graph.less", "graph.less_equal", "graph.equal"};
  Location loc = builder.getUnknownLoc();
  auto oneOf = [&](ArrayRef<StringLiteral> names) -> StringRef {
    return names[random() % names.size()];
  };
  auto create = [&](StringRef name, ArrayRef<const Expression *> operands) {
    OperationState state(loc, name);
    for (const Expression *operand : operands)
      state.addOperands(operand->value);
    // Copy the operands, because adding an expression reallocates the list.
    SmallVector<Expression> copies;
    for (const Expression *operand : operands)
      copies.push_back(*operand);
    SmallVector<const Expression *> kept;
    for (const Expression &copy : copies)
      kept.push_back(&copy);
    SmallVector<Type> types;
    auto info = state.name.getInterface<InferTypeOpInterface>();
    if (!info ||
        failed(info->inferReturnTypes(builder.getContext(), loc, state.operands,
                                      builder.getDictionaryAttr({}),
                                      OpaqueProperties(nullptr), {}, types)))
      return;
    state.addTypes(types);
    add(builder.create(state), kept);
  };
  switch (random() % 8) {
  case 0:
    return create(oneOf(unaryOps), {&pick(ofElement)});
  case 1:
    if (isReal)
      return create(oneOf(unaryReal), {&pick(ofElement)});
    return create(oneOf(binaryInt), {&pick(ofElement), &pick(ofElement)});
  case 2:
    return create(oneOf(comparisons), {&pick(ofElement), &pick(ofElement)});
  case 3: {
    const Expression &condition = pick(ofTruth);
    if (!ofTruth(condition))
      return;
    return create("graph.where",
                  {&condition, &pick(ofElement), &pick(ofElement)});
  }
  case 4: {
    if (isReal)
      return create("graph.neg", {&pick(ofElement)});
    // Convert to another type, possibly to a further one, and back.
    Type types[] = {builder.getI8Type(),  builder.getIntegerType(8, false),
                    builder.getI32Type(), builder.getI64Type(),
                    builder.getF32Type(), builder.getF64Type()};
    SmallVector<Type> hops;
    for (uint64_t left = 1 + random() % 2; left > 0; --left)
      hops.push_back(types[random() % std::size(types)]);
    hops.push_back(element);
    Expression value = pick(ofElement);
    for (Type to : hops) {
      size_t before = expressions.size();
      add(graph::CastOp::create(builder, loc, value.value, to), {&value});
      if (expressions.size() == before)
        return;
      value = expressions.back();
    }
    return;
  }
  default:
    return create(oneOf(binaryOps), {&pick(ofElement), &pick(ofElement)});
  }
}

/// Returns how the expressions differ: whether, for some operands, the source
/// is a number, and the target is a different number or not a number.
NearIdentities::Difference
NearIdentities::differ(const Expression &source,
                       const Expression &target) const {
  auto isNumber = [](const Expression &expression, int64_t n) {
    return expression.isNumber.empty() || expression.isNumber[n];
  };
  Difference found = Difference::None;
  for (int64_t n = 0; n < source.results.getNumElements(); ++n) {
    if (!isNumber(source, n))
      continue;
    Cell a = source.results.data()[n], b = target.results.data()[n];
    bool differs = a.integer != b.integer;
    if (!isa<IntegerType>(source.results.getElementType())) {
      double scale = std::max({1.0, std::abs(a.number), std::abs(b.number)});
      differs = !(std::abs(a.number - b.number) <= 1e-5 * scale);
    }
    if (differs && isNumber(target, n))
      return Difference::AmongNumbers;
    if (differs)
      found = Difference::Undefined;
  }
  return found;
}

void NearIdentities::findPairs() {
  std::map<std::string, std::vector<size_t>> alike;
  for (size_t number = 0; number < expressions.size(); ++number)
    if (!expressions[number].fingerprint.empty())
      alike[expressions[number].fingerprint].push_back(number);
  for (const auto &[fingerprint, numbers] : alike) {
    size_t found = 0;
    for (size_t i = 0; i < numbers.size() && found < maxPairsOfOne; ++i)
      for (size_t j = i + 1; j < numbers.size() && found < maxPairsOfOne; ++j)
        for (auto [a, b] : {std::pair(numbers[i], numbers[j]),
                            std::pair(numbers[j], numbers[i])})
          if (Difference difference = differ(expressions[a], expressions[b]);
              difference != Difference::None) {
            pairs.push_back({a, b, difference == Difference::AmongNumbers});
            ++found;
          }
  }
}

void NearIdentities::build(Block &to, ArrayRef<Value> operands,
                           const Expression &expression) const {
  OpBuilder inRule = OpBuilder::atBlockEnd(&to);
  IRMapping map;
  for (unsigned i : {0, 1})
    map.map(expressions[i].value, operands[i]);
  std::function<Value(Value)> copy = [&](Value value) -> Value {
    if (Value known = map.lookupOrNull(value))
      return known;
    Operation *op = value.getDefiningOp();
    for (Value operand : op->getOperands())
      copy(operand);
    return inRule.clone(*op, map)->getResult(0);
  };
  Value value = copy(expression.value);
  rule::YieldOp::create(inRule, inRule.getUnknownLoc(), value);
}

NearIdentities::Pair NearIdentities::next(std::mt19937_64 &choices) {
  if (pairs.empty())
    return {};
  auto [a, b, amongNumbers] = pairs[choices() % pairs.size()];
  const Expression &source = expressions[a], &target = expressions[b];
  for (unsigned i : {0, 1})
    if (target.uses[i] && !source.uses[i])
      return {};
  MLIRContext *context = builder.getContext();
  ScopedDiagnosticHandler quiet(context,
                                [](Diagnostic &) { return success(); });
  Location loc = builder.getUnknownLoc();
  SmallVector<Attribute> names;
  SmallVector<unsigned> used;
  for (unsigned i : {0, 1})
    if (source.uses[i]) {
      used.push_back(i);
      names.push_back(builder.getStringAttr(i == 0 ? "x" : "y"));
    }
  OpBuilder outside(context);
  OwningOpRef<RuleOp> rule = RuleOp::create(
      outside, loc, "near",
      builder.getArrayAttr(TypeAttr::get(source.value.getType())),
      builder.getArrayAttr(names), ArrayRef<int64_t>(),
      builder.getArrayAttr({}), ArrayAttr());
  for (auto [region, expression] : {std::pair(&rule->getSource(), &source),
                                    std::pair(&rule->getTarget(), &target)}) {
    Block &to = region->emplaceBlock();
    SmallVector<Value> operands(2);
    for (unsigned i : used)
      operands[i] = to.addArgument(expressions[i].value.getType(), loc);
    build(to, operands, *expression);
  }
  if (failed(verify(*rule)))
    return {};
  return {std::move(rule), amongNumbers};
}
