//===- Decision.cpp - candidates that become rules ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decision.h"
#include "tenon/Discover/Statements.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::discover;

/// Candidates that are proved at a time. What the first of them make follow is
/// dropped afterwards, so that the result does not depend on this number.
static constexpr size_t batchSize = 16;

/// Ops of the source that may give a target its numbers.
static constexpr unsigned maxPairings = 3;

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

std::string Decision::nextName(const Candidate &candidate) {
  std::string text = name(candidate);
  unsigned number = ++names[text];
  return number == 1 ? text : text + "-" + std::to_string(number);
}

Decision::Direction Decision::state(const Candidate &candidate,
                                    std::string name, bool isReverse,
                                    StatementOptions options) {
  Direction direction;
  direction.candidate = candidate;
  direction.options = std::move(options);
  FoundRule &rule = direction.rule;
  rule.name = std::move(name);
  rule.isReverse = isReverse;
  rule.hasSiblings = candidate.source.size() > 1;
  FailureOr<Generalized> stated =
      generalize(terms.getContext(), terms, candidate, rule.name,
                 direction.options, rule.reason);
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

/// Some rules, such as that sums commute, are their own reverse.
void Decision::addReverse(Pending &pending, const Candidate &reverse) {
  auto saved = names;
  Direction direction = state(reverse, nextName(reverse), /*isReverse=*/true);
  auto getStatement = [](const Direction &of) {
    return StringRef(of.rule.text).split('(').second;
  };
  if (getStatement(direction) == getStatement(pending.directions.front()))
    names = std::move(saved);
  else
    pending.directions.push_back(std::move(direction));
}

std::vector<bool> Decision::areDerived(ArrayRef<const Direction *> directions) {
  Stopwatch watch;
  std::vector<std::string> texts;
  for (const Direction *direction : directions)
    if (direction->statement)
      texts.push_back(direction->rule.text);
  std::vector<bool> found = derivations.areDerived(texts), result;
  size_t next = 0;
  for (const Direction *direction : directions)
    result.push_back(direction->statement && found[next++]);
  report.derivationSeconds += watch.seconds();
  return result;
}

void Decision::findBasis() {
  // Rules of siblings were tried when they were found, in the order of their
  // sizes, and matching their pairs would take longer than all else.
  std::set<std::string> implied;
  for (const FoundRule &rule : report.rules)
    if (rule.hasSiblings)
      implied.insert(rule.name);
  for (size_t number = report.rules.size(); number-- > 0;) {
    FoundRule &rule = report.rules[number];
    if (rule.isReverse || rule.hasSiblings || rule.sharesWeights ||
        rule.verdict != Verdict::Proved)
      continue;
    FoundRule *reverse =
        number + 1 < report.rules.size() && report.rules[number + 1].isReverse
            ? &report.rules[number + 1]
            : nullptr;
    std::set<std::string> without = implied;
    without.insert(rule.name);
    if (reverse)
      without.insert(reverse->name);
    Stopwatch watch;
    bool follows = derivations.isImplied(rule.name, without);
    report.derivationSeconds += watch.seconds();
    if (!follows)
      continue;
    implied = std::move(without);
    rule.isImplied = true;
    if (reverse)
      reverse->isImplied = true;
  }
}

void Decision::learn(const Candidate &candidate, const Generalized &statement) {
  if (candidate.source.size() == 1)
    equations.add(candidate, statement);
  else
    equations.addSiblings(candidate, statement);
}

/// A batch of activations often meets one weight: the same rules, with leading
/// axes of the left operands alone.
void Decision::addSharedWeights(ArrayRef<Direction> directions) {
  std::deque<Direction> shared;
  std::vector<Direction *> asked;
  for (const Direction &direction : directions) {
    if (direction.rule.verdict != Verdict::Proved ||
        !direction.statement->isLifted ||
        !StringRef(direction.rule.text).contains("graph.matmul"))
      continue;
    StatementOptions options = direction.options;
    options.sharesWeights = true;
    shared.push_back(state(direction.candidate,
                           direction.rule.name + "-sharing-weights",
                           /*isReverse=*/false, std::move(options)));
    asked.push_back(&shared.back());
  }
  Stopwatch watch;
  ask(asked);
  report.proofSeconds += watch.seconds();
  for (Direction &direction : shared)
    if (direction.rule.verdict == Verdict::Proved) {
      direction.rule.sharesWeights = true;
      report.rules.push_back(std::move(direction.rule));
    }
}

/// Keeps what is proved of a candidate.
void Decision::accept(Pending &pending, LevelReport &level) {
  learn(pending.candidate, *pending.directions.front().statement);
  for (const Direction &direction : pending.directions)
    report.rules.push_back(direction.rule);
  addSharedWeights(pending.directions);
  for (Direction &direction : pending.directions) {
    if (direction.rule.verdict == Verdict::Proved)
      derivations.add(direction.rule.text);
  }
  ++level.accepted;
}

void Decision::ask(ArrayRef<Direction *> directions) {
  std::vector<std::string> texts;
  std::vector<Direction *> asked;
  for (Direction *direction : directions)
    if (direction->statement) {
      texts.push_back(direction->rule.text);
      asked.push_back(direction);
    }
  auto verdicts = prover(texts);
  for (auto [direction, verdict] : llvm::zip_equal(asked, verdicts))
    std::tie(direction->rule.verdict, direction->rule.reason) = verdict;
}

/// What is not proved with any leading axes may be without.
void Decision::askWithoutLeadingAxes(ArrayRef<Direction *> directions) {
  std::vector<Direction *> again;
  for (Direction *direction : directions)
    if (direction->statement && direction->statement->isLifted &&
        direction->rule.verdict == Verdict::Unknown) {
      StatementOptions options = direction->options;
      options.lifts = false;
      *direction = restate(*direction, std::move(options));
      again.push_back(direction);
    }
  ask(again);
}

/// Numbers of the target may be those of another op of the source.
void Decision::askForOtherPairings(ArrayRef<Direction *> directions) {
  for (unsigned pairing = 1; pairing < maxPairings; ++pairing) {
    std::deque<Direction> others;
    std::vector<Direction *> asked, of;
    for (Direction *direction : directions) {
      if (!direction->statement || direction->rule.verdict == Verdict::Proved ||
          direction->statement->numPairings <= pairing)
        continue;
      StatementOptions options = direction->options;
      options.pairing = pairing;
      others.push_back(restate(*direction, std::move(options)));
      asked.push_back(&others.back());
      of.push_back(direction);
    }
    ask(asked);
    for (auto [direction, other] : llvm::zip_equal(of, asked))
      if (other->rule.verdict == Verdict::Proved)
        *direction = std::move(*other);
  }
}

/// What is false where a size is 0 may hold elsewhere. Conditions exclude this;
/// those without which the rule is proved are dropped.
void Decision::askForPositiveSizes(ArrayRef<Direction *> directions) {
  std::deque<Direction> positive;
  std::vector<std::pair<Direction *, Direction *>> pairs;
  std::vector<Direction *> asked;
  for (Direction *direction : directions) {
    StringRef reason = direction->rule.reason;
    if (!direction->statement || direction->rule.verdict != Verdict::Refuted ||
        !reason.contains(" = 0,"))
      continue;
    StatementOptions options = direction->options;
    for (const auto &[input, shape] : direction->statement->inputs)
      for (const graph::SymInt &size : shape)
        size.visitSymbols(
            [&](StringRef name) { options.positive.insert(name.str()); });
    positive.push_back(restate(*direction, std::move(options)));
    pairs.push_back({direction, &positive.back()});
    asked.push_back(&positive.back());
  }
  ask(asked);
  for (auto [direction, candidate] : pairs) {
    if (candidate->rule.verdict != Verdict::Proved)
      continue;
    *direction = std::move(*candidate);
    for (const std::string &symbol :
         std::set<std::string>(direction->options.positive)) {
      StatementOptions options = direction->options;
      options.positive.erase(symbol);
      Direction weaker = restate(*direction, std::move(options));
      ask(&weaker);
      if (weaker.rule.verdict == Verdict::Proved)
        *direction = std::move(weaker);
    }
  }
}

void Decision::prove(std::deque<Pending> &batch) {
  Stopwatch watch;
  std::vector<Direction *> directions;
  for (Pending &pending : batch)
    for (Direction &direction : pending.directions)
      directions.push_back(&direction);
  ask(directions);
  askWithoutLeadingAxes(directions);
  askForOtherPairings(directions);
  askForPositiveSizes(directions);
  report.proofSeconds += watch.seconds();
}

void Decision::addPending(ArrayRef<Candidate> candidates, LevelReport &level,
                          std::deque<Pending> &batch) {
  std::vector<Direction> directions;
  for (const Candidate &candidate : candidates)
    directions.push_back(
        state(candidate, name(candidate), /*isReverse=*/false));
  std::vector<const Direction *> asked;
  for (const Direction &direction : directions)
    asked.push_back(&direction);
  std::vector<bool> derived = areDerived(asked);
  for (auto [candidate, direction, isDerived] :
       llvm::zip_equal(candidates, directions, derived)) {
    // Those before it may have been learned.
    if (follows(candidate)) {
      ++level.followed;
      continue;
    }
    if (isDerived) {
      ++level.derived;
      learn(candidate, *direction.statement);
      continue;
    }
    Pending pending{candidate, {}};
    pending.directions.push_back(state(candidate, nextName(candidate),
                                       /*isReverse=*/false));
    pending.known = derivations.size();
    Candidate reverse = {candidate.target, candidate.source};
    SmallVector<ValueId, 8> bound = terms.listInputs(candidate.target);
    // The parts of one graph follow from it one by one.
    if (direction.statement && candidate.source.size() == 1 &&
        llvm::none_of(candidate.target,
                      [&](ValueId value) { return terms.isInput(value); }) &&
        llvm::all_of(terms.listInputs(candidate.source), [&](ValueId input) {
          return llvm::is_contained(bound, input);
        }))
      addReverse(pending, reverse);
    batch.push_back(std::move(pending));
  }
}

std::vector<Candidate> Decision::decide(ArrayRef<Candidate> candidates,
                                        LevelReport &level, StringRef what,
                                        const Advance &advance) {
  size_t total = candidates.size();
  std::vector<Candidate> wrong;
  while (!candidates.empty()) {
    std::deque<Pending> batch;
    while (!candidates.empty() && batch.size() < batchSize) {
      std::vector<Candidate> some;
      while (!candidates.empty() && batch.size() + some.size() < batchSize) {
        if (follows(candidates.front()))
          ++level.followed;
        else
          some.push_back(candidates.front());
        candidates = candidates.drop_front();
      }
      addPending(some, level, batch);
    }
    advance(what + ": " + Twine(total) + " candidates",
            1 - static_cast<double>(candidates.size()) / total);
    prove(batch);
    for (Pending &pending : batch) {
      Direction &first = pending.directions.front();
      if (follows(pending.candidate)) {
        ++level.followed;
      } else if (derivations.size() > pending.known &&
                 areDerived(&first).front()) {
        ++level.derived;
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
