//===- Check.cpp - running both sides of rules at random sizes ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Prove/Check.h"
#include "tenon/ProofKernel/Lift.h"
#include "tenon/Prove/Instances.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::prove;
using interpret::Cell;
using interpret::Domain;
using interpret::Tensor;

/// The limits on the elements of one operand; larger instances take too long.
static constexpr int64_t maxElements = 512, maxElementsOfLarge = 8192;
/// Attempts to choose sizes, per requested instance: a source may be defined
/// only at few sizes.
static constexpr uint64_t drawsPerInstance = 10;
/// The factor by which a difference in f64 may exceed the bounds of both sides.
/// The bounds are those of the operands' element types, scaled to f64.
static constexpr double slack = 8;

namespace {
class Checker {
public:
  Checker(rule::RuleOp rule, bool isExact, const CheckOptions &options)
      : rule(rule), isExact(isExact), options(options),
        instances(rule, options.seed) {
    instances.drawsExtremes = true;
  }

  CheckResult run();

private:
  bool draw(uint64_t number);
  bool runOnce();
  bool compare(Domain domain, bool withBounds, Instances::FillFn fill);
  bool differ(const Tensor &source, const Tensor &target, int64_t n,
              Domain::Kind kind, bool withBounds);
  void describe(ArrayRef<Tensor> inputs, unsigned number, const Tensor &source,
                const Tensor &target, int64_t n, Domain::Kind kind);

  rule::RuleOp rule;
  bool isExact;
  const CheckOptions &options;
  Instances instances;
  /// Cleared when the check meets an op that is not a ring or field operation.
  bool isPolynomial = true;
  CheckResult result;
};
} // namespace

static std::string format(Type elementType, Cell cell, Domain::Kind kind) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (isa<IntegerType>(elementType))
    os << cell.integer;
  else if (kind == Domain::Kind::Field)
    os << cell.residue;
  else
    os << llvm::format(kind == Domain::Kind::F32 ? "%.9g" : "%.17g",
                       cell.number);
  return text;
}

/// The factor that turns an error bound in `elementType` into one in f64.
static double getScaleOfBounds(Type elementType) {
  auto type = cast<FloatType>(elementType);
  return std::ldexp(1.0, static_cast<int>(type.getFPMantissaWidth()) - 53);
}

bool Checker::differ(const Tensor &source, const Tensor &target, int64_t n,
                     Domain::Kind kind, bool withBounds) {
  Type elementType = source.getElementType();
  Cell a = source.data()[n], b = target.data()[n];
  ++result.elements;
  if (isa<IntegerType>(elementType))
    return a.integer != b.integer;
  switch (kind) {
  case Domain::Kind::Field:
    // Values above the prime represent a division by zero.
    return a.residue < fieldPrime && b.residue < fieldPrime &&
           a.residue != b.residue;
  case Domain::Kind::F32:
    if (std::isnan(a.number) || std::isnan(b.number))
      return std::isnan(a.number) != std::isnan(b.number);
    return llvm::bit_cast<uint64_t>(a.number) !=
           llvm::bit_cast<uint64_t>(b.number);
  case Domain::Kind::F64:
    break;
  }
  double bound = 0;
  for (const Tensor *side : {&source, &target}) {
    if (side->excluded() && side->excluded()[n]) {
      --result.elements;
      return false;
    }
    if (side->errors())
      bound += side->errors()[n];
  }
  // A source element that is not finite has no value over the reals.
  if (!std::isfinite(a.number) || !std::isfinite(bound)) {
    --result.elements;
    return false;
  }
  return !(std::abs(a.number - b.number) <=
           slack * bound * getScaleOfBounds(elementType));
}

void Checker::describe(ArrayRef<Tensor> inputs, unsigned number,
                       const Tensor &source, const Tensor &target, int64_t n,
                       Domain::Kind kind) {
  rule::Counterexample &found = result.difference.emplace();
  result.arithmetic = kind == Domain::Kind::Field ? "in the prime field"
                      : kind == Domain::Kind::F32 ? "in f32"
                                                  : "in f64";
  for (const std::string &symbol : instances.getSymbols())
    found.symbols.emplace_back(symbol, instances.getValues().at(symbol));
  found.result = number;
  found.index.resize(source.getRank());
  int64_t rest = n;
  for (int64_t axis = source.getRank(); axis-- > 0;) {
    found.index[axis] = rest % source.getShape()[axis];
    rest /= source.getShape()[axis];
  }
  found.source = format(source.getElementType(), source.data()[n], kind);
  found.target = format(target.getElementType(), target.data()[n], kind);
  for (auto [argument, input] : llvm::enumerate(inputs)) {
    if (input.getNumElements() > 32)
      continue;
    SmallVector<std::string> elements;
    for (int64_t i = 0; i < input.getNumElements(); ++i)
      elements.push_back(format(input.getElementType(), input.data()[i], kind));
    found.operands.emplace_back(rule.getArgumentName(argument).str(),
                                "[" + llvm::join(elements, ", ") + "]");
  }
}

