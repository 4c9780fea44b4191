//===- ProductCall.cpp - matmuls and convolutions by oneDNN ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductCall.h"

#include "CallPlan.h"
#include "PostOps.h"

#include <cfenv>
#include <cstring>

using namespace tenon::artifact;

namespace tenon::runtime {

/// Counts the work of the call without its epilogue.
double ProductCall::countWork(const std::vector<CallOperand> &operands) const {
  auto volume = [](const CallOperand &operand) {
    double product = 1;
    for (int64_t size : operand.dims)
      product *= static_cast<double>(size);
    return product;
  };
  const CallOperand &lhs = operands[0], &rhs = operands[1];
  const CallOperand &result = operands.back();
  if (call.primitive == TENON_PRIMITIVE_MATMUL)
    return volume(result) * static_cast<double>(lhs.dims.back());
  // Every weight is used once per position: of the result, or of the input.
  bool forward = call.primitive == TENON_PRIMITIVE_CONV;
  const CallOperand &positions = forward ? result : lhs;
  return volume(rhs) * volume(positions) /
         static_cast<double>(positions.dims[1]);
}

bool ProductCall::addsInPlace() const {
  int32_t last = call.num_operands - 1;
  return call.num_post_ops == 1 && call.post_ops[0].kind == TENON_POST_OP_ADD &&
         step.buffers[last - 1] == step.buffers[last];
}

/// Returns whether a binary post-op reads a whole tensor, not one element per
/// channel.
bool ProductCall::addsTensor(const std::vector<CallOperand> &operands) const {
  for (size_t i = firstPostOperand(call); i + 1 < operands.size(); ++i)
    if (operands[i].dims == operands.back().dims)
      return true;
  return false;
}

Status ProductCall::makePlan(CallPlan &plan, std::vector<CallOperand> operands,
                             const void *rawWeight) {
  if (operands[0].isEmpty() || operands[1].isEmpty())
    return planEmptySum(plan, std::move(operands));
  // With channels last, oneDNN 2.6.3 adds a whole tensor 3 to 8 % faster after
  // its brgemm matmul than after its 1x1 convolution, which does not use brgemm
  // then.
  std::vector<CallOperand> rows = operands;
  if (shapeConvAsMatmul(call, rows) && addsTensor(rows)) {
    plan.isMatmul = true;
    Status status = choosePrimitive(plan, rows);
    if (status && plan.implementation.compare(0, 3, "brg") == 0)
      return bindOperands(plan, rows, rawWeight);
  }
  plan.isMatmul = call.primitive == TENON_PRIMITIVE_MATMUL;
  if (plan.isMatmul)
    shapeMatmul(call, operands);
  else
    shapeConv(call, operands);
  const CallOperand &result = operands.back();
  for (size_t i = firstPostOperand(call); i + 1 < operands.size(); ++i)
    for (size_t axis = 0; axis < result.dims.size(); ++axis)
      if (operands[i].dims[axis] != 1 &&
          operands[i].dims[axis] != result.dims[axis])
        return fail(concat("expected operand ", i, " to broadcast to ",
                           formatShape(result.dims), ", but got ",
                           formatShape(operands[i].dims)));
  if (Status status = choosePrimitive(plan, operands); !status)
    return status;
  return bindOperands(plan, operands, rawWeight);
}

/// oneDNN refuses operands without elements. In this case every sum is empty:
/// the result is 0, before the bias and the epilogue.
Status ProductCall::planEmptySum(CallPlan &plan,
                                 std::vector<CallOperand> operands) const {
  if (addsInPlace()) {
    plan.isEmpty = true; // nothing is added
    return Status::success();
  }
  plan.implementation = "zeros";
  const CallOperand result = operands.back();
  plan.zeroedBytes = sizeof(float);
  for (int64_t size : result.dims)
    plan.zeroedBytes *= static_cast<size_t>(size);
  int32_t last = call.num_operands - 1, operand = 2;
  plan.tail.start(result, last);
  if (hasBias(call)) {
    // A bias of a convolution has one element per channel.
    CallOperand &bias = operands[operand];
    if (call.primitive != TENON_PRIMITIVE_MATMUL && bias.rank() == 1) {
      bias.dims.insert(bias.dims.end(), result.rank() - 2, 1);
      bias.strides.insert(bias.strides.end(), result.rank() - 2, 1);
    }
    bias.extendTo(result.rank());
    if (!plan.tail.add({TENON_POST_OP_ADD, 0, 0}, &bias, operand++))
      return fail("the bias of an empty sum is not supported");
  }
  for (int32_t i = 0; i < call.num_post_ops; ++i) {
    int32_t position = isBinaryPostOp(call.post_ops[i].kind) ? operand++ : -1;
    if (position >= 0)
      operands[position].extendTo(result.rank());
    if (!plan.tail.add(call.post_ops[i],
                       position < 0 ? nullptr : &operands[position], position))
      return fail("the post-ops of an empty sum are not supported");
  }
  return Status::success();
}

Status ProductCall::bindOperands(CallPlan &plan,
                                 const std::vector<CallOperand> &operands,
                                 const void *rawWeight) {
  int32_t last = call.num_operands - 1;
  if (Status status = addOperand(plan, DNNL_ARG_SRC, 0, operands[0]); !status)
    return status;
  if (Status status = addOperand(plan, DNNL_ARG_DST, last, operands[last]);
      !status)
    return status;
  if (hasBias(call))
    if (Status status = addOperand(plan, DNNL_ARG_BIAS, 2, operands[2]);
        !status)
      return status;
  if (!addsInPlace())
    if (Status status =
            addPostOpOperands(plan, operands, firstPostOperand(call),
                              /*earlier=*/0);
        !status)
      return status;
  if (Status status = bindWeight(plan, operands[1], rawWeight); !status)
    return status;
  return addScratch(plan);
}

Status ProductCall::bindWeight(CallPlan &plan, const CallOperand &operand,
                               const void *rawWeight) {
  const OneDnn &dnnl = context.dnnl();
  // A weight whose layout differs from the raw one is packed: once if it is
  // constant, otherwise at every call.
  dnnl_memory_desc_t plain;
  if (!describe(dnnl, operand, plain))
    return fail("oneDNN refuses the layout of the weight");
  const dnnl_memory_desc_t wanted = *dnnl.primitive_desc_query_md(
      plan.descriptor.get(), dnnl_query_weights_md, 0);
  bool same = dnnl.memory_desc_equal(&plain, &wanted);
  if (same && (rawWeight || !call.constant_weight)) {
    usesRaw = true;
    return addMemory(plan, DNNL_ARG_WEIGHTS, 1, plain);
  }
  if (!call.constant_weight)
    return addConverted(plan, DNNL_ARG_WEIGHTS, plain, wanted, wanted);
  if (Status status = addMemory(plan, DNNL_ARG_WEIGHTS, -1, wanted); !status)
    return status;
  Expected<const void *> packed = context.pack(
      step.buffers[1], "plain",
      [&] { return Expected<const void *>(rawWeight); }, plain, wanted);
  if (!packed)
    return fail(packed.error());
  hasPacked = true;
  dnnl.memory_set_data_handle(plan.arguments.back().memory.get(),
                              const_cast<void *>(*packed));
  return Status::success();
}

int ProductCall::watchedExceptions(const CallPlan &plan) const {
  return dropsNan(call, plan.fusedPostOps) ? FE_INVALID : 0;
}

Status ProductCall::executeCarefully(CallPlan &plan, void *const *buffers) {
  if (!plan.careful) {
    auto careful = std::make_unique<CallPlan>();
    careful->mayFuse = 0;
    while (!dropsNan(call, careful->mayFuse + 1))
      ++careful->mayFuse;
    if (Status status =
            makePlan(*careful, plan.operands, usesRaw ? buffers[1] : nullptr);
        !status)
      return status;
    plan.careful = std::move(careful);
  }
  return execute(*plan.careful, buffers);
}

Status ProductCall::execute(CallPlan &plan, void *const *buffers) {
  if (plan.zeroedBytes > 0) {
    std::memset(buffers[call.num_operands - 1], 0, plan.zeroedBytes);
    if (!plan.tail.isEmpty())
      plan.tail.run(buffers);
    return Status::success();
  }
  if (plan.reorder) {
    Expected<char *> data = findConverted(plan);
    if (!data)
      return data.takeError();
    if (Status status = plan.reorder->run(context, buffers[1], *data); !status)
      return fail(status.error());
  }
  return OneDnnCall::execute(plan, buffers);
}

} // namespace tenon::runtime
