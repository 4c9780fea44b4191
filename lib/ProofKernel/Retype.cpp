//===- Retype.cpp - changing the element types of rules -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/ProofKernel/Retype.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

#include <thread>

using namespace mlir;
using namespace tenon;
using rule::RuleOp;

OwningOpRef<RuleOp> prove::getRetyped(RuleOp rule, Type element) {
  OwningOpRef<RuleOp> copy(rule.clone());
  auto retype = [&](Type type) -> Type {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !tensor.getElementType().isF32())
      return type;
    return tensor.clone(element);
  };
  for (Region *side : {&copy->getSource(), &copy->getTarget()}) {
    for (BlockArgument argument : side->getArguments())
      argument.setType(retype(argument.getType()));
    side->walk([&](Operation *op) {
      for (Value result : op->getResults())
        result.setType(retype(result.getType()));
    });
  }
  SmallVector<Attribute> types;
  for (Attribute type : copy->getResultTypesAttr())
    types.push_back(TypeAttr::get(retype(cast<TypeAttr>(type).getValue())));
  copy->setResultTypesAttr(ArrayAttr::get(rule.getContext(), types));
  ScopedDiagnosticHandler quiet(
      rule.getContext(), [thread = std::this_thread::get_id()](Diagnostic &) {
        return success(thread == std::this_thread::get_id());
      });
  if (failed(verify(*copy)))
    return {};
  return copy;
}
