//===- SubgraphCache.cpp - cached properties of subgraphs -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SubgraphCache.h"
#include "tenon/Dialect/Kernel/Analysis/Prepared.h"
#include "tenon/Place/Passes.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::place;

unsigned SubgraphCache::numberOp(Operation *op) {
  std::vector<const void *> form = {
      op->getName().getAsOpaquePointer(),
      op->getAttrDictionary().getAsOpaquePointer()};
  for (Type type : op->getResultTypes())
    form.push_back(type.getAsOpaquePointer());
  form.push_back(nullptr);
  for (Type type : op->getOperandTypes())
    form.push_back(type.getAsOpaquePointer());
  std::lock_guard lock(mutex);
  return ops.try_emplace(std::move(form), ops.size()).first->second;
}

unsigned SubgraphCache::numberText(StringRef text) {
  std::lock_guard lock(mutex);
  auto it = texts.find(text);
  if (it == texts.end())
    it = texts.emplace(text.str(), texts.size()).first;
  return it->second;
}

bool SubgraphCache::isGood(const Key &key, llvm::function_ref<bool()> decide) {
  {
    std::lock_guard lock(mutex);
    if (auto it = good.find(key); it != good.end())
      return it->second;
  }
  bool answer = decide();
  std::lock_guard lock(mutex);
  return good.try_emplace(key, answer).first->second;
}

const SubgraphCache::Price &
SubgraphCache::getPrice(const Key &key, llvm::function_ref<Price()> compute) {
  {
    std::lock_guard lock(mutex);
    if (auto it = prices.find(key); it != prices.end())
      return it->second;
  }
  Price price = compute();
  std::lock_guard lock(mutex);
  // References into the map remain valid when it grows.
  return prices.try_emplace(key, std::move(price)).first->second;
}

SubgraphKeys::SubgraphKeys(Block &block, std::shared_ptr<SubgraphCache> given)
    : cache(std::move(given)) {
  kernel::LoadAnalysis loads(block);
  unsigned position = 0;
  for (Operation &op : block)
    forms[&op] = {cache->numberOp(&op), position++, loads.runsAtLoad(&op)};
}

SubgraphCache::Key SubgraphKeys::getKey(ArrayRef<Operation *> ops) const {
  llvm::SmallDenseMap<Value, unsigned, 32> numbers;
  llvm::SmallPtrSet<Operation *, 16> members(ops.begin(), ops.end());
  SubgraphCache::Key key;
  key.push_back(ops.size());
  for (Operation *op : ops) {
    key.push_back(forms.lookup(op).number);
    for (Value operand : op->getOperands()) {
      auto [it, inserted] = numbers.try_emplace(operand, numbers.size());
      key.push_back(it->second);
      // This is the first use of a value from outside of the ops.
      if (!inserted)
        continue;
      Operation *producer = operand.getDefiningOp();
      key.push_back(producer && forms.lookup(producer).runsAtLoad);
    }
    for (Value result : op->getResults()) {
      numbers.try_emplace(result, numbers.size());
      key.push_back(llvm::any_of(result.getUsers(), [&](Operation *user) {
        return !members.contains(user);
      }));
    }
  }
  return key;
}

SubgraphCache::Key SubgraphKeys::getKey(ArrayRef<Operation *> ops,
                                        StringRef backend,
                                        StringRef pattern) const {
  SubgraphCache::Key key = getKey(ops);
  key.push_back(cache->numberText(backend));
  key.push_back(cache->numberText(pattern));
  return key;
}

std::shared_ptr<SubgraphCache> place::createSubgraphCache() {
  return std::make_shared<SubgraphCache>();
}
