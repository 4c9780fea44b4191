//===- PostOps.cpp - post-ops as oneDNN attributes ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PostOps.h"

#include "PostOpTail.h"

using namespace tenon::artifact;

namespace tenon::runtime {

bool isOrderedLike(const CallOperand &operand, const CallOperand &result) {
  for (size_t i = 0; i < result.dims.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (operand.dims[i] != 1 && operand.dims[j] != 1 &&
          (operand.strides[i] < operand.strides[j]) !=
              (result.strides[i] < result.strides[j]))
        return false;
  return true;
}

bool isPlainBroadcast(const CallOperand &operand, const CallOperand &result,
                      size_t channelAxis) {
  bool full = true, channels = true, scalar = true;
  for (size_t i = 0; i < result.dims.size(); ++i) {
    full &= operand.dims[i] == result.dims[i];
    channels &= operand.dims[i] == (i == channelAxis ? result.dims[i] : 1);
    scalar &= operand.dims[i] == 1;
  }
  return full || channels || scalar;
}

bool dropsNan(const tenon_call &call, int32_t firstPostOps) {
  for (int32_t i = 0; i < firstPostOps; ++i)
    switch (call.post_ops[i].kind) {
    case TENON_POST_OP_RELU:
      if (call.post_ops[i].alpha == 0)
        return true;
      break;
    case TENON_POST_OP_CLIP:
    case TENON_POST_OP_EXP:
    case TENON_POST_OP_MAX:
    case TENON_POST_OP_MIN:
      return true;
    default:
      break;
    }
  return false;
}

int32_t countDistinct(const tenon_call &call) {
  for (int32_t i = 0; i < call.num_post_ops; ++i)
    for (int32_t j = 0; j < i; ++j) {
      const tenon_post_op &postOp = call.post_ops[i],
                          &before = call.post_ops[j];
      if (postOp.kind == before.kind && !isBinaryPostOp(postOp.kind) &&
          (postOp.alpha != before.alpha || postOp.beta != before.beta))
        return i;
    }
  return call.num_post_ops;
}

Status addPostOps(const OneDnn &dnnl, const tenon_call &call,
                  const std::vector<CallOperand> &operands, size_t operand,
                  int32_t count, dnnl_post_ops_t postOps) {
  for (int32_t i = 0; i < count; ++i) {
    const tenon_post_op &postOp = call.post_ops[i];
    float alpha = postOp.alpha, beta = postOp.beta;
    dnnl_alg_kind_t kind;
    switch (postOp.kind) {
    case TENON_POST_OP_RELU:
      kind = dnnl_eltwise_relu;
      break;
    case TENON_POST_OP_GELU_ERF:
      kind = dnnl_eltwise_gelu_erf;
      break;
    case TENON_POST_OP_GELU_TANH:
      kind = dnnl_eltwise_gelu_tanh;
      break;
    case TENON_POST_OP_TANH:
      kind = dnnl_eltwise_tanh;
      break;
    case TENON_POST_OP_SIGMOID:
      kind = dnnl_eltwise_logistic;
      break;
    case TENON_POST_OP_CLIP:
      kind = dnnl_eltwise_clip;
      break;
    case TENON_POST_OP_ELU:
      kind = dnnl_eltwise_elu;
      break;
    case TENON_POST_OP_SWISH:
      kind = dnnl_eltwise_swish;
      break;
    case TENON_POST_OP_HARD_SWISH:
      kind = dnnl_eltwise_hardswish;
      break;
    case TENON_POST_OP_MISH:
      kind = dnnl_eltwise_mish;
      break;
    case TENON_POST_OP_LINEAR:
      kind = dnnl_eltwise_linear;
      break;
    case TENON_POST_OP_EXP:
      kind = dnnl_eltwise_exp;
      break;
    case TENON_POST_OP_SQRT:
      kind = dnnl_eltwise_sqrt;
      break;
    case TENON_POST_OP_ABS:
      kind = dnnl_eltwise_abs;
      break;
    case TENON_POST_OP_ADD:
      kind = dnnl_binary_add;
      break;
    case TENON_POST_OP_MUL:
      kind = dnnl_binary_mul;
      break;
    case TENON_POST_OP_SUB:
      kind = dnnl_binary_sub;
      break;
    case TENON_POST_OP_DIV:
      kind = dnnl_binary_div;
      break;
    case TENON_POST_OP_MAX:
      kind = dnnl_binary_max;
      break;
    case TENON_POST_OP_MIN:
      kind = dnnl_binary_min;
      break;
    default:
      return makeError(
          concat("post-op kind ", postOp.kind, " is unknown to this runtime"));
    }
    dnnl_status_t status;
    if (isBinaryPostOp(postOp.kind)) {
      dnnl_memory_desc_t layout;
      if (!describe(dnnl, operands[operand++], layout))
        return makeError("oneDNN refuses the layout of an operand");
      status = dnnl.post_ops_append_binary(postOps, kind, &layout);
    } else {
      status = dnnl.post_ops_append_eltwise(postOps, 1.0f, kind, alpha, beta);
    }
    if (status != dnnl_success)
      return makeError(concat("post-ops: ", oneDnnStatusText(status)));
  }
  return Status::success();
}

} // namespace tenon::runtime
