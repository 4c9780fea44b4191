//===- Apply.cpp - application of rules, and reasons of equalities --------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NodeSet.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::egraph;
using rule::ProvedRule;
using rule::RuleMatch;

Applied EGraph::apply(const ProvedRule &rule, const RuleMatch &match,
                      bool keep) {
  rule::RuleOp op = rule.op;
  SmallVector<std::pair<Value, OpResult>> support;
  if (!rule::hasTargetSymbols(op, match.symbols) ||
      !rule::checkConditions(op, match, *this, &support))
    return Applied::Refused;

  SmallVector<Value> operands;
  for (Value operand : match.operands)
    operands.push_back(find(operand));
  // The value of each operand in the first op that reads it.
  SmallVector<ValueId> operandIds(operands.size());
  SmallVector<bool> seen(operands.size());
  SmallVector<TermId> matched;
  SmallVector<Location> locations;
  llvm::DenseMap<Operation *, TermId> sources;
  for (auto [pattern, candidate] :
       llvm::zip(op.getSource().front().without_terminator(), match.ops)) {
    matched.push_back(termOf.lookup(candidate));
    locations.push_back(candidate->getLoc());
    sources[&pattern] = matched.back();
    for (auto [value, id] :
         llvm::zip(pattern.getOperands(), terms[matched.back()].operands))
      if (auto argument = dyn_cast<BlockArgument>(value);
          argument && !seen[argument.getArgNumber()]) {
        seen[argument.getArgNumber()] = true;
        operandIds[argument.getArgNumber()] = id;
      }
  }

  OpBuilder builder = OpBuilder::atBlockEnd(block);
  Operation *last = block->empty() ? nullptr : &block->back();
  std::string reason;
  FailureOr<SmallVector<Value>> values = rule::instantiate(
      builder, builder.getFusedLoc(locations), op.getTarget(), operands,
      match.symbols, match.lifted, match.batch, reason);
  if (failed(values))
    return Applied::Refused;
  SmallVector<Operation *> built;
  for (Operation *next = last ? last->getNextNode() : &block->front(); next;
       next = next->getNextNode())
    built.push_back(next);
  auto eraseBuilt = [&]() {
    for (Operation *one : llvm::reverse(built))
      one->erase();
  };
  if (!llvm::all_of(llvm::zip(*values, match.results), [](auto both) {
        return graph::areCompatible(std::get<0>(both).getType(),
                                    std::get<1>(both).getType());
      })) {
    eraseBuilt();
    return Applied::Refused;
  }

  // Lists the values that are written, in the order of the target, and the
  // values that they are equal to. Values of the target are numbered from
  // `next` on, like their terms.
  ValueId next = parents.size();
  // Indexed by value of the rule, because two of its operands may have become
  // one value, which a derivation has to show.
  Block &target = op.getTarget().front();
  llvm::DenseMap<Value, ValueId> written;
  for (auto [argument, id] : llvm::zip(target.getArguments(), operandIds))
    written[argument] = id;
  SmallVector<SmallVector<ValueId, 4>> operandsOf;
  for (Operation &one : target.without_terminator()) {
    SmallVector<ValueId, 4> read;
    for (Value operand : one.getOperands())
      read.push_back(written.lookup(operand));
    operandsOf.push_back(std::move(read));
    for (Value result : one.getResults())
      written[result] = next++;
  }
  SmallVector<ValueId> targetIds;
  for (Value value : target.getTerminator()->getOperands())
    targetIds.push_back(written.lookup(value));

  SmallVector<Operation *> known;
  bool grows = false;
  for (Operation *one : built) {
    Operation *same = nodes->find(one, SmallVector<Value>(one->getOperands()));
    known.push_back(same);
    if (same)
      for (auto [from, to] : llvm::zip(one->getResults(), same->getResults()))
        from.replaceAllUsesWith(find(to));
    grows |= !same;
  }
  SmallVector<ValueId> sourceIds;
  for (Value value : op.getSourceYield().getOperands()) {
    auto result = cast<OpResult>(value);
    sourceIds.push_back(terms[sources.lookup(result.getOwner())].firstResult +
                        result.getResultNumber());
  }
  // Returns the class of a value of the target if it already exists.
  auto existing = [&](ValueId id) -> std::optional<ValueId> {
    if (id < parents.size())
      return root(id);
    ValueId at = parents.size();
    for (auto [one, same] : llvm::zip(built, known)) {
      if (id < at + one->getNumResults())
        return same ? std::optional<ValueId>(
                          root(ids.lookup(same->getResult(id - at))))
                    : std::nullopt;
      at += one->getNumResults();
    }
    return std::nullopt;
  };
  if (!keep && !grows &&
      llvm::all_of(llvm::zip(sourceIds, targetIds), [&](auto both) {
        return existing(std::get<1>(both)) == root(std::get<0>(both));
      })) {
    eraseBuilt();
    return Applied::Nothing;
  }

  int number = firings.size();
  Firing firing;
  firing.rule = &rule;
  firing.symbols = match.symbols;
  firing.batch = match.batch;
  firing.ops.assign(matched.begin(), matched.end());
  firing.operands.assign(operandIds.begin(), operandIds.end());
  // Record the values as written, from the rule's operand to the constant at
  // which a condition ends.
  Operation *reader = nullptr;
  unsigned condition = 0;
  for (auto [asked, result] : support) {
    Operation *giver = result.getOwner();
    ValueId written =
        reader
            ? terms[termOf.lookup(reader)].operands[0]
            : operandIds[op.getValueConditionList()[condition++].getOperand()];
    firing.supportTerms.push_back(termOf.lookup(giver));
    firing.support.push_back({written, ids.lookup(result)});
    reader = isa<graph::ConstantOp>(giver) ? nullptr : giver;
  }
  firing.firstBuilt = terms.size();
  firing.numBuilt = built.size();
  firings.push_back(std::move(firing));
  for (auto [index, one] : llvm::enumerate(built)) {
    Operation *same = known[index];
    TermId term = terms.size();
    addTerm(same ? nullptr : one, number, index, operandsOf[index]);
    if (same)
      terms.back().equal = termOf.lookup(same);
    else
      termOf[one] = term;
    for (OpResult result : one->getResults()) {
      ValueId id = addValue(same ? Value() : Value(result));
      if (same)
        merge(ids.lookup(same->getResult(result.getResultNumber())), id,
              {-1, termOf.lookup(same), term});
    }
    if (!same)
      addNode(one);
  }
  for (auto [one, same] : llvm::reverse(llvm::zip(built, known)))
    if (same)
      one->erase();
  for (auto [source, target] : llvm::zip(sourceIds, targetIds))
    merge(source, target, {number, 0, 0});
  return Applied::Changed;
}

