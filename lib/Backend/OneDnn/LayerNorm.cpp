//===- LayerNorm.cpp - layer normalization as a call of oneDNN ------------===//
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

/// For sum(x) / n, where n is the size of the last axis, returns x.
static Value takeMean(Structure &form, Value mean) {
  auto quotient = form.take<DivOp>(mean);
  std::optional<double> count =
      quotient ? form.takeSplat(quotient.getRhs()) : std::nullopt;
  Value x = count ? form.takeSum(quotient.getLhs()) : Value();
  std::optional<int64_t> size =
      x ? getShape(x).back().getConstant() : std::nullopt;
  return size && *count == static_cast<double>(*size) ? x : Value();
}

namespace {
/// A partially matched normalization.
struct Found {
  Structure form;
  Operation *last;
  FormMatch match;
};
} // namespace

/// Adds the product with a scale, or the sum with a shift, if it is the only
/// reader of the end of the subgraph.
template <typename OpTy> static bool extend(Found &found) {
  Value end = found.last->getResult(0);
  if (!end.hasOneUse())
    return false;
  auto user = dyn_cast<OpTy>(*end.getUsers().begin());
  if (!user)
    return false;
  Structure form(user);
  for (Operation *op : found.form.getOps())
    form.add(op);
  Value other = user.getLhs() == end ? user.getRhs() : user.getLhs();
  Value vector = form.takeVector(other);
  if (!vector || getSplat(vector) || !form.isClosed())
    return false;
  FormMatch &match = found.match;
  match.inputs.push_back(vector);
  match.call.operands.push_back(
      {getElementTypeOrSelf(vector.getType()), {getShape(vector).back()}, {}});
  match.subgraph.pattern += "+" + user->getName().stripDialect().str();
  found.form = std::move(form);
  found.last = user;
  return true;
}

void tenon::backend::matchLayerNorm(Operation *quotient,
                                    SmallVectorImpl<FormMatch> &matches) {
  // c / sqrt(mean(c * c) + epsilon) with c = x - mean(x), times a scale, plus a
  // shift.
  if (!isa<DivOp>(quotient) || !isF32(quotient->getResult(0)))
    return;
  Structure form(quotient);
  auto centered = form.take<SubOp>(quotient->getOperand(0));
  auto root = form.take<SqrtOp>(form.takeRows(quotient->getOperand(1)));
  if (!centered || !root)
    return;
  Value variance = root.getX();
  double epsilon = 0;
  if (auto sum = form.take<AddOp>(variance)) {
    std::optional<double> added = form.takeSplatOf(sum, variance);
    if (!added || *added < 0)
      return;
    epsilon = *added;
  }
  auto squares = form.take<MulOp>(takeMean(form, variance));
  if (!squares || squares.getLhs() != centered.getResult() ||
      squares.getRhs() != centered.getResult())
    return;
  Value x = takeMean(form, form.takeRows(centered.getRhs()));
  if (!x || x != centered.getLhs() || !form.isClosed())
    return;
  Found found{std::move(form), quotient, {}};
  found.match.subgraph.pattern = "layer_norm";
  found.match.call.primitive = program::LayerNormAttr::get(
      quotient->getContext(), APFloat(static_cast<float>(epsilon)));
  CallOperand operand{getElementTypeOrSelf(x.getType()), getShape(x), {}};
  found.match.call.operands = {operand};
  found.match.inputs = {x};
  auto append = [&] {
    FormMatch match = found.match;
    match.subgraph.ops.assign(found.form.getOps().begin(),
                              found.form.getOps().end());
    // The root comes first, as in the subgraphs with shorter epilogues.
    std::iter_swap(match.subgraph.ops.begin(),
                   llvm::find(match.subgraph.ops, quotient));
    match.call.operands.push_back(operand);
    matches.push_back(std::move(match));
  };
  append();
  if (!extend<MulOp>(found))
    return;
  append();
  if (extend<AddOp>(found))
    append();
}
