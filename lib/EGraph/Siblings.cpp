//===- Siblings.cpp - selection of the ops that rules join ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Siblings.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::egraph;
using rule::RuleMatch;
using rule::RulePattern;

SiblingChoice::SiblingChoice(const EGraph &graph,
                             ArrayRef<RulePattern> patterns)
    : graph(graph), roots(patterns.size()), joined(patterns.size()) {
  for (auto [pattern, positions] : llvm::zip(patterns, roots)) {
    rule::RuleOp op = pattern.getRule().op;
    llvm::SmallPtrSet<Operation *, 4> givers;
    for (Value value : op.getSourceYield().getOperands())
      givers.insert(value.getDefiningOp());
    unsigned number = 0;
    for (Operation &inner : op.getSource().front().without_terminator()) {
      if (givers.contains(&inner))
        positions.push_back(number);
      ++number;
    }
  }
}

SmallVector<Operation *> SiblingChoice::getRelated(OperationName name,
                                                   Operation *first) const {
  llvm::SetVector<Operation *> found;
  auto addReaders = [&](Value value) {
    for (Operation *reader : graph.getReaders(graph.find(value), name))
      found.insert(reader);
  };
  MLIRContext *context = first->getContext();
  OperationName slice(graph::SliceOp::getOperationName(), context);
  OperationName concat(graph::ConcatOp::getOperationName(), context);
  for (Value operand : first->getOperands())
    for (OpResult producer : graph.getProducers(operand)) {
      if (isa<graph::SplitOp>(producer.getOwner()))
        for (Value part : producer.getOwner()->getResults())
          addReaders(part);
      if (isa<graph::SliceOp>(producer.getOwner()))
        for (Operation *other :
             graph.getReaders(producer.getOwner()->getOperand(0), slice))
          addReaders(other->getResult(0));
    }
  for (Value result : first->getResults())
    for (Operation *user : graph.getReaders(graph.find(result), concat))
      for (Value operand : user->getOperands())
        for (OpResult producer : graph.getProducers(operand))
          if (producer.getOwner()->getName() == name)
            found.insert(producer.getOwner());
  SmallVector<Operation *> sorted = found.takeVector();
  llvm::sort(sorted, [&](Operation *a, Operation *b) {
    return graph.getTerm(a) < graph.getTerm(b);
  });
  return sorted;
}

/// Hashes names rather than addresses, so that the result is reproducible.
SiblingChoice::Signature SiblingChoice::getSignature(Value value) const {
  Signature signature{};
  SmallVector<Value> level{graph.find(value)};
  for (unsigned step = 0; step < kLevels && level.size() <= 64; ++step) {
    llvm::SetVector<Value> above;
    uint64_t sum = 0;
    for (Value one : level)
      for (OpOperand &use : one.getUses()) {
        // The sum does not depend on the order of uses.
        sum += llvm::xxh3_64bits(use.getOwner()->getName().getStringRef());
        for (Value result : use.getOwner()->getResults())
          above.insert(graph.find(result));
      }
    signature[step] = sum;
    level = SmallVector<Value>(above.begin(), above.end());
  }
  return signature;
}

void SiblingChoice::addParts(Value value, llvm::DenseSet<Value> &parts) const {
  MLIRContext *context = value.getContext();
  OperationName split(graph::SplitOp::getOperationName(), context);
  OperationName reshape(graph::ReshapeOp::getOperationName(), context);
  SmallVector<Value> open{graph.find(value)};
  while (!open.empty()) {
    Value one = open.pop_back_val();
    if (!parts.insert(one).second)
      continue;
    // A product may be stated as a convolution of one pixel.
    for (OperationName name : {split, reshape})
      for (Operation *reader : graph.getReaders(one, name))
        for (Value part : reader->getResults())
          open.push_back(graph.find(part));
  }
}

bool SiblingChoice::shareParts(unsigned rule, const RuleMatch &match) const {
  llvm::DenseSet<Value> seen;
  for (unsigned root : roots[rule]) {
    llvm::DenseSet<Value> parts;
    for (Value result : match.ops[root]->getResults())
      addParts(result, parts);
    for (Value part : parts)
      if (!seen.insert(part).second)
        return true;
  }
  return false;
}

std::vector<RuleMatch> SiblingChoice::choose(unsigned rule,
                                             const RulePattern &pattern,
                                             std::vector<RuleMatch> matches) {
  rule::RuleOp op = pattern.getRule().op;
  llvm::DenseMap<Operation *, Signature> signatures;
  auto getOf = [&](Operation *root) -> const Signature & {
    auto [it, inserted] = signatures.try_emplace(root);
    if (inserted)
      it->second = getSignature(root->getResult(0));
    return it->second;
  };
  std::vector<std::pair<unsigned, size_t>> order;
  for (size_t number = 0; number < matches.size(); ++number) {
    const RuleMatch &match = matches[number];
    Signature first = getOf(match.ops[roots[rule].front()]);
    unsigned unlike = 0;
    for (unsigned root : ArrayRef<unsigned>(roots[rule]).drop_front()) {
      const Signature &other = getOf(match.ops[root]);
      unsigned same = 0;
      while (same < kLevels && first[same] == other[same])
        ++same;
      unlike += kLevels - same;
    }
    order.push_back({unlike, number});
  }
  llvm::sort(order);
  std::vector<RuleMatch> chosen;
  for (auto [unlike, number] : order) {
    RuleMatch &match = matches[number];
    if (!llvm::all_of(
            roots[rule],
            [&](unsigned root) { return isFree(rule, match.ops[root]); }) ||
        shareParts(rule, match))
      continue;
    // A match that would be refused joins nothing.
    if (!rule::checkConditions(op, match, graph))
      continue;
    for (unsigned root : roots[rule])
      joined[rule].insert(graph.getTerm(match.ops[root]));
    chosen.push_back(std::move(match));
  }
  return chosen;
}
