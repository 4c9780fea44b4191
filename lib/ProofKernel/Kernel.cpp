//===- Kernel.cpp - the proof kernel --------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/ProofKernel/Kernel.h"
#include "MatchExact.h"
#include "tenon/ProofKernel/CheckOps.h"
#include "tenon/ProofKernel/CheckRange.h"
#include "tenon/ProofKernel/CheckSums.h"
#include "tenon/ProofKernel/Lift.h"
#include "tenon/ProofKernel/Retype.h"
#include "tenon/ProofKernel/RuleForms.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::prove;
using graph::Expr;
using graph::ExprKind;
using graph::IndexForm;
using rule::RuleOp;
using rule::Status;

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

/// Rounds numbers to the element type: attributes have more digits and a wider
/// range.
static graph::Expr roundNumbers(const graph::Expr &body) {
  return graph::rewrite(body, [](graph::Expr node) -> graph::Expr {
    auto type = dyn_cast_or_null<FloatType>(node->type);
    if (node.getKind() != ExprKind::Constant || !type)
      return {};
    APFloat number(node->number);
    bool loses;
    number.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                   &loses);
    return loses ? graph::Expr::constant(number.convertToDouble(), type)
                 : graph::Expr();
  });
}

/// Whether a rule of f64 has numbers that f32 cannot represent.
static bool hasDoubleNumbers(RuleOp rule) {
  std::string reason;
  OwningOpRef<RuleOp> copy = getRuleOverRanks(rule, reason);
  if (!copy)
    return true;
  bool found = false;
  for (Region *side : {&copy->getSource(), &copy->getTarget()}) {
    bool readsData = false;
    size_t nodes = 0;
    auto forms = expandComposites(*side, reason)
                     ? composeForms(*side, readsData, nodes, reason)
                     : std::nullopt;
    if (!forms)
      return true;
    for (const IndexForm &form : *forms)
      graph::walk(form.body, [&](Expr node) {
        found |= node.getKind() == ExprKind::Constant &&
                 isa_and_nonnull<Float64Type>(node->type) &&
                 static_cast<float>(node->number) != node->number;
      });
  }
  return found;
}

/// Expands the composites of a side, and checks that it is valid for all sizes.
/// If that is not known, returns false, with status and reason.
static bool checkSide(Solver &solver, Region &side, bool isSource,
                      const FormulaRef &assumptions, Status &status,
                      std::string &reason) {
  // Check the conditions of composites before these are expanded. (The source
  // is assumed to satisfy its own conditions.)
  Validity validity =
      isSource ? Validity::Valid
               : checkSizeConditions(solver, side, assumptions, reason);
  if (validity == Validity::Valid) {
    if (!expandComposites(side, reason)) {
      status = Status::Unsupported;
      return false;
    }
    validity = checkOps(solver, side, assumptions, reason);
  }
  if (solver.failed) {
    status = Status::Error;
    reason = solver.reason;
    return false;
  }
  if (validity == Validity::Valid)
    return true;
  status =
      validity == Validity::Unsupported ? Status::Unsupported : Status::Unknown;
  reason = (Twine(isSource ? "source" : "target") +
            " is not valid for all sizes: " + reason +
            (validity == Validity::Invalid ? " (is a condition missing?)" : ""))
               .str();
  if (validity == Validity::Unknown)
    reason += ": " + solver.reason;
  return false;
}

/// Prints the meanings of the primitives of an expanded side.
static void addMeanings(Region &side, llvm::raw_ostream &os) {
  for (Operation &op : side.front().without_terminator()) {
    os << op.getName() << "\n";
    if (auto primitive = dyn_cast<graph::IndexFormInterface>(op))
      for (const IndexForm &form : primitive.getIndexForms()) {
        for (const graph::SymInt &size : form.shape)
          os << size << ", ";
        os << form.elementType << ": " << form.body.str() << "\n";
      }
    else
      op.print(os, rule::getHashedPrinting());
  }
}

