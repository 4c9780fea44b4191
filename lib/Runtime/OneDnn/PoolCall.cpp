//===- PoolCall.cpp - pools computed by oneDNN ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallPlan.h"
#include "PostOps.h"

#include "tenon/Runtime/Parallel.h"

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <limits>

using namespace tenon::artifact;

namespace tenon::runtime {

namespace {
class PoolCall : public OneDnnCall {
public:
  PoolCall(const tenon_step &step, DnnlContext &context)
      : OneDnnCall(step, context) {}

protected:
  Status makePlan(CallPlan &plan, std::vector<CallOperand> operands,
                  const void *rawWeight) override;
  double countWork(const std::vector<CallOperand> &operands) const override;
  int watchedExceptions(const CallPlan &plan) const override;
  Status executeCarefully(CallPlan &plan, void *const *buffers) override;

private:
  struct Loop;

  static void computeElements(void *data, int thread, int64_t lo, int64_t hi);

  bool isMax() const { return call.primitive == TENON_PRIMITIVE_MAX_POOL; }
  int32_t countFusable(const std::vector<CallOperand> &operands) const;
  Status createPool(CallPlan &plan,
                    const std::vector<CallOperand> &operands) const;
};
} // namespace

double PoolCall::countWork(const std::vector<CallOperand> &operands) const {
  const auto &pool = getFields<tenon_pool>(call);
  double work = 1;
  for (int64_t size : operands.back().dims)
    work *= static_cast<double>(size);
  for (int32_t i = 0; i < pool.num_spatial; ++i)
    work *= static_cast<double>(pool.window[i]);
  return work;
}

/// Counts the post-ops before the first one that oneDNN runs in its reference
/// code or computes incorrectly.
int32_t PoolCall::countFusable(const std::vector<CallOperand> &operands) const {
  size_t operand = 1;
  int32_t distinct = countDistinct(call);
  for (int32_t i = 0; i < distinct; ++i) {
    // The maximum itself needs a linear post-op.
    if (isMax() && call.post_ops[i].kind == TENON_POST_OP_LINEAR)
      return i;
    if (!isBinaryPostOp(call.post_ops[i].kind))
      continue;
    const CallOperand &other = operands[operand++];
    if (!isPlainBroadcast(other, operands.back(), /*channelAxis=*/1) ||
        !isOrderedLike(other, operands.back()))
      return i;
  }
  return distinct;
}

Status PoolCall::createPool(CallPlan &plan,
                            const std::vector<CallOperand> &operands) const {
  const OneDnn &dnnl = context.dnnl();
  dnnl_memory_desc_t source, result;
  if (!describe(dnnl, operands[0], source) ||
      !describe(dnnl, operands.back(), result))
    return fail("oneDNN refuses the layout of an operand");
  DnnlHandle<dnnl_post_ops_t> postOps(dnnl.post_ops_destroy);
  dnnl_status_t status = dnnl.post_ops_create(postOps.out());
  // oneDNN initializes the maximum with the lowest finite number, and returns
  // it if all elements of a window are minus infinity. Doubling turns it into
  // minus infinity, and raises FE_OVERFLOW. Halving then restores all but the
  // largest numbers (adding -0 keeps the sign of zero).
  if (status == dnnl_success && isMax())
    status = dnnl.post_ops_append_eltwise(postOps.get(), /*scale=*/0.5f,
                                          dnnl_eltwise_linear, 2.0f, -0.0f);
  if (status != dnnl_success)
    return fail(oneDnnStatusText(status));
  if (Status added =
          addPostOps(dnnl, call, operands, 1, plan.fusedPostOps, postOps.get());
      !added)
    return fail(added.error());
  DnnlHandle<dnnl_primitive_attr_t> attributes;
  if (Status created = createAttributes(attributes, postOps.get()); !created)
    return created;

  const auto &pool = getFields<tenon_pool>(call);
  dnnl_dims_t window, strides, begins, ends;
  for (int32_t i = 0; i < pool.num_spatial; ++i) {
    window[i] = pool.window[i];
    strides[i] = pool.strides[i];
    begins[i] = pool.pads_begin[i];
    // Computed from the sizes: rounding down leaves a remainder, and rounding
    // up exceeds the input.
    int64_t in = operands[0].dims[2 + i], out = operands.back().dims[2 + i];
    ends[i] = std::max<int64_t>(0, (out - 1) * strides[i] + window[i] - in -
                                       begins[i]);
  }
  dnnl_alg_kind_t kind = isMax()            ? dnnl_pooling_max
                         : pool.counts_pads ? dnnl_pooling_avg_include_padding
                                            : dnnl_pooling_avg_exclude_padding;
  dnnl_pooling_desc_t description;
  status = dnnl.pooling_forward_desc_init(&description, dnnl_forward_inference,
                                          kind, &source, &result, strides,
                                          window, begins, ends);
  if (status != dnnl_success)
    return fail(oneDnnStatusText(status));
  return createPrimitive(plan, &description, attributes.get());
}

Status PoolCall::makePlan(CallPlan &plan, std::vector<CallOperand> operands,
                          const void *) {
  int32_t last = call.num_operands - 1, operand = 1;
  const CallOperand &result = operands[last];
  for (int32_t i = 1; i < last; ++i)
    operands[i].extendTo(result.rank());
  plan.wholeTail.start(result, last);
  for (int32_t i = 0; i < call.num_post_ops; ++i) {
    int32_t position = isBinaryPostOp(call.post_ops[i].kind) ? operand++ : -1;
    if (!plan.wholeTail.add(call.post_ops[i],
                            position < 0 ? nullptr : &operands[position],
                            position))
      return fail("its post-ops are not supported for these types");
  }
  // For CPUs without AVX, oneDNN 2.6.3 crashes when it makes code for a pool
  // with post-ops, of which the maximum needs one.
  bool isOld = context.dnnl().get_effective_cpu_isa() == dnnl_cpu_isa_sse41;
  plan.isCareful = operands[0].isEmpty() || (isOld && isMax());
  if (plan.isCareful) {
    plan.implementation = "own";
    return Status::success();
  }
  plan.fusedPostOps = isOld ? 0 : countFusable(operands);
  if (Status status = createPool(plan, operands); !status)
    return status;
  if (Status status = addOperand(plan, DNNL_ARG_SRC, 0, operands[0]); !status)
    return status;
  if (Status status = addOperand(plan, DNNL_ARG_DST, last, result); !status)
    return status;
  if (Status status = addPostOpOperands(plan, operands, 1, isMax() ? 1 : 0);
      !status)
    return status;
  return addScratch(plan);
}

int PoolCall::watchedExceptions(const CallPlan &plan) const {
  // oneDNN's maximum of NaN and a number is the number.
  int invalid = isMax() || dropsNan(call, plan.fusedPostOps) ? FE_INVALID : 0;
  return isMax() ? invalid | FE_OVERFLOW : invalid;
}

//===----------------------------------------------------------------------===//
// Pools computed by definition
//===----------------------------------------------------------------------===//

struct PoolCall::Loop {
  const tenon_call &call;
  const CallOperand &input, &result;
  const float *from;
  float *to;
};

void PoolCall::computeElements(void *data, int, int64_t lo, int64_t hi) {
  const Loop &loop = *static_cast<const Loop *>(data);
  const tenon_call &call = loop.call;
  const auto &pool = getFields<tenon_pool>(call);
  int64_t spatial = pool.num_spatial, taps = 1;
  for (int64_t i = 0; i < spatial; ++i)
    taps *= pool.window[i];
  for (int64_t element = lo; element < hi; ++element) {
    int64_t start[DNNL_MAX_NDIMS], rest = element, to = 0, from = 0;
    for (int64_t axis = spatial + 2; axis-- > 0;) {
      int64_t at = rest % loop.result.dims[axis];
      rest /= loop.result.dims[axis];
      to += at * loop.result.strides[axis];
      if (axis < 2)
        from += at * loop.input.strides[axis];
      else
        start[axis - 2] =
            at * pool.strides[axis - 2] - pool.pads_begin[axis - 2];
    }
    float largest = -std::numeric_limits<float>::infinity();
    double sum = 0;
    int64_t inside = 0;
    for (int64_t tap = 0; tap < taps; ++tap) {
      int64_t index = tap, offset = from;
      bool isInside = true;
      for (int64_t i = spatial; i-- > 0;) {
        int64_t at = start[i] + index % pool.window[i];
        index /= pool.window[i];
        isInside &= at >= 0 && at < loop.input.dims[i + 2];
        offset += at * loop.input.strides[i + 2];
      }
      if (!isInside)
        continue;
      float value = loop.from[offset];
      largest = value > largest || std::isnan(value) ? value : largest;
      if (std::isnan(largest)) {
        sum = largest;
        inside = 1;
        break;
      }
      sum += static_cast<double>(value);
      ++inside;
    }
    int64_t divisor = pool.counts_pads ? taps : inside;
    loop.to[to] = call.primitive == TENON_PRIMITIVE_MAX_POOL
                      ? largest
                      : static_cast<float>(sum / static_cast<double>(divisor));
  }
}

Status PoolCall::executeCarefully(CallPlan &plan, void *const *buffers) {
  int32_t last = call.num_operands - 1;
  const CallOperand &result = plan.operands[last];
  Loop loop{call, plan.operands[0], result,
            static_cast<const float *>(buffers[0]),
            static_cast<float *>(buffers[last])};
  int64_t elements = 1;
  for (int64_t size : result.dims)
    elements *= size;
  parallelFor(elements, 1024, defaultThreads(), computeElements, &loop);
  if (!plan.wholeTail.isEmpty())
    plan.wholeTail.run(buffers);
  return Status::success();
}

std::unique_ptr<OneDnnCall> makePoolCall(const tenon_step &step,
                                         DnnlContext &context) {
  return std::make_unique<PoolCall>(step, context);
}

} // namespace tenon::runtime
