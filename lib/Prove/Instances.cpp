//===- Instances.cpp - a rule at given sizes ------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Prove/Instances.h"
#include "MatchedSides.h"
#include "tenon/ProofKernel/CheckOps.h"

#include "mlir/IR/Diagnostics.h"

#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::prove;
using graph::SymInt;
using interpret::Domain;
using interpret::Tensor;

uint64_t Random::next() {
  uint64_t z = (state += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

Instances::Instances(rule::RuleOp rule, uint64_t seed)
    : random{seed}, rule(rule), symbols(rule.getSymbols()),
      determined(getDeterminedSizes(rule)),
      sides(std::make_unique<MatchedSides>(rule)) {}
Instances::~Instances() = default;

bool Instances::choose(llvm::function_ref<int64_t(StringRef)> choice,
                       int64_t maxElements) {
  auto lookup = [&](StringRef name) -> std::optional<int64_t> {
    auto it = values.find(name.str());
    if (it == values.end())
      return std::nullopt;
    return it->second;
  };
  if (isSpent())
    return false;
  // Building an op and matching it, or deciding a condition, takes about as
  // long as so many elements.
  constexpr uint64_t stepsPerOp = 200;
  uint64_t steps =
      stepsPerOp * (rule.getSource().front().getOperations().size() +
                    rule.getTarget().front().getOperations().size() +
                    rule.getConditionList().size());
  if (stepsLeft != unbounded)
    stepsLeft -= std::min(stepsLeft, steps);
  for (const std::string &symbol : symbols)
    values[symbol] = choice(symbol);
  for (const rule::DeterminedSize &size : determined)
    if (std::optional<int64_t> value = size.value.evaluate(lookup);
        value && *value >= 0)
      values[size.symbol] = *value;
  auto substitute = [&](StringRef name) -> std::optional<SymInt> {
    if (std::optional<int64_t> value = lookup(name))
      return SymInt(*value);
    return std::nullopt;
  };
  for (rule::ConditionAttr condition : rule.getConditionList())
    if (condition.evaluate(substitute) != true)
      return false;
  return llvm::all_of(rule.getArgumentTypes(),
                      [&](Type type) {
                        return getSizes(type, maxElements).has_value();
                      }) &&
         sides->build(values);
}

bool Instances::draw(int64_t least, int64_t most, int64_t maxElements) {
  for (unsigned attempt = 0; attempt < 500; ++attempt)
    if (choose([&](StringRef) { return random.in(least, most); }, maxElements))
      return true;
  return false;
}

std::optional<SmallVector<int64_t>>
Instances::getSizes(Type type, int64_t maxElements) const {
  SmallVector<int64_t> sizes;
  int64_t count = 1;
  for (const SymInt &size : graph::getShape(type)) {
    std::optional<int64_t> value =
        size.evaluate([&](StringRef name) -> std::optional<int64_t> {
          return values.at(name.str());
        });
    if (!value || *value < 0)
      return std::nullopt;
    sizes.push_back(*value);
    count *= std::max<int64_t>(*value, 1);
    if (count > maxElements)
      return std::nullopt;
  }
  return sizes;
}

/// Changes `tensor` so that it satisfies a condition over its elements.
static void apply(rule::ValueKind kind, Tensor &tensor, Domain::Kind domain) {
  bool inField = domain == Domain::Kind::Field;
  auto set = [&](interpret::Cell &cell, int64_t number) {
    if (inField)
      cell.residue = number;
    else
      cell.number = number;
  };
  for (int64_t n = 0; n < tensor.getNumElements(); ++n) {
    interpret::Cell &cell = tensor.data()[n];
    switch (kind) {
    case rule::ValueKind::Zero:
      set(cell, 0);
      break;
    case rule::ValueKind::Ones:
      set(cell, 1);
      break;
    case rule::ValueKind::Identity: {
      int64_t columns = tensor.getShape()[1];
      set(cell, n / columns == n % columns);
      break;
    }
    case rule::ValueKind::Positive:
      // In a field, the only requirement is that the reciprocal exists.
      if (inField ? cell.residue == 0 : cell.number == 0)
        set(cell, 1);
      else if (!inField)
        cell.number = std::abs(cell.number);
      break;
    }
  }
}

/// Draws a small number; sometimes an extreme value of the type, or any.
int64_t Instances::drawInteger(IntegerType type) {
  bool isUnsigned = type.isUnsignedInteger();
  int64_t small = random.in(isUnsigned ? 0 : -3, 3);
  uint64_t kind = drawsExtremes ? random.next() % 8 : 7;
  if (kind > 2)
    return small;
  APInt end = random.next() & 1
                  ? (isUnsigned ? APInt::getMaxValue(type.getWidth())
                                : APInt::getSignedMaxValue(type.getWidth()))
                  : (isUnsigned ? APInt::getMinValue(type.getWidth())
                                : APInt::getSignedMinValue(type.getWidth()));
  if (kind == 2)
    end = APInt(type.getWidth(), random.next(), /*isSigned=*/false,
                /*implicitTrunc=*/true);
  APInt value = end + APInt(type.getWidth(), small, /*isSigned=*/true,
                            /*implicitTrunc=*/true);
  return isUnsigned ? static_cast<int64_t>(value.getZExtValue())
                    : value.getSExtValue();
}

FailureOr<SmallVector<Tensor>> Instances::makeInputs(FillFn fill,
                                                     Domain::Kind domain) {
  SmallVector<Tensor> inputs;
  for (Type type : rule.getArgumentTypes()) {
    Type element = cast<RankedTensorType>(type).getElementType();
    auto sizes = getSizes(type, std::numeric_limits<int32_t>::max());
    if (!sizes)
      return failure();
    FailureOr<Tensor> tensor = Tensor::allocate(element, *sizes);
    if (failed(tensor))
      return failure();
    for (int64_t n = 0; n < tensor->getNumElements(); ++n) {
      interpret::Cell &cell = tensor->data()[n];
      if (element.isInteger(1))
        cell.integer = random.in(0, 1);
      else if (auto integer = dyn_cast<IntegerType>(element))
        cell.integer = drawInteger(integer);
      else
        fill(cell);
    }
    inputs.push_back(std::move(*tensor));
  }
  // The conditions that ops of the source impose on their operands.
  for (unsigned number : getOperandSigns(rule).notNegative)
    if (domain != Domain::Kind::Field)
      for (int64_t n = 0; n < inputs[number].getNumElements(); ++n) {
        interpret::Cell &cell = inputs[number].data()[n];
        cell.number = std::abs(cell.number);
      }
  for (rule::ValueConditionAttr condition : rule.getValueConditionList())
    apply(condition.getKind(), inputs[condition.getOperand()], domain);
  return inputs;
}

FailureOr<SmallVector<Tensor>> Instances::evaluate(Region &side,
                                                   ArrayRef<Tensor> inputs,
                                                   Domain domain, bool *opaque,
                                                   bool trackErrors) {
  problem.clear();
  ScopedDiagnosticHandler quiet(rule.getContext(), [&](Diagnostic &d) {
    if (problem.empty())
      problem = d.str();
    return success();
  });
  bool isSource = &side == &rule.getSource();
  Block *block = isSource ? &sides->getSource() : sides->getTarget(problem);
  if (!block)
    return failure();
  interpret::Symbols noSymbols;
  interpret::Options options;
  options.domain = domain;
  options.naive = true;
  options.trackErrors = trackErrors;
  options.threads = 1;
  options.stepsLeft = stepsLeft == unbounded ? nullptr : &stepsLeft;
  interpret::Statistics statistics;
  auto results =
      interpret::evaluateBlock(*block, inputs, noSymbols, options, &statistics);
  if (opaque)
    *opaque |= statistics.usedOpaqueFunctions;
  return results;
}

bool Instances::staysInRange(ArrayRef<Tensor> inputs) {
  Operation *yield = sides->getSource().getTerminator();
  SmallVector<Value> results(yield->getOperands()), all;
  for (Operation &op : sides->getSource().without_terminator())
    llvm::append_range(all, op.getResults());
  Domain f64{Domain::Kind::F64};
  yield->setOperands(all);
  auto exact = evaluate(rule.getSource(), inputs, f64);
  auto bounded = evaluate(rule.getSource(), inputs, f64, /*opaque=*/nullptr,
                          /*trackErrors=*/true);
  yield->setOperands(results);
  if (failed(exact) || failed(bounded))
    return false;
  for (auto [value, own] : llvm::zip_equal(*exact, *bounded)) {
    if (!isa<FloatType>(value.getElementType()))
      continue;
    for (int64_t n = 0; n < value.getNumElements(); ++n) {
      double number = value.data()[n].number;
      // Inside of an op, an infinity may become a finite number again.
      double error = std::abs(own.data()[n].number - number);
      if ((own.excluded() && own.excluded()[n]) || !std::isfinite(number) ||
          !(error <= std::abs(number) / 2))
        return false;
    }
  }
  return true;
}
