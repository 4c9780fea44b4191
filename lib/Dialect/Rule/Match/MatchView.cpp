//===- MatchView.cpp - views of graphs for matching -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Rule/Match/MatchView.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tenon::rule;

MatchView::~MatchView() = default;

BlockView::BlockView(Block &block) : block(block) {
  for (Operation &op : block) {
    ops[op.getName()].push_back(&op);
    for (OpResult result : op.getResults())
      producers[result] = result;
  }
}

ArrayRef<OpResult> BlockView::getProducers(Value representative) const {
  auto it = producers.find(representative);
  if (it == producers.end())
    return {};
  return ArrayRef<OpResult>(it->second);
}

SmallVector<Operation *> BlockView::getReaders(Value representative,
                                               OperationName name) const {
  llvm::SetVector<Operation *> readers;
  for (Operation *user : representative.getUsers())
    if (user->getBlock() == &block && user->getName() == name)
      readers.insert(user);
  SmallVector<Operation *> sorted = readers.takeVector();
  // The order of a use list is arbitrary.
  llvm::sort(sorted,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return sorted;
}

ArrayRef<Operation *> BlockView::getOps(OperationName name) const {
  auto it = ops.find(name);
  if (it == ops.end())
    return {};
  return it->second;
}

DictionaryAttr BlockView::getAttributes(Operation *op) const {
  DictionaryAttr &known = attributes[op];
  if (!known)
    known = op->getAttrDictionary();
  return known;
}
