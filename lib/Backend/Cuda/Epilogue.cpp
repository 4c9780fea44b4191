//===- Epilogue.cpp - epilogues of CUDA library calls ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Epilogue.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::backend;

bool tenon::backend::isCudaFloat(Value value) {
  Type type = getElementTypeOrSelf(value.getType());
  return type.isF32() || type.isF16() || type.isBF16();
}

/// Returns the vector along the last axis of `like` that is broadcast to the
/// value.
static Value getVector(BroadcastOp broadcast, Value like) {
  Shape narrow = getShape(broadcast.getX()), wide = getShape(like);
  if (narrow.empty() || narrow.back() != wide.back())
    return {};
  for (const SymInt &size : ArrayRef<SymInt>(narrow).drop_back())
    if (size.getConstant() != 1)
      return {};
  return broadcast.getX();
}

bool Epilogue::takeNext(const Rules &rules) {
  if (activation || !end.hasOneUse())
    return false;
  Operation *user = *end.getUsers().begin();
  if (auto add = dyn_cast<AddOp>(user)) {
    Value other = add.getLhs() == end ? add.getRhs() : add.getLhs();
    if (!rules.sums || residual)
      return false;
    if (auto broadcast = other.getDefiningOp<BroadcastOp>()) {
      Value vector = getVector(broadcast, end);
      if (!vector || bias || !broadcast->hasOneUse())
        return false;
      bias = vector;
      ops.push_back(broadcast);
    } else if (other.getType() != end.getType() || (rules.needsBias && !bias)) {
      return false;
    } else {
      residual = other;
    }
  } else if (rules.needsBias && !bias) {
    return false;
  } else if (isa<ReluOp>(user)) {
    activation = program::PostOpKind::Relu;
  } else if (auto gelu = dyn_cast<GeluOp>(user);
             gelu && gelu.getTanh() && rules.gelu) {
    activation = program::PostOpKind::GeluTanh;
  } else {
    return false;
  }
  ops.push_back(user);
  end = user->getResult(0);
  return true;
}

void Epilogue::describe(LibraryCall &built, SmallVectorImpl<Value> &inputs,
                        const CallOperand &residualLayout) const {
  auto addPostOp = [&](program::PostOpKind kind) {
    built.postOps.push_back(program::PostOpAttr::get(end.getContext(), kind));
  };
  if (bias) {
    built.operands.push_back(
        {residualLayout.elementType, {getShape(bias).back()}, {}});
    inputs.push_back(bias);
  }
  if (residual) {
    addPostOp(program::PostOpKind::Add);
    built.operands.push_back(residualLayout);
    inputs.push_back(residual);
  }
  if (activation)
    addPostOp(*activation);
}

LogicalResult tenon::backend::readEpilogue(kernel::CallOp call, Value yielded,
                                           const Epilogue::Rules &rules,
                                           size_t accounted,
                                           Epilogue &epilogue) {
  while (epilogue.end != yielded && epilogue.takeNext(rules))
    ;
  Operation *next = epilogue.end.use_empty() ? call.getOperation()
                                             : *epilogue.end.getUsers().begin();
  if (epilogue.end != yielded)
    return next->emitOpError() << "can't be part of a call of the backend '"
                               << call.getBackend() << "'";
  size_t size = call.getBodyBlock().getOperations().size() - 1;
  if (accounted + epilogue.ops.size() != size)
    return call.emitOpError() << "has ops in its region that the backend '"
                              << call.getBackend() << "' does not run";
  return success();
}
