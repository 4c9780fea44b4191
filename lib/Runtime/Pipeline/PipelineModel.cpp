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
#include <cstring>

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

Status PipelineModel::runRank(RankRunner &runner, PipelineMode mode,
                              const tenon_tensor *inputs,
                              tenon_tensor *outputs) {
  if (Status status = runner.connect(); !status)
    return status;
  if (Status status = runner.begin(mode, inputs, outputs); !status)
    return status;
  Expected<bool> ended = runner.advance(/*mayWait=*/true);
  return ended ? Status::success() : ended.takeError();
}

Status PipelineModel::runThreads(PipelineMode mode, const tenon_tensor *inputs,
                                 tenon_tensor *outputs) {
  rankThreads.run([&](int rank) {
    Status status =
        guard([&] { return runRank(*runners[rank], mode, inputs, outputs); });
    if (!status)
      local->get(rank).giveUp(status.error());
  });
  std::string reason;
  int lost = local->getLostRank(reason);
  if (lost < 0)
    return Status::success();
  // What ranks share is of no use if one of them has left it.
  rankThreads.run(
      [&](int rank) { runners[rank]->disconnect(/*hasFailed=*/true); });
  return makeError("rank ", lost, ": ", reason);
}

static Error failRank(const RankRunner &runner, const Status &status) {
  return makeError("rank ", runner.getRank(), ": ", status.error());
}

/// Each rank goes on until it waits for another one.
Status PipelineModel::runInTurn(PipelineMode mode, const tenon_tensor *inputs,
                                tenon_tensor *outputs) {
  for (const std::unique_ptr<RankRunner> &runner : runners)
    if (Status status = runner->begin(mode, inputs, outputs); !status)
      return status;
  std::vector<bool> hasEnded(runners.size());
  size_t numEnded = 0;
  while (numEnded < runners.size()) {
    bool wentOn = false;
    for (size_t rank = 0; rank < runners.size(); ++rank) {
      if (hasEnded[rank])
        continue;
      uint64_t before = runners[rank]->getProgress();
      Expected<bool> ended = runners[rank]->advance(/*mayWait=*/false);
      if (!ended)
        return makeError("rank ", rank, ": ", ended.error());
      hasEnded[rank] = *ended;
      numEnded += *ended;
      wentOn |= *ended || runners[rank]->getProgress() != before;
    }
    if (!wentOn)
      return makeError("the artifact is damaged: all ranks wait for others");
  }
  return Status::success();
}

Status PipelineModel::update() {
  if (mpi || settings.options.ranks == 1) {
    for (const std::unique_ptr<RankRunner> &runner : runners)
      if (Status status = runner->update(); !status)
        return failRank(*runner, status);
    return Status::success();
  }
  std::vector<Status> statuses(runners.size());
  rankThreads.run([&](int rank) {
    statuses[rank] = guard([&] { return runners[rank]->update(); });
  });
  for (size_t rank = 0; rank < runners.size(); ++rank)
    if (!statuses[rank])
      return failRank(*runners[rank], statuses[rank]);
  return Status::success();
}

/// In the order of the samples, whichever rank was first. The losses of
/// training are parts of that of the mini-batch; others are means.
double PipelineModel::sumLosses(std::vector<PartialLoss> losses,
                                bool isMean) const {
  std::sort(losses.begin(), losses.end(),
            [](const PartialLoss &a, const PartialLoss &b) {
              return a.begin < b.begin;
            });
  double sum = 0;
  for (const PartialLoss &loss : losses)
    sum += isMean ? loss.value * static_cast<double>(loss.end - loss.begin) /
                        static_cast<double>(pipeline.miniBatch)
                  : loss.value;
  return sum;
}

Status PipelineModel::runRanks(PipelineMode mode, const tenon_tensor *inputs,
                               tenon_tensor *outputs) {
  if (mode == PipelineMode::Train && hasPartialSums)
    for (const std::unique_ptr<RankRunner> &runner : runners)
      if (Status status = runner->resetGradients(); !status)
        return failRank(*runner, status);
  hasPartialSums |= mode == PipelineMode::Train;
  if (mpi)
    return runRank(*runners.front(), mode, inputs, outputs);
  local->reset();
  return settings.options.ranks == 1 ? runInTurn(mode, inputs, outputs)
                                     : runThreads(mode, inputs, outputs);
}

Status PipelineModel::run(EntryState &entry, const tenon_tensor *inputs,
                          size_t numInputs, tenon_tensor *outputs,
                          size_t numOutputs) {
  if (Status status = entry.call.check(inputs, numInputs, outputs, numOutputs);
      !status)
    return status;
  std::string_view name = entry.table.name;
  PipelineMode mode = !pipeline.isTraining   ? PipelineMode::Predict
                      : name == "train_step" ? PipelineMode::Train
                      : name == "evaluate"   ? PipelineMode::Evaluate
                                             : PipelineMode::Predict;
  return endAll(runChecked(mode, inputs, outputs));
}

Status PipelineModel::runChecked(PipelineMode mode, const tenon_tensor *inputs,
                                 tenon_tensor *outputs) {
  if (Status status = runRanks(mode, inputs, outputs); !status)
    return status;
  std::vector<PartialLoss> losses;
  for (const std::unique_ptr<RankRunner> &runner : runners)
    losses.insert(losses.end(), runner->getLosses().begin(),
                  runner->getLosses().end());
  if (mpi && mode != PipelineMode::Predict)
    if (Status status = collectLosses(losses); !status)
      return status;
  if (mpi && mode == PipelineMode::Predict)
    if (Status status = shareOutputs(outputs); !status)
      return status;
  if (mode == PipelineMode::Train) {
    if (Status status = update(); !status)
      return status;
    hasPartialSums = false;
  }
  if (mode != PipelineMode::Predict)
    writeElement(static_cast<char *>(outputs[0].data) + outputs[0].byte_offset,
                 fromDLDType(outputs[0].dtype).value_or(DType::F32), 0,
                 sumLosses(std::move(losses), mode == PipelineMode::Evaluate));
  return Status::success();
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
