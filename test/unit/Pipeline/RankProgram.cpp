//===- RankProgram.cpp - programs of ranks written by hand ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RankProgram.h"

#include <algorithm>
#include <cstdlib>
#include <string>

namespace tenon::runtime {

int32_t RankProgram::addCallers(int32_t kind, int32_t index, Shape shape) {
  const Shape &kept = shapes.emplace_back(std::move(shape));
  tensors.push_back({kind,
                     index,
                     {TENON_DL_FLOAT, 32, 1},
                     static_cast<int32_t>(kept.size()),
                     kept.data(),
                     -1,
                     0,
                     0,
                     0});
  return static_cast<int32_t>(tensors.size()) - 1;
}

int32_t RankProgram::addBuffer(Shape shape) {
  int64_t bytes = 4;
  for (int64_t size : shape)
    bytes *= size;
  int32_t tensor = addCallers(TENON_BUFFER_ARENA, 0, std::move(shape));
  tensors[tensor].offset = arenaBytes;
  arenaBytes += (bytes + 63) / 64 * 64;
  return tensor;
}

int32_t RankProgram::addPart(int32_t whole, int32_t axis, int64_t begin,
                             int64_t size) {
  tenon_rank_tensor part = tensors[whole];
  Shape &shape = shapes.emplace_back(part.shape, part.shape + part.rank);
  part.axis = axis;
  part.begin = begin;
  part.whole = shape[axis];
  shape[axis] = size;
  part.shape = shape.data();
  tensors.push_back(part);
  return static_cast<int32_t>(tensors.size()) - 1;
}

int32_t RankProgram::addStep(tenon_rank_step step, Numbers used, size_t early) {
  const Numbers &kept = lists.emplace_back(std::move(used));
  step.num_tensors = static_cast<int32_t>(kept.size());
  step.tensors = kept.data();
  auto number = static_cast<int32_t>(steps.size());
  size_t place = steps.size() - early;
  steps.insert(steps.begin() + place, step);
  numbers.insert(numbers.begin() + place, number);
  return number;
}

void RankProgram::addTask(int32_t entry, Numbers used, int64_t begin,
                          int64_t end) {
  tenon_rank_step step = {};
  step.kind = TENON_RANK_TASK;
  step.entry = entry;
  step.label = "work";
  step.begin = begin;
  step.end = end;
  addStep(step, std::move(used));
}

void RankProgram::addCopy(int32_t from, int32_t to) {
  tenon_rank_step step = {};
  step.kind = TENON_RANK_COPY;
  addStep(step, {from, to});
}

void RankProgram::addBarrier() {
  tenon_rank_step step = {};
  step.kind = TENON_RANK_BARRIER;
  addStep(step);
}

void RankProgram::begin(int32_t kind, int32_t tag, int32_t group,
                        int32_t tensor, Numbers ranks, size_t early) {
  const Numbers &kept = lists.emplace_back(std::move(ranks));
  tenon_rank_step step = {};
  step.kind = kind;
  step.num_ranks = static_cast<int32_t>(kept.size());
  step.ranks = kept.data();
  step.tag = tag;
  step.group = group;
  open.push_back(addStep(step, {tensor}, early));
}

void RankProgram::beginSum(int32_t tag, int32_t group, Numbers states,
                           Numbers ranks, bool isMean) {
  const Numbers &summed = lists.emplace_back(std::move(states));
  begin(TENON_RANK_ALL_REDUCE, tag, group, 0, std::move(ranks));
  tenon_rank_step &step = steps.back();
  step.num_tensors = 0;
  step.num_states = static_cast<int32_t>(summed.size());
  step.states = summed.data();
  step.is_mean = isMean;
}

void RankProgram::wait(size_t count) {
  tenon_rank_step step = {};
  step.kind = TENON_RANK_WAIT;
  auto first = open.end() - std::min(count, open.size());
  waits.emplace_back(addStep(step), Numbers(first, open.end()));
  open.erase(first, open.end());
}

tenon_rank_program RankProgram::get() {
  auto getPlace = [&](int32_t number) {
    return static_cast<int32_t>(
        std::find(numbers.begin(), numbers.end(), number) - numbers.begin());
  };
  for (const auto &[number, awaited] : waits) {
    Numbers &places = lists.emplace_back();
    for (int32_t one : awaited)
      places.push_back(getPlace(one));
    tenon_rank_step &wait = steps[getPlace(number)];
    wait.num_awaited = static_cast<int32_t>(places.size());
    wait.awaited = places.data();
  }
  return {static_cast<int32_t>(tensors.size()), tensors.data(), arenaBytes,
          static_cast<int32_t>(steps.size()), steps.data()};
}

void useFakeDevices() {
  std::string folder = TENON_FIXTURES;
  ::setenv("TENON_CUDA_DRIVER", (folder + "/libtenon_fake_cuda.so").c_str(), 1);
  ::setenv("TENON_NCCL", (folder + "/libtenon_fake_nccl.so").c_str(), 1);
  ::setenv("TENON_FAKE_CUDA_DEVICES", "4", 1);
}

} // namespace tenon::runtime