//===----------------------------------------------------------------------===//
// Reasons
//===----------------------------------------------------------------------===//

/// Joins the trees of `a` and `b`: `a` becomes the root of its tree and a child
/// of `b`.
void EGraph::addToForest(ValueId a, ValueId b, const Reason &reason) {
  ValueId node = a, above = b;
  Reason why = reason;
  while (true) {
    ValueId next = forest[node];
    Reason nextWhy = reasons[node];
    forest[node] = above;
    reasons[node] = why;
    if (next == node)
      return;
    above = node;
    why = nextWhy;
    node = next;
  }
}

SmallVector<std::pair<ValueId, EGraph::Reason>>
EGraph::explain(ValueId a, ValueId b) const {
  SmallVector<ValueId> up;
  llvm::SmallDenseSet<ValueId, 16> above;
  for (ValueId node = a;; node = forest[node]) {
    up.push_back(node);
    above.insert(node);
    if (forest[node] == node)
      break;
  }
  SmallVector<std::pair<ValueId, Reason>> way;
  ValueId meeting = b;
  while (!above.contains(meeting)) {
    way.push_back({meeting, reasons[meeting]});
    meeting = forest[meeting];
  }
  for (ValueId node : up) {
    if (node == meeting)
      break;
    way.push_back({node, reasons[node]});
  }
  return way;
}
