//===- Necessity.cpp - which conditions a rule needs ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/ProofKernel/CheckOps.h"
#include "tenon/Prove/FileWork.h"
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
                       const ProveOptions &options, uint64_t &work) {
  Necessity result;
  result.verdict = Necessity::Needed;
  ProveOptions quiet = options;
  quiet.dumpPrefix.clear();
  quiet.refute = true;
  Certificate again = proveRule(without, quiet, &work);
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

/// The work of making a question for each of a rule's conditions, beside that
/// of answering it.
static constexpr uint64_t conditionWork = 300;

std::vector<Necessity> prove::checkNecessity(RuleOp rule,
                                             const Certificate &proved,
                                             const ProveOptions &options,
                                             uint64_t &work) {
  std::vector<Necessity> results;
  auto add = [&](StringRef condition, llvm::function_ref<Necessity()> decide) {
    Necessity result{"", Necessity::Undecided, fileWorkSpent.str()};
    work += conditionWork * rule.getConditionList().size();
    if (work <= getMostFileWork(options.rlimit))
      result = decide();
    result.condition = condition;
    results.push_back(std::move(result));
  };
  SmallVector<rule::ConditionAttr> conditions = rule.getConditionList();
  for (size_t dropped = 0; dropped < conditions.size(); ++dropped)
    add(conditions[dropped].str(), [&]() -> Necessity {
      OwningOpRef<RuleOp> without(rule.clone());
      SmallVector<Attribute> others(conditions.begin(), conditions.end());
      others.erase(others.begin() + dropped);
      without->setConditionsAttr(ArrayAttr::get(rule.getContext(), others));
      Solver solver(options.rlimit, options.memory);
      bool isImplied = solver.follows(getAssumptions(*without),
                                      getFormula(conditions[dropped])) ==
                       Solver::Answer::Yes;
      work += solver.getWork();
      if (isImplied)
        return {"", Necessity::NotNeeded,
                "the other conditions and the ops of the source imply it"};
      return judge(*without, proved, options, work);
    });
  SmallVector<rule::ValueConditionAttr> values = rule.getValueConditionList();
  for (size_t dropped = 0; dropped < values.size(); ++dropped)
    add(rule.str(values[dropped]), [&] {
      OwningOpRef<RuleOp> without(rule.clone());
      SmallVector<Attribute> others(values.begin(), values.end());
      others.erase(others.begin() + dropped);
      without->setValueConditionsAttr(
          ArrayAttr::get(rule.getContext(), others));
      return judge(*without, proved, options, work);
    });
  return results;
}
