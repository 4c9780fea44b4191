//===- Operands.cpp - operands as oneDNN describes them -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operands.h"

#include <algorithm>

namespace tenon::runtime {

dnnl_data_type_t oneDnnType(tenon_dtype dtype) {
  switch (dtype.code << 8 | dtype.bits) {
  case TENON_DL_FLOAT << 8 | 32:
    return dnnl_f32;
  case TENON_DL_FLOAT << 8 | 16:
    return dnnl_f16;
  case TENON_DL_BFLOAT << 8 | 16:
    return dnnl_bf16;
  case TENON_DL_INT << 8 | 32:
    return dnnl_s32;
  case TENON_DL_INT << 8 | 8:
    return dnnl_s8;
  case TENON_DL_UINT << 8 | 8:
    return dnnl_u8;
  default:
    return dnnl_data_type_undef;
  }
}

bool describe(const OneDnn &dnnl, const CallOperand &operand,
              dnnl_memory_desc_t &out) {
  dnnl_dims_t sizes, steps;
  if (operand.rank() > DNNL_MAX_NDIMS)
    return false;
  std::copy(operand.dims.begin(), operand.dims.end(), sizes);
  std::copy(operand.strides.begin(), operand.strides.end(), steps);
  return dnnl.memory_desc_init_by_strides(
             &out, static_cast<int>(operand.rank()), sizes,
             oneDnnType(operand.dtype), steps) == dnnl_success;
}

dnnl_memory_desc_t describeAny(const CallOperand &operand) {
  dnnl_memory_desc_t out = {};
  out.ndims = static_cast<int>(operand.rank());
  std::copy(operand.dims.begin(), operand.dims.end(), out.dims);
  std::copy(operand.dims.begin(), operand.dims.end(), out.padded_dims);
  out.data_type = oneDnnType(operand.dtype);
  out.format_kind = dnnl_format_kind_any;
  return out;
}

static bool allOnes(const CallOperand &operand, int64_t begin, int64_t end) {
  return std::all_of(operand.dims.begin() + begin, operand.dims.begin() + end,
                     [](int64_t size) { return size == 1; });
}

/// Returns whether all batches of a matmul can be rows of one product.
static bool canMergeBatches(const tenon_call &call,
                            const std::vector<CallOperand> &operands) {
  const CallOperand &lhs = operands[0], &rhs = operands[1];
  const CallOperand &result = operands.back();
  int64_t rank = result.rank();
  // Also require that the lhs is not broadcast: it has the result's batches.
  if (rank < 3 || !allOnes(rhs, 0, rank - 2) ||
      !std::equal(lhs.dims.begin(), lhs.dims.end() - 1, result.dims.begin()) ||
      !lhs.isContiguous(0, rank - 1) || !result.isContiguous(0, rank - 1))
    return false;
  for (size_t i = firstPostOperand(call); i + 1 < operands.size(); ++i) {
    const CallOperand &postOp = operands[i];
    bool full = std::equal(postOp.dims.begin(), postOp.dims.end() - 1,
                           result.dims.begin()) &&
                postOp.isContiguous(0, rank - 1);
    if (!full && !allOnes(postOp, 0, rank - 1))
      return false;
  }
  return true;
}

void shapeMatmul(const tenon_call &call, std::vector<CallOperand> &operands) {
  int64_t rank = operands.back().rank();
  for (CallOperand &operand : operands)
    operand.extendTo(rank);
  if (!canMergeBatches(call, operands))
    return;
  for (CallOperand &operand : operands)
    operand.merge(0, rank - 1);
}

bool shapeConvAsMatmul(const tenon_call &call,
                       std::vector<CallOperand> &operands) {
  bool isTransposed = call.primitive == TENON_PRIMITIVE_CONV_TRANSPOSE;
  if (call.primitive != TENON_PRIMITIVE_CONV && !isTransposed)
    return false;
  const auto &conv = getFields<tenon_convolution>(call);
  if (conv.groups != 1)
    return false;
  for (int32_t i = 0; i < conv.num_spatial; ++i)
    if (conv.strides[i] != 1 || conv.pads_begin[i] != 0 ||
        conv.pads_end[i] != 0 || operands[1].dims[2 + i] != 1)
      return false;
  std::vector<CallOperand> rows = operands;
  int64_t rank = rows.back().rank();
  // The input, the result and operands of the result's sizes become one matrix,
  // from [n, spatial..., c]. Operands with one element per channel, or one in
  // total, become a row.
  auto toRows = [&](CallOperand &operand) {
    operand.extendTo(rank);
    operand.moveLast(1);
    if (!operand.isContiguous(0, rank - 1) ||
        (operand.dims.back() != 1 && operand.strides.back() != 1))
      return false;
    operand.merge(0, rank - 1);
    return true;
  };
  for (size_t i = 0; i < rows.size(); ++i) {
    if (i == 1 || (i == 2 && hasBias(call)))
      continue;
    if (!toRows(rows[i]))
      return false;
  }
  const CallOperand &result = rows.back();
  for (size_t i = firstPostOperand(call); i < rows.size(); ++i)
    if (rows[i].dims != result.dims && rows[i].dims[0] != 1)
      return false;
  // From [o, c, 1...], or [c, o, 1...] if transposed, to [c, o].
  CallOperand &weight = rows[1];
  int in = isTransposed ? 0 : 1, out = 1 - in;
  weight.dims = {operands[1].dims[in], operands[1].dims[out]};
  weight.strides = {operands[1].strides[in], operands[1].strides[out]};
  if (hasBias(call))
    rows[2].extendTo(2);
  operands = std::move(rows);
  return true;
}

void splitGroups(const tenon_call &call, CallOperand &weight) {
  const auto &conv = getFields<tenon_convolution>(call);
  if (conv.groups <= 1)
    return;
  int64_t channels = weight.dims[0] / conv.groups;
  int64_t outer = weight.strides[0];
  weight.dims[0] = channels;
  weight.dims.insert(weight.dims.begin(), conv.groups);
  weight.strides.insert(weight.strides.begin(), outer * channels);
}

void shapeConv(const tenon_call &call, std::vector<CallOperand> &operands) {
  int64_t rank = operands.back().rank();
  for (size_t i = firstPostOperand(call); i < operands.size(); ++i)
    operands[i].extendTo(rank);
  CallOperand &weight = operands[1];
  if (call.primitive == TENON_PRIMITIVE_CONV_TRANSPOSE) {
    const auto &conv = getFields<tenon_convolution>(call);
    // Convert [c, o / groups, ...], where c counts all groups, to [c, o /
    // groups] per group, and then to oneDNN's [o / groups, c / groups].
    int64_t channels = weight.dims[0] / conv.groups;
    int64_t outer = weight.strides[0];
    weight.dims[0] = channels;
    std::swap(weight.dims[0], weight.dims[1]);
    std::swap(weight.strides[0], weight.strides[1]);
    if (conv.groups > 1) {
      weight.dims.insert(weight.dims.begin(), conv.groups);
      weight.strides.insert(weight.strides.begin(), outer * channels);
    }
    return;
  }
  splitGroups(call, weight);
}

} // namespace tenon::runtime
