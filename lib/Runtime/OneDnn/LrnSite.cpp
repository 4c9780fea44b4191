//===- LrnSite.cpp - local response normalization by oneDNN ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SitePlan.h"

#include "tenon/Runtime/Parallel.h"

#include <algorithm>
#include <cfenv>
#include <cmath>

using namespace tenon::artifact;

namespace tenon::runtime {

namespace {
class LrnSite : public LibrarySite {
public:
  LrnSite(const tenon_step &step, DnnlContext &context)
      : LibrarySite(step, context) {}

protected:
  Status makePlan(SitePlan &plan, std::vector<SiteOperand> operands,
                  const void *rawWeight) override;
  double countWork(const std::vector<SiteOperand> &operands) const override;
  /// oneDNN computes the power 3/4 by roots of the cube, which overflows for
  /// bases whose power does not.
  int watchedExceptions(const SitePlan &) const override { return FE_OVERFLOW; }
  Status executeCarefully(SitePlan &plan, void *const *buffers) override;

private:
  struct Loop {
    const tenon_site &site;
    const SiteOperand &operand; // channels last: all have the same strides
    const float *from;
    float *to;
  };

  static void computeRows(void *data, int thread, int64_t lo, int64_t hi);
};
} // namespace

double LrnSite::countWork(const std::vector<SiteOperand> &operands) const {
  double work = static_cast<double>(site.window[0]) + 8; // roots and a quotient
  for (int64_t size : operands.back().dims)
    work *= static_cast<double>(size);
  return work;
}

Status LrnSite::makePlan(SitePlan &plan, std::vector<SiteOperand> operands,
                         const void *) {
  const OneDnn &dnnl = context.dnnl();
  const SiteOperand &input = operands[0];
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
  dnnl_lrn_desc_t description;
  dnnl_status_t status = dnnl.lrn_forward_desc_init(
      &description, dnnl_forward_inference, dnnl_lrn_across_channels, &layout,
      site.window[0], site.alpha, site.beta, site.k);
  if (Status created = createPlainPrimitive(plan, status, &description);
      !created)
    return created;
  if (Status added = addOperand(plan, DNNL_ARG_SRC, 0, input); !added)
    return added;
  if (Status added = addOperand(plan, DNNL_ARG_DST, 1, input); !added)
    return added;
  return addScratch(plan);
}

void LrnSite::computeRows(void *data, int, int64_t lo, int64_t hi) {
  const Loop &loop = *static_cast<const Loop *>(data);
  const tenon_site &site = loop.site;
  int64_t channels = loop.operand.dims[1], half = site.window[0] / 2;
  for (int64_t row = lo; row < hi; ++row) {
    const float *from = loop.from + row * channels;
    float *to = loop.to + row * channels;
    for (int64_t c = 0; c < channels; ++c) {
      float squares = 0;
      for (int64_t i = std::max<int64_t>(0, c - half);
           i < std::min(channels, c + half + 1); ++i)
        squares += from[i] * from[i];
      float mean = squares / static_cast<float>(site.window[0]);
      to[c] = from[c] / std::pow(site.k + site.alpha * mean, site.beta);
    }
  }
}

Status LrnSite::executeCarefully(SitePlan &plan, void *const *buffers) {
  const SiteOperand &operand = plan.operands[1];
  Loop loop{site, operand, static_cast<const float *>(buffers[0]),
            static_cast<float *>(buffers[1])};
  parallelFor(operand.dims[0] * operand.dims[2] * operand.dims[3], 16,
              defaultThreads(), computeRows, &loop);
  return Status::success();
}

std::unique_ptr<LibrarySite> makeLrnSite(const tenon_step &step,
                                         DnnlContext &context) {
  return std::make_unique<LrnSite>(step, context);
}

} // namespace tenon::runtime
