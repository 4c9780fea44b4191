//===- Necessity.cpp - which conditions a rule needs ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/ProofKernel/CheckOps.h"
#include "tenon/Prove/Prove.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::prove;
using rule::Certificate;
using rule::RuleOp;
using rule::Status;

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

/// Returns the verdict on the condition that `without` lacks.
static Necessity judge(RuleOp without, const Certificate &proved,
                       const ProveOptions &options) {
  Necessity result;
  result.verdict = Necessity::Needed;
  ProveOptions quiet = options;
  quiet.dumpPrefix.clear();
  quiet.refute = true;
  Certificate again = proveRule(without, quiet);
  if (again.status == Status::Refuted) {
    result.reason = again.reason;
    return result;
  }
  result.verdict = Necessity::Undecided;
  if (again.status != Status::Proved) {
    result.reason =
        "without it, the rule is neither refuted nor proved: " + again.reason;
  } else if (proved.liftProved && !again.liftProved) {
    result.reason = "without it, the rule is not proved with leading axes: " +
                    again.liftReason;
  } else {
    result.verdict = Necessity::NotNeeded;
    if (again.floatClass != proved.floatClass)
      result.reason = "without it, the rule is of class '" +
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
    Solver solver(options.rlimit, options.memory);
    if (solver.follows(getAssumptions(*without),
                       getFormula(conditions[dropped])) == Solver::Answer::Yes)
      results.push_back({"", Necessity::NotNeeded,
                         "the other conditions and the ops of the source imply "
                         "it"});
    else
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
