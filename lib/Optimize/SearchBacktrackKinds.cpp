//===- SearchBacktrackKinds.cpp - numbered kinds of ops -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SearchBacktrackKinds.h"
#include "OpClasses.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::optimize::backtrack;

unsigned KindTable::intern(Operation *op) {
  std::vector<const void *> key = {op->getName().getAsOpaquePointer()};
  for (NamedAttribute attribute : op->getAttrDictionary()) {
    // Attributes of other dialects do not affect the computation.
    if (attribute.getName().strref().contains('.'))
      continue;
    key.push_back(attribute.getName().getAsOpaquePointer());
    key.push_back(attribute.getValue().getAsOpaquePointer());
  }
  key.push_back(nullptr);
  for (Type type : op->getOperandTypes())
    key.push_back(type.getAsOpaquePointer());
  key.push_back(nullptr);
  for (Type type : op->getResultTypes())
    key.push_back(type.getAsOpaquePointer());
  auto [it, fresh] = numbers.try_emplace(std::move(key), kinds.size());
  if (!fresh)
    return it->second;

  OpKind &kind = kinds.emplace_back();
  kind.isLibraryRoot = isLibraryRoot(op);
  kind.isElementwise = isa<graph::ElementwiseInterface>(op);
  kind.isMovement = isMovement(op);
  kind.isBroadcast = isa<graph::BroadcastOp>(op);
  kind.isReference = isa<graph::ReferenceInterface>(op);
  kind.isActivation = isLibraryActivation(op);
  kind.isAdd = isa<graph::AddOp>(op);
  kind.isBatchNorm = isa<graph::BatchNormOp>(op);
  for (Type type : op->getOperandTypes()) {
    kind.operandBytes.push_back(costs.getBytes(type));
    kind.hasResultType.push_back(op->getNumResults() &&
                                 op->getResult(0).getType() == type);
  }
  for (Type type : op->getResultTypes())
    kind.resultBytes.push_back(costs.getBytes(type));
  return it->second;
}
