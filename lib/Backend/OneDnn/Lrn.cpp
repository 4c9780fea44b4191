//===- Lrn.cpp - local response normalization as a call of oneDNN ---------===//
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

/// Returns the window along the last axis if the pool averages the squares of
/// neighbouring channels; 0 for other pools.
static int64_t getWindow(AvgPoolOp pool) {
  std::optional<SmallVector<int64_t>> kernel = pool.getKernel().getConstants(),
                                      strides =
                                          pool.getStrides().getConstants(),
                                      pads = pool.getPads().getConstants();
  if (!kernel || !strides || !pads || kernel->size() != 2 ||
      pool.getLayout() != Layout::ChannelsFirst || !pool.getCountIncludePad() ||
      pool.getCeilMode())
    return 0;
  int64_t size = kernel->back(), half = size / 2;
  bool isCentered = (*kernel)[0] == 1 && (*strides)[0] == 1 &&
                    (*strides)[1] == 1 && (*pads)[0] == 0 && (*pads)[2] == 0 &&
                    (*pads)[1] == half && (*pads)[3] == half;
  // oneDNN treats a window of even size as one channel smaller.
  return isCentered && size % 2 == 1 &&
                 pool.getDilations().getConstants() ==
                     SmallVector<int64_t>{1, 1}
             ? size
             : 0;
}

void tenon::backend::matchLrn(Operation *last,
                              SmallVectorImpl<FormMatch> &matches) {
  // Matches x / (k + alpha * mean(x * x)) ^ beta with channels last, which
  // graph-channels-last makes of lrn.
  auto quotient = dyn_cast<DivOp>(last);
  if (!quotient || !isF32(quotient.getResult()) ||
      getShape(quotient.getResult()).size() != 4)
    return;
  Structure form(last);
  Value x = quotient.getLhs(), scaled, mean;
  auto power = form.take<PowOp>(quotient.getRhs());
  std::optional<double> beta =
      power ? form.takeSplat(power.getRhs()) : std::nullopt;
  auto sum = beta ? form.take<AddOp>(power.getLhs()) : AddOp();
  std::optional<double> k = sum ? form.takeSplatOf(sum, scaled) : std::nullopt;
  auto product = k ? form.take<MulOp>(scaled) : MulOp();
  std::optional<double> alpha =
      product ? form.takeSplatOf(product, mean) : std::nullopt;
  auto pool = alpha ? form.take<AvgPoolOp>(mean) : AvgPoolOp();
  auto squares = pool ? form.take<MulOp>(pool.getInput()) : MulOp();
  if (!squares || squares.getLhs() != x || squares.getRhs() != x ||
      !form.isClosed())
    return;
  // Other powers run in reference code. For this power oneDNN cubes the sum,
  // which must not underflow.
  int64_t window = getWindow(pool);
  if (window == 0 || *beta != 0.75 || *alpha < 0 || *k < 1e-9)
    return;
  FormMatch match;
  match.subgraph.ops.assign(form.getOps().begin(), form.getOps().end());
  match.subgraph.pattern = "lrn";
  auto number = [](double value) { return APFloat(static_cast<float>(value)); };
  match.call.primitive = program::LrnAttr::get(
      last->getContext(), window, number(*alpha), number(*beta), number(*k));
  Shape shape = getShape(x);
  CallOperand operand{getElementTypeOrSelf(x.getType()),
                      {shape[0], shape[3], shape[1], shape[2]},
                      {0, 2, 3, 1}};
  match.call.operands = {operand, operand};
  match.inputs = {x};
  matches.push_back(std::move(match));
}
