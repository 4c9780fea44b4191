//===- PipelineModel.cpp - an instance whose ranks run a pipeline ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PipelineModel.h"
#include "../DeviceRuntime.h"
#include "../Tables.h"

#include "tenon/Artifact/TensorData.h"

#include <algorithm>
#include <cstring>
#include <map>

using namespace tenon::artifact;

namespace tenon::runtime {

static int32_t countCalled(const tenon_program &program) {
  return program.num_entries - program.num_tasks;
}

static std::vector<int32_t> listCalled(const tenon_program &program) {
  std::vector<int32_t> entries;
  for (int32_t i = 0; i < countCalled(program); ++i)
    entries.push_back(i);
  return entries;
}

//===----------------------------------------------------------------------===//
// PipelineTables
//===----------------------------------------------------------------------===//

PipelineTables::PipelineTables(const tenon_program &program, Pipeline described)
    : pipeline(std::move(described)), called(program, listCalled(program)),
      visible(called.get()) {
  for (int32_t i = 0; i < program.num_states; ++i) {
    if (isGradientState(program.states[i].value.name))
      continue;
    tenon_state &state = states.emplace_back(program.states[i]);
    // Ranks have the data.
    state.param = -1;
    state.initial = nullptr;
  }
  visible.num_states = static_cast<int32_t>(states.size());
  visible.states = states.data();
  // Ranks of the same stages have the same program.
  std::map<std::vector<int32_t>, std::shared_ptr<const ProgramSlice>> known;
  for (size_t rank = 0; rank < pipeline.ranks.size(); ++rank) {
    std::vector<int32_t> entries;
    for (int32_t i = countCalled(program); i < program.num_entries; ++i) {
      std::string name = program.entries[i].name;
      bool isNeeded = name == "advance";
      for (const PipelineStage &stage : pipeline.stages)
        isNeeded |=
            name.compare(0, stage.name.size() + 1, stage.name + ".") == 0 &&
            std::count(stage.ranks.begin(), stage.ranks.end(), rank);
      if (isNeeded)
        entries.push_back(i);
    }
    std::shared_ptr<const ProgramSlice> &slice = known[entries];
    if (!slice && !entries.empty())
      slice = std::make_shared<const ProgramSlice>(program, entries);
    slices.push_back(slice);
  }
}

Status PipelineTables::check(const tenon_program &program) const {
  for (size_t rank = 0; rank < slices.size(); ++rank)
    if (!slices[rank])
      return makeError("the artifact is damaged: rank ", rank, " has no task");
  int32_t numOutputs = 0;
  for (int32_t i = 0; i < countCalled(program); ++i) {
    const tenon_entry &entry = program.entries[i];
    bool hasLoss =
        pipeline.isTraining && std::strcmp(entry.name, "predict") != 0;
    if (entry.first_step != entry.end_step || entry.num_symbols != 0 ||
        entry.num_inputs != pipeline.numInputs + hasLoss ||
        (hasLoss && entry.num_outputs != 1))
      return makeError("the artifact is damaged: entry '", entry.name,
                       "' is not that of a pipeline");
    if (!hasLoss)
      numOutputs = entry.num_outputs;
  }
  for (const PipelineStage &stage : pipeline.stages)
    for (const PipelineResult &result : stage.results)
      for (int64_t output : result.outputs)
        if (output >= numOutputs)
          return makeError("the artifact is damaged: there is no output ",
                           output);
  return Status::success();
}

static int32_t findState(const tenon_program &program, const char *name) {
  for (int32_t i = 0; i < program.num_states; ++i)
    if (std::strcmp(program.states[i].value.name, name) == 0)
      return i;
  return -1;
}

bool PipelineTables::hasState(size_t rank, int32_t state) const {
  return findState(slices[rank]->get(), states[state].value.name) >= 0;
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

Status PipelineModel::openTransports() {
  auto size = static_cast<int32_t>(pipeline.ranks.size());
  const tenon_load_options &options = settings.options;
  if (options.executor)
    return makeError("executor: a pipeline has threads of its own");
  if (options.watchdog_seconds < 0)
    return makeError("watchdog_seconds: expected at least 0, but got ",
                     options.watchdog_seconds);
  if (!(options.timed_waits >= 0 && options.timed_waits <= 1e9))
    return makeError("timed_waits: expected a factor from 0 to 1e9");
  if (options.ranks != 0 && options.ranks != size &&
      (options.ranks != 1 || isMpi()))
    return makeError("ranks: expected ", size,
                     " (or 1: one after the other), "
                     "but got ",
                     options.ranks);
  if (options.channels != TENON_CHANNELS_LOCAL && !isMpi())
    return makeError("channels: expected 0 (local) or 1 (mpi), but got ",
                     options.channels);
  std::chrono::seconds watchdog(options.watchdog_seconds);
  if (!isMpi()) {
    local = std::make_unique<LocalTransports>(size);
    for (int32_t rank = 0; rank < size; ++rank)
      local->get(rank).setWatchdog(watchdog);
    return Status::success();
  }
  Expected<Transport *> opened = openMpiTransport();
  if (!opened)
    return opened.takeError();
  if ((*opened)->getSize() != size)
    return makeError("channels: the pipeline has ", size,
                     " ranks, but mpirun has started ", (*opened)->getSize());
  mpi = *opened;
  mpi->setWatchdog(watchdog);
  return Status::success();
}

Status PipelineModel::loadRanks() {
  LoadSettings own = settings;
  // Ranks share the machine: one thread each, unless more are asked for.
  if (own.options.options.threads == 0)
    own.options.options.threads = 1;
  for (size_t rank = 0; rank < pipeline.ranks.size(); ++rank) {
    if (mpi && mpi->getRank() != static_cast<int>(rank))
      continue;
    Transport &transport = mpi ? *mpi : local->get(static_cast<int>(rank));
    runners.push_back(std::make_unique<RankRunner>(
        pipeline, static_cast<int64_t>(rank), slices[rank], transport));
    if (Status status = runners.back()->load(own); !status)
      return makeError("rank ", rank, ": ", status.error());
  }
  bool hasThreads = !mpi && settings.options.ranks != 1;
  return hasThreads ? rankThreads.start(static_cast<int>(runners.size()))
                    : Status::success();
}

Status PipelineModel::prepare() {
  if (Status status = check(whole); !status)
    return status;
  if (Status status = openTransports(); !status)
    return status;
  Status status = loadRanks();
  // The other processes would wait for this one.
  if (!status && mpi)
    mpi->giveUp(status.error());
  return status;
}

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

Status PipelineModel::runThreads(PipelineMode mode, const tenon_tensor *inputs,
                                 tenon_tensor *outputs) {
  rankThreads.run([&](int rank) {
    Status status = guard([&]() -> Status {
      if (Status begun = runners[rank]->begin(mode, inputs, outputs); !begun)
        return begun;
      Expected<bool> ended = runners[rank]->advance(/*mayWait=*/true);
      return ended ? Status::success() : ended.takeError();
    });
    if (!status)
      local->get(rank).giveUp(status.error());
  });
  std::string reason;
  int lost = local->getLostRank(reason);
  return lost < 0 ? Status::success() : makeError("rank ", lost, ": ", reason);
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
        return status;
    return Status::success();
  }
  std::vector<Status> statuses(runners.size());
  rankThreads.run([&](int rank) {
    statuses[rank] = guard([&] { return runners[rank]->update(); });
  });
  for (Status &status : statuses)
    if (!status)
      return status;
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
        return status;
  hasPartialSums = mode == PipelineMode::Train;
  if (mpi)
    return runProcess(mode, inputs, outputs);
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
    if (Status status =
            runner->getModel().getState(states[state].value.name, &tensor);
        !status)
      return status;
  return mpi ? shareState(state, data) : Status::success();
}

Status PipelineModel::writeState(int32_t state, const void *data) {
  std::vector<int64_t> shape;
  tenon_tensor tensor = makeTensor(state, shape, const_cast<void *>(data));
  for (const std::unique_ptr<RankRunner> &runner : runners)
    if (hasState(runner->getRank(), state))
      if (Status status =
              runner->getModel().setState(states[state].value.name, &tensor);
          !status)
        return status;
  return Status::success();
}

Status PipelineModel::resetStates() {
  for (const std::unique_ptr<RankRunner> &runner : runners)
    if (Status status = runner->getModel().resetStates(); !status)
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

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

static Expected<std::unique_ptr<Model::Impl>>
createPipeline(const std::vector<const tenon_program *> &programs,
               const LoadSettings &settings, bool) {
  const tenon_program &program = *programs.front();
  if (Status status = checkTables(program); !status)
    return status.takeError();
  if (program.num_tasks < 1 || program.num_tasks >= program.num_entries)
    return makeError("the artifact is damaged: it has ", program.num_tasks,
                     " tasks among ", program.num_entries, " entries");
  Expected<Pipeline> pipeline = parsePipeline(program.pipeline);
  if (!pipeline)
    return makeError("the artifact is damaged: ", pipeline.error());
  return std::unique_ptr<Model::Impl>(
      std::make_unique<PipelineModel>(program, std::move(*pipeline), settings));
}

} // namespace tenon::runtime

const tenon::runtime::DeviceRuntime tenon_runtime_pipeline = {
    tenon::runtime::createPipeline};
