//===- EGraph.cpp - many equal graphs in one structure --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/EGraph/EGraph.h"
#include "NodeSet.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::egraph;

EGraph::EGraph(MLIRContext *context)
    : holder(ModuleOp::create(UnknownLoc::get(context))),
      block(holder->getBody()), nodes(std::make_unique<NodeInfo>()) {}

EGraph::~EGraph() {
  for (Operation &op : *block)
    op.dropAllUses();
  for (const Loop &loop : loops)
    loop.op->destroy();
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

ValueId EGraph::root(ValueId id) const {
  while (parents[id] != id) {
    parents[id] = parents[parents[id]];
    id = parents[id];
  }
  return id;
}

Value EGraph::find(Value value) const { return find(ids.lookup(value)); }

ArrayRef<OpResult> EGraph::getProducers(Value representative) const {
  return classes[root(ids.lookup(representative))].producers;
}

SmallVector<Operation *> EGraph::getReaders(Value representative,
                                            OperationName name) const {
  llvm::SetVector<Operation *> readers;
  for (Operation *user : representative.getUsers())
    if (user->getName() == name)
      readers.insert(user);
  SmallVector<Operation *> sorted = readers.takeVector();
  llvm::sort(sorted, [&](Operation *a, Operation *b) {
    return getTerm(a) < getTerm(b);
  });
  return sorted;
}

ArrayRef<Operation *> EGraph::getOps(OperationName name) const {
  auto it = byName.find(name);
  if (it == byName.end())
    return {};
  return it->second;
}

DictionaryAttr EGraph::getAttributes(Operation *op) const {
  DictionaryAttr &known = attributes[op];
  if (!known)
    known = op->getAttrDictionary();
  return known;
}

unsigned EGraph::getNumClasses() const { return numberClasses().size(); }

llvm::DenseMap<Value, unsigned> EGraph::numberClasses() const {
  llvm::DenseMap<Value, unsigned> numbers;
  for (BlockArgument argument : block->getArguments())
    numbers.try_emplace(find(argument), numbers.size());
  for (Operation &op : *block)
    for (Value result : op.getResults())
      numbers.try_emplace(find(result), numbers.size());
  return numbers;
}

SmallVector<Value> EGraph::takeChanged() {
  llvm::SetVector<Value> values;
  for (ValueId id : changed)
    values.insert(find(id));
  changed.clear();
  return values.takeVector();
}

ValueId EGraph::addValue(Value value) {
  ValueId id = parents.size();
  parents.push_back(id);
  forest.push_back(id);
  reasons.emplace_back();
  classes.emplace_back();
  classes.back().value = value;
  if (value)
    ids[value] = id;
  changed.push_back(id);
  return id;
}

/// Returns the number of unknown sizes of a type.
static unsigned countUnknown(Type type) {
  return llvm::count_if(graph::getShape(type), [](const graph::SymInt &size) {
    return size.isUnknown();
  });
}

void EGraph::replaceUses(Value from, Value to) {
  if (from == to)
    return;
  // The keys of ops that read the value change.
  for (Operation *user : llvm::make_early_inc_range(from.getUsers())) {
    nodes->erase(user);
    pending.push_back(user);
  }
  from.replaceAllUsesWith(to);
}

bool EGraph::merge(ValueId a, ValueId b, const Reason &reason) {
  ValueId into = root(a), from = root(b);
  if (into == from)
    return false;
  addToForest(a, b, reason);
  // Keep the older class, so that numbers do not depend on the number of uses.
  if (from < into)
    std::swap(from, into);
  Class &kept = classes[into], &gone = classes[from];
  parents[from] = into;
  if (!kept.value || (gone.value && countUnknown(gone.value.getType()) <
                                        countUnknown(kept.value.getType()))) {
    if (kept.value)
      replaceUses(kept.value, gone.value);
    kept.value = gone.value;
  } else if (gone.value) {
    replaceUses(gone.value, kept.value);
  }
  SmallVector<OpResult, 1> producers;
  std::merge(
      kept.producers.begin(), kept.producers.end(), gone.producers.begin(),
      gone.producers.end(), std::back_inserter(producers),
      [&](OpResult x, OpResult y) { return ids.lookup(x) < ids.lookup(y); });
  kept.producers = std::move(producers);
  gone.producers.clear();
  if (!kept.leaf)
    kept.leaf = gone.leaf;
  changed.push_back(into);
  return true;
}

//===----------------------------------------------------------------------===//
// Terms and nodes
//===----------------------------------------------------------------------===//

ValueId EGraph::addTerm(Operation *op, int firing, unsigned index,
                        ArrayRef<ValueId> operands) {
  Term term;
  term.op = op;
  term.firing = firing;
  term.index = index;
  term.operands.assign(operands.begin(), operands.end());
  term.firstResult = parents.size();
  terms.push_back(std::move(term));
  return terms.back().firstResult;
}

/// Makes an op of the block, which has a term, an e-node.
void EGraph::addNode(Operation *op) {
  ++numNodes;
  byName[op->getName()].push_back(op);
  for (OpResult result : op->getResults())
    classes[root(ids.lookup(result))].producers.push_back(result);
  // Two ops of one target may be equal.
  if (nodes->find(op, SmallVector<Value>(op->getOperands())))
    pending.push_back(op);
  nodes->insert(op);
}

/// Removes an e-node. `equal` is the term of the e-node that replaces it.
void EGraph::removeNode(Operation *op, std::optional<TermId> equal) {
  --numNodes;
  nodes->erase(op);
  llvm::erase(byName[op->getName()], op);
  attributes.erase(op);
  for (OpResult result : op->getResults()) {
    Class &cls = classes[root(ids.lookup(result))];
    llvm::erase(cls.producers, result);
    if (cls.value == result) {
      Value other = cls.leaf ? cls.leaf : Value(cls.producers.front());
      replaceUses(result, other);
      cls.value = other;
    }
    ids.erase(result);
  }
  // A self-loop may have been a user of its own result.
  llvm::erase(pending, op);
  Term &term = terms[termOf.lookup(op)];
  term.op = nullptr;
  term.equal = equal;
  termOf.erase(op);
  op->erase();
}

Operation *EGraph::lookup(Operation *op, ArrayRef<Value> operands) const {
  return nodes->find(op, operands);
}

LogicalResult EGraph::addBody(Region &body, std::string &reason) {
  if (!body.hasOneBlock()) {
    reason = "the function has more than one block";
    return failure();
  }
  for (Operation &op : body.front().without_terminator()) {
    // Ops with effects must neither be removed nor be executed twice.
    StringRef what = op.getNumRegions()         ? "a region"
                     : !isMemoryEffectFree(&op) ? "effects"
                                                : "";
    if (!what.empty()) {
      reason = ("'" + op.getName().getStringRef() + "' has " + what).str();
      return failure();
    }
  }
  IRMapping mapping;
  llvm::DenseMap<Value, ValueId> written;
  for (BlockArgument argument : body.getArguments()) {
    Value copy = block->addArgument(argument.getType(), argument.getLoc());
    mapping.map(argument, copy);
    arguments.push_back(addValue(copy));
    classes.back().leaf = copy;
    written[argument] = arguments.back();
  }
  OpBuilder builder = OpBuilder::atBlockEnd(block);
  for (Operation &op : body.front().without_terminator()) {
    SmallVector<ValueId> operands;
    SmallVector<Value> canonical;
    for (Value operand : op.getOperands()) {
      operands.push_back(written.lookup(operand));
      canonical.push_back(find(operands.back()));
    }
    Operation *known = lookup(&op, canonical);
    TermId term = terms.size();
    modelTerms.push_back(term);
    Operation *copy = nullptr;
    if (!known) {
      copy = op.cloneWithoutRegions(mapping);
      builder.insert(copy);
      copy->setOperands(canonical);
      termOf[copy] = term;
    }
    addTerm(copy, -1, modelTerms.size() - 1, operands);
    if (known)
      terms.back().equal = termOf.lookup(known);
    for (OpResult result : op.getResults()) {
      unsigned number = result.getResultNumber();
      ValueId id = addValue(copy ? copy->getResult(number) : Value());
      written[result] = id;
      if (known)
        merge(ids.lookup(known->getResult(number)), id,
              {-1, termOf.lookup(known), term});
    }
    if (copy)
      addNode(copy);
  }
  for (Value value : body.front().getTerminator()->getOperands())
    results.push_back(written.lookup(value));
  return success();
}

void EGraph::joinPending() {
  while (!pending.empty()) {
    // Oldest first, so that the oldest of equal ops remains.
    SmallVector<Operation *> work;
    std::swap(work, pending);
    llvm::sort(work, [&](Operation *a, Operation *b) {
      return termOf.lookup(a) < termOf.lookup(b);
    });
    work.erase(llvm::unique(work), work.end());
    llvm::SmallPtrSet<Operation *, 16> gone;
    for (Operation *op : work) {
      if (gone.contains(op))
        continue;
      Operation *known = nodes->find(op, SmallVector<Value>(op->getOperands()));
      if (known && known != op) {
        TermId a = termOf.lookup(known), b = termOf.lookup(op);
        for (auto [x, y] : llvm::zip(known->getResults(), op->getResults()))
          merge(ids.lookup(x), ids.lookup(y), {-1, a, b});
        gone.insert(op);
        removeNode(op, a);
      } else if (!known) {
        nodes->insert(op);
      }
    }
  }
}

/// Returns true if a node was found that is equal to a removed self-loop, and
/// was merged with its result.
bool EGraph::joinLoops() {
  bool joined = false;
  for (const Loop &loop : loops) {
    const Term &term = terms[loop.term];
    SmallVector<Value> operands;
    for (ValueId operand : term.operands)
      operands.push_back(find(operand));
    if (Operation *known = nodes->find(loop.op, operands))
      joined |= merge(term.firstResult, ids.lookup(known->getResult(0)),
                      {-1, loop.term, termOf.lookup(known)});
  }
  return joined;
}

void EGraph::rebuild() {
  do
    joinPending();
  while (joinLoops());
}

void EGraph::removeSelfLoops() {
  for (Operation &op : llvm::make_early_inc_range(*block)) {
    if (op.getNumResults() != 1)
      continue;
    const Class &own = classes[root(ids.lookup(op.getResult(0)))];
    if (llvm::is_contained(op.getOperands(), own.value) &&
        (own.leaf || own.producers.size() > 1)) {
      // Clone neither regions, which e-nodes do not have, nor operands.
      loops.push_back({op.clone(Operation::CloneOptions(false, false)),
                       termOf.lookup(&op)});
      removeNode(&op, std::nullopt);
    }
  }
}

Operation *EGraph::getNode(TermId term) const {
  while (!terms[term].op && terms[term].equal)
    term = *terms[term].equal;
  return terms[term].op;
}