std::string prove::getMeanings(RuleOp original) {
  // Composites are expanded in a copy.
  std::string text, reason;
  OwningOpRef<RuleOp> rule = getRuleOverRanks(original, reason);
  if (!rule)
    return "";
  llvm::raw_string_ostream os(text);
  os << getAssumptions(*rule)->text << "\n";
  for (const graph::SizeCondition &condition :
       getSizeConditions(rule->getTarget()))
    os << condition.value << " >= 0\n";
  for (Region *side : {&rule->getSource(), &rule->getTarget()}) {
    if (!expandComposites(*side, reason))
      return "";
    addMeanings(*side, os);
  }
  std::array<uint8_t, 32> hash = llvm::SHA256::hash(ArrayRef<uint8_t>(
      reinterpret_cast<const uint8_t *>(text.data()), text.size()));
  return llvm::toHex(hash, /*LowerCase=*/true);
}

std::optional<Statement> prove::getStatement(Solver &solver, RuleOp original,
                                             Status &status,
                                             std::string &reason) {
  // Composites are expanded in a copy.
  OwningOpRef<RuleOp> copy = getRuleOverRanks(original, reason);
  if (!copy) {
    status = Status::Unsupported;
    return std::nullopt;
  }
  RuleOp rule = *copy;
  const FormulaRef assumptions = getAssumptions(rule);
  Statement statement;
  statement.signs = getOperandSigns(rule);
  if (!checkSide(solver, rule.getSource(), true, assumptions, status, reason) ||
      !checkSide(solver, rule.getTarget(), false, assumptions, status, reason))
    return std::nullopt;
  size_t nodes = 0;
  auto source =
      composeForms(rule.getSource(), statement.readsData, nodes, reason);
  auto target =
      composeForms(rule.getTarget(), statement.readsData, nodes, reason);
  solver.charge(nodeWork * nodes);
  if (!source || !target) {
    status = Status::Unsupported;
    return std::nullopt;
  }
  for (const auto &[left, right] : llvm::zip(*source, *target)) {
    Claim claim;
    claim.next = getNextVar({left, right});
    // No two loops of the two sides have variables of the same name, so no
    // replacement can capture a variable.
    claim.source = graph::renameBound(roundNumbers(left.body), claim.next);
    claim.target = graph::renameBound(roundNumbers(right.body), claim.next);
    claim.context =
        Formula::conjunction(assumptions, getIndexDomain(left.shape));
    statement.claims.push_back(std::move(claim));
    statement.forms.push_back(left);
    statement.forms.push_back(right);
  }
  return statement;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// Checks the proof that the sums of products of both sides are equal.
static std::optional<Theorem>
checkSums(Solver &solver, const Statement &statement, const Claim &claim,
          const ResultProof &proof, std::string &reason) {
  Signs signs(solver, claim.context, statement.signs);
  ElementSigns elementSigns(solver, claim.context, statement.signs);
  Laws laws(signs);
  Normalizer normalizer(claim.next, proof.mode, &laws, &elementSigns);
  std::optional<SumForm> source = normalizer.getSum(claim.source);
  std::optional<SumForm> target = normalizer.getSum(claim.target);
  solver.charge(normalizer.getWork());
  if (!source || !target) {
    reason = normalizer.reason;
    return std::nullopt;
  }
  for (const SumForm &side : {*source, *target})
    if (side.str().find('?') != std::string::npos) {
      reason = "an index overflows 64 bits or divides by zero";
      return std::nullopt;
    }
  bool hasLaws = proof.mode == Normalizer::Mode::Laws;
  SumChecker checker(solver, normalizer, hasLaws ? &laws : nullptr);
  if (!checker.equal(*source, *target, claim.context, proof.equal)) {
    reason = checker.reason;
    return std::nullopt;
  }
  Theorem theorem;
  theorem.elements = normalizer.ringOnly ? "ring" : "real";
  // The normal form does not preserve the order of operations.
  theorem.floatClass = rule::Reassociates | normalizer.floatClass |
                       checker.floatClass | laws.floatClass;
  for (const SumForm &side : {*source, *target})
    if (signs.mayMixInfinities(side))
      theorem.floatClass |= rule::NeedsFinite;
  // An element at an index that depends on data counts as a sum, most of whose
  // elements are removed.
  if (statement.readsData)
    theorem.floatClass |= rule::NeedsFinite;
  // Laws may move a sum into a product, or remove it.
  if (hasLaws) {
    Normalizer before(claim.next, Normalizer::Mode::Sums, &laws, &elementSigns);
    for (const graph::Expr &side : {claim.source, claim.target})
      if (std::optional<SumForm> sum = before.getSum(side);
          !sum || signs.mayBeNoNumber(*sum))
        theorem.floatClass |= rule::NeedsFinite;
    solver.charge(before.getWork());
  }
  return theorem;
}

std::optional<Theorem> prove::checkResult(Solver &solver,
                                          const Statement &statement,
                                          const Claim &claim,
                                          const ResultProof &proof,
                                          std::string &reason) {
  std::optional<Theorem> theorem;
  if (proof.mode != ResultProof::Mode::Exact)
    theorem = checkSums(solver, statement, claim, proof, reason);
  else if (matchExact(solver, claim.next, claim.source, claim.target,
                      claim.context)) {
    theorem.emplace();
    // An element at an index that depends on data counts as a sum, most of
    // whose elements are removed.
    if (statement.readsData)
      theorem->floatClass = rule::Reassociates | rule::NeedsFinite;
  } else
    reason = "the sides do not do the same operations on the same values";
  if (!solver.failed)
    return theorem;
  reason = solver.reason;
  return std::nullopt;
}

/// Weakens `into` to what both theorems show.
static void addWeaker(const Theorem &one, Theorem &into) {
  auto rank = [](StringRef elements) {
    return elements == "any" ? 0 : elements == "ring" ? 1 : 2;
  };
  into.floatClass |= one.floatClass;
  if (rank(one.elements) > rank(into.elements))
    into.elements = one.elements;
}

/// Checks all results of a statement; returns the weakest of their theorems.
static std::optional<Theorem> checkResults(Solver &solver,
                                           const Statement &statement,
                                           ArrayRef<ResultProof> proofs,
                                           std::string &reason) {
  if (proofs.size() != statement.claims.size()) {
    reason = "the witness has the wrong number of results";
    return std::nullopt;
  }
  Theorem all;
  for (const auto &[claim, proof] : llvm::zip(statement.claims, proofs)) {
    std::optional<Theorem> one =
        checkResult(solver, statement, claim, proof, reason);
    if (!one)
      return std::nullopt;
    addWeaker(*one, all);
  }
  return all;
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

bool prove::carriesBatchUnchanged(ArrayRef<IndexForm> forms,
                                  ArrayRef<int64_t> lifted, StringRef batch) {
  bool result = true;
  for (const IndexForm &form : forms) {
    // The number of batches must not occur either.
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

/// Adds what proofs of `rule` assume, without duplicates.
static void addHypotheses(RuleOp rule, std::vector<SymInt> &into) {
  for (SymInt &value : getHypotheses(rule))
    if (!llvm::is_contained(into, value))
      into.push_back(std::move(value));
}

/// Checks the rule with one more leading axis on the operands that it lifts.
static bool checkLifted(Solver &solver, RuleOp rule,
                        ArrayRef<ResultProof> proofs, Theorem &theorem,
                        std::string &reason) {
  std::vector<std::string> batch;
  OwningOpRef<RuleOp> lifted = getLiftedRule(rule, 1, batch, reason);
  if (!lifted)
    return false;
  Status status;
  std::optional<Statement> statement =
      getStatement(solver, *lifted, status, reason);
  if (!statement)
    return false;
  std::optional<Theorem> one = checkResults(solver, *statement, proofs, reason);
  if (!one)
    return false;
  if (!carriesBatchUnchanged(statement->forms, rule.getLifted(),
                             batch.front())) {
    reason = "a leading index does not pass through unchanged";
    return false;
  }
  theorem.lifted = true;
  theorem.liftSymbol = batch.front();
  addHypotheses(*lifted, theorem.liftHypotheses);
  addWeaker(*one, theorem);
  return true;
}

/// Checks the rule with i32 for f32, without laws of real numbers.
static bool checkIntegers(Solver &solver, RuleOp rule,
                          ArrayRef<ResultProof> proofs, Theorem &theorem,
                          std::string &reason) {
  OwningOpRef<RuleOp> integers =
      getRetyped(rule, IntegerType::get(rule.getContext(), 32));
  if (!integers) {
    reason = "the rule does not apply to integers";
    return false;
  }
  Status status;
  std::optional<Statement> statement =
      getStatement(solver, *integers, status, reason);
  if (!statement)
    return false;
  std::optional<Theorem> one = checkResults(solver, *statement, proofs, reason);
  if (!one || one->elements == "real")
    return false;
  addHypotheses(*integers, theorem.hypotheses);
  return true;
}

/// Checks the rule with the element types that it states.
static std::optional<Theorem> checkStated(Solver &solver, RuleOp rule,
                                          const Statement &statement,
                                          const Witness &witness,
                                          std::string &reason) {
  std::optional<Theorem> theorem =
      checkResults(solver, statement, witness.results, reason);
  if (theorem)
    addHypotheses(rule, theorem->hypotheses);
  if (theorem && !witness.lifted.empty() &&
      !checkLifted(solver, rule, witness.lifted, *theorem, reason))
    return std::nullopt;
  return theorem;
}

/// Checks the rule with f64 for f32, if f64 holds more digits of the rule's
/// numbers. (f16 and bf16 hold fewer, but for them nothing is exact.)
static bool checkDouble(Solver &solver, RuleOp rule, const Witness &witness,
                        Theorem &theorem, std::string &reason) {
  OwningOpRef<RuleOp> wide =
      getRetyped(rule, Float64Type::get(rule.getContext()));
  // Without an f64 form, the rule never matches ops of f64.
  if (!wide || !hasDoubleNumbers(*wide))
    return true;
  Status status;
  std::optional<Statement> statement =
      getStatement(solver, *wide, status, reason);
  if (!statement)
    return false;
  std::optional<Theorem> one =
      checkStated(solver, *wide, *statement, witness, reason);
  if (!one) {
    reason += " (with numbers rounded to f64)";
    return false;
  }
  addHypotheses(*wide, theorem.hypotheses);
  addWeaker(*one, theorem);
  return true;
}

std::optional<Theorem> prove::checkRule(Solver &solver, RuleOp rule,
                                        const Witness &witness,
                                        std::string &meanings,
                                        std::string &reason) {
  Status status;
  std::optional<Statement> statement =
      getStatement(solver, rule, status, reason);
  if (!statement)
    return std::nullopt;
  meanings = getMeanings(rule);
  std::optional<Theorem> theorem =
      checkStated(solver, rule, *statement, witness, reason);
  if (!theorem)
    return std::nullopt;
  const bool isGeneric = rule::hasGenericElements(rule);
  if (isGeneric && !checkDouble(solver, rule, witness, *theorem, reason))
    return std::nullopt;
  if (theorem->elements == "real" || !isGeneric || witness.integers.empty())
    theorem->elements = isGeneric ? "real" : theorem->elements;
  else if (!checkIntegers(solver, rule, witness.integers, *theorem, reason))
    return std::nullopt;
  // Last, since a question that is too hard is the last one.
  theorem->rangeChanges = findRangeChanges(solver, rule, *statement, witness,
                                           theorem->floatClass == rule::Exact);
  if (theorem->rangeChanges.count("f32"))
    theorem->floatClass |= rule::ChangesRange;
  if (!solver.failed)
    return theorem;
  reason = solver.reason;
  return std::nullopt;
}

std::string prove::checkCertificate(Solver &solver, RuleOp rule,
                                    const rule::Certificate &certificate) {
  if (certificate.status != Status::Proved ||
      certificate.statement != rule::hashStatement(rule))
    return "it belongs to another rule";
  if (certificate.kernel != kernelVersion)
    return "it belongs to another version of the proof kernel";
  std::optional<Witness> witness = Witness::fromJSON(certificate.witness);
  if (!witness)
    return "its witness can't be parsed";
  std::string meanings, reason;
  std::optional<Theorem> theorem =
      checkRule(solver, rule, *witness, meanings, reason);
  if (!theorem)
    return "its witness is not a proof: " + reason;
  if (certificate.meanings != meanings)
    return "the meanings of its ops have changed";
  if (certificate.elements != theorem->elements ||
      certificate.floatClass != theorem->floatClass ||
      certificate.rangeChanges != theorem->rangeChanges ||
      certificate.liftProved != theorem->lifted)
    return "its claims differ from what its witness proves";
  if (certificate.hypotheses.get() != theorem->hypotheses ||
      certificate.liftHypotheses.get() != theorem->liftHypotheses ||
      certificate.liftSymbol != theorem->liftSymbol)
    return "its hypotheses differ from what its proof assumes";
  return "";
}
