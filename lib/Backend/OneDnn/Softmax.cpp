//===- Softmax.cpp - softmax as a call of oneDNN --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Structure.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::backend;

void tenon::backend::matchSoftmax(Operation *last,
                                  SmallVectorImpl<FormMatch> &matches) {
  // Matches e / sum(e) with e = exp(x - max(x)). The logarithm of softmax is
  // not matched: for a softmax of 1, oneDNN 2.6.3 computes 1.4e-6, which
  // exceeds any relative bound on 0.
  auto quotient = dyn_cast<DivOp>(last);
  if (!quotient || !isF32(quotient.getResult()))
    return;
  Structure form(last);
  auto exp = form.take<ExpOp>(form.takeSum(form.takeRows(quotient.getRhs())));
  if (!exp || exp.getResult() != quotient.getLhs())
    return;
  auto shifted = form.take<SubOp>(exp.getX());
  auto largest = shifted
                     ? form.take<ReduceMaxOp>(form.takeRows(shifted.getRhs()))
                     : ReduceMaxOp();
  if (!largest || !isAlongLast(largest) || largest.getX() != shifted.getLhs() ||
      !form.isClosed())
    return;
  Value x = largest.getX();
  FormMatch match;
  match.subgraph.ops.assign(form.getOps().begin(), form.getOps().end());
  match.subgraph.pattern = "softmax";
  match.call.primitive = program::SoftmaxAttr::get(last->getContext());
  CallOperand operand{getElementTypeOrSelf(x.getType()), getShape(x), {}};
  match.call.operands = {operand, operand};
  match.inputs = {x};
  matches.push_back(std::move(match));
}
