//===- Dropout.cpp - dropout in training ----------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TrainStep.h"

#include "tenon/Artifact/Philox.h"
#include "tenon/Dialect/Graph/IR/Compose.h"
#include "tenon/Dialect/Graph/IR/StateOps.h"

#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::differentiate;

/// The position of each element of a tensor of this shape, in row-major order.
static Value numberElements(Compose &c, const Shape &shape) {
  SymInt count(1);
  for (const SymInt &size : shape)
    count = count * size;
  MLIRContext *context = c.builder.getContext();
  Value numbers = c.op<IotaOp>(DimsAttr::get(context, Shape{count}),
                               c.builder.getI64IntegerAttr(0),
                               TypeAttr::get(c.builder.getI64Type()));
  return c.reshape(numbers, shape);
}

void tenon::differentiate::dropElements(func::FuncOp entry, uint64_t seed) {
  for (auto dropout :
       llvm::make_early_inc_range(entry.getOps<graph::DropoutOp>())) {
    OpBuilder builder(dropout);
    Location loc = dropout.getLoc();
    Compose c(builder, loc);
    Value x = dropout.getX();
    double kept = 1 - dropout.getRatio().convertToDouble();
    // An element is kept if 64 bits, as a signed number, are below the limit.
    double limit = std::ldexp(kept - 0.5, 64);
    if (limit >= std::ldexp(1, 63)) {
      dropout.replaceAllUsesWith(x);
      dropout.erase();
      continue;
    }
    // The key of a step has the step as its counter, so that no two steps and
    // no two streams share bits.
    Type i64 = builder.getI64Type();
    Value step = ReadStateOp::create(
        builder, loc, RankedTensorType::get({}, i64), kStepState);
    uint64_t stream = artifact::streamKey(seed, dropout.getStream());
    Value key =
        c.op<RandomBitsOp>(step, c.full(static_cast<int64_t>(stream), i64, {}));
    Shape shape = getShape(x);
    Value bits =
        c.op<RandomBitsOp>(numberElements(c, shape), c.broadcast(key, shape));
    Value isKept =
        c.op<LessOp>(bits, c.full(static_cast<int64_t>(limit), i64, shape));
    Value result = c.op<WhereOp>(isKept, c.mul(x, c.fullLike(1 / kept, x)),
                                 c.fullLike(0, x));
    dropout.replaceAllUsesWith(result);
    dropout.erase();
  }
}
