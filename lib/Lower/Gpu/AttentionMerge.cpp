//===- AttentionMerge.cpp - merging of attention over parts of the keys ---===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attention.h"
#include "ContractionTile.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

constexpr int64_t kThreads = 128;

/// Each thread computes one element of the result. The sums of a part are
/// relative to the part's own largest logit.
GpuKernel tenon::lower::buildAttentionMerge(const GpuKernelPlace &place,
                                            const AttentionForm &form,
                                            const AttentionTile &tile) {
  LoopPlan plan;
  plan.numInputs = 2;
  plan.loops.emplace_back().output = 0;
  GpuKernelBuilder kernel(place, plan, kThreads);
  OpBuilder &b = kernel.builder;
  Location loc = kernel.loc;
  ExprEmitter sizes(b, loc, kernel.context);
  auto number = [&](double value) -> Value {
    return arith::ConstantOp::create(
        b, loc, b.getF32FloatAttr(static_cast<float>(value)));
  };
  Value zero = number(0), lowest = number(-INFINITY);
  // Without a mask, logits are in units of log 2.
  Value unit = number(form.mask ? llvm::numbers::log2e : 1.0);
  SymInt elements = form.matrices() * form.rows() * form.valueDepth;
  Value element = kernel.add(
      kernel.mul(kernel.block, kernel.constant(kThreads)), kernel.thread);
  auto emitElement = [&] {
    Value rows = sizes.emitSize(form.matrices() * form.rows());
    Value row = kernel.div(element, kernel.constant(form.valueDepth));
    Value all = sizes.emitSize(elements);
    Value first = kernel.constant(0), one = kernel.constant(1);
    Value splits = kernel.constant(tile.splits);
    auto loadTotals = [&](Value split) {
      Value position = kernel.add(kernel.mul(split, rows), row);
      Value pair = LLVM::LoadOp::create(
          b, loc, VectorType::get({2}, b.getF32Type()),
          offsetAddress(kernel, kernel.context.pointers[1],
                        kernel.mul(position, kernel.constant(8))),
          8u);
      return std::pair<Value, Value>(
          vector::ExtractOp::create(b, loc, pair, 0),
          vector::ExtractOp::create(b, loc, pair, 1));
    };
    SmallVector<Value> largest = kernel.emitFor(
        first, splits, one, {lowest},
        [&](Value split, ValueRange carried) -> SmallVector<Value> {
          return {arith::MaxNumFOp::create(b, loc, carried[0],
                                           loadTotals(split).first)};
        });
    Value isNone = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ,
                                         largest[0], lowest);
    Value shift = arith::SelectOp::create(b, loc, isNone, zero, largest[0]);
    SmallVector<Value> sums = kernel.emitFor(
        first, splits, one, {zero, zero},
        [&](Value split, ValueRange carried) -> SmallVector<Value> {
          auto [own, weights] = loadTotals(split);
          Value distance = arith::MulFOp::create(
              b, loc, arith::SubFOp::create(b, loc, own, shift), unit);
          Value factor = math::Exp2Op::create(b, loc, distance);
          Value position = kernel.add(kernel.mul(split, all), element);
          Value part = LLVM::LoadOp::create(
              b, loc, b.getF32Type(),
              offsetAddress(kernel, kernel.context.pointers[0],
                            kernel.mul(position, kernel.constant(4))),
              4u);
          return {math::FmaOp::create(b, loc, part, factor, carried[0]),
                  math::FmaOp::create(b, loc, weights, factor, carried[1])};
        });
    Value result = arith::DivFOp::create(b, loc, sums[0], sums[1]);
    if (!form.keys.getConstant()) {
      // If there are no keys, the sum of products is 0.
      Value isEmpty = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                            sizes.emitSize(form.keys), first);
      result = arith::SelectOp::create(b, loc, isEmpty, zero, result);
    }
    if (!form.type.isF32())
      result = arith::TruncFOp::create(b, loc, form.type, result);
    int64_t bytes = byteWidth(form.type);
    Value target = element;
    if (form.interleaved.result) {
      Value width = kernel.constant(form.valueDepth);
      Value count = sizes.emitSize(form.rows());
      target = kernel.add(
          kernel.mul(emitRowPosition(kernel, form, true, kernel.div(row, count),
                                     count, kernel.rem(row, count)),
                     width),
          kernel.rem(element, width));
    }
    LLVM::StoreOp::create(
        b, loc, result,
        offsetAddress(kernel, kernel.context.pointers[2],
                      kernel.mul(target, kernel.constant(bytes))),
        static_cast<unsigned>(bytes));
  };
  kernel.emitIf(kernel.less(element, sizes.emitSize(elements)), emitElement);
  return kernel.finish(elements.ceilDiv(kThreads));
}
