//===- SampleRule.cpp - both sides of a rule at a few elements ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SampleRule.h"
#include "tenon/Interpret/ElementEvaluator.h"
#include "tenon/ProofKernel/CheckOps.h"
#include "tenon/ProofKernel/Lift.h"
#include "tenon/ProofKernel/RuleForms.h"
#include "tenon/Prove/Instances.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace tenon;
using namespace tenon::prove;
using interpret::Cell;
using interpret::ElementEvaluator;

/// The most elements that are computed for one element of a result.
static constexpr uint64_t maxSteps = 200'000;

/// The elements of each result that are compared, for each choice of sizes.
static constexpr unsigned numPoints = 4;

namespace {
class Sampler {
public:
  explicit Sampler(rule::RuleOp rule) : rule(rule), instances(rule) {}

  std::string run();

private:
  std::string compareAll(bool isPositive);
  std::string compareAt(unsigned result, ArrayRef<int64_t> index,
                        ElementEvaluator &source, ElementEvaluator &target);
  Cell getElement(unsigned number, ArrayRef<int64_t> index, bool isPositive);

  rule::RuleOp rule;
  Instances instances;
};
} // namespace

/// The element depends only on the operand and the index, so that both sides
/// see the same.
Cell Sampler::getElement(unsigned number, ArrayRef<int64_t> index,
                         bool isPositive) {
  Random random{number * 1000003u + 17};
  for (int64_t at : index)
    random.state = random.next() + static_cast<uint64_t>(at);
  Type type =
      cast<RankedTensorType>(rule.getArgumentTypes()[number]).getElementType();
  Cell cell;
  if (graph::isBool(type))
    cell.integer = random.in(0, 1);
  else if (isa<IntegerType>(type))
    cell.integer = random.in(0, 3);
  else
    cell.number =
        static_cast<double>(random.in(isPositive ? 100 : -2000, 2000)) / 997;
  return cell;
}

std::string Sampler::compareAt(unsigned result, ArrayRef<int64_t> index,
                               ElementEvaluator &source,
                               ElementEvaluator &target) {
  Value left = rule.getSourceYield().getOperand(result);
  Value right = rule.getTargetYield().getOperand(result);
  std::optional<Cell> a = source.evaluate(left, index);
  std::optional<Cell> b = target.evaluate(right, index);
  if (!a || !b)
    return "";
  bool isInteger =
      isa<IntegerType>(cast<RankedTensorType>(left.getType()).getElementType());
  auto getText = [&](Cell cell) {
    return isInteger ? std::to_string(cell.integer)
                     : llvm::formatv("{0:f6}", cell.number).str();
  };
  if (isInteger ? a->integer == b->integer
                : !std::isfinite(a->number) || !std::isfinite(b->number) ||
                      std::abs(a->number - b->number) <=
                          1e-6 * std::max({1.0, std::abs(a->number),
                                           std::abs(b->number)}))
    return "";
  std::string text = "element [";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(index, os);
  os << "]";
  StringRef separator = " for ";
  for (const std::string &symbol : instances.getSymbols()) {
    os << separator << symbol << " = " << instances.getValues().at(symbol);
    separator = ", ";
  }
  os << " is " << getText(*b) << ", expected " << getText(*a);
  return text;
}

std::string Sampler::compareAll(bool isPositive) {
  interpret::Symbols symbols;
  for (const auto &[name, value] : instances.getValues())
    symbols[name] = value;
  auto lookup = [&](StringRef name) -> std::optional<int64_t> {
    auto found = symbols.find(name);
    return found == symbols.end() ? std::nullopt : std::optional(found->second);
  };
  auto makeEvaluator = [&] {
    return ElementEvaluator(
        symbols, {interpret::Domain::Kind::F64},
        [&, isPositive](unsigned number, ArrayRef<int64_t> index) {
          return getElement(number, index, isPositive);
        },
        maxSteps);
  };
  for (auto [number, type] :
       llvm::enumerate(rule.getSourceYield().getOperandTypes()))
    for (unsigned point = 0; point < numPoints; ++point) {
      SmallVector<int64_t> index;
      bool isEmpty = false;
      for (const graph::SymInt &size : graph::getShape(type)) {
        std::optional<int64_t> extent = size.evaluate(lookup);
        isEmpty |= !extent || *extent < 1;
        // The first points are corners.
        index.push_back(isEmpty      ? 0
                        : point == 0 ? 0
                        : point == 1 ? *extent - 1
                                     : instances.random.in(0, *extent - 1));
      }
      if (isEmpty)
        break;
      ElementEvaluator source = makeEvaluator(), target = makeEvaluator();
      std::string difference = compareAt(number, index, source, target);
      if (!difference.empty())
        return difference;
    }
  return "";
}

std::string Sampler::run() {
  std::string reason;
  if (!expandComposites(rule.getSource(), reason) ||
      !expandComposites(rule.getTarget(), reason))
    return "";
  // Of a symbol's size 1, ops may do something else.
  for (int64_t least : {2, 1}) {
    if (!instances.draw(least, 5, std::numeric_limits<int64_t>::max()))
      continue;
    for (bool isPositive : {true, false}) {
      std::string difference = compareAll(isPositive);
      if (!difference.empty())
        return difference;
    }
    if (instances.getSymbols().empty())
      break;
  }
  return "";
}

std::string prove::sampleDifference(rule::RuleOp rule) {
  std::string reason;
  OwningOpRef<rule::RuleOp> copy = getRuleOverRanks(rule, reason);
  if (!copy)
    return "";
  return Sampler(*copy).run();
}
