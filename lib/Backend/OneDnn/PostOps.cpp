//===- PostOps.cpp - ops that become post-ops of oneDNN -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "Structure.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::backend;

/// Returns the broadcast if it can be part of a post-op: one value per channel,
/// per column or in total, so that at most one axis differs from 1.
static Operation *getNarrowBroadcast(Value value) {
  auto broadcast = value.getDefiningOp<BroadcastOp>();
  if (!broadcast)
    return nullptr;
  unsigned wide = 0;
  for (const SymInt &size : getShape(broadcast.getX()))
    wide += size.getConstant() != 1;
  return wide <= 1 ? broadcast.getOperation() : nullptr;
}

bool tenon::backend::takePostOp(Subgraph &subgraph, Value &chain) {
  if (!chain.hasOneUse())
    return false;
  Operation *user = *chain.getUsers().begin();
  // Not silu: on an AMD EPYC, oneDNN 2.6 takes 0.6 ns for each element, and
  // generated code, which reads and writes the result again, 0.55 ns with
  // vectors of 256 bits and 0.3 ns with 512. (A mish takes it longer.)
  bool unary =
      isa<ReluOp, ClipOp, SigmoidOp, TanhOp, GeluOp, EluOp, MishOp, HardSwishOp,
          HardSigmoidOp, AbsOp, SqrtOp, ExpOp, LeakyReluOp>(user);
  bool commutes = isa<AddOp, MulOp, MaximumOp, MinimumOp>(user);
  bool ordered = isa<SubOp, DivOp>(user);
  if (!unary && !commutes && !ordered)
    return false;
  if (!unary) {
    bool first = user->getOperand(0) == chain;
    if (ordered && !first)
      return false;
    Value other = user->getOperand(first ? 1 : 0);
    if (getSplat(other)) {
      // x / c is not x * (1 / c), and max(x, c) is not linear.
      if (!isa<AddOp, MulOp, SubOp>(user))
        return false;
      Operation *constant = other.getDefiningOp();
      if (auto broadcast = dyn_cast<BroadcastOp>(constant)) {
        subgraph.ops.push_back(broadcast.getX().getDefiningOp());
      }
      subgraph.ops.push_back(constant);
    } else if (other.getDefiningOp<BroadcastOp>()) {
      // The result of a wide broadcast would have to be stored; generated code
      // reads it in place.
      Operation *broadcast = getNarrowBroadcast(other);
      if (!broadcast)
        return false;
      subgraph.ops.push_back(broadcast);
    }
  }
  subgraph.ops.push_back(user);
  subgraph.pattern += "+" + user->getName().stripDialect().str();
  chain = user->getResult(0);
  return true;
}
