//===- RankTables.cpp - the programs of ranks -----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RankTables.h"
#include "../StridedCopy.h"

#include <algorithm>

namespace tenon::runtime {

int findFreeTag(const tenon_program &program) {
  int free = 0;
  forEachStep(program, [&](int32_t, int32_t, const tenon_rank_step &step) {
    // A sum uses the next tag, too.
    if (step.kind == TENON_RANK_SEND || step.kind == TENON_RANK_RECEIVE)
      free = std::max(free, step.tag + 1);
    else if (step.kind == TENON_RANK_ALL_REDUCE)
      free = std::max(free, step.tag + 2);
  });
  return free;
}

std::vector<std::vector<int64_t>> listRankSets(const tenon_program &program) {
  std::vector<std::vector<int64_t>> sets;
  forEachStep(program, [&](int32_t, int32_t, const tenon_rank_step &step) {
    if (step.kind != TENON_RANK_ALL_REDUCE)
      return;
    std::vector<int64_t> set(step.ranks, step.ranks + step.num_ranks);
    if (std::find(sets.begin(), sets.end(), set) == sets.end())
      sets.push_back(std::move(set));
  });
  return sets;
}

int64_t getBytes(const tenon_rank_tensor &tensor) {
  int64_t bytes = tensor.dtype.bits / 8;
  for (int32_t i = 0; i < tensor.rank; ++i)
    bytes *= tensor.shape[i];
  return bytes;
}

bool isDense(const tenon_rank_tensor &tensor) {
  if (tensor.axis < 0 || tensor.shape[tensor.axis] == tensor.whole ||
      getBytes(tensor) == 0)
    return true;
  for (int32_t i = 0; i < tensor.axis; ++i)
    if (tensor.shape[i] != 1)
      return false;
  return true;
}

tenon_tensor getDense(const tenon_rank_tensor &tensor, int32_t device,
                      void *data) {
  tenon_tensor dense = {};
  dense.data = data;
  dense.device_type = device;
  dense.ndim = tensor.rank;
  dense.dtype = tensor.dtype;
  // Runs do not write the shapes that they are given.
  dense.shape = const_cast<int64_t *>(tensor.shape);
  return dense;
}

tenon_tensor getPart(const tenon_tensor &whole, const tenon_rank_tensor &part,
                     std::vector<int64_t> &strides) {
  tenon_tensor tensor = whole;
  strides = listStrides(whole);
  tensor.strides = strides.data();
  tensor.shape = const_cast<int64_t *>(part.shape);
  // The strides of empty tensors have no meaning.
  if (part.axis >= 0 && getBytes(part) > 0)
    tensor.byte_offset +=
        part.begin * strides[part.axis] * (part.dtype.bits / 8);
  return tensor;
}

tenon_tensor getArenaPart(const tenon_rank_tensor &tensor, int32_t device,
                          void *data, std::vector<int64_t> &strides) {
  tenon_tensor whole = getDense(tensor, device, data);
  if (tensor.axis < 0)
    return whole;
  std::vector<int64_t> shape(tensor.shape, tensor.shape + tensor.rank);
  shape[tensor.axis] = tensor.whole;
  whole.shape = shape.data();
  return getPart(whole, tensor, strides);
}

} // namespace tenon::runtime
