//===- Decision.cpp - candidates that become rules ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decision.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::discover;

/// Candidates that are proved at a time. What the first of them make follow is
/// dropped afterwards, so that the result does not depend on this number.
static constexpr size_t batchSize = 16;

/// Siblings merge in few steps, and rules with several results have many
/// matches.
static constexpr DerivationLimits siblingLimits = {3, 200};

bool Decision::follows(const Candidate &candidate) {
  // Of several results, each alone follows; that one graph computes them does
  // not.
  if (candidate.source.size() > 1)
    return equations.followsFromSiblings(candidate);
  return equations.normalize(candidate.source.front()) ==
         equations.normalize(candidate.target.front());
}

/// The ops of both sides: `matmul-matmul-add-is-add-matmul`.
std::string Decision::name(const Candidate &candidate) {
  std::string text;
  for (bool isSource : {true, false}) {
    auto ops = terms.listOps(isSource ? candidate.source : candidate.target);
    for (OpId op : ops)
      text += (text.empty() ? "" : "-") + terms.getFamily(terms.getOpAt(op)).op;
    if (ops.empty())
      text += "-input";
    if (isSource)
      text += "-is";
  }
  return text;
}

Decision::Direction Decision::state(const Candidate &candidate,
                                    bool isReverse) {
  Direction direction;
  FoundRule &rule = direction.rule;
  rule.isReverse = isReverse;
  rule.name = name(candidate);
  unsigned number = ++names[rule.name];
  if (number > 1)
    rule.name += "-" + std::to_string(number);
  rule.sourceOps = terms.countOps(candidate.source);
  rule.targetOps = terms.countOps(candidate.target);
  FailureOr<Generalized> stated =
      generalize(terms.getContext(), terms, candidate, rule.name, rule.reason);
  if (succeeded(stated)) {
    rule.text = writeRule(*stated->rule);
    direction.statement = std::move(*stated);
    return direction;
  }
  rule.verdict = Verdict::NotStated;
  for (auto [a, b] : llvm::zip_equal(candidate.source, candidate.target))
    rule.text += terms.str(a) + " = " + terms.str(b) + "\n";
  return direction;
}

bool Decision::isDerived(const Direction &direction, LevelReport &level) {
  if (!direction.statement)
    return false;
  Stopwatch watch;
  rule::RuleOp rule = *direction.statement->rule;
  bool result = rule.getResultTypes().size() == 1
                    ? derivations.derive(rule).has_value()
                    : derivations.reaches(rule, siblingLimits);
  report.derivationSeconds += watch.seconds();
  level.derived += result;
  return result;
}

void Decision::learn(const Candidate &candidate, const Generalized &statement) {
  if (candidate.source.size() == 1)
    equations.add(candidate, statement);
  else
    equations.addSiblings(candidate, statement);
}

/// Keeps what is proved of a candidate.
void Decision::accept(Pending &pending, LevelReport &level) {
  learn(pending.candidate, *pending.directions.front().statement);
  for (Direction &direction : pending.directions) {
    report.rules.push_back(direction.rule);
    if (direction.rule.verdict == Verdict::Proved)
      derivations.add(std::move(direction.statement->rule));
  }
  ++level.accepted;
}

std::vector<Candidate> Decision::decide(ArrayRef<Candidate> candidates,
                                        LevelReport &level) {
  std::vector<Candidate> wrong;
  while (!candidates.empty()) {
    std::deque<Pending> batch;
    std::vector<std::string> texts;
    while (!candidates.empty() && batch.size() < batchSize) {
      const Candidate &candidate = candidates.front();
      candidates = candidates.drop_front();
      if (follows(candidate)) {
        ++level.followed;
        continue;
      }
      auto known = names;
      Pending pending{candidate, {}};
      pending.directions.push_back(state(candidate, /*isReverse=*/false));
      if (isDerived(pending.directions.front(), level)) {
        learn(candidate, *pending.directions.front().statement);
        names = std::move(known);
        continue;
      }
      SmallVector<ValueId, 8> bound = terms.listInputs(candidate.target);
      // The parts of one graph follow from it one by one.
      if (pending.directions.front().statement &&
          candidate.source.size() == 1 &&
          llvm::none_of(candidate.target,
                        [&](ValueId value) { return terms.isInput(value); }) &&
          llvm::all_of(terms.listInputs(candidate.source), [&](ValueId input) {
            return llvm::is_contained(bound, input);
          }))
        pending.directions.push_back(
            state({candidate.target, candidate.source}, /*isReverse=*/true));
      for (const Direction &direction : pending.directions)
        if (direction.statement)
          texts.push_back(direction.rule.text);
      batch.push_back(std::move(pending));
    }
    Stopwatch watch;
    auto verdicts = prover(texts);
    report.proofSeconds += watch.seconds();
    size_t next = 0;
    for (Pending &pending : batch) {
      for (Direction &direction : pending.directions)
        if (direction.statement)
          std::tie(direction.rule.verdict, direction.rule.reason) =
              verdicts[next++];
      Direction &first = pending.directions.front();
      if (follows(pending.candidate)) {
        ++level.followed;
      } else if (isDerived(first, level)) {
        learn(pending.candidate, *first.statement);
      } else if (first.rule.verdict == Verdict::Proved) {
        accept(pending, level);
      } else {
        report.rules.push_back(first.rule);
        if (first.rule.verdict == Verdict::Unknown &&
            pending.candidate.source.size() == 1)
          open.add(pending.candidate, *first.statement);
        else
          wrong.push_back(pending.candidate);
      }
    }
  }
  return wrong;
}
