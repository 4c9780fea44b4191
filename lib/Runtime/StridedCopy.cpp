//===- StridedCopy.cpp - copies of tensors with gaps ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StridedCopy.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace tenon::runtime {

/// Appends the offsets of all elements, in elements.
static void listPlaces(int32_t rank, const int64_t *sizes,
                       const int64_t *strides, int64_t first,
                       std::vector<int64_t> &places) {
  if (rank == 0) {
    places.push_back(first);
    return;
  }
  for (int64_t i = 0; i < sizes[0]; ++i)
    listPlaces(rank - 1, sizes + 1, strides + 1, first + i * strides[0],
               places);
}

bool hasSharedElements(int32_t rank, const int64_t *sizes,
                       const int64_t *strides) {
  std::vector<std::pair<int64_t, int64_t>> axes; // stride, size
  for (int32_t axis = 0; axis < rank; ++axis)
    if (sizes[axis] != 1)
      axes.emplace_back(strides[axis], sizes[axis]);
  std::sort(axes.begin(), axes.end());
  // Usually, each axis steps over everything that the inner axes reach.
  int64_t reach = 0;
  bool isNested = true;
  for (auto [stride, size] : axes) {
    if (stride == 0)
      return true;
    isNested &= stride > reach;
    reach += stride * (size - 1);
  }
  if (isNested)
    return false;
  std::vector<int64_t> places;
  listPlaces(rank, sizes, strides, 0, places);
  std::sort(places.begin(), places.end());
  return std::adjacent_find(places.begin(), places.end()) != places.end();
}

std::vector<int64_t> listStrides(const tenon_tensor &tensor) {
  if (tensor.strides)
    return {tensor.strides, tensor.strides + tensor.ndim};
  std::vector<int64_t> strides(static_cast<size_t>(tensor.ndim), 1);
  for (int32_t axis = tensor.ndim - 1; axis-- > 0;)
    strides[axis] = strides[axis + 1] * tensor.shape[axis + 1];
  return strides;
}

void forEachRun(const tenon_tensor &first, const tenon_tensor &second,
                const RunVisitor &visit) {
  std::vector<int64_t> strides[] = {listStrides(first), listStrides(second)};
  const int64_t *shape = first.shape;
  // The innermost axes that are contiguous form one run.
  int64_t length = 1;
  int32_t outer = first.ndim;
  while (outer > 0 &&
         (shape[outer - 1] == 1 ||
          (strides[0][outer - 1] == length && strides[1][outer - 1] == length)))
    length *= shape[--outer];
  std::vector<int64_t> index(static_cast<size_t>(outer), 0);
  int64_t places[] = {0, 0};
  for (;;) {
    visit(places[0], places[1], length);
    int32_t axis = outer;
    while (axis-- > 0) {
      places[0] += strides[0][axis];
      places[1] += strides[1][axis];
      if (++index[axis] < shape[axis])
        break;
      places[0] -= strides[0][axis] * shape[axis];
      places[1] -= strides[1][axis] * shape[axis];
      index[axis] = 0;
    }
    if (axis < 0)
      return;
  }
}

void forEachRun(const tenon_tensor &tensor, const RunVisitor &visit) {
  tenon_tensor dense = tensor;
  dense.strides = nullptr;
  forEachRun(tensor, dense, visit);
}

static char *dataOf(const tenon_tensor &tensor) {
  return static_cast<char *>(tensor.data) + tensor.byte_offset;
}

void gather(const tenon_tensor &tensor, char *dense) {
  int64_t bytes = tensor.dtype.bits / 8;
  const char *data = dataOf(tensor);
  forEachRun(tensor, [&](int64_t from, int64_t to, int64_t length) {
    std::memcpy(dense + to * bytes, data + from * bytes,
                static_cast<size_t>(length * bytes));
  });
}

void scatter(const char *dense, const tenon_tensor &tensor) {
  int64_t bytes = tensor.dtype.bits / 8;
  char *data = dataOf(tensor);
  forEachRun(tensor, [&](int64_t to, int64_t from, int64_t length) {
    std::memcpy(data + to * bytes, dense + from * bytes,
                static_cast<size_t>(length * bytes));
  });
}

void copyStrided(const tenon_tensor &from, const tenon_tensor &to) {
  int64_t bytes = from.dtype.bits / 8;
  const char *source = dataOf(from);
  char *target = dataOf(to);
  forEachRun(from, to, [&](int64_t inFrom, int64_t inTo, int64_t length) {
    // Parts of one buffer may overlap.
    std::memmove(target + inTo * bytes, source + inFrom * bytes,
                 static_cast<size_t>(length * bytes));
  });
}

bool haveCommonElements(const tenon_tensor &a, const tenon_tensor &b) {
  struct Run {
    uintptr_t begin, end;
    bool isOfA;
  };
  std::vector<Run> runs;
  for (const tenon_tensor *tensor : {&a, &b}) {
    int64_t bytes = tensor->dtype.bits / 8;
    uintptr_t data = reinterpret_cast<uintptr_t>(dataOf(*tensor));
    forEachRun(*tensor, [&](int64_t place, int64_t, int64_t length) {
      uintptr_t begin = data + static_cast<uintptr_t>(place * bytes);
      runs.push_back({begin, begin + static_cast<uintptr_t>(length * bytes),
                      tensor == &a});
    });
  }
  std::sort(runs.begin(), runs.end(),
            [](const Run &x, const Run &y) { return x.begin < y.begin; });
  uintptr_t ends[2] = {0, 0}; // of earlier ranges, by tensor
  for (const Run &run : runs) {
    if (run.begin < ends[run.isOfA ? 1 : 0])
      return true;
    uintptr_t &end = ends[run.isOfA ? 0 : 1];
    end = std::max(end, run.end);
  }
  return false;
}

} // namespace tenon::runtime
