//===- ProductPrimitive.cpp - products as oneDNN primitives ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallPlan.h"
#include "PostOpTail.h"
#include "PostOps.h"
#include "ProductCall.h"

#include <algorithm>

using namespace tenon::artifact;

namespace tenon::runtime {

Status ProductCall::createProduct(CallPlan &plan,
                                  const std::vector<CallOperand> &operands,
                                  int32_t fusedPostOps) const {
  const OneDnn &dnnl = context.dnnl();
  plan.fusedPostOps = fusedPostOps;
  DnnlHandle<dnnl_post_ops_t> postOps(dnnl.post_ops_destroy);
  if (dnnl_status_t status = dnnl.post_ops_create(postOps.out());
      status != dnnl_success)
    return fail(oneDnnStatusText(status));
  if (addsInPlace()) {
    if (dnnl_status_t status =
            dnnl.post_ops_append_sum(postOps.get(), /*scale=*/1);
        status != dnnl_success)
      return fail(oneDnnStatusText(status));
  } else if (Status added =
                 addPostOps(dnnl, call, operands, firstPostOperand(call),
                            fusedPostOps, postOps.get());
             !added) {
    return fail(added.error());
  }
  DnnlHandle<dnnl_primitive_attr_t> attributes;
  if (Status created = createAttributes(attributes, postOps.get()); !created)
    return created;

  dnnl_memory_desc_t source, weight, bias, result;
  if (!describe(dnnl, operands[0], source) ||
      !describe(dnnl, operands.back(), result) ||
      !describe(dnnl, operands[1], weight) ||
      (hasBias(call) && !describe(dnnl, operands[2], bias)))
    return fail("oneDNN refuses the layout of an operand");
  const dnnl_memory_desc_t *optionalBias = hasBias(call) ? &bias : nullptr;
  union {
    dnnl_matmul_desc_t matmul;
    dnnl_convolution_desc_t conv;
    dnnl_deconvolution_desc_t transposed;
  } description;
  dnnl_status_t status;
  if (plan.isMatmul) {
    // A weight that is not constant is read once per call: converting it first
    // costs as much as it saves.
    if (call.constant_weight)
      weight = describeAny(operands[1]);
    status = dnnl.matmul_desc_init(&description.matmul, &source, &weight,
                                   optionalBias, &result);
  } else {
    // oneDNN is many times slower on weights in other layouts than its own.
    weight = describeAny(operands[1]);
    const auto &conv = getFields<tenon_convolution>(call);
    dnnl_dims_t strides, dilations, begins, ends;
    const CallOperand &kernel = operands[1];
    int64_t firstKernel = kernel.rank() - conv.num_spatial;
    for (int32_t i = 0; i < conv.num_spatial; ++i) {
      strides[i] = conv.strides[i];
      dilations[i] = conv.dilations[i] - 1;
      begins[i] = conv.pads_begin[i];
      // Computed from the sizes: rounding down leaves a remainder that pads_end
      // includes and oneDNN does not expect.
      int64_t in = operands[0].dims[2 + i], out = operands.back().dims[2 + i];
      int64_t extent =
          (kernel.dims[firstKernel + i] - 1) * conv.dilations[i] + 1;
      ends[i] = call.primitive == TENON_PRIMITIVE_CONV
                    ? (out - 1) * strides[i] + extent - in - begins[i]
                    : (in - 1) * strides[i] + extent - out - begins[i];
    }
    status = call.primitive == TENON_PRIMITIVE_CONV
                 ? dnnl.dilated_convolution_forward_desc_init(
                       &description.conv, dnnl_forward_inference,
                       dnnl_convolution_direct, &source, &weight, optionalBias,
                       &result, strides, dilations, begins, ends)
                 : dnnl.dilated_deconvolution_forward_desc_init(
                       &description.transposed, dnnl_forward_inference,
                       dnnl_deconvolution_direct, &source, &weight,
                       optionalBias, &result, strides, dilations, begins, ends);
  }
  if (status != dnnl_success)
    return fail(oneDnnStatusText(status));
  return createPrimitive(plan, &description, attributes.get());
}

/// Creates the primitive with as many post-ops as oneDNN computes correctly and
/// fast. It also accepts post-ops that only its reference code supports (a
/// thousand times slower: some broadcasts after a matmul), and post-ops that it
/// computes incorrectly (2.6.3, after a convolution: broadcasts along spatial
/// axes, and operands whose layout differs from the result's; after a matmul
/// whose result has batches inside of its rows, an operand of one element per
/// column is read out of bounds; its convolution by GEMM, which it takes for
/// some pads and groups, reads another element of a whole tensor).
Status
ProductCall::choosePrimitive(CallPlan &plan,
                             const std::vector<CallOperand> &operands) const {
  // Every implementation adds to its result.
  if (addsInPlace())
    return createProduct(plan, operands, 1);
  size_t channelAxis = plan.isMatmul ? operands.back().dims.size() - 1 : 1;
  size_t operand = firstPostOperand(call);
  // Count the post-ops before the first wrong one, and before the first slow
  // one. After a transposed convolution, oneDNN 2.6.3 computes all of them
  // element by element (60 ns for an addition).
  bool isSlow =
      !plan.isMatmul && call.primitive == TENON_PRIMITIVE_CONV_TRANSPOSE;
  int32_t right = isSlow ? 0 : std::min(countDistinct(call), plan.mayFuse);
  int32_t fast = right, unary = right;
  for (int32_t i = 0; i < right; ++i) {
    if (!isBinaryPostOp(call.post_ops[i].kind))
      continue;
    unary = std::min(unary, i);
    const CallOperand &other = operands[operand++];
    bool plain = isPlainBroadcast(other, operands.back(), channelAxis);
    bool isPerColumn =
        plain && !other.isScalar() && other.dims != operands.back().dims;
    if (!isOrderedLike(other, operands.back()) || (!plain && !plan.isMatmul) ||
        (isPerColumn && plan.isMatmul && !operands.back().isRowMajor()))
      right = i;
    if (!plain)
      fast = std::min(fast, i);
  }
  fast = std::min(fast, right);
  unary = std::min(unary, fast);
  std::vector<int32_t> counts;
  for (int32_t count : {right, fast, unary, 0})
    if (counts.empty() || counts.back() != count)
      counts.push_back(count);
  Status status;
  for (int32_t count : counts) {
    status = createProduct(plan, operands, count);
    if (!status || plan.implementation.compare(0, 3, "ref") == 0)
      continue;
    bool isGemm = !plan.isMatmul &&
                  plan.implementation.find(":gemm") != std::string::npos;
    if (!isGemm || count <= unary)
      return status;
  }
  return status;
}

} // namespace tenon::runtime
