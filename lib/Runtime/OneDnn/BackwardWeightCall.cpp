//===- BackwardWeightCall.cpp - gradients of convolution weights ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallPlan.h"

#include <cstring>

using namespace tenon::artifact;

namespace tenon::runtime {

namespace {
class BackwardWeightCall : public OneDnnCall {
public:
  BackwardWeightCall(const tenon_step &step, DnnlContext &context)
      : OneDnnCall(step, context) {}

protected:
  Status makePlan(CallPlan &plan, std::vector<CallOperand> operands,
                  const void *rawWeight) override;
  double countWork(const std::vector<CallOperand> &operands) const override;
  Status execute(CallPlan &plan, void *const *buffers) override;

private:
  int64_t findEnd(const std::vector<CallOperand> &operands, int32_t axis) const;
  Status describePrimitive(CallPlan &plan,
                           const std::vector<CallOperand> &operands) const;
  Status bindResult(CallPlan &plan, const CallOperand &result) const;
};
} // namespace

/// Every weight is used once per position of the cotangent.
double
BackwardWeightCall::countWork(const std::vector<CallOperand> &operands) const {
  double work = 1;
  for (int64_t size : operands.back().dims)
    work *= static_cast<double>(size);
  const CallOperand &cotangent = operands[1];
  for (size_t axis = 0; axis < cotangent.dims.size(); ++axis)
    if (axis != 1)
      work *= static_cast<double>(cotangent.dims[axis]);
  return work;
}

/// Returns the position behind the last element that a window reaches, counted
/// from the begin of the input.
int64_t BackwardWeightCall::findEnd(const std::vector<CallOperand> &operands,
                                    int32_t axis) const {
  const auto &conv = getFields<tenon_convolution>(call);
  const CallOperand &weight = operands[2];
  int64_t kernel = weight.dims[weight.rank() - conv.num_spatial + axis];
  return (operands[1].dims[2 + axis] - 1) * conv.strides[axis] +
         (kernel - 1) * conv.dilations[axis] + 1 - conv.pads_begin[axis];
}

Status BackwardWeightCall::describePrimitive(
    CallPlan &plan, const std::vector<CallOperand> &operands) const {
  const OneDnn &dnnl = context.dnnl();
  CallOperand input = operands[0];
  const CallOperand &cotangent = operands[1], &weight = operands[2];
  const auto &conv = getFields<tenon_convolution>(call);
  dnnl_dims_t strides, dilations, begins, ends;
  for (int32_t i = 0; i < conv.num_spatial; ++i) {
    strides[i] = conv.strides[i];
    dilations[i] = conv.dilations[i] - 1;
    begins[i] = conv.pads_begin[i];
    int64_t end = findEnd(operands, i), &rows = input.dims[2 + i];
    // oneDNN does not expect rows behind the last window, except those that
    // the stride leaves over.
    if (end - rows <= -strides[i])
      rows = end;
    ends[i] = end - rows;
  }
  dnnl_memory_desc_t source, target;
  if (!describe(dnnl, input, source) || !describe(dnnl, cotangent, target))
    return fail("oneDNN refuses the layout of an operand");
  // oneDNN is many times slower on weights in other layouts than its own.
  dnnl_memory_desc_t result = describeAny(weight);
  dnnl_convolution_desc_t description;
  dnnl_status_t status = dnnl.dilated_convolution_backward_weights_desc_init(
      &description, dnnl_convolution_direct, &source, &result, nullptr, &target,
      strides, dilations, begins, ends);
  if (Status created = createPlainPrimitive(plan, status, &description);
      !created)
    return created;
  if (Status added = addMemory(plan, DNNL_ARG_SRC, 0, source); !added)
    return added;
  return addMemory(plan, DNNL_ARG_DIFF_DST, 1, target);
}

/// Binds the result. If the primitive wants another layout than the call's, the
/// plan converts it after each run.
Status BackwardWeightCall::bindResult(CallPlan &plan,
                                      const CallOperand &result) const {
  const OneDnn &dnnl = context.dnnl();
  dnnl_memory_desc_t plain;
  if (!describe(dnnl, result, plain))
    return fail("oneDNN refuses the layout of the result");
  const dnnl_memory_desc_t wanted = *dnnl.primitive_desc_query_md(
      plan.descriptor.get(), dnnl_query_diff_weights_md, 0);
  if (dnnl.memory_desc_equal(&plain, &wanted))
    return addMemory(plan, DNNL_ARG_DIFF_WEIGHTS, 2, plain);
  return addConverted(plan, DNNL_ARG_DIFF_WEIGHTS, wanted, plain, wanted);
}

Status BackwardWeightCall::makePlan(CallPlan &plan,
                                    std::vector<CallOperand> operands,
                                    const void *) {
  const auto &conv = getFields<tenon_convolution>(call);
  bool isZero = operands[0].isEmpty() || operands[1].isEmpty();
  for (int32_t axis = 0; axis < conv.num_spatial && !isZero; ++axis)
    isZero = findEnd(operands, axis) <= 0;
  if (isZero) {
    plan.implementation = "zeros";
    plan.zeroedBytes = sizeof(float);
    for (int64_t size : operands[2].dims)
      plan.zeroedBytes *= static_cast<size_t>(size);
    return Status::success();
  }
  splitGroups(call, operands[2]);
  if (Status described = describePrimitive(plan, operands); !described)
    return described;
  if (Status bound = bindResult(plan, operands[2]); !bound)
    return bound;
  return addScratch(plan);
}

Status BackwardWeightCall::execute(CallPlan &plan, void *const *buffers) {
  if (plan.zeroedBytes > 0) {
    std::memset(buffers[2], 0, plan.zeroedBytes);
    return Status::success();
  }
  if (Status ran = OneDnnCall::execute(plan, buffers); !ran || !plan.reorder)
    return ran;
  Expected<char *> data = findConverted(plan);
  if (!data)
    return data.takeError();
  Status converted = plan.reorder->run(context, *data, buffers[2]);
  return converted ? std::move(converted) : fail(converted.error());
}

std::unique_ptr<OneDnnCall> makeBackwardWeightCall(const tenon_step &step,
                                                   DnnlContext &context) {
  return std::make_unique<BackwardWeightCall>(step, context);
}

} // namespace tenon::runtime
