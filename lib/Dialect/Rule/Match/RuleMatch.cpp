//===- RuleMatch.cpp - finding matches of a source ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Matcher.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::rule;
using graph::Shape;

void Matcher::undo(const Mark &to) {
  while (valueTrail.size() > to.values)
    values[valueTrail.pop_back_val()] = Value();
  while (opTrail.size() > to.ops)
    ops[opTrail.pop_back_val()] = nullptr;
  while (symbolTrail.size() > to.symbols)
    symbols[symbolTrail.pop_back_val()].reset();
  elements.truncate(to.elements);
  goals.truncate(to.goals);
  if (!to.batch)
    batch.reset();
}

bool Matcher::isFree(unsigned number, Operation *candidate) const {
  if (!filter.shares || llvm::is_contained(pattern.roots, number))
    return !llvm::is_contained(ops, candidate);
  return true;
}

bool Matcher::bindOp(unsigned number, Operation *candidate) {
  const SourceOp &expected = pattern.ops[number];
  if (ops[number])
    return ops[number] == candidate;
  if (candidate->getName() != expected.name ||
      candidate->getNumOperands() != expected.operands.size() ||
      candidate->getNumResults() != expected.results.size() ||
      (filter.fixed.empty() ? !isFree(number, candidate)
                            : filter.fixed[number] != candidate))
    return false;
  ops[number] = candidate;
  opTrail.push_back(number);
  for (auto [result, value] :
       llvm::zip(expected.results, candidate->getResults())) {
    Value canonical = view.find(value);
    if (values[result] && values[result] != canonical)
      return false;
    if (!matchElement(
            pattern.values[result].element,
            cast<RankedTensorType>(canonical.getType()).getElementType()))
      return false;
    if (!values[result])
      bindValue(result, canonical);
  }
  // Goals are pushed in reverse, since the last one is processed first.
  goals.push_back({number, Value(), true});
  for (auto [operand, value] : llvm::reverse(
           llvm::zip_equal(expected.operands, candidate->getOperands())))
    goals.push_back({operand, view.find(value)});
  return true;
}

bool Matcher::proceed(size_t base, llvm::function_ref<bool()> then) {
  if (goals.size() == base)
    return then();
  Goal goal = goals.pop_back_val();
  // Keep the remaining goals for the other alternatives of this goal.
  SmallVector<Goal> rest(goals.begin() + base, goals.end());
  Mark before = mark();
  auto restore = [&]() {
    undo(before);
    goals.truncate(base);
    goals.append(rest.begin(), rest.end());
  };
  bool stop = false;
  if (goal.attributes) {
    if (matchAttributes(goal.number))
      stop = proceed(base, then);
  } else if (values[goal.number] && pattern.values[goal.number].op < 0) {
    if (values[goal.number] == goal.value)
      stop = proceed(base, then);
  } else if (pattern.values[goal.number].op < 0) {
    bindValue(goal.number, goal.value);
    if (matchArgument(pattern.values[goal.number], goal.value))
      stop = proceed(base, then);
  } else {
    const SourceValue &expected = pattern.values[goal.number];
    if (values[goal.number]) {
      if (values[goal.number] == goal.value)
        stop = proceed(base, then);
    } else {
      for (OpResult producer : view.getProducers(goal.value)) {
        if (producer.getResultNumber() != expected.number)
          continue;
        if (bindOp(expected.op, producer.getOwner()) &&
            values[goal.number] == goal.value && proceed(base, then)) {
          stop = true;
          break;
        }
        restore();
      }
    }
  }
  if (!stop)
    restore();
  goals.push_back(goal);
  return stop;
}

SmallVector<Operation *> Matcher::getCandidates(unsigned number,
                                                unsigned position) {
  const SourceOp &root = pattern.ops[number];
  if (!filter.fixed.empty())
    return {filter.fixed[number]};
  for (unsigned operand : root.operands)
    if (values[operand])
      return view.getReaders(values[operand], root.name);
  if (position > 0 && filter.related)
    return filter.related(root.name, ops[pattern.roots.front()]);
  SmallVector<Operation *> candidates;
  for (Operation *candidate : view.getOps(root.name))
    candidates.push_back(candidate);
  return candidates;
}

bool Matcher::finish() {
  if ((filter.accept && !filter.accept(ops)) || !checkExpressions() ||
      !checkHypotheses())
    return false;
  RuleMatch match;
  match.symbols = getSymbols();
  match.batch = batch.value_or(Shape());
  match.ops.assign(ops.begin(), ops.end());
  for (unsigned argument : pattern.arguments) {
    match.operands.push_back(values[argument]);
    match.lifted.push_back(isLifted(argument));
  }
  for (unsigned result : pattern.results)
    match.results.push_back(values[result]);
  return visit(match);
}

bool Matcher::matchRoot(unsigned position) {
  if (position == pattern.roots.size())
    return finish();
  unsigned number = pattern.roots[position];
  if (ops[number])
    return matchRoot(position + 1);
  for (Operation *candidate : getCandidates(number, position)) {
    if (filter.root && !filter.root(candidate))
      continue;
    Mark before = mark();
    bool stop = bindOp(number, candidate) &&
                proceed(before.goals, [&] { return matchRoot(position + 1); });
    undo(before);
    if (stop)
      return true;
  }
  return false;
}

bool RulePattern::visitMatches(
    const MatchView &view, llvm::function_ref<bool(const RuleMatch &)> visit,
    const MatchFilter &filter) const {
  auto visitIfProved = [&](const RuleMatch &match) {
    return (!impl->check ||
            impl->check->holds(impl->rule->op, impl->rule->certificate)) &&
           visit(match);
  };
  return Matcher(*impl, view, filter, visitIfProved).run();
}

bool PendingCheck::holds(RuleOp rule, const Certificate &certificate) {
  std::call_once(once, [&] {
    std::string wrong = checker(rule, certificate);
    isTrue = wrong.empty();
    if (!isTrue)
      rule.emitWarning() << "rule '" << rule.getSymName()
                         << "' is not applied: its certificate is invalid: "
                         << wrong;
  });
  return isTrue;
}
