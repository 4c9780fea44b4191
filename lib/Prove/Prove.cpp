//===- Prove.cpp - proofs of rules ----------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Prove/Prove.h"
#include "Laws.h"
#include "Lift.h"
#include "MatchExact.h"
#include "MatchSums.h"
#include "Range.h"
#include "Refute.h"
#include "Retype.h"
#include "RuleForms.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::prove;
using graph::Expr;
using graph::ExprKind;
using graph::IndexForm;
using rule::Certificate;
using rule::RuleOp;
using rule::Status;

/// Small sizes at which both sides are compared before a proof is tried.
static constexpr unsigned filterTrials = 12;
/// And where no proof was found.
static constexpr unsigned refuteTrials = 60;

namespace {
/// What one attempt at a proof found.
struct Attempt {
  Status status = Status::Unknown;
  std::string reason;
  std::string elements;
  unsigned floatClass = rule::Exact;
};
} // namespace

/// The number of the first index variable that no form uses.
static unsigned getNextVar(ArrayRef<IndexForm> forms) {
  unsigned next = 0;
  for (const IndexForm &form : forms) {
    next = std::max<unsigned>(next, form.shape.size());
    graph::walk(form.body, [&](Expr node) {
      if (node.getKind() == ExprKind::Var)
        next = std::max(next, node->var + 1);
      for (unsigned var : node->vars)
        next = std::max(next, var + 1);
    });
  }
  return next;
}

/// One result of both sides. Bit-equal results are found first; else the sums
/// of products are compared.
static Attempt proveResult(Solver &solver, const IndexForm &source,
                           const IndexForm &target,
                           const FormulaRef &assumptions,
                           const OperandSigns &operands) {
  Attempt attempt;
  unsigned next = getNextVar({source, target});
  // No two loops of the two sides have a variable of one name, so that no
  // replacement can capture any.
  Expr left = graph::renameBound(source.body, next);
  Expr right = graph::renameBound(target.body, next);
  FormulaRef context =
      Formula::conjunction(assumptions, getIndexDomain(source.shape));
  if (matchExact(solver, next, left, right, context)) {
    attempt.status = Status::Proved;
    attempt.elements = "any";
    return attempt;
  }
  if (solver.failed) {
    attempt.status = Status::Error;
    attempt.reason = solver.reason;
    return attempt;
  }
  // More is assumed where less does not suffice.
  Signs signs(solver, context, operands);
  ElementSigns elementSigns(solver, context, operands);
  using Mode = Normalizer::Mode;
  bool hasQuotients = true;
  for (Mode mode : {Mode::Sums, Mode::Quotients, Mode::Laws}) {
    if (mode == Mode::Quotients && !hasQuotients)
      continue;
    Laws laws(signs);
    Normalizer sums(next, mode, &laws, &elementSigns);
    std::optional<SumForm> first = sums.getSum(left);
    std::optional<SumForm> second = sums.getSum(right);
    hasQuotients = sums.keptQuotient;
    if (!first || !second) {
      attempt.status = Status::Unsupported;
      attempt.reason = sums.reason;
      continue;
    }
    attempt.status = Status::Unknown;
    SumMatcher matcher(solver, sums, mode == Mode::Laws ? &laws : nullptr);
    bool equal = matcher.equal(*first, *second, context);
    if (solver.failed) {
      attempt.status = Status::Error;
      attempt.reason = solver.reason;
      return attempt;
    }
    if (equal) {
      attempt.status = Status::Proved;
      attempt.reason.clear();
      attempt.elements = sums.ringOnly ? "ring" : "real";
      // The normal form forgets the order of operations.
      attempt.floatClass = rule::Reassociates | sums.floatClass |
                           matcher.floatClass | laws.floatClass;
      for (const SumForm &side : {*first, *second})
        if (signs.mayMixInfinities(side))
          attempt.floatClass |= rule::NeedsFinite;
      return attempt;
    }
    attempt.reason = !solver.reason.empty() ? solver.reason : matcher.reason;
    if (attempt.reason.empty())
      attempt.reason = "the sums of both sides were not matched";
  }
  return attempt;
}

