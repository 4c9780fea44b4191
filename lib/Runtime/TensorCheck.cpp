//===- TensorCheck.cpp - checks of one tensor of a caller -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorCheck.h"
#include "StridedCopy.h"

#include "tenon/Artifact/DType.h"

using namespace tenon::artifact;

namespace tenon::runtime {

std::string dtypeText(tenon_dtype dtype) {
  if (std::optional<DType> known = fromDLDType(dtype))
    return dtypeName(*known);
  return concat("code ", dtype.code, " with ", dtype.bits, " bits and ",
                dtype.lanes, " lanes");
}

std::string quoted(const char *what, const char *name) {
  return concat(what, " '", name, "'");
}

static Status checkPlace(const TensorExpectation &expected,
                         const tenon_tensor &tensor) {
  int32_t device = expected.cudaDevice;
  if (device >= 0 && tensor.device_type == TENON_DEVICE_CUDA &&
      tensor.device_id == device)
    return Status::success();
  std::string name = quoted(expected.what, expected.value.name);
  if (device < 0 || tensor.device_type != TENON_DEVICE_CUDA)
    return makeError(name, ": expected data in host memory (device type 1)",
                     device < 0 ? "" : " or of CUDA (2)",
                     ", but got device type ", tensor.device_type);
  return makeError(name, ": expected data on CUDA device ", device,
                   ", where the model is, but got device ", tensor.device_id);
}

/// Checks the strides of a nonempty tensor. If it is not dense, `extent` is the
/// number of elements from its first address to its last.
static Status checkStrides(const TensorExpectation &expected,
                           const tenon_tensor &tensor, int64_t &extent,
                           bool &isDense) {
  isDense = true;
  const tenon_value &value = expected.value;
  int64_t dense = 1;
  for (int32_t axis = value.rank; axis-- > 0;) {
    // The stride of an axis of size 1 is never used.
    isDense &= expected.sizes[axis] == 1 || tensor.strides[axis] == dense;
    dense *= expected.sizes[axis];
  }
  if (isDense)
    return Status::success();
  // More bytes than any address space has.
  constexpr int64_t most = int64_t(1) << 56;
  int64_t last = 0;
  for (int32_t axis = 0; axis < value.rank; ++axis) {
    int64_t size = expected.sizes[axis], stride = tensor.strides[axis];
    if (size == 1)
      continue;
    if (stride < 0 || stride > most / size || last > most - stride * size)
      return makeError(
          quoted(expected.what, value.name), ": axis ", axis,
          ": expected a stride of at least 0 that fits in memory, but got ",
          stride);
    last += stride * (size - 1);
  }
  extent = last + 1;
  if (expected.isWritten &&
      hasSharedElements(value.rank, expected.sizes, tensor.strides))
    return makeError(quoted(expected.what, value.name),
                     ": expected strides that give each element a distinct "
                     "address");
  return Status::success();
}

Status checkTensor(const TensorExpectation &expected,
                   const tenon_tensor &tensor, TensorRange &range) {
  const tenon_value &value = expected.value;
  auto name = [&] { return quoted(expected.what, value.name); };
  // In calls of a microsecond, this function dominates, so the common case
  // calls no other.
  if (tensor.device_type != TENON_DEVICE_CPU)
    if (Status status = checkPlace(expected, tensor); !status)
      return status;
  if (tensor.dtype.code != value.dtype.code ||
      tensor.dtype.bits != value.dtype.bits || tensor.dtype.lanes != 1)
    return makeError(name(), ": expected element type ", dtypeText(value.dtype),
                     ", but got ", dtypeText(tensor.dtype));
  if (tensor.ndim != value.rank)
    return makeError(name(), ": expected rank ", value.rank, ", but got ",
                     tensor.ndim);
  if (value.rank > 0 && !tensor.shape)
    return makeError(name(), ": its shape is null");
  int64_t elements = 1;
  for (int32_t axis = 0; axis < value.rank; ++axis) {
    if (tensor.shape[axis] != expected.sizes[axis])
      return makeError(name(), ": axis ", axis, ": expected size ",
                       expected.sizes[axis], ", but got ", tensor.shape[axis]);
    elements *= expected.sizes[axis];
  }
  range = TensorRange();
  if (elements == 0)
    return Status::success();
  int64_t extent = elements;
  if (tensor.strides)
    if (Status status = checkStrides(expected, tensor, extent, range.isDense);
        !status)
      return status;
  if (!tensor.data)
    return makeError(name(), ": its data is null");
  uintptr_t data = reinterpret_cast<uintptr_t>(tensor.data);
  int64_t elementBytes = value.dtype.bits / 8;
  uintptr_t begin = data + tensor.byte_offset;
  uintptr_t end = begin + static_cast<uintptr_t>(extent * elementBytes);
  if (begin < data || end < begin)
    return makeError(
        name(), ": expected data that ends within memory, but got ",
        extent * elementBytes, " bytes at offset ", tensor.byte_offset);
  if (begin % static_cast<uintptr_t>(elementBytes) != 0)
    return makeError(name(), ": expected data aligned to its elements of ",
                     elementBytes, " bytes");
  range.begin = begin;
  range.end = end;
  return Status::success();
}

} // namespace tenon::runtime
