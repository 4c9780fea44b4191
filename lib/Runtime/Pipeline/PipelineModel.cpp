//===- PipelineModel.cpp - an instance whose ranks run a pipeline ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PipelineModel.h"

#include "tenon/Artifact/TensorData.h"

#include <algorithm>
#include <tuple>

using namespace tenon::artifact;

namespace tenon::runtime {

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

/// Calls a function that reports errors as values; only the standard library
/// throws.
template <typename Function> static Status guard(Function function) {
  try {
    return function();
  } catch (const std::exception &error) {
    return makeError(error.what());
  }
}

/// Continues to the rank's next barrier, or to the end of the run.
Expected<RankState> PipelineModel::advanceRank(RankRunner &runner,
                                               const Run &run, bool isFirst) {
  if (isFirst) {
    if (Status status = runner.connect(); !status)
      return status.takeError();
    if (Status status = runner.begin(run.entry, run.inputs, run.outputs);
        !status)
      return status.takeError();
  }
  return runner.advance(/*mayWait=*/true);
}

Expected<RankState> PipelineModel::advanceThreads(const Run &run,
                                                  bool isFirst) {
  // All ranks have as many barriers.
  std::vector<RankState> states(runners.size());
  rankThreads.run([&](int rank) {
    Status status = guard([&]() -> Status {
      Expected<RankState> reached = advanceRank(*runners[rank], run, isFirst);
      if (!reached)
        return reached.takeError();
      states[rank] = *reached;
      return Status::success();
    });
    if (!status)
      local->get(rank).giveUp(status.error());
  });
  std::string reason;
  int lost = local->getLostRank(reason);
  if (lost < 0)
    return states.front();
  // What ranks share is of no use if one of them has left it.
  rankThreads.run(
      [&](int rank) { runners[rank]->disconnect(/*hasFailed=*/true); });
  return makeError("rank ", lost, ": ", reason);
}

static Error failRank(const RankRunner &runner, const Status &status) {
  return makeError("rank ", runner.getRank(), ": ", status.error());
}

/// Each rank continues until it waits for another one.
Expected<RankState> PipelineModel::advanceInTurn(const Run &run, bool isFirst) {
  if (isFirst)
    for (const std::unique_ptr<RankRunner> &runner : runners)
      if (Status status = runner->begin(run.entry, run.inputs, run.outputs);
          !status)
        return failRank(*runner, status);
  std::vector<RankState> states(runners.size(), RankState::Waiting);
  size_t numWaiting = runners.size();
  while (numWaiting > 0) {
    bool wentOn = false;
    for (size_t rank = 0; rank < runners.size(); ++rank) {
      if (states[rank] != RankState::Waiting)
        continue;
      uint64_t before = runners[rank]->getProgress();
      Expected<RankState> reached = runners[rank]->advance(/*mayWait=*/false);
      if (!reached)
        return makeError("rank ", rank, ": ", reached.error());
      states[rank] = *reached;
      numWaiting -= *reached != RankState::Waiting;
      wentOn |= *reached != RankState::Waiting ||
                runners[rank]->getProgress() != before;
    }
    if (!wentOn)
      return makeError("the artifact is damaged: all ranks wait for others");
  }
  return states.front();
}

Expected<RankState> PipelineModel::advanceRanks(const Run &run, bool isFirst) {
  if (mpi)
    return advanceRank(*runners.front(), run, isFirst);
  return settings.options.ranks == 1 ? advanceInTurn(run, isFirst)
                                     : advanceThreads(run, isFirst);
}

/// In the order of the samples, then of the ranks, whichever rank was first.
void PipelineModel::writeSums(tenon_tensor *outputs) {
  auto getOrder = [](const Addend &one) {
    return std::tie(one.output, one.begin, one.rank, one.step);
  };
  std::sort(addends.begin(), addends.end(),
            [&](const Addend &a, const Addend &b) {
              return getOrder(a) < getOrder(b);
            });
  for (size_t i = 0; i < addends.size();) {
    int64_t output = addends[i].output;
    double sum = 0;
    for (; i < addends.size() && addends[i].output == output; ++i)
      sum += addends[i].value;
    const tenon_tensor &tensor = outputs[output];
    writeElement(static_cast<char *>(tensor.data) + tensor.byte_offset,
                 fromDLDType(tensor.dtype).value_or(DType::F32), 0, sum);
  }
}

Status PipelineModel::runRanks(const Run &run) {
  if (wasInterrupted)
    for (const std::unique_ptr<RankRunner> &runner : runners)
      if (Status status = runner->resetTransientStates(); !status)
        return failRank(*runner, status);
  wasInterrupted = true;
  if (local)
    local->reset();
  addends.clear();
  bool hasEnded = false;
  for (size_t part = 0; !hasEnded; ++part) {
    Expected<RankState> reached = advanceRanks(run, /*isFirst=*/part == 0);
    if (!reached)
      return reached.takeError();
    hasEnded = *reached == RankState::Ended;
    // Processes meet here. Other ranks have all come to their barriers.
    if (mpi)
      if (Status status = collectAddends(run.entry, part, hasEnded); !status)
        return status;
  }
  if (mpi) {
    if (Status status = shareOutputs(run); !status)
      return status;
  } else {
    for (const std::unique_ptr<RankRunner> &runner : runners)
      addends.insert(addends.end(), runner->getAddends().begin(),
                     runner->getAddends().end());
  }
  writeSums(run.outputs);
  wasInterrupted = false;
  return Status::success();
}

Status PipelineModel::run(EntryState &entry, const tenon_tensor *inputs,
                          size_t numInputs, tenon_tensor *outputs,
                          size_t numOutputs) {
  if (Status status = entry.call.check(inputs, numInputs, outputs, numOutputs);
      !status)
    return status;
  return endAll(runRanks({entry.index, inputs, outputs}));
}

Status PipelineModel::planFor(EntryState &entry, const tenon_tensor *inputs,
                              size_t numInputs) {
  // All sizes are constant, and planned for since the load.
  return entry.call.checkInputs(inputs, numInputs);
}

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

RankRunner *PipelineModel::findRunner(int32_t state) {
  for (const std::unique_ptr<RankRunner> &runner : runners)
    if (hasState(runner->getRank(), state))
      return runner.get();
  return nullptr;
}

tenon_tensor PipelineModel::makeTensor(int32_t state,
                                       std::vector<int64_t> &shape,
                                       void *data) const {
  const tenon_value &value = states[state].value;
  shape.assign(value.shape, value.shape + value.rank);
  tenon_tensor tensor = {};
  tensor.data = data;
  tensor.device_type = TENON_DEVICE_CPU;
  tensor.ndim = value.rank;
  tensor.dtype = value.dtype;
  tensor.shape = shape.data();
  return tensor;
}

Status PipelineModel::readState(int32_t state, void *data) {
  std::vector<int64_t> shape;
  tenon_tensor tensor = makeTensor(state, shape, data);
  if (RankRunner *runner = findRunner(state))
    if (Status status = endAll(
            runner->getModel().getState(states[state].value.name, &tensor));
        !status)
      return status;
  return mpi ? shareState(state, data) : Status::success();
}

Status PipelineModel::writeState(int32_t state, const void *data) {
  std::vector<int64_t> shape;
  tenon_tensor tensor = makeTensor(state, shape, const_cast<void *>(data));
  for (const std::unique_ptr<RankRunner> &runner : runners)
    if (hasState(runner->getRank(), state))
      if (Status status = endAll(
              runner->getModel().setState(states[state].value.name, &tensor));
          !status)
        return status;
  return Status::success();
}

Status PipelineModel::resetStates() {
  for (const std::unique_ptr<RankRunner> &runner : runners)
    if (Status status = endAll(runner->getModel().resetStates()); !status)
      return status;
  return Status::success();
}

Status PipelineModel::observe(tenon_observer callback, void *) {
  return callback
             ? makeError("observe: ranks run at the same time, so there is "
                         "no order of steps to observe")
             : Status::success();
}

Expected<const void *> PipelineModel::fetchBuffer(int32_t) {
  return makeError("a pipeline has no buffers of its own");
}

uint64_t PipelineModel::memoryBytes() const {
  uint64_t bytes = 0;
  for (const std::unique_ptr<RankRunner> &runner : runners)
    bytes += runner->memoryBytes();
  return bytes;
}

} // namespace tenon::runtime
