//===- CheckRange.cpp - rules that keep the range -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/ProofKernel/CheckRange.h"
#include "ErrorForm.h"
#include "Magnitudes.h"
#include "MatchExact.h"
#include "tenon/ProofKernel/Lift.h"
#include "tenon/ProofKernel/Retype.h"
#include "tenon/ProofKernel/RuleForms.h"

#include "tenon/Dialect/Graph/IR/Graph.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::prove;
using graph::IndexForm;
using rule::RuleOp;

std::optional<Statement> prove::getErrorStatement(Solver &solver,
                                                  const Statement &statement,
                                                  bool isUpper,
                                                  std::string &reason) {
  Statement bounds = statement;
  for (unsigned operand : statement.signs.positive)
    bounds.signs.positive.insert(operand + absoluteOperands);
  for (unsigned operand : statement.signs.notNegative)
    bounds.signs.notNegative.insert(operand + absoluteOperands);
  for (Claim &claim : bounds.claims) {
    ElementSigns signs(solver, claim.context, statement.signs);
    using Kind = ErrorForms::Kind;
    ErrorForms source(signs, Kind::Tight);
    ErrorForms target(signs, isUpper ? Kind::Upper : Kind::Tight);
    bool isReal = graph::isFloat(claim.source->type);
    claim.source = isReal ? source.get(claim.source) : graph::Expr();
    claim.target = isReal ? target.get(claim.target) : graph::Expr();
    if (!claim.source || !claim.target) {
      reason = "the rounding errors of a side have no known bound";
      return std::nullopt;
    }
  }
  return bounds;
}

/// Whether it is proved that the target cancels no more than the source.
static bool checkErrors(Solver &solver, const Statement &statement,
                        const Witness &witness, bool isUpper,
                        std::string &reason) {
  std::optional<Statement> bounds =
      getErrorStatement(solver, statement, isUpper, reason);
  if (!bounds)
    return false;
  ArrayRef<ResultProof> proofs =
      witness.errors.empty() ? witness.results : witness.errors;
  reason = "the target may cancel where the source does not";
  std::string why;
  return proofs.size() == bounds->claims.size() &&
         llvm::all_of(llvm::zip(bounds->claims, proofs), [&](const auto &both) {
           return checkResult(solver, *bounds, std::get<0>(both),
                              std::get<1>(both), why)
               .has_value();
         });
}

namespace {
/// The forms of the results of both sides.
struct Sides {
  SmallVector<IndexForm> source, target;
};
} // namespace

static std::optional<Sides> getSides(Solver &solver, RuleOp original) {
  std::string reason;
  OwningOpRef<RuleOp> copy = getRuleOverRanks(original, reason);
  if (!copy)
    return std::nullopt;
  RuleOp rule = *copy;
  bool readsData = false;
  size_t nodes = 0;
  if (!expandComposites(rule.getSource(), reason) ||
      !expandComposites(rule.getTarget(), reason))
    return std::nullopt;
  auto source = composeForms(rule.getSource(), readsData, nodes, reason);
  auto target = composeForms(rule.getTarget(), readsData, nodes, reason);
  solver.charge(nodeWork * nodes);
  if (!source || !target)
    return std::nullopt;
  return Sides{std::move(*source), std::move(*target)};
}

/// Whether both sides round the same values at the same places. Bound variables
/// get the numbers that they have in the statement, so that the solver knows
/// the answers.
static bool isExactIn(Solver &solver, const Statement &statement,
                      const Sides &sides) {
  if (statement.readsData)
    return false;
  for (const auto &[claim, source, target] :
       llvm::zip(statement.claims, sides.source, sides.target)) {
    unsigned next = getNextVar({source, target});
    graph::Expr left = graph::renameBound(source.body, next);
    graph::Expr right = graph::renameBound(target.body, next);
    if (!matchExact(solver, next, left, right, claim.context))
      return false;
  }
  return true;
}

std::map<std::string, std::string>
prove::findRangeChanges(Solver &solver, RuleOp rule, const Statement &statement,
                        const Witness &witness, bool isExact) {
  std::map<std::string, std::string> changes;
  std::string cancels;
  bool keepsErrors = isExact ||
                     checkErrors(solver, statement, witness, false, cancels) ||
                     checkErrors(solver, statement, witness, true, cancels);
  auto check = [&](StringRef name, const Sides &sides) {
    std::string change = cancels;
    if (keepsErrors)
      change = findRangeLoss(sides.source, sides.target, statement.signs);
    if (!keepsErrors || !change.empty())
      changes[name.str()] = change;
  };
  if (!isExact) {
    Sides stated;
    for (size_t n = 0; n < statement.forms.size(); n += 2) {
      stated.source.push_back(statement.forms[n]);
      stated.target.push_back(statement.forms[n + 1]);
    }
    check("f32", stated);
  }
  if (!rule::hasGenericElements(rule))
    return changes;
  MLIRContext *context = rule.getContext();
  for (Type type :
       {Type(Float16Type::get(context)), Type(BFloat16Type::get(context))}) {
    // Without such a form, the rule never matches ops of this type.
    OwningOpRef<RuleOp> retyped = getRetyped(rule, type);
    if (!retyped)
      continue;
    StringRef name = type.isF16() ? "f16" : "bf16";
    if (!keepsErrors) {
      changes[name.str()] = cancels;
      continue;
    }
    std::optional<Sides> narrow = getSides(solver, *retyped);
    if (!narrow)
      changes[name.str()] = "the elements have too many parts";
    else if (!isExact || !isExactIn(solver, statement, *narrow))
      check(name, *narrow);
  }
  return changes;
}
