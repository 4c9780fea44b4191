//===- NodeSet.cpp - hash-consing of ops ----------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NodeSet.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::egraph;

static uint64_t hash(Operation *op, ArrayRef<Value> operands) {
  llvm::hash_code code =
      llvm::hash_combine(op->getName(), op->hashProperties());
  for (Value operand : operands)
    code = llvm::hash_combine(code, operand.getAsOpaquePointer());
  // DenseMap reserves the two largest keys.
  return static_cast<uint64_t>(code) >> 2;
}

static bool doTheSame(Operation *known, Operation *op,
                      ArrayRef<Value> operands) {
  if (known->getName() != op->getName() ||
      known->getNumResults() != op->getNumResults() ||
      !llvm::equal(known->getOperands(), operands) ||
      !op->getName().compareOpProperties(known->getPropertiesStorage(),
                                         op->getPropertiesStorage()))
    return false;
  // If an op has no properties, its dictionary has all attributes. Attributes
  // of other dialects do not affect the computation.
  auto own = [](Operation *of) {
    return llvm::make_filter_range(
        of->getDiscardableAttrs(), [](NamedAttribute attribute) {
          return !attribute.getName().strref().contains('.');
        });
  };
  return llvm::equal(own(known), own(op)) &&
         graph::areCompatible(known->getResultTypes(), op->getResultTypes());
}

void EGraph::NodeInfo::insert(Operation *op) {
  // Ops with effects are never equal to others.
  if (!isMemoryEffectFree(op))
    return;
  uint64_t code = hash(op, SmallVector<Value>(op->getOperands()));
  hashes[op] = code;
  buckets[code].push_back(op);
}

void EGraph::NodeInfo::erase(Operation *op) {
  auto it = hashes.find(op);
  if (it == hashes.end())
    return;
  llvm::erase(buckets[it->second], op);
  hashes.erase(it);
}

Operation *EGraph::NodeInfo::find(Operation *op,
                                  ArrayRef<Value> operands) const {
  auto it = buckets.find(hash(op, operands));
  if (it == buckets.end())
    return nullptr;
  for (Operation *known : it->second)
    if (doTheSame(known, op, operands))
      return known;
  return nullptr;
}
