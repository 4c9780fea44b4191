//===- Prove.cpp - proofs of rules ----------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Prove/Prove.h"
#include "MatchSums.h"
#include "Refute.h"
#include "tenon/ProofKernel/CheckRange.h"
#include "tenon/ProofKernel/Kernel.h"
#include "tenon/ProofKernel/Lift.h"
#include "tenon/ProofKernel/Retype.h"
#include "tenon/Prove/FileWork.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::prove;
using rule::Certificate;
using rule::RuleOp;
using rule::Status;

/// The number of small sizes at which both sides are compared before a proof is
/// attempted.
static constexpr unsigned filterTrials = 12;
/// The number of small sizes if no proof was found.
static constexpr unsigned refuteTrials = 60;
/// How many steps of a trial take as long as a unit of the solver.
static constexpr uint64_t stepsPerUnit = 32;

namespace {
/// The result of one attempt at a proof.
struct Attempt {
  Status status = Status::Proved;
  std::string reason;
  std::vector<ResultProof> proofs;
};
} // namespace

/// Proves one result of both sides: first as bit-equal results, then as equal
/// sums of products. Adds a proof, or sets status and reason.
static void proveResult(Solver &solver, const Statement &statement,
                        const Claim &claim, Attempt &attempt) {
  ResultProof exact;
  std::string reason;
  if (checkResult(solver, statement, claim, exact, reason)) {
    attempt.proofs.push_back(exact);
    return;
  }
  attempt.status = Status::Unknown;
  // Try modes with stronger assumptions only if weaker ones do not suffice.
  Signs signs(solver, claim.context, statement.signs);
  ElementSigns elementSigns(solver, claim.context, statement.signs);
  bool hasQuotients = true;
  using Mode = Normalizer::Mode;
  for (Mode mode : {Mode::Sums, Mode::Quotients, Mode::Laws}) {
    if (mode == Mode::Quotients && !hasQuotients)
      continue;
    Laws laws(signs);
    Normalizer sums(claim.next, mode, &laws, &elementSigns);
    std::optional<SumForm> source = sums.getSum(claim.source);
    std::optional<SumForm> target = sums.getSum(claim.target);
    hasQuotients = sums.keptQuotient;
    ResultProof proof;
    proof.mode = mode;
    SumMatcher matcher(solver, sums, mode == Mode::Laws ? &laws : nullptr);
    bool found = source && target &&
                 matcher.match(*source, *target, claim.context, proof.equal);
    solver.charge(sums.getWork() + 100 * matcher.numPairs);
    if (solver.failed) {
      attempt.status = Status::Error;
      attempt.reason = solver.reason;
      return;
    }
    if (found) {
      attempt.status = Status::Proved;
      attempt.proofs.push_back(std::move(proof));
      return;
    }
    if (!source || !target) {
      attempt.status = Status::Unsupported;
      attempt.reason = sums.reason;
      continue;
    }
    attempt.status = Status::Unknown;
    attempt.reason = !solver.reason.empty() ? solver.reason : matcher.reason;
    if (attempt.reason.empty())
      attempt.reason = "the sums of both sides were not matched";
  }
}

/// Writes the operands of a reason, x0 and x1, with their names in the rule.
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

/// Proves all results of a rule.
static Attempt proveResults(Solver &solver, RuleOp rule) {
  Attempt attempt;
  std::optional<Statement> statement =
      getStatement(solver, rule, attempt.status, attempt.reason);
  if (!statement)
    return attempt;
  for (auto [number, claim] : llvm::enumerate(statement->claims)) {
    proveResult(solver, *statement, claim, attempt);
    if (attempt.status == Status::Proved)
      continue;
    attempt.reason = nameOperands(rule, attempt.reason);
    if (statement->claims.size() > 1)
      attempt.reason =
          "result " + std::to_string(number) + ": " + attempt.reason;
    break;
  }
  return attempt;
}

/// Proves the rule with a leading axis, if possible.
static void proveLift(Solver &solver, RuleOp rule, Witness &witness,
                      Certificate &certificate) {
  std::vector<std::string> batch;
  OwningOpRef<RuleOp> lifted =
      getLiftedRule(rule, 1, batch, certificate.liftReason);
  if (!lifted)
    return;
  Attempt attempt = proveResults(solver, *lifted);
  if (attempt.status != Status::Proved) {
    certificate.liftReason = attempt.reason;
    return;
  }
  Witness tried = witness;
  tried.lifted = std::move(attempt.proofs);
  std::string meanings;
  if (checkRule(solver, rule, tried, meanings, certificate.liftReason))
    witness = std::move(tried);
}

/// Proves the rule with integers for f32, which uses no law of real numbers.
static void proveForIntegers(Solver &solver, RuleOp rule, Witness &witness) {
  OwningOpRef<RuleOp> integers =
      getRetyped(rule, IntegerType::get(rule.getContext(), 32));
  if (!integers)
    return;
  Attempt attempt = proveResults(solver, *integers);
  Witness tried = witness;
  tried.integers = std::move(attempt.proofs);
  std::string meanings, reason;
  if (attempt.status == Status::Proved &&
      checkRule(solver, rule, tried, meanings, reason))
    witness = std::move(tried);
}

