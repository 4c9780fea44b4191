//===- PoolSite.cpp - pools computed by oneDNN ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SitePlan.h"
#include "SitePostOps.h"

#include "tenon/Runtime/Parallel.h"

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <limits>

using namespace tenon::artifact;

namespace tenon::runtime {

namespace {
class PoolSite : public LibrarySite {
public:
  PoolSite(const tenon_step &step, DnnlContext &context)
      : LibrarySite(step, context) {}

protected:
  Status makePlan(SitePlan &plan, std::vector<SiteOperand> operands,
                  const void *rawWeight) override;
  double countWork(const std::vector<SiteOperand> &operands) const override;
  int watchedExceptions(const SitePlan &plan) const override;
  Status executeCarefully(SitePlan &plan, void *const *buffers) override;

private:
  struct Loop;

  static void computeElements(void *data, int thread, int64_t lo, int64_t hi);

  bool isMax() const { return site.kind == TENON_SITE_MAX_POOL; }
  int32_t countFusable(const std::vector<SiteOperand> &operands) const;
  Status createPool(SitePlan &plan,
                    const std::vector<SiteOperand> &operands) const;
};
} // namespace

double PoolSite::countWork(const std::vector<SiteOperand> &operands) const {
  double work = 1;
  for (int64_t size : operands.back().dims)
    work *= static_cast<double>(size);
  for (int32_t i = 0; i < site.num_spatial; ++i)
    work *= static_cast<double>(site.window[i]);
  return work;
}

/// Counts the post-ops before the first one that oneDNN runs in its reference
/// code or computes incorrectly.
int32_t PoolSite::countFusable(const std::vector<SiteOperand> &operands) const {
  size_t operand = 1;
  int32_t distinct = countDistinct(site);
  for (int32_t i = 0; i < distinct; ++i) {
    // The maximum itself needs a linear post-op.
    if (isMax() && site.post_ops[i].kind == TENON_POST_OP_LINEAR)
      return i;
    if (!isBinaryPostOp(site.post_ops[i].kind))
      continue;
    const SiteOperand &other = operands[operand++];
    if (!isPlainBroadcast(other, operands.back(), /*channelAxis=*/1) ||
        !isOrderedLike(other, operands.back()))
      return i;
  }
  return distinct;
}

Status PoolSite::createPool(SitePlan &plan,
                            const std::vector<SiteOperand> &operands) const {
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
          addPostOps(dnnl, site, operands, 1, plan.fusedPostOps, postOps.get());
      !added)
    return fail(added.error());
  DnnlHandle<dnnl_primitive_attr_t> attributes;
  if (Status created = createAttributes(attributes, postOps.get()); !created)
    return created;

  dnnl_dims_t window, strides, begins, ends;
  for (int32_t i = 0; i < site.num_spatial; ++i) {
    window[i] = site.window[i];
    strides[i] = site.strides[i];
    begins[i] = site.pads_begin[i];
    // Computed from the sizes: rounding down leaves a remainder, and rounding
    // up exceeds the input.
    int64_t in = operands[0].dims[2 + i], out = operands.back().dims[2 + i];
    ends[i] = std::max<int64_t>(0, (out - 1) * strides[i] + window[i] - in -
                                       begins[i]);
  }
  dnnl_alg_kind_t kind = isMax() ? dnnl_pooling_max
                         : site.kind == TENON_SITE_AVG_POOL
                             ? dnnl_pooling_avg_exclude_padding
                             : dnnl_pooling_avg_include_padding;
  dnnl_pooling_desc_t description;
  status = dnnl.pooling_forward_desc_init(&description, dnnl_forward_inference,
                                          kind, &source, &result, strides,
                                          window, begins, ends);
  if (status != dnnl_success)
    return fail(oneDnnStatusText(status));
  return createPrimitive(plan, &description, attributes.get());
}

Status PoolSite::makePlan(SitePlan &plan, std::vector<SiteOperand> operands,
                          const void *) {
  int32_t last = site.num_operands - 1, operand = 1;
  const SiteOperand &result = operands[last];
  for (int32_t i = 1; i < last; ++i)
    operands[i].extendTo(result.rank());
  plan.wholeTail.start(result, last);
  for (int32_t i = 0; i < site.num_post_ops; ++i) {
    int32_t position = isBinaryPostOp(site.post_ops[i].kind) ? operand++ : -1;
    if (!plan.wholeTail.add(site.post_ops[i],
                            position < 0 ? nullptr : &operands[position],
                            position))
      return fail("its post-ops are not supported for these types");
  }
  plan.isCareful = operands[0].isEmpty();
  if (plan.isCareful) {
    plan.implementation = "own";
    return Status::success();
  }
  plan.fusedPostOps = countFusable(operands);
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

int PoolSite::watchedExceptions(const SitePlan &plan) const {
  // oneDNN's maximum of NaN and a number is the number.
  int invalid = isMax() || dropsNan(site, plan.fusedPostOps) ? FE_INVALID : 0;
  return isMax() ? invalid | FE_OVERFLOW : invalid;
}

//===----------------------------------------------------------------------===//
// Pools computed by definition
//===----------------------------------------------------------------------===//

struct PoolSite::Loop {
  const tenon_site &site;
  const SiteOperand &input, &result;
  const float *from;
  float *to;
};

void PoolSite::computeElements(void *data, int, int64_t lo, int64_t hi) {
  const Loop &loop = *static_cast<const Loop *>(data);
  const tenon_site &site = loop.site;
  int64_t spatial = site.num_spatial, taps = 1;
  for (int64_t i = 0; i < spatial; ++i)
    taps *= site.window[i];
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
            at * site.strides[axis - 2] - site.pads_begin[axis - 2];
    }
    float largest = -std::numeric_limits<float>::infinity();
    double sum = 0;
    int64_t inside = 0;
    for (int64_t tap = 0; tap < taps; ++tap) {
      int64_t index = tap, offset = from;
      bool isInside = true;
      for (int64_t i = spatial; i-- > 0;) {
        int64_t at = start[i] + index % site.window[i];
        index /= site.window[i];
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
    int64_t divisor = site.kind == TENON_SITE_AVG_POOL ? inside : taps;
    loop.to[to] = site.kind == TENON_SITE_MAX_POOL
                      ? largest
                      : static_cast<float>(sum / static_cast<double>(divisor));
  }
}

Status PoolSite::executeCarefully(SitePlan &plan, void *const *buffers) {
  int32_t last = site.num_operands - 1;
  const SiteOperand &result = plan.operands[last];
  Loop loop{site, plan.operands[0], result,
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

std::unique_ptr<LibrarySite> makePoolSite(const tenon_step &step,
                                          DnnlContext &context) {
  return std::make_unique<PoolSite>(step, context);
}

} // namespace tenon::runtime
