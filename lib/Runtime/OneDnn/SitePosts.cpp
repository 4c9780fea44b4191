//===- SitePosts.cpp - post-ops as oneDNN attributes ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SitePosts.h"

#include "PostTail.h"

using namespace tenon::artifact;

namespace tenon::runtime {

bool isOrderedLike(const SiteOperand &operand, const SiteOperand &result) {
  for (size_t i = 0; i < result.dims.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (operand.dims[i] != 1 && operand.dims[j] != 1 &&
          (operand.strides[i] < operand.strides[j]) !=
              (result.strides[i] < result.strides[j]))
        return false;
  return true;
}

bool isPlainBroadcast(const SiteOperand &operand, const SiteOperand &result,
                      size_t channelAxis) {
  bool full = true, channels = true, scalar = true;
  for (size_t i = 0; i < result.dims.size(); ++i) {
    full &= operand.dims[i] == result.dims[i];
    channels &= operand.dims[i] == (i == channelAxis ? result.dims[i] : 1);
    scalar &= operand.dims[i] == 1;
  }
  return full || channels || scalar;
}

bool dropsNan(const tenon_site &site, int32_t firstPosts) {
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

int32_t countDistinct(const tenon_site &site) {
  for (int32_t i = 0; i < site.num_posts; ++i)
    for (int32_t j = 0; j < i; ++j) {
      const tenon_post &post = site.posts[i], &before = site.posts[j];
      if (post.kind == before.kind && !isBinaryPost(post.kind) &&
          (post.alpha != before.alpha || post.beta != before.beta))
        return i;
    }
  return site.num_posts;
}

Status addPosts(const OneDnn &dnnl, const tenon_site &site,
                const std::vector<SiteOperand> &operands, size_t operand,
                int32_t count, dnnl_post_ops_t posts) {
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
      return makeError(
          concat("post-op kind ", post.kind, " is unknown to this runtime"));
    }
    dnnl_status_t status;
    if (isBinaryPost(post.kind)) {
      dnnl_memory_desc_t layout;
      if (!operands[operand++].describe(dnnl, layout))
        return makeError("oneDNN refuses the layout of an operand");
      status = dnnl.post_ops_append_binary(posts, kind, &layout);
    } else {
      status = dnnl.post_ops_append_eltwise(posts, 1.0f, kind, alpha, beta);
    }
    if (status != dnnl_success)
      return makeError(concat("post-ops: ", oneDnnStatusText(status)));
  }
  return Status::success();
}

} // namespace tenon::runtime