/// Proves that the bounds of both sides' rounding errors are equal, if the
/// witness does not prove it yet.
static void proveErrors(Solver &solver, RuleOp rule, Witness &witness) {
  Status status;
  std::string reason, meanings;
  std::optional<Statement> statement =
      getStatement(solver, rule, status, reason);
  std::optional<Theorem> known =
      checkRule(solver, rule, witness, meanings, reason);
  if (!statement || !known || known->rangeChanges.empty())
    return;
  for (bool isUpper : {false, true}) {
    std::optional<Statement> bounds =
        getErrorStatement(solver, *statement, isUpper, reason);
    if (!bounds)
      return;
    Attempt attempt;
    for (const Claim &claim : bounds->claims)
      if (attempt.status == Status::Proved)
        proveResult(solver, *bounds, claim, attempt);
    if (attempt.status != Status::Proved)
      continue;
    Witness tried = witness;
    tried.errors = std::move(attempt.proofs);
    std::optional<Theorem> theorem =
        checkRule(solver, rule, tried, meanings, reason);
    if (theorem && theorem->rangeChanges.size() < known->rangeChanges.size())
      witness = std::move(tried);
    return;
  }
}

/// Checks the witness with the kernel and completes the certificate.
static void check(Solver &known, RuleOp rule, const Witness &witness,
                  const ProveOptions &options, Certificate &certificate) {
  certificate.witness = witness.toJSON();
  certificate.kernel = kernelVersion;
  // Check the witness as a reader of the certificate will parse it.
  std::optional<Witness> read = Witness::fromJSON(certificate.witness);
  // Only new questions are dumped, so dumps need a solver without answers.
  Solver asked(options.rlimit, nullptr, options.dumpPrefix);
  Solver &solver = options.dumpPrefix.empty() ? known : asked;
  solver.startAccount();
  std::optional<Theorem> theorem;
  if (read)
    theorem = checkRule(solver, rule, *read, certificate.meanings,
                        certificate.reason);
  certificate.rlimit = solver.getUsed();
  certificate.obligations = solver.getNumQuestions();
  if (!theorem) {
    certificate.status = Status::Unknown;
    certificate.reason =
        "the proof kernel rejects the witness: " + certificate.reason;
    return;
  }
  certificate.elements = theorem->elements;
  certificate.floatClass = theorem->floatClass;
  certificate.rangeChanges = std::move(theorem->rangeChanges);
  certificate.hypotheses = std::move(theorem->hypotheses);
  certificate.liftProved = theorem->lifted;
  certificate.liftHypotheses = std::move(theorem->liftHypotheses);
  certificate.liftSymbol = std::move(theorem->liftSymbol);
  if (theorem->lifted)
    certificate.liftReason =
        "proved with one further axis; its index is the first index of every "
        "element read of these operands and stands nowhere else, so that any "
        "number of axes may stand for it";
}

//===----------------------------------------------------------------------===//
// proveRule
//===----------------------------------------------------------------------===//

Certificate prove::getRefusal(RuleOp rule) {
  Certificate certificate;
  certificate.name = rule.getSymName().str();
  certificate.statement = rule::hashStatement(rule);
  certificate.solver = getSolverVersion();
  certificate.status = Status::Error;
  certificate.reason = fileWorkSpent.str();
  return certificate;
}

Certificate prove::proveRule(RuleOp rule, const ProveOptions &options,
                             uint64_t *work) {
  Certificate certificate;
  Solver solver(options.rlimit, options.memory);
  uint64_t steps = 0;
  llvm::scope_exit account([&] {
    if (work)
      *work += solver.getWork() + steps / stepsPerUnit;
  });
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
    certificate.counterexample =
        refute(rule, trials, evaluated, anyUndefined, steps);
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

  Attempt attempt = proveResults(solver, rule);
  certificate.status = attempt.status;
  certificate.reason = attempt.reason;
  certificate.rlimit = solver.getUsed();
  certificate.obligations = solver.getNumQuestions();
  if (attempt.status == Status::Proved) {
    Witness witness;
    witness.results = std::move(attempt.proofs);
    if (!rule.getLifted().empty())
      proveLift(solver, rule, witness, certificate);
    if (rule::hasGenericElements(rule))
      proveForIntegers(solver, rule, witness);
    proveErrors(solver, rule, witness);
    check(solver, rule, witness, options, certificate);
  }
  if (certificate.status == Status::Unknown ||
      certificate.status == Status::Unsupported)
    tryRefute(refuteTrials, /*anyUndefined=*/true);
  // A rule that holds at no size is probably a mistake of its author.
  if (options.refute && certificate.status == Status::Proved &&
      evaluated == 0) {
    certificate.status = Status::Unknown;
    certificate.reason = "no small sizes were found that satisfy the "
                         "conditions and at which the source is defined";
  }
  return certificate;
}
