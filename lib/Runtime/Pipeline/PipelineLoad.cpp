//===- PipelineLoad.cpp - loading an instance that runs a pipeline --------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../DeviceRuntime.h"
#include "../Tables.h"
#include "HostRank.h"
#include "NcclRuntime.h"
#include "PipelineModel.h"

#include <cstdlib>
#include <cstring>
#include <map>
#include <set>

using namespace tenon::artifact;

// Other artifacts have no such part (ModelLoad.cpp).
extern "C" __attribute__((weak))
const tenon::runtime::DeviceRuntime tenon_runtime_cuda;
extern "C" __attribute__((weak))
const tenon::runtime::NcclRuntime tenon_runtime_nccl;

namespace tenon::runtime {

static std::vector<int32_t> listCalled(const tenon_program &program) {
  std::vector<int32_t> entries;
  for (int32_t i = 0; i < countCalled(program); ++i)
    entries.push_back(i);
  return entries;
}

//===----------------------------------------------------------------------===//
// PipelineTables
//===----------------------------------------------------------------------===//

PipelineTables::PipelineTables(const tenon_program &program)
    : whole(program), controlTag(findFreeTag(program)),
      called(program, listCalled(program)), visible(called.get()) {
  for (int32_t i = 0; i < program.num_states; ++i) {
    if (program.states[i].transient)
      continue;
    tenon_state &state = states.emplace_back(program.states[i]);
    // Ranks have the data.
    state.param = -1;
    state.initial = nullptr;
  }
  visible.num_states = static_cast<int32_t>(states.size());
  visible.states = states.data();
  // The tasks of each rank, and the states that it sums.
  using Content = std::pair<std::set<int32_t>, std::set<int32_t>>;
  std::vector<Content> contents(program.num_ranks);
  forEachStep(program, [&](int32_t, int32_t rank, const tenon_rank_step &step) {
    if (step.kind == TENON_RANK_TASK)
      contents[rank].first.insert(step.entry);
    if (step.kind == TENON_RANK_ALL_REDUCE)
      contents[rank].second.insert(step.states, step.states + step.num_states);
  });
  std::map<Content, std::shared_ptr<const ProgramSlice>> known;
  for (Content &content : contents) {
    // A model has an entry. Those of callers have no steps.
    if (content.first.empty())
      content.first.insert(0);
    std::shared_ptr<const ProgramSlice> &slice = known[content];
    if (!slice)
      slice = std::make_shared<const ProgramSlice>(
          program,
          std::vector<int32_t>(content.first.begin(), content.first.end()),
          std::vector<int32_t>(content.second.begin(), content.second.end()));
    slices.push_back(slice);
  }
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

/// Under mpirun, each rank is a process.
bool PipelineModel::hasProcesses() const {
  return settings.options.channels == TENON_CHANNELS_MPI ||
         (isNccl() && std::getenv("OMPI_COMM_WORLD_SIZE"));
}

Status PipelineModel::checkChannels() const {
  int32_t size = whole.num_ranks;
  const tenon_load_options &options = settings.options;
  if (options.executor)
    return makeError("executor: a pipeline has threads of its own");
  if (options.watchdog_seconds < 0)
    return makeError("watchdog_seconds: expected at least 0, but got ",
                     options.watchdog_seconds);
  if (!(options.timed_waits >= 0 && options.timed_waits <= 1e9))
    return makeError("timed_waits: expected a factor from 0 to 1e9");
  if (options.channels < TENON_CHANNELS_LOCAL ||
      options.channels > TENON_CHANNELS_NCCL)
    return makeError("channels: expected 0 (local), 1 (mpi) or 2 (nccl), but "
                     "got ",
                     options.channels);
  if (options.ranks != 0 && options.ranks != size &&
      (options.ranks != 1 || options.channels != TENON_CHANNELS_LOCAL))
    return makeError("ranks: expected ", size,
                     " (or, with local channels, 1: one after the other), "
                     "but got ",
                     options.ranks);
  if (!isNccl())
    return Status::success();
  if (whole.device != TENON_PROGRAM_CUDA)
    return makeError("channels: nccl is for CUDA devices, but the program is "
                     "for the cpu");
  if (!&tenon_runtime_nccl)
    return makeError("the artifact was linked without the runtime for nccl: "
                     "compile it anew");
  if (options.timed_waits > 0)
    return makeError("timed_waits: not with the channels nccl, whose ranks "
                     "wait on their devices");
  return Status::success();
}

Status PipelineModel::openTransports() {
  int32_t size = whole.num_ranks;
  std::chrono::seconds watchdog(settings.options.watchdog_seconds);
  if (!hasProcesses()) {
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

/// The ranks of a machine take its devices in turn.
Expected<int32_t> PipelineModel::chooseDevice(size_t rank) const {
  int32_t first = settings.options.options.device_id;
  if (whole.device != TENON_PROGRAM_CUDA)
    return first;
  Expected<int32_t> count = tenon_runtime_cuda.countDevices(hasCpu);
  if (!count)
    return count;
  // A device that does not exist is reported when it is opened.
  if (first >= *count)
    return first;
  const char *local = std::getenv("OMPI_COMM_WORLD_LOCAL_RANK");
  size_t place = mpi && local ? std::strtoul(local, nullptr, 10) : rank;
  return static_cast<int32_t>((first + place) % *count);
}

std::unique_ptr<RankRunner> PipelineModel::makeRank(size_t rank) {
  Transport &transport = mpi ? *mpi : local->get(static_cast<int>(rank));
  auto number = static_cast<int64_t>(rank);
  if (isNccl())
    return tenon_runtime_nccl.createRank(whole, number, slices[rank],
                                         transport);
  return std::make_unique<HostRank>(whole, number, slices[rank], transport);
}

Status PipelineModel::loadRanks() {
  LoadSettings own = settings;
  // Ranks share the machine: one thread each, unless more are asked for.
  if (own.options.options.threads == 0)
    own.options.options.threads = 1;
  for (size_t rank = 0; rank < slices.size(); ++rank) {
    if (mpi && mpi->getRank() != static_cast<int>(rank))
      continue;
    Expected<int32_t> device = chooseDevice(rank);
    if (!device)
      return device.takeError();
    own.options.options.device_id = *device;
    runners.push_back(makeRank(rank));
    if (Status status = runners.back()->load(own); !status)
      return makeError("rank ", rank, ": ", status.error());
  }
  bool hasThreads = !mpi && settings.options.ranks != 1;
  return hasThreads ? rankThreads.start(static_cast<int>(runners.size()))
                    : Status::success();
}

/// A rank allocates all of its memory when it is loaded.
Status PipelineModel::planRank() {
  int32_t rank = settings.plannedRank;
  if (rank < 0 || rank >= whole.num_ranks)
    return makeError("rank: expected 0 to ", whole.num_ranks - 1, ", but got ",
                     rank);
  local = std::make_unique<LocalTransports>(whole.num_ranks);
  LoadSettings own = settings;
  if (own.options.options.threads == 0)
    own.options.options.threads = 1;
  runners.push_back(makeRank(static_cast<size_t>(rank)));
  return runners.back()->load(own);
}

Status PipelineModel::prepare() {
  if (Status status = checkChannels(); !status)
    return status;
  if (memory.isPlanned())
    return planRank();
  if (Status status = openTransports(); !status)
    return status;
  Status status = loadRanks();
  // The other processes would wait for this one.
  if (!status && mpi)
    mpi->giveUp(status.error());
  return status;
}

PipelineModel::~PipelineModel() {
  if (!isNccl())
    return;
  if (mpi && !runners.empty())
    runners.front()->disconnect(/*hasFailed=*/false);
  rankThreads.run(
      [&](int rank) { runners[rank]->disconnect(/*hasFailed=*/false); });
}

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

static Expected<std::unique_ptr<Model::Impl>>
createPipeline(const std::vector<const tenon_program *> &programs,
               const LoadSettings &settings, bool hasCpu) {
  const tenon_program &program = *programs.front();
  if (Status status = checkTables(program); !status)
    return status.takeError();
  if (Status status = checkRanks(program); !status)
    return status.takeError();
  return std::unique_ptr<Model::Impl>(
      std::make_unique<PipelineModel>(program, settings, hasCpu));
}

} // namespace tenon::runtime

const tenon::runtime::DeviceRuntime tenon_runtime_pipeline = {
    tenon::runtime::createPipeline, /*countDevices=*/nullptr};
