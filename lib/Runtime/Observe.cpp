//===- Observe.cpp - reporting values to an observer ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelImpl.h"

#include <algorithm>

using namespace tenon::artifact;

namespace tenon::runtime {

/// In tenon_value.shape, a size that only generated code computes.
static constexpr int64_t computedSize = INT64_MIN;

/// Returns the shape of a value with `elements` elements. One computed size
/// follows from the others; with several, the shape is one axis of all
/// elements.
static std::vector<int64_t>
findShape(const tenon_value &value, const int64_t *symbols, int64_t elements) {
  std::vector<int64_t> shape;
  int64_t known = 1;
  int32_t unknown = -1, numUnknown = 0;
  for (int32_t axis = 0; axis < value.rank; ++axis) {
    int64_t size = value.shape[axis];
    if (size == computedSize) {
      unknown = axis;
      ++numUnknown;
      shape.push_back(0);
      continue;
    }
    shape.push_back(size >= 0 ? size : symbols[-1 - size]);
    known *= shape.back();
  }
  if (numUnknown == 1 && known > 0 && elements % known == 0) {
    shape[unknown] = elements / known;
    known = elements;
  }
  // The buffer may be longer than the value.
  if (numUnknown > 1 || known > elements)
    return {elements};
  return shape;
}

bool Model::Impl::isReported(const EntryState &entry, int32_t step,
                             int32_t buffer) const {
  const tenon_buffer &table = program.buffers[buffer];
  if (!table.value)
    return false;
  if (table.kind == TENON_BUFFER_OUTPUT || table.kind == TENON_BUFFER_STATE)
    return true;
  if (table.kind != TENON_BUFFER_ARENA && table.kind != TENON_BUFFER_CHECK)
    return false;
  for (int32_t i = entry.table.first_step; i < step; ++i) {
    const tenon_step &earlier = program.steps[i];
    if (std::find(earlier.buffers, earlier.buffers + earlier.num_buffers,
                  buffer) != earlier.buffers + earlier.num_buffers)
      return false;
  }
  return true;
}

Status Model::Impl::report(const EntryState &entry, int32_t step) {
  const tenon_step &table = program.steps[step];
  std::vector<std::vector<int64_t>> shapes;
  std::vector<tenon_observed_value> values;
  // Reserve, because pointers to the shapes are kept.
  shapes.reserve(static_cast<size_t>(table.num_buffers));
  for (int32_t i = 0; i < table.num_buffers; ++i) {
    int32_t buffer = table.buffers[i];
    if (!isReported(entry, step, buffer) ||
        std::find(table.buffers, table.buffers + i, buffer) !=
            table.buffers + i)
      continue;
    const tenon_value &value = *program.buffers[buffer].value;
    Expected<const void *> data = fetchBuffer(buffer);
    if (!data)
      return data.takeError();
    int64_t elementBytes = std::max(1, value.dtype.bits / 8);
    shapes.push_back(
        findShape(value, entry.symbols(), byteSizes[buffer] / elementBytes));
    values.push_back({value.name,
                      {const_cast<void *>(*data), TENON_DEVICE_CPU, 0,
                       static_cast<int32_t>(shapes.back().size()), value.dtype,
                       shapes.back().data(), nullptr, 0}});
  }
  tenon_observed_step observed = {};
  observed.struct_size = sizeof observed;
  observed.entry = entry.table.name;
  observed.step = step - entry.table.first_step;
  observed.name = table.name;
  observed.num_values = static_cast<int32_t>(values.size());
  observed.values = values.data();
  // The observer may run other instances.
  ExecutorScope none(nullptr);
  observer(observerContext, &observed);
  return Status::success();
}

} // namespace tenon::runtime
