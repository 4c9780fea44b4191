//===- Generalize.cpp - from two graphs to a rule for all sizes -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generalizer.h"

#include "tenon/Dialect/Graph/IR/SizeFacts.h"
#include "tenon/Discover/Statements.h"

#include "mlir/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::discover;
using namespace tenon::graph;
using tenon::rule::RuleOp;

FailureOr<Generalized> Generalizer::run(StringRef name) {
  ScopedDiagnosticHandler quiet(context, [&](Diagnostic &d) {
    if (reason.empty())
      reason = d.str();
    return success();
  });
  inputs = terms.listInputs(candidate.source);
  for (ValueId input : terms.listInputs(candidate.target))
    if (!llvm::is_contained(inputs, input)) {
      reason = "the target reads what the source does not";
      return failure();
    }
  dropLeadingAxes();
  makeUnknowns();
  if (failed(solve()) || failed(pairNumbers()) || failed(solve()))
    return failure();
  bindSymbols();
  nameSymbols();
  Generalized result;
  result.isLifted = isLiftable;
  result.numPairings = numPairings;
  for (ValueId input : inputs) {
    Shape &shape = inputShapes[input];
    for (SymInt &size : shape)
      size = rename(size);
    result.inputs.push_back({input, shape});
  }
  for (auto &[op, own] : numbers)
    for (SymInt &number : own)
      number = rename(number);
  result.numbers = numbers;

  SmallVector<StringRef> argumentNames;
  std::vector<std::string> storage;
  for (size_t number = 0; number < inputs.size(); ++number)
    storage.push_back(number < 6 ? std::string(1, "xyzuvw"[number])
                                 : "x" + std::to_string(number));
  argumentNames.append(storage.begin(), storage.end());
  SmallVector<Attribute> conditions;
  auto require = [&](const SymInt &value) {
    SymInt needed = rename(value);
    result.conditions.push_back(needed);
    rule::ConditionAttr condition = stateAtLeastZero(context, needed);
    if (!llvm::is_contained(conditions, condition))
      conditions.push_back(condition);
  };
  for (const SymInt &difference : sizes.getDifferences())
    require(difference);
  for (const auto &[name, difference] : bound)
    require(difference);
  for (const std::string &symbol : options.positive)
    require(SymInt::symbol(symbol) - 1);
  for (const SymInt &value : targetNeeds)
    if (!llvm::is_contained(sourceNeeds, value))
      require(value);
  for (const SymInt &value : sourceNeeds)
    result.conditions.push_back(rename(value));

  // Everything has its final name now, so that building resolves nothing.
  SmallVector<int64_t> lifted;
  if (isLiftable)
    for (auto [number, input] : llvm::enumerate(inputs))
      if (!options.sharesWeights || !isWeight(input))
        lifted.push_back(number);
  if (options.sharesWeights &&
      (lifted.empty() || lifted.size() == inputs.size())) {
    reason = "no operand is a weight, or all are";
    return failure();
  }
  OpBuilder outside(context);
  result.rule = RuleOp::create(outside, outside.getUnknownLoc(), name,
                               outside.getArrayAttr({}),
                               outside.getStrArrayAttr(argumentNames), lifted,
                               outside.getArrayAttr(conditions), ArrayAttr());
  SmallVector<Attribute> types;
  for (bool isSource : {true, false}) {
    Region &region =
        isSource ? result.rule->getSource() : result.rule->getTarget();
    SmallVector<SizeCondition> conditions; // they are known
    auto values =
        build(region.emplaceBlock(),
              isSource ? candidate.source : candidate.target, conditions);
    if (failed(values))
      return failure();
    rule::YieldOp::create(builder, builder.getUnknownLoc(), *values);
    if (isSource)
      for (Value value : *values)
        types.push_back(TypeAttr::get(value.getType()));
  }
  result.rule->setResultTypesAttr(outside.getArrayAttr(types));
  if (failed(verify(*result.rule)))
    return failure();
  return result;
}

FailureOr<Generalized> tenon::discover::generalize(
    MLIRContext *context, const Terms &terms, const Candidate &candidate,
    StringRef name, const StatementOptions &options, std::string &reason) {
  reason.clear();
  FailureOr<Generalized> result =
      Generalizer(context, terms, candidate, options, reason).run(name);
  if (failed(result) && reason.empty())
    reason = "no sizes satisfy both sides";
  return result;
}
