//===- RankRunner.cpp - runs one rank of a pipeline -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RankRunner.h"
#include "../Tables.h"

#include "tenon/Artifact/TensorData.h"

using namespace tenon::artifact;

namespace tenon::runtime {

RankRunner::RankRunner(const tenon_program &program, int64_t rank,
                       std::shared_ptr<const ProgramSlice> slice,
                       Transport &transport)
    : program(program), rank(rank), slice(std::move(slice)),
      transport(transport) {
  for (int32_t i = 0; i < countCalled(program); ++i) {
    Prepared &entry = prepared.emplace_back();
    entry.table = &program.entries[i].ranks[rank];
    entry.tensors.resize(entry.table->num_tensors);
    entry.strides.resize(entry.table->num_tensors);
  }
}

Status RankRunner::load(const LoadSettings &settings) {
  isTraced = settings.options.options.trace != 0;
  timedWaits = settings.options.timed_waits;
  if (settings.memory)
    memory.join(*settings.memory);
  else if (Status status = memory.adopt(settings.options.allocator,
                                        settings.options.memory_limit);
           !status)
    return status;
  LoadSettings own = settings;
  own.memory = &memory;
  const tenon_program *programs[] = {&slice->get(), nullptr};
  Expected<std::unique_ptr<Model>> loaded = Model::load(programs, own);
  if (!loaded)
    return loaded.takeError();
  model = std::move(*loaded);
  return Status::success();
}

std::vector<Summand>
RankRunner::listSummands(const tenon_rank_program &table,
                         const tenon_rank_step &sum) const {
  std::vector<Summand> summands;
  auto add = [&](const auto &value) -> Summand & {
    Summand &one = summands.emplace_back();
    one.dtype = fromDLDType(value.dtype).value_or(DType::F32);
    one.shape.assign(value.shape, value.shape + value.rank);
    one.isMean = sum.is_mean != 0;
    return one;
  };
  for (int32_t i = 0; i < sum.num_states; ++i) {
    const tenon_value &value = program.states[sum.states[i]].value;
    add(value).name = value.name;
  }
  for (int32_t i = 0; i < sum.num_tensors; ++i)
    add(table.tensors[sum.tensors[i]]).tensor = sum.tensors[i];
  return summands;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

Status RankRunner::begin(int32_t entry, const tenon_tensor *givenInputs,
                         const tenon_tensor *givenOutputs) {
  active = &prepared[entry];
  next = 0;
  inputs = givenInputs;
  outputs = givenOutputs;
  addends.clear();
  events.clear();
  overhead = 0;
  return Status::success();
}

void RankRunner::listTensors(const tenon_rank_step &step) {
  given.clear();
  for (int32_t i = 0; i < step.num_tensors; ++i)
    given.push_back(active->tensors[step.tensors[i]]);
}

void RankRunner::addTo(const tenon_rank_step &step, const void *data) {
  const tenon_rank_tensor &output = active->table->tensors[step.tensors[1]];
  DType dtype = fromDLDType(output.dtype).value_or(DType::F32);
  addends.push_back({output.index, step.begin, rank,
                     &step - active->table->steps,
                     readElement(data, dtype, 0) * step.factor});
}

/// The plans that traces are compared with know only stages.
void RankRunner::addEvent(const tenon_rank_step &step, int64_t begin,
                          int64_t end) {
  if (step.stage >= 0)
    events.push_back({&step, begin, end});
}

Error RankRunner::failTask(const tenon_rank_step &task,
                           const Status &status) const {
  std::string samples;
  if (task.begin < task.end)
    samples = concat(", samples ", task.begin, " to ", task.end - 1);
  return makeError("task '", getTaskName(task), "'", samples, ": ",
                   status.error());
}

Status RankRunner::resetTransientStates() {
  const tenon_program &own = slice->get();
  for (int32_t i = 0; i < own.num_states; ++i) {
    const tenon_value &value = own.states[i].value;
    if (!own.states[i].transient)
      continue;
    Expected<int64_t> bytes = countBytes(value);
    if (!bytes)
      return bytes.takeError();
    std::vector<char> zeros(*bytes);
    tenon_tensor zero = {};
    zero.data = zeros.data();
    zero.device_type = TENON_DEVICE_CPU;
    zero.ndim = value.rank;
    zero.dtype = value.dtype;
    zero.shape = const_cast<int64_t *>(value.shape);
    if (Status status = model->setState(value.name, &zero); !status)
      return status;
  }
  return Status::success();
}

} // namespace tenon::runtime