/// Expands the composites of a side, and checks that it is valid for all sizes.
/// Returns false with the attempt's outcome where that is not known.
static bool checkSide(Solver &solver, Region &side, bool isSource,
                      const FormulaRef &assumptions, Attempt &attempt) {
  // Before composites, and what they ask for, are gone. (That a source meets
  // its own conditions is assumed.)
  Validity validity =
      isSource ? Validity::Valid
               : checkSizeConditions(solver, side, assumptions, attempt.reason);
  if (validity == Validity::Valid) {
    if (!expandComposites(side, attempt.reason)) {
      attempt.status = Status::Unsupported;
      return false;
    }
    validity = checkOps(solver, side, assumptions, attempt.reason);
  }
  if (solver.failed) {
    attempt.status = Status::Error;
    attempt.reason = solver.reason;
    return false;
  }
  if (validity == Validity::Valid)
    return true;
  attempt.status =
      validity == Validity::Unsupported ? Status::Unsupported : Status::Unknown;
  attempt.reason =
      (Twine(isSource ? "source" : "target") +
       " is not valid for all sizes: " + attempt.reason +
       (validity == Validity::Invalid ? " (is a condition missing?)" : ""))
          .str();
  if (validity == Validity::Unknown)
    attempt.reason += ": " + solver.reason;
  return false;
}

/// Writes the operands of a reason, x0 and x1, as the rule does.
static std::string nameOperands(RuleOp rule, StringRef text) {
  std::string result;
  while (!text.empty()) {
    bool begins =
        result.empty() || (!llvm::isAlnum(result.back()) &&
                           result.back() != '_' && result.back() != '%');
    size_t end = text.find_first_not_of("0123456789", 1);
    unsigned number;
    if (begins && text.front() == 'x' &&
        !text.slice(1, end).getAsInteger(10, number) &&
        number < rule.getSource().getNumArguments() &&
        text.substr(std::min(end, text.size())).starts_with("[")) {
      result += "%" + rule.getArgumentName(number).str();
      text = text.substr(end);
      continue;
    }
    result += text.front();
    text = text.drop_front();
  }
  return result;
}

/// Both sides, all results. Works on a copy, in which composites are expanded.
static Attempt proveSides(Solver &solver, RuleOp original) {
  OwningOpRef<RuleOp> copy(original.clone());
  RuleOp rule = *copy;
  Attempt attempt;
  const FormulaRef assumptions = getAssumptions(rule);
  const OperandSigns operands = getOperandSigns(rule);
  if (!checkSide(solver, rule.getSource(), true, assumptions, attempt) ||
      !checkSide(solver, rule.getTarget(), false, assumptions, attempt))
    return attempt;
  auto source = composeForms(rule.getSource(), attempt.reason);
  auto target = composeForms(rule.getTarget(), attempt.reason);
  if (!source || !target) {
    attempt.status = Status::Unsupported;
    return attempt;
  }
  attempt.status = Status::Proved;
  attempt.elements = "any";
  auto rank = [](StringRef elements) {
    return elements == "any" ? 0 : elements == "ring" ? 1 : 2;
  };
  for (auto [number, forms] : llvm::enumerate(llvm::zip(*source, *target))) {
    Attempt one = proveResult(solver, std::get<0>(forms), std::get<1>(forms),
                              assumptions, operands);
    if (one.status != Status::Proved) {
      one.reason = nameOperands(rule, one.reason);
      if (source->size() > 1)
        one.reason = "result " + std::to_string(number) + ": " + one.reason;
      return one;
    }
    attempt.floatClass |= one.floatClass;
    if (rank(one.elements) > rank(attempt.elements))
      attempt.elements = one.elements;
  }
  return attempt;
}

//===----------------------------------------------------------------------===//
// Leading axes
//===----------------------------------------------------------------------===//

/// Whether the batch index goes through unchanged: every load of a lifted
/// operand has it as first index, and it stands nowhere else. Then any number
/// of leading axes may stand for it, as one index of their product would.
static bool carriesBatchUnchanged(ArrayRef<IndexForm> forms,
                                  ArrayRef<int64_t> lifted, StringRef batch) {
  bool result = true;
  for (const IndexForm &form : forms) {
    // Nor may the number of batches matter.
    graph::walk(form.body, [&](Expr node) {
      node->size.visitSymbols(
          [&](StringRef symbol) { result &= symbol != batch; });
    });
    std::function<void(const Expr &)> visit = [&](const Expr &expr) {
      if (expr.getKind() == ExprKind::Var && expr->var == 0)
        result = false;
      bool loadsLifted =
          expr.getKind() == ExprKind::Load &&
          llvm::is_contained(lifted, static_cast<int64_t>(expr->operand));
      if (loadsLifted) {
        const Expr &first = expr->operands.front();
        if (first.getKind() != ExprKind::Var || first->var != 0) {
          result = false;
          return;
        }
      }
      for (auto [number, operand] : llvm::enumerate(expr->operands))
        if (!loadsLifted || number > 0)
          visit(operand);
    };
    visit(form.body);
  }
  return result;
}

