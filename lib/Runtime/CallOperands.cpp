//===- CallOperands.cpp - operands of library calls -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallOperands.h"

#include <algorithm>

namespace tenon::runtime {

bool CallOperand::isEmpty() const {
  return std::find(dims.begin(), dims.end(), 0) != dims.end();
}

bool CallOperand::isScalar() const {
  return std::all_of(dims.begin(), dims.end(),
                     [](int64_t size) { return size == 1; });
}

bool CallOperand::isRowMajor() const {
  int64_t outer = INT64_MAX;
  for (int64_t i = 0; i < rank(); ++i) {
    if (dims[i] == 1)
      continue;
    if (strides[i] > outer)
      return false;
    outer = strides[i];
  }
  return true;
}

void CallOperand::extendTo(int64_t wanted) {
  if (rank() >= wanted)
    return;
  // The stride of an axis of size 1 is never used, but must look dense.
  int64_t stride = 1;
  for (int64_t i = 0; i < rank(); ++i)
    stride = std::max(stride, strides[i] * dims[i]);
  size_t missing = static_cast<size_t>(wanted - rank());
  dims.insert(dims.begin(), missing, 1);
  strides.insert(strides.begin(), missing, stride);
}

bool CallOperand::isContiguous(int64_t begin, int64_t end) const {
  // The strides of axes of size 1 do not matter.
  int64_t inner = -1;
  for (int64_t i = end; i-- > begin;) {
    if (dims[i] == 1)
      continue;
    if (inner >= 0 && strides[i] != strides[inner] * dims[inner])
      return false;
    inner = i;
  }
  return true;
}

void CallOperand::moveLast(int64_t from) {
  std::rotate(dims.begin() + from, dims.begin() + from + 1, dims.end());
  std::rotate(strides.begin() + from, strides.begin() + from + 1,
              strides.end());
}

void CallOperand::merge(int64_t begin, int64_t end) {
  int64_t size = 1, stride = strides[end - 1];
  for (int64_t i = end; i-- > begin;) {
    if (size == 1 && dims[i] != 1)
      stride = strides[i];
    size *= dims[i];
  }
  dims.erase(dims.begin() + begin + 1, dims.begin() + end);
  strides.erase(strides.begin() + begin + 1, strides.begin() + end);
  dims[begin] = size;
  strides[begin] = stride;
  // The stride of an axis of size 1 is never used, but libraries want it to be
  // that of a matrix: it may have been dense beside the axes before.
  for (int64_t i = begin + 1; i < rank(); ++i)
    if (dims[i] == 1)
      strides[i] = 1;
}

bool isFloat(tenon_dtype dtype, int bits) {
  return dtype.code == TENON_DL_FLOAT && dtype.bits == bits;
}

bool isBinaryPostOp(int32_t postOp) {
  switch (postOp) {
  case TENON_POST_OP_ADD:
  case TENON_POST_OP_MUL:
  case TENON_POST_OP_SUB:
  case TENON_POST_OP_DIV:
  case TENON_POST_OP_MAX:
  case TENON_POST_OP_MIN:
    return true;
  default:
    return false;
  }
}

int32_t firstPostOperand(const tenon_call &call) {
  int32_t first = call.num_operands - 1;
  for (int32_t i = 0; i < call.num_post_ops; ++i)
    first -= isBinaryPostOp(call.post_ops[i].kind);
  return first;
}

std::vector<CallOperand> readOperands(const tenon_call &call,
                                      const int64_t *symbols) {
  size_t computed = 0;
  for (int32_t i = 0; i < call.num_operands; ++i)
    for (int32_t axis = 0; axis < call.operands[i].rank; ++axis)
      computed += call.operands[i].shape[axis] == INT64_MIN;
  std::vector<int64_t> sizes(computed + 1);
  if (call.sizes)
    call.sizes(symbols, sizes.data());

  std::vector<CallOperand> operands(call.num_operands);
  const int64_t *next = sizes.data();
  for (int32_t i = 0; i < call.num_operands; ++i) {
    const tenon_call_operand &from = call.operands[i];
    CallOperand &to = operands[i];
    to.dtype = from.dtype;
    for (int32_t axis = 0; axis < from.rank; ++axis) {
      int64_t size = from.shape[axis];
      if (size == INT64_MIN)
        size = *next++;
      else if (size < 0)
        size = symbols[-1 - size];
      to.dims.push_back(size);
    }
    to.strides.resize(to.dims.size());
    int64_t stride = 1;
    for (int32_t position = from.rank; position-- > 0;) {
      int32_t axis = from.order ? from.order[position] : position;
      to.strides[axis] = stride;
      stride *= std::max<int64_t>(to.dims[axis], 1);
    }
  }
  return operands;
}

} // namespace tenon::runtime
