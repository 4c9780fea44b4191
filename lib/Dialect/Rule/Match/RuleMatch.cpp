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

bool Matcher::mayBind(const SourceOp &expected, Operation *candidate) const {
  for (auto [operand, value] :
       llvm::zip_equal(expected.operands, candidate->getOperands())) {
    const SourceValue &inner = pattern.values[operand];
    if (inner.op < 0 || values[operand])
      continue;
    OperationName name = pattern.ops[inner.op].name;
    if (llvm::none_of(view.getProducers(view.find(value)),
                      [&](OpResult producer) {
                        return producer.getOwner()->getName() == name;
                      }))
      return false;
  }
  return true;
}

bool Matcher::bindOp(unsigned number, Operation *candidate, int &open) {
  const SourceOp &expected = pattern.ops[number];
  if (ops[number])
    return ops[number] == candidate;
  if (candidate->getName() != expected.name ||
      candidate->getNumOperands() != expected.operands.size() ||
      candidate->getNumResults() != expected.results.size() ||
      (filter.fixed.empty() ? !isFree(number, candidate)
                            : filter.fixed[number] != candidate) ||
      !mayBind(expected, candidate))
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
  // In reverse, since the last one is the first to be processed.
  auto add = [&](unsigned goal, Value value, bool attributes) {
    goals.push_back({goal, value, attributes, open});
    open = goals.size() - 1;
  };
  add(number, Value(), true);
  for (auto [operand, value] : llvm::reverse(
           llvm::zip_equal(expected.operands, candidate->getOperands())))
    add(operand, view.find(value), false);
  return true;
}

bool Matcher::proceed(int open, llvm::function_ref<bool()> then) {
  if (open < 0)
    return then();
  const Goal goal = goals[open];
  const Mark before = mark();
  auto succeed = [&](bool matched, int next) {
    if (matched && proceed(next, then))
      return true;
    undo(before);
    return false;
  };
  if (goal.attributes)
    return succeed(matchAttributes(goal.number), goal.next);
  if (values[goal.number])
    return succeed(values[goal.number] == goal.value, goal.next);
  const SourceValue &expected = pattern.values[goal.number];
  if (expected.op < 0) {
    bindValue(goal.number, goal.value);
    return succeed(matchArgument(expected, goal.value), goal.next);
  }
  return llvm::any_of(view.getProducers(goal.value), [&](OpResult producer) {
    if (producer.getResultNumber() != expected.number)
      return false;
    int next = goal.next;
    bool matched = bindOp(expected.op, producer.getOwner(), next) &&
                   values[goal.number] == goal.value;
    return succeed(matched, next);
  });
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
    int open = -1;
    bool stop = bindOp(number, candidate, open) &&
                proceed(open, [&] { return matchRoot(position + 1); });
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
