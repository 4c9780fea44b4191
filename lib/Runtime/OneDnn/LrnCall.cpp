//===- LrnCall.cpp - local response normalization by oneDNN ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallPlan.h"

#include "tenon/Runtime/Parallel.h"

#include <algorithm>
#include <cfenv>
#include <cmath>

using namespace tenon::artifact;

namespace tenon::runtime {

namespace {
class LrnCall : public OneDnnCall {
public:
  LrnCall(const tenon_step &step, DnnlContext &context)
      : OneDnnCall(step, context) {}

protected:
  Status makePlan(CallPlan &plan, std::vector<CallOperand> operands,
                  const void *rawWeight) override;
  double countWork(const std::vector<CallOperand> &operands) const override;
  /// oneDNN computes the power 3/4 by roots of the cube, which overflows for
  /// bases whose power does not.
  int watchedExceptions(const CallPlan &) const override { return FE_OVERFLOW; }
  Status executeCarefully(CallPlan &plan, void *const *buffers) override;

private:
  struct Loop {
    const tenon_call &call;
    const CallOperand &operand; // channels last: all have the same strides
    const float *from;
    float *to;
  };

  static void computeRows(void *data, int thread, int64_t lo, int64_t hi);
};
} // namespace

double LrnCall::countWork(const std::vector<CallOperand> &operands) const {
  const auto &lrn = getFields<tenon_lrn>(call);
  double work = static_cast<double>(lrn.window) + 8; // roots and a quotient
  for (int64_t size : operands.back().dims)
    work *= static_cast<double>(size);
  return work;
}

Status LrnCall::makePlan(CallPlan &plan, std::vector<CallOperand> operands,
                         const void *) {
  const OneDnn &dnnl = context.dnnl();
  const CallOperand &input = operands[0];
  // oneDNN's code for channels first keeps a running sum that a NaN never
  // leaves.
  if (input.dims != operands[1].dims || input.strides != operands[1].strides ||
      input.rank() != 4 || input.strides[1] != 1)
    return fail(concat("expected one shape with channels last, but got ",
                       formatShape(input.dims), " and ",
                       formatShape(operands[1].dims)));
  dnnl_memory_desc_t layout;
  if (!describe(dnnl, input, layout))
    return fail("oneDNN refuses the layout of an operand");
  const auto &lrn = getFields<tenon_lrn>(call);
  dnnl_lrn_desc_t description;
  dnnl_status_t status = dnnl.lrn_forward_desc_init(
      &description, dnnl_forward_inference, dnnl_lrn_across_channels, &layout,
      lrn.window, lrn.alpha, lrn.beta, lrn.k);
  if (Status created = createPlainPrimitive(plan, status, &description);
      !created)
    return created;
  if (Status added = addOperand(plan, DNNL_ARG_SRC, 0, input); !added)
    return added;
  if (Status added = addOperand(plan, DNNL_ARG_DST, 1, input); !added)
    return added;
  return addScratch(plan);
}

void LrnCall::computeRows(void *data, int, int64_t lo, int64_t hi) {
  const Loop &loop = *static_cast<const Loop *>(data);
  const auto &lrn = getFields<tenon_lrn>(loop.call);
  int64_t channels = loop.operand.dims[1], half = lrn.window / 2;
  for (int64_t row = lo; row < hi; ++row) {
    const float *from = loop.from + row * channels;
    float *to = loop.to + row * channels;
    for (int64_t c = 0; c < channels; ++c) {
      float squares = 0;
      for (int64_t i = std::max<int64_t>(0, c - half);
           i < std::min(channels, c + half + 1); ++i)
        squares += from[i] * from[i];
      float mean = squares / static_cast<float>(lrn.window);
      to[c] = from[c] / std::pow(lrn.k + lrn.alpha * mean, lrn.beta);
    }
  }
}

Status LrnCall::executeCarefully(CallPlan &plan, void *const *buffers) {
  const CallOperand &operand = plan.operands[1];
  Loop loop{call, operand, static_cast<const float *>(buffers[0]),
            static_cast<float *>(buffers[1])};
  parallelFor(operand.dims[0] * operand.dims[2] * operand.dims[3], 16,
              defaultThreads(), computeRows, &loop);
  return Status::success();
}

std::unique_ptr<OneDnnCall> makeLrnCall(const tenon_step &step,
                                        DnnlContext &context) {
  return std::make_unique<LrnCall>(step, context);
}

} // namespace tenon::runtime
