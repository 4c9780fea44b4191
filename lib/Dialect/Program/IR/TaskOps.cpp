//===- TaskOps.cpp - verifiers of transfers between ranks -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Program/IR/Program.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::program;

/// Checks that a transfer is awaited once, in the list of steps that begins it.
static LogicalResult verifyTransfer(Operation *op) {
  Value token = op->getResult(0);
  if (!token.hasOneUse())
    return op->emitOpError()
           << "expected one 'program.wait' for this transfer, but got "
           << llvm::range_size(token.getUses());
  if (token.getUsers().begin()->getBlock() != op->getBlock())
    return op->emitOpError("expected 'program.wait' in the same list of steps");
  return success();
}

static LogicalResult verifyPeer(Operation *op, uint64_t rank, uint64_t tag) {
  if (static_cast<int64_t>(rank) < 0 || static_cast<int64_t>(tag) < 0)
    return op->emitOpError()
           << "expected a rank and a tag of at least 0, but got "
           << static_cast<int64_t>(rank) << " and "
           << static_cast<int64_t>(tag);
  return verifyTransfer(op);
}

LogicalResult SendOp::verify() {
  return verifyPeer(*this, getRank(), getTag());
}

LogicalResult ReceiveOp::verify() {
  if (isa<ParameterOp, ConstantOp, InputOp>(getBuffer().getDefiningOp()))
    return emitOpError() << "can't write '"
                         << getBuffer().getDefiningOp()->getName() << "'";
  return verifyPeer(*this, getRank(), getTag());
}

LogicalResult AllReduceOp::verify() {
  SmallVector<int64_t> ranks(getRanks());
  llvm::sort(ranks);
  if (ranks.size() < 2 || ranks.front() < 0 ||
      std::adjacent_find(ranks.begin(), ranks.end()) != ranks.end())
    return emitOpError("expected at least two distinct ranks of at least 0");
  if (!getTensorType(getBuffer()).getElementType().isIntOrFloat())
    return emitOpError("expected numbers");
  return verifyTransfer(*this);
}

LogicalResult WaitOp::verify() {
  if (getTokens().empty())
    return emitOpError("expected a transfer to wait for");
  return success();
}