/// Runs both sides once. Returns false if the source is undefined, or if the
/// domain is the field and the rule has other operations.
bool Checker::compare(Domain domain, bool withBounds, Instances::FillFn fill) {
  auto inputs = instances.makeInputs(fill, domain.kind);
  if (failed(inputs))
    return false;
  bool opaque = false;
  auto source = instances.evaluate(rule.getSource(), *inputs, domain, &opaque,
                                   withBounds);
  if (failed(source))
    return false;
  auto target = instances.evaluate(rule.getTarget(), *inputs, domain, &opaque,
                                   withBounds);
  if (opaque && domain.kind == Domain::Kind::Field) {
    isPolynomial = false;
    return false;
  }
  if (failed(target)) {
    rule::Counterexample &found = result.difference.emplace();
    for (const std::string &symbol : instances.getSymbols())
      found.symbols.emplace_back(symbol, instances.getValues().at(symbol));
    found.target = "not valid (" + instances.problem + ")";
    return true;
  }
  for (auto [number, both] : llvm::enumerate(llvm::zip(*source, *target))) {
    const Tensor &a = std::get<0>(both), &b = std::get<1>(both);
    if (a.getShape() != b.getShape()) {
      rule::Counterexample &found = result.difference.emplace();
      for (const std::string &symbol : instances.getSymbols())
        found.symbols.emplace_back(symbol, instances.getValues().at(symbol));
      found.result = number;
      found.source = "of another shape";
      found.target = "of this shape";
      return true;
    }
    for (int64_t n = 0; n < a.getNumElements(); ++n)
      if (differ(a, b, n, domain.kind, withBounds)) {
        describe(*inputs, number, a, b, n, domain.kind);
        return true;
      }
  }
  return true;
}

/// Runs all comparisons at the sizes that were drawn.
bool Checker::runOnce() {
  Random &random = instances.random;
  bool done = false;
  if (isPolynomial)
    done = compare({Domain::Kind::Field, options.seed}, false, [&](Cell &cell) {
      cell.residue = random.next() % fieldPrime;
    });
  result.inField += done;
  if (result.difference)
    return true;
  if (!isPolynomial) {
    // Half of the draws are positive, for ops that are only defined there.
    bool positive = random.next() & 1;
    done = compare({Domain::Kind::F64}, true, [&](Cell &cell) {
      cell.number = static_cast<float>(random.in(1, 2000)) / 1024;
      if (!positive && random.next() & 1)
        cell.number = -cell.number;
    });
    result.inF64 += done;
  }
  if (result.difference || !done || !isExact)
    return done;
  // Special values: rules that only move elements must move these as well.
  bool special = random.next() & 1;
  static constexpr double specials[] = {0.0, -0.0,     INFINITY,      -INFINITY,
                                        NAN, 0x1p-149, 0x1.fffffep127};
  result.bitForBit += compare({Domain::Kind::F32}, false, [&](Cell &cell) {
    if (special && random.in(0, 15) == 0)
      cell.number = specials[random.in(0, std::size(specials) - 1)];
    else
      cell.number = static_cast<float>(random.in(-2000000, 2000000)) / 997;
  });
  return true;
}

bool Checker::draw(uint64_t number) {
  // Alternate between sizes near 1, small sizes, possibly empty ones, and
  // larger ones.
  static constexpr std::pair<int64_t, int64_t> ranges[] = {
      {1, 2}, {1, 4}, {0, 5}, {1, 8}};
  auto [least, most] = ranges[number % std::size(ranges)];
  ArrayRef<std::string> symbols = instances.getSymbols();
  if (options.large == 0 || symbols.empty())
    return instances.draw(least, most, maxElements);
  const std::string &large = symbols[number % symbols.size()];
  return instances.choose(
      [&](StringRef name) {
        return name == large ? options.large + instances.random.in(0, 3)
                             : instances.random.in(1, 3);
      },
      maxElementsOfLarge);
}

CheckResult Checker::run() {
  for (uint64_t draw = 0; draw < drawsPerInstance * options.instances &&
                          result.instances < options.instances;
       ++draw) {
    if (!this->draw(draw))
      continue;
    result.instances += runOnce();
    if (result.difference)
      return result;
  }
  if (result.instances == 0)
    result.problem = "no sizes were found that satisfy the conditions and at "
                     "which the source is defined";
  else if (result.elements == 0)
    result.problem = "no element could be compared";
  return result;
}

std::vector<CheckResult> prove::checkRule(rule::RuleOp rule,
                                          const rule::Certificate &proved,
                                          const CheckOptions &options) {
  bool isExact = proved.floatClass == rule::Exact;
  std::string reason;
  OwningOpRef<rule::RuleOp> overRanks = getRuleOverRanks(rule, reason);
  std::vector<CheckResult> results(1);
  results.front().problem = reason;
  if (overRanks)
    results.front() = Checker(*overRanks, isExact, options).run();
  if (rule.getLifted().empty() || !proved.liftProved)
    return results;
  for (unsigned axes : {1, 2}) {
    std::vector<std::string> names;
    std::string reason;
    OwningOpRef<rule::RuleOp> lifted = getLiftedRule(rule, axes, names, reason);
    results.push_back(lifted ? Checker(*lifted, isExact, options).run()
                             : CheckResult());
    results.back().leadingAxes = axes;
    if (!lifted)
      results.back().problem = reason;
  }
  return results;
}
