//===- Necessity.cpp - which conditions a rule needs ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Instances.h"
#include "Refute.h"

#include "tenon/Prove/Prove.h"

#include "mlir/IR/BuiltinAttributes.h"

#include <set>

using namespace mlir;
using namespace tenon;
using namespace tenon::prove;
using rule::Certificate;
using rule::RuleOp;
using rule::Status;

/// Choices of sizes at which a rule without one of its conditions is tried.
static constexpr unsigned trials = 60;

llvm::StringRef prove::stringify(Necessity::Verdict verdict) {
  switch (verdict) {
  case Necessity::Needed:
    return "needed";
  case Necessity::NotNeeded:
    return "not-needed";
  case Necessity::Undecided:
    return "undecided";
  }
  llvm_unreachable("unknown verdict");
}

/// Sizes that satisfy the conditions of `rule` at which its source is not
/// defined, as text.
static std::optional<std::string> findUndefinedSource(RuleOp rule) {
  Instances instances(rule);
  std::set<Instances::Values> tried;
  for (unsigned trial = 0; trial < trials; ++trial) {
    if (!instances.draw(0, trial < trials / 2 ? 3 : 6) ||
        !tried.insert(instances.getValues()).second)
      continue;
    auto inputs =
        instances.makeInputs([](interpret::Cell &cell) { cell.number = 1; });
    if (failed(inputs) ||
        succeeded(instances.evaluate(rule.getSource(), *inputs, {})))
      continue;
    rule::Counterexample at;
    for (const std::string &symbol : instances.getSymbols())
      at.symbols.emplace_back(symbol, instances.getValues().at(symbol));
    return at.str() + ", the source is not valid (" + instances.problem + ")";
  }
  return std::nullopt;
}

/// The verdict on the condition that `without` lacks.
static Necessity judge(RuleOp without, const Certificate &proved,
                       const ProveOptions &options) {
  Necessity result;
  result.verdict = Necessity::Needed;
  unsigned evaluated = 0;
  if (auto counterexample = refute(without, trials, evaluated)) {
    result.reason = counterexample->str();
    return result;
  }
  if (std::optional<std::string> undefined = findUndefinedSource(without)) {
    result.reason = *undefined;
    return result;
  }
  ProveOptions quiet = options;
  quiet.dumpPrefix.clear();
  quiet.refute = false;
  Certificate again = proveRule(without, quiet);
  result.verdict = Necessity::Undecided;
  if (again.status != Status::Proved) {
    result.reason =
        "without it the rule is neither refuted nor proved: " + again.reason;
  } else if (proved.liftProved && !again.liftProved) {
    result.reason = "without it the rule is not proved with leading axes: " +
                    again.liftReason;
  } else {
    result.verdict = Necessity::NotNeeded;
    if (again.floatClass != proved.floatClass)
      result.reason = "without it the rule is of class '" +
                      rule::stringifyFloatClass(again.floatClass) + "'";
  }
  return result;
}

std::vector<Necessity> prove::checkNecessity(RuleOp rule,
                                             const Certificate &proved,
                                             const ProveOptions &options) {
  std::vector<Necessity> results;
  SmallVector<rule::ConditionAttr> conditions = rule.getConditionList();
  for (size_t dropped = 0; dropped < conditions.size(); ++dropped) {
    OwningOpRef<RuleOp> without(rule.clone());
    SmallVector<Attribute> others;
    for (auto [number, condition] : llvm::enumerate(conditions))
      if (number != dropped)
        others.push_back(condition);
    without->setConditionsAttr(ArrayAttr::get(rule.getContext(), others));
    results.push_back(judge(*without, proved, options));
    results.back().condition = conditions[dropped].str();
  }
  SmallVector<rule::ValueConditionAttr> values = rule.getValueConditionList();
  for (size_t dropped = 0; dropped < values.size(); ++dropped) {
    OwningOpRef<RuleOp> without(rule.clone());
    SmallVector<Attribute> others;
    for (auto [number, condition] : llvm::enumerate(values))
      if (number != dropped)
        others.push_back(condition);
    without->setValueConditionsAttr(ArrayAttr::get(rule.getContext(), others));
    results.push_back(judge(*without, proved, options));
    results.back().condition = rule.str(values[dropped]);
  }
  return results;
}
