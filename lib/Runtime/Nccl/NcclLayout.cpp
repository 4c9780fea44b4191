//===- NcclLayout.cpp - where a rank has the caller's tensors -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NcclRank.h"

#include <tuple>

namespace tenon::runtime::nccl {

/// Of every place, the same as that of the driver's allocations.
static int64_t roundUp(int64_t bytes) { return (bytes + 255) / 256 * 256; }

NcclRank::Layout NcclRank::layOut(const tenon_rank_program &table) const {
  Layout made;
  made.onDevice.assign(table.num_tensors, -1);
  made.pinned.assign(table.num_tensors, -1);
  made.addends.assign(table.num_steps, -1);
  made.inputsBegin = made.deviceBytes = roundUp(table.arena_bytes);
  auto take = [](int64_t &used, int64_t bytes) {
    int64_t place = used;
    used += roundUp(bytes);
    return place;
  };
  // Equal parts of inputs have one place.
  std::map<std::tuple<int32_t, int32_t, int64_t, int64_t>, int32_t> known;
  auto placeInput = [&](int32_t number) {
    const tenon_rank_tensor &tensor = table.tensors[number];
    if (tensor.kind != TENON_BUFFER_INPUT || made.onDevice[number] >= 0)
      return;
    int64_t bytes = getBytes(tensor);
    auto [same, isNew] = known.insert(
        {{tensor.index, tensor.axis, tensor.begin, bytes}, number});
    if (isNew) {
      made.givenInputs.push_back(number);
      made.onDevice[number] = take(made.deviceBytes, bytes);
    }
    made.onDevice[number] = made.onDevice[same->second];
    made.pinned[number] = made.onDevice[number] - made.inputsBegin;
  };
  for (int32_t i = 0; i < table.num_steps; ++i)
    for (int32_t j = 0; j < table.steps[i].num_tensors; ++j)
      placeInput(table.steps[i].tensors[j]);
  made.inputBytes = made.pinnedBytes = made.deviceBytes - made.inputsBegin;
  for (int32_t i = 0; i < table.num_steps; ++i) {
    const tenon_rank_step &step = table.steps[i];
    if (step.kind == TENON_RANK_ADD)
      made.addends[i] =
          take(made.pinnedBytes, getBytes(table.tensors[step.tensors[0]]));
    if (step.kind == TENON_RANK_SEND || step.kind == TENON_RANK_RECEIVE ||
        step.kind == TENON_RANK_ALL_REDUCE)
      ++made.groups[step.group].missing;
    forEachOutput(program, table, step, [&](int32_t number) {
      int64_t bytes = getBytes(table.tensors[number]);
      if (made.pinned[number] < 0)
        made.pinned[number] = take(made.pinnedBytes, bytes);
      if (step.kind == TENON_RANK_TASK && made.onDevice[number] < 0)
        made.onDevice[number] = take(made.deviceBytes, bytes);
    });
  }
  return made;
}

} // namespace tenon::runtime::nccl
