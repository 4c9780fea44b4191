//===- LayerNormCall.cpp - layer normalization by oneDNN ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallPlan.h"

using namespace tenon::artifact;

namespace tenon::runtime {

namespace {
class LayerNormCall : public OneDnnCall {
public:
  LayerNormCall(const tenon_step &step, DnnlContext &context)
      : OneDnnCall(step, context) {}

protected:
  Status makePlan(CallPlan &plan, std::vector<CallOperand> operands,
                  const void *rawWeight) override;
  double countWork(const std::vector<CallOperand> &operands) const override;
};
} // namespace

double
LayerNormCall::countWork(const std::vector<CallOperand> &operands) const {
  double work = 4;
  for (int64_t size : operands.back().dims)
    work *= static_cast<double>(size);
  return work;
}

Status LayerNormCall::makePlan(CallPlan &plan,
                               std::vector<CallOperand> operands,
                               const void *) {
  const OneDnn &dnnl = context.dnnl();
  int32_t last = call.num_operands - 1;
  CallOperand &input = operands[0], &result = operands[last];
  if (input.dims != result.dims || input.rank() < 1 ||
      !input.isContiguous(0, input.rank()) ||
      !result.isContiguous(0, result.rank()))
    return fail(concat("expected one row-major shape, but got ",
                       formatShape(input.dims), " and ",
                       formatShape(result.dims)));
  for (int32_t i = 1; i < last; ++i)
    if (operands[i].dims != std::vector<int64_t>{result.dims.back()})
      return fail(concat("expected scale and shift of ", result.dims.back(),
                         " elements, but got ", formatShape(operands[i].dims)));
  for (CallOperand *operand : {&input, &result}) {
    operand->extendTo(2);
    operand->merge(0, operand->rank() - 1);
  }
  dnnl_memory_desc_t layout;
  if (!describe(dnnl, input, layout))
    return fail("oneDNN refuses the layout of an operand");
  unsigned flags =
      (last > 1 ? dnnl_use_scale : 0u) | (last > 2 ? dnnl_use_shift : 0u);
  dnnl_layer_normalization_desc_t description;
  dnnl_status_t status = dnnl.layer_normalization_forward_desc_init(
      &description, dnnl_forward_inference, &layout, /*stat_desc=*/nullptr,
      getFields<tenon_layer_norm>(call).epsilon, flags);
  if (Status created = createPlainPrimitive(plan, status, &description);
      !created)
    return created;
  const int arguments[] = {DNNL_ARG_SRC, DNNL_ARG_SCALE, DNNL_ARG_SHIFT};
  for (int32_t i = 0; i < last; ++i)
    if (Status added = addOperand(plan, arguments[i], i, operands[i]); !added)
      return added;
  if (Status added = addOperand(plan, DNNL_ARG_DST, last, result); !added)
    return added;
  return addScratch(plan);
}

std::unique_ptr<OneDnnCall> makeLayerNormCall(const tenon_step &step,
                                              DnnlContext &context) {
  return std::make_unique<LayerNormCall>(step, context);
}

} // namespace tenon::runtime
