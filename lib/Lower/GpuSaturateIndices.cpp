//===- GpuSaturateIndices.cpp - keeps large indices large in 32 bits ------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Lower/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tenon::lower {
#define GEN_PASS_DEF_GPUSATURATEINDICES
#include "tenon/Lower/Passes.h.inc"
} // namespace tenon::lower

using namespace mlir;
using namespace tenon;

namespace {
struct GpuSaturateIndicesPass
    : lower::impl::GpuSaturateIndicesBase<GpuSaturateIndicesPass> {
  void runOnOperation() override;
};
} // namespace

/// Whether the number was an index already: then it has 32 bits.
static bool isIndex(Value number) {
  return number.getDefiningOp<arith::IndexCastOp>() ||
         number.getDefiningOp<arith::IndexCastUIOp>();
}

void GpuSaturateIndicesPass::runOnOperation() {
  auto saturate = [&](Operation *cast, bool isSigned) {
    Value number = cast->getOperand(0);
    Type type = number.getType();
    // Signed numbers of 32 bits fit, and unsigned ones of fewer do.
    unsigned width = type.isInteger() ? type.getIntOrFloatBitWidth() : 0;
    if (width < (isSigned ? 33u : 32u) || isIndex(number))
      return;
    OpBuilder builder(cast);
    Location loc = cast->getLoc();
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantIntOp::create(builder, loc, type, value);
    };
    Value most = constant(INT32_MAX);
    Value inside =
        isSigned
            ? arith::MinSIOp::create(builder, loc, number, most).getResult()
            : arith::MinUIOp::create(builder, loc, number, most).getResult();
    if (isSigned)
      inside =
          arith::MaxSIOp::create(builder, loc, inside, constant(INT32_MIN));
    cast->setOperand(0, inside);
    ++numSaturated;
  };
  getOperation()->walk([&](Operation *op) {
    if (op->getNumResults() != 1 || !op->getResult(0).getType().isIndex())
      return;
    if (isa<arith::IndexCastOp>(op))
      saturate(op, /*isSigned=*/true);
    else if (isa<arith::IndexCastUIOp>(op))
      saturate(op, /*isSigned=*/false);
  });
}