static void proveLift(Solver &solver, RuleOp rule, Certificate &certificate) {
  std::vector<std::string> batch;
  OwningOpRef<RuleOp> lifted =
      getLiftedRule(rule, 1, batch, certificate.liftReason);
  if (!lifted)
    return;
  Attempt attempt = proveSides(solver, *lifted);
  if (attempt.status != Status::Proved) {
    certificate.liftReason = attempt.reason;
    return;
  }
  std::string reason;
  for (Region *side : {&lifted->getSource(), &lifted->getTarget()}) {
    expandComposites(*side, reason);
    auto forms = composeForms(*side, reason);
    if (!forms ||
        !carriesBatchUnchanged(*forms, rule.getLifted(), batch.front())) {
      certificate.liftReason = "a leading index is not carried unchanged";
      return;
    }
  }
  certificate.liftProved = true;
  certificate.floatClass |= attempt.floatClass;
  certificate.liftReason =
      "proved with one further axis; its index is the first index of every "
      "element read of these operands and stands nowhere else, so that any "
      "number of axes may stand for it";
}

//===----------------------------------------------------------------------===//
// Other element types
//===----------------------------------------------------------------------===//

/// Whether a rule that was proved without laws of real numbers is proved with
/// integers for f32, too.
static bool holdsForIntegers(Solver &solver, RuleOp rule) {
  OwningOpRef<RuleOp> integers =
      getRetyped(rule, IntegerType::get(rule.getContext(), 32));
  if (!integers)
    return false;
  Attempt attempt = proveSides(solver, *integers);
  return attempt.status == Status::Proved && attempt.elements != "real";
}

static void addRangeChanges(RuleOp rule, Certificate &certificate) {
  if (std::optional<std::string> change = findRangeChange(rule)) {
    certificate.floatClass |= rule::ChangesRange;
    certificate.rangeChanges["f32"] = *change;
  }
  if (!rule::hasGenericElements(rule))
    return;
  MLIRContext *context = rule.getContext();
  for (Type type :
       {Type(Float16Type::get(context)), Type(BFloat16Type::get(context))})
    if (OwningOpRef<RuleOp> narrow = getRetyped(rule, type))
      if (std::optional<std::string> change = findRangeChange(*narrow))
        certificate.rangeChanges[type.isF16() ? "f16" : "bf16"] = *change;
}

//===----------------------------------------------------------------------===//
// proveRule
//===----------------------------------------------------------------------===//

Certificate prove::proveRule(RuleOp rule, const ProveOptions &options) {
  Certificate certificate;
  certificate.name = rule.getSymName().str();
  certificate.statement = rule::hashStatement(rule);
  certificate.solver = getSolverVersion();
  for (rule::ConditionAttr condition : rule.getConditionList())
    certificate.conditions.push_back(condition.str());
  for (rule::ValueConditionAttr condition : rule.getValueConditionList())
    certificate.conditions.push_back(rule.str(condition));
  for (int64_t number : rule.getLifted())
    certificate.lifted.push_back(rule.getArgumentName(number).str());

  unsigned evaluated = 0;
  auto tryRefute = [&](unsigned trials, bool anyUndefined) {
    if (!options.refute)
      return false;
    certificate.counterexample = refute(rule, trials, evaluated, anyUndefined);
    if (!certificate.counterexample)
      return false;
    certificate.status = Status::Refuted;
    certificate.reason = certificate.counterexample->str();
    return true;
  };
  if (tryRefute(filterTrials, /*anyUndefined=*/false))
    return certificate;
  if (certificate.solver.empty()) {
    certificate.status = Status::Error;
    certificate.reason = "this build of Tenon has no solver (libz3)";
    return certificate;
  }

  Solver solver(options.rlimit, options.dumpPrefix);
  Attempt attempt = proveSides(solver, rule);
  certificate.status = attempt.status;
  certificate.reason = attempt.reason;
  if (attempt.status == Status::Proved) {
    certificate.elements = attempt.elements;
    certificate.floatClass = attempt.floatClass;
    if (!rule.getLifted().empty()) {
      proveLift(solver, rule, certificate);
    }
    if (certificate.elements != "real" && rule::hasGenericElements(rule) &&
        !holdsForIntegers(solver, rule))
      certificate.elements = "real";
    if (certificate.floatClass != rule::Exact)
      addRangeChanges(rule, certificate);
  }
  certificate.rlimit = solver.getUsed();
  certificate.obligations = solver.getNumQuestions();
  if (certificate.status == Status::Unknown ||
      certificate.status == Status::Unsupported)
    tryRefute(refuteTrials, /*anyUndefined=*/true);
  // A theorem about no size at all is a slip of its writer.
  if (options.refute && certificate.status == Status::Proved &&
      evaluated == 0) {
    certificate.status = Status::Unknown;
    certificate.reason = "no small sizes were found that satisfy the "
                         "conditions and at which the source is defined";
  }
  return certificate;
}
