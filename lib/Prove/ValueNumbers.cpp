//===- ValueNumbers.cpp - numbers of equal values -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ValueNumbers.h"

using namespace mlir;
using namespace tenon::prove;

void ValueNumbers::addInput(Value value, StringRef key) {
  auto [entry, isNew] = inputs.try_emplace(key, next);
  next += isNew;
  numbers[value] = entry->second;
}

bool ValueNumbers::addOp(Operation *op) {
  // Attributes and types are unique in their context. Discardable attributes do
  // not change what an op means.
  std::vector<const void *> key = {
      op->getName().getAsOpaquePointer(),
      op->getPropertiesAsAttribute().getAsOpaquePointer()};
  for (Value operand : op->getOperands())
    key.push_back(reinterpret_cast<const void *>(uintptr_t(get(operand))));
  for (Type type : op->getResultTypes())
    key.push_back(type.getAsOpaquePointer());
  auto [entry, isNew] = ops.try_emplace(std::move(key), next);
  unsigned number = entry->second;
  for (Value result : op->getResults())
    numbers[result] = number++;
  if (isNew)
    next = number;
  return !isNew;
}

bool tenon::prove::areSameOperation(Operation *a, Operation *b) {
  return a->getName() == b->getName() &&
         a->getNumOperands() == b->getNumOperands() &&
         a->getResultTypes() == b->getResultTypes() &&
         a->getPropertiesAsAttribute() == b->getPropertiesAsAttribute();
}
