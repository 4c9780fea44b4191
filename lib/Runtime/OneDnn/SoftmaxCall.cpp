//===- SoftmaxCall.cpp - softmax by oneDNN --------------------------------===//
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
#include <limits>

using namespace tenon::artifact;

namespace tenon::runtime {

namespace {
class SoftmaxCall : public OneDnnCall {
public:
  SoftmaxCall(const tenon_step &step, DnnlContext &context)
      : OneDnnCall(step, context) {}

protected:
  Status makePlan(CallPlan &plan, std::vector<CallOperand> operands,
                  const void *rawWeight) override;
  double countWork(const std::vector<CallOperand> &operands) const override;
  /// A NaN in a row must make the whole row NaN; oneDNN 2.6.3 returns numbers
  /// for its other elements, or for all of them.
  int watchedExceptions(const CallPlan &) const override { return FE_INVALID; }
  Status executeCarefully(CallPlan &plan, void *const *buffers) override;

private:
  struct Rows {
    const float *from;
    float *to;
    int64_t size;
  };

  static void computeRows(void *data, int thread, int64_t lo, int64_t hi);
};
} // namespace

double SoftmaxCall::countWork(const std::vector<CallOperand> &operands) const {
  double work = 8; // an exponential
  for (int64_t size : operands.back().dims)
    work *= static_cast<double>(size);
  return work;
}

Status SoftmaxCall::makePlan(CallPlan &plan, std::vector<CallOperand> operands,
                             const void *) {
  const OneDnn &dnnl = context.dnnl();
  CallOperand &input = operands[0], &result = operands[1];
  if (input.dims != result.dims || input.rank() < 1 ||
      !input.isContiguous(0, input.rank()) ||
      !result.isContiguous(0, result.rank()))
    return fail(concat("expected one row-major shape, but got ",
                       formatShape(input.dims), " and ",
                       formatShape(result.dims)));
  for (CallOperand *operand : {&input, &result}) {
    operand->extendTo(2);
    operand->merge(0, operand->rank() - 1);
  }
  dnnl_memory_desc_t source, target;
  if (!describe(dnnl, input, source) || !describe(dnnl, result, target))
    return fail("oneDNN refuses the layout of an operand");
  dnnl_softmax_v2_desc_t description;
  dnnl_status_t status = dnnl.softmax_v2_forward_desc_init(
      &description, dnnl_forward_inference, dnnl_softmax_accurate, &source,
      &target, /*axis=*/1);
  if (Status created = createPlainPrimitive(plan, status, &description);
      !created)
    return created;
  if (Status added = addOperand(plan, DNNL_ARG_SRC, 0, input); !added)
    return added;
  if (Status added = addOperand(plan, DNNL_ARG_DST, 1, result); !added)
    return added;
  return addScratch(plan);
}

void SoftmaxCall::computeRows(void *data, int, int64_t lo, int64_t hi) {
  const Rows &rows = *static_cast<const Rows *>(data);
  for (int64_t row = lo; row < hi; ++row) {
    const float *from = rows.from + row * rows.size;
    float *to = rows.to + row * rows.size;
    float largest = -std::numeric_limits<float>::infinity();
    for (int64_t i = 0; i < rows.size && !std::isnan(largest); ++i)
      largest = from[i] > largest || std::isnan(from[i]) ? from[i] : largest;
    float sum = 0;
    for (int64_t i = 0; i < rows.size; ++i) {
      to[i] = std::exp(from[i] - largest);
      sum += to[i];
    }
    for (int64_t i = 0; i < rows.size; ++i)
      to[i] /= sum;
  }
}

Status SoftmaxCall::executeCarefully(CallPlan &plan, void *const *buffers) {
  const std::vector<int64_t> &dims = plan.operands[1].dims;
  Rows rows{static_cast<const float *>(buffers[0]),
            static_cast<float *>(buffers[1]), dims.back()};
  int64_t count = 1;
  for (int64_t size : dims)
    count *= size;
  parallelFor(count / rows.size, std::max<int64_t>(1, 1024 / rows.size),
              defaultThreads(), computeRows, &rows);
  return Status::success();
}

std::unique_ptr<OneDnnCall> makeSoftmaxCall(const tenon_step &step,
                                            DnnlContext &context) {
  return std::make_unique<SoftmaxCall>(step, context);
}

} // namespace tenon::runtime
