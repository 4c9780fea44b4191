//===- SitePrimitive.cpp - a call in oneDNN's terms ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SitePlan.h"

#include <algorithm>

using namespace tenon::artifact;

namespace tenon::runtime {

/// Whether the axes of an operand lie in memory in the result's order.
static bool isOrderedLike(const SiteOperand &operand,
                          const SiteOperand &result) {
  for (size_t i = 0; i < result.dims.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (operand.dims[i] != 1 && operand.dims[j] != 1 &&
          (operand.strides[i] < operand.strides[j]) !=
              (result.strides[i] < result.strides[j]))
        return false;
  return true;
}

/// Whether an operand has the result's sizes, or one element per channel (axis
/// 1 of a convolution, the last of a matmul), or one element.
static bool isPlainBroadcast(const SiteOperand &operand,
                             const SiteOperand &result, size_t channelAxis) {
  bool full = true, channels = true, scalar = true;
  for (size_t i = 0; i < result.dims.size(); ++i) {
    full &= operand.dims[i] == result.dims[i];
    channels &= operand.dims[i] == (i == channelAxis ? result.dims[i] : 1);
    scalar &= operand.dims[i] == 1;
  }
  return full || channels || scalar;
}

/// Whether oneDNN, doing these posts, gives a number for NaN: its relu and clip
/// turn NaN into their lower bound, its exp into infinity, and its max and min
/// give the buffer's element where the accumulated value is NaN (2.6.3).
bool LibrarySite::dropsNan(int32_t firstPosts) const {
  for (int32_t i = 0; i < firstPosts; ++i)
    switch (site.posts[i].kind) {
    case TENON_POST_RELU:
      if (site.posts[i].alpha == 0)
        return true;
      break;
    case TENON_POST_CLIP:
    case TENON_POST_EXP:
    case TENON_POST_MAX:
    case TENON_POST_MIN:
      return true;
    default:
      break;
    }
  return false;
}

/// The first `count` posts in oneDNN's terms.
Status LibrarySite::addPosts(const std::vector<SiteOperand> &operands,
                             int32_t count, dnnl_post_ops_t posts) const {
  const OneDnn &dnnl = context.dnnl();
  size_t operand = 2 + (site.has_bias ? 1 : 0);
  for (int32_t i = 0; i < count; ++i) {
    const tenon_post &post = site.posts[i];
    float alpha = post.alpha, beta = post.beta;
    dnnl_alg_kind_t kind;
    switch (post.kind) {
    case TENON_POST_RELU:
      kind = dnnl_eltwise_relu;
      break;
    case TENON_POST_GELU_ERF:
      kind = dnnl_eltwise_gelu_erf;
      break;
    case TENON_POST_GELU_TANH:
      kind = dnnl_eltwise_gelu_tanh;
      break;
    case TENON_POST_TANH:
      kind = dnnl_eltwise_tanh;
      break;
    case TENON_POST_SIGMOID:
      kind = dnnl_eltwise_logistic;
      break;
    case TENON_POST_CLIP:
      kind = dnnl_eltwise_clip;
      break;
    case TENON_POST_ELU:
      kind = dnnl_eltwise_elu;
      break;
    case TENON_POST_SWISH:
      kind = dnnl_eltwise_swish;
      break;
    case TENON_POST_LINEAR:
      kind = dnnl_eltwise_linear;
      break;
    case TENON_POST_EXP:
      kind = dnnl_eltwise_exp;
      break;
    case TENON_POST_SQRT:
      kind = dnnl_eltwise_sqrt;
      break;
    case TENON_POST_ABS:
      kind = dnnl_eltwise_abs;
      break;
    case TENON_POST_ADD:
      kind = dnnl_binary_add;
      break;
    case TENON_POST_MUL:
      kind = dnnl_binary_mul;
      break;
    case TENON_POST_SUB:
      kind = dnnl_binary_sub;
      break;
    case TENON_POST_DIV:
      kind = dnnl_binary_div;
      break;
    case TENON_POST_MAX:
      kind = dnnl_binary_max;
      break;
    case TENON_POST_MIN:
      kind = dnnl_binary_min;
      break;
    default:
      return fail(concat("what follows it, number ", post.kind,
                         ", is unknown to this runtime"));
    }
    dnnl_status_t status;
    if (isBinaryPost(post.kind)) {
      dnnl_memory_desc_t layout;
      if (!operands[operand++].describe(dnnl, layout))
        return fail("oneDNN refuses the layout of an operand");
      status = dnnl.post_ops_append_binary(posts, kind, &layout);
    } else {
      status = dnnl.post_ops_append_eltwise(posts, 1.0f, kind, alpha, beta);
    }
    if (status != dnnl_success)
      return fail(concat("what follows it: ", oneDnnStatusText(status)));
  }
  return Status::success();
}

Status LibrarySite::createPrimitive(Plan &plan,
                                    const std::vector<SiteOperand> &operands,
                                    int32_t fusedPosts) const {
  const OneDnn &dnnl = context.dnnl();
  plan.fusedPosts = fusedPosts;
  plan.descriptor =
      DnnlHandle<dnnl_primitive_desc_t>(dnnl.primitive_desc_destroy);
  DnnlHandle<dnnl_post_ops_t> posts(dnnl.post_ops_destroy);
  DnnlHandle<dnnl_primitive_attr_t> attributes(dnnl.primitive_attr_destroy);
  dnnl_status_t status = dnnl.post_ops_create(posts.out());
  if (status == dnnl_success)
    status = dnnl.primitive_attr_create(attributes.out());
  if (status == dnnl_success)
    status = dnnl.primitive_attr_set_scratchpad_mode(attributes.get(),
                                                     dnnl_scratchpad_mode_user);
  if (status != dnnl_success)
    return fail(oneDnnStatusText(status));
  if (Status added = addPosts(operands, fusedPosts, posts.get()); !added)
    return added;
  status = dnnl.primitive_attr_set_post_ops(attributes.get(), posts.get());
  if (status != dnnl_success)
    return fail(oneDnnStatusText(status));

  dnnl_memory_desc_t source, weight, bias, result;
  if (!operands[0].describe(dnnl, source) ||
      !operands.back().describe(dnnl, result) ||
      !operands[1].describe(dnnl, weight) ||
      (site.has_bias && !operands[2].describe(dnnl, bias)))
    return fail("oneDNN refuses the layout of an operand");
  const dnnl_memory_desc_t *optionalBias = site.has_bias ? &bias : nullptr;
  dnnl_primitive_desc_t *descriptor = plan.descriptor.out();
  if (plan.isMatmul) {
    // A weight that is not constant is read once per call: converting it first
    // costs as much as it saves.
    if (site.constant_weight)
      weight = operands[1].describeAny();
    dnnl_matmul_desc_t description;
    status = dnnl.matmul_desc_init(&description, &source, &weight, optionalBias,
                                   &result);
    if (status == dnnl_success)
      status =
          dnnl.primitive_desc_create(descriptor, &description, attributes.get(),
                                     context.engine(), nullptr);
  } else {
    // oneDNN is many times slower on weights in other layouts than its own.
    weight = operands[1].describeAny();
    dnnl_dims_t strides, dilations, begins, ends;
    const SiteOperand &kernel = operands[1];
    int64_t firstKernel = kernel.rank() - site.num_spatial;
    for (int32_t i = 0; i < site.num_spatial; ++i) {
      strides[i] = site.strides[i];
      dilations[i] = site.dilations[i] - 1;
      begins[i] = site.pads_begin[i];
      // From the sizes: rounding down leaves a rest that pads_end has and
      // oneDNN does not expect.
      int64_t in = operands[0].dims[2 + i], out = operands.back().dims[2 + i];
      int64_t extent =
          (kernel.dims[firstKernel + i] - 1) * site.dilations[i] + 1;
      ends[i] = site.kind == TENON_SITE_CONV
                    ? (out - 1) * strides[i] + extent - in - begins[i]
                    : (in - 1) * strides[i] + extent - out - begins[i];
    }
    if (site.kind == TENON_SITE_CONV) {
      dnnl_convolution_desc_t description;
      status = dnnl.dilated_convolution_forward_desc_init(
          &description, dnnl_forward_inference, dnnl_convolution_direct,
          &source, &weight, optionalBias, &result, strides, dilations, begins,
          ends);
      if (status == dnnl_success)
        status = dnnl.primitive_desc_create(descriptor, &description,
                                            attributes.get(), context.engine(),
                                            nullptr);
    } else {
      dnnl_deconvolution_desc_t description;
      status = dnnl.dilated_deconvolution_forward_desc_init(
          &description, dnnl_forward_inference, dnnl_deconvolution_direct,
          &source, &weight, optionalBias, &result, strides, dilations, begins,
          ends);
      if (status == dnnl_success)
        status = dnnl.primitive_desc_create(descriptor, &description,
                                            attributes.get(), context.engine(),
                                            nullptr);
    }
  }
  if (status != dnnl_success)
    return fail(oneDnnStatusText(status));

  plan.primitive = DnnlHandle<dnnl_primitive_t>(dnnl.primitive_destroy);
  status = dnnl.primitive_create(plan.primitive.out(), *descriptor);
  if (status != dnnl_success)
    return fail(oneDnnStatusText(status));
  const char *name = nullptr;
  dnnl.primitive_desc_query(*descriptor, dnnl_query_impl_info_str, 0, &name);
  plan.implementation = name ? name : "";
  return Status::success();
}

/// Creates the primitive with as many posts as oneDNN does well. It accepts
/// what only its reference code can do (a thousand times slower: some
/// broadcasts behind a matmul) and what it does wrong (2.6.3: behind a
/// convolution, broadcasts along spatial axes; operands that lie otherwise than
/// the result).
Status
LibrarySite::choosePrimitive(Plan &plan,
                             const std::vector<SiteOperand> &operands) const {
  size_t channelAxis = plan.isMatmul ? operands.back().dims.size() - 1 : 1;
  size_t operand = 2 + (site.has_bias ? 1 : 0);
  // Posts before the first that is wrong, and before the first that is slow.
  int32_t right = std::min(site.num_posts, plan.mayFuse), fast = right;
  for (int32_t i = 0; i < right; ++i) {
    if (!isBinaryPost(site.posts[i].kind))
      continue;
    const SiteOperand &other = operands[operand++];
    bool plain = isPlainBroadcast(other, operands.back(), channelAxis);
    if (!isOrderedLike(other, operands.back()) || (!plain && !plan.isMatmul))
      right = i;
    if (!plain)
      fast = std::min(fast, i);
  }
  fast = std::min(fast, right);
  std::vector<int32_t> counts = {right};
  if (fast != right)
    counts.push_back(fast);
  if (fast != 0)
    counts.push_back(0);
  Status status;
  for (int32_t count : counts) {
    status = createPrimitive(plan, operands, count);
    if (status && plan.implementation.compare(0, 3, "ref") != 0)
      return status;
  }
  return status;
}

} // namespace tenon::runtime
