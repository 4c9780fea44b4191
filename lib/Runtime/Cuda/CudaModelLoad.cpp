//===- CudaModelLoad.cpp - loading an instance for a CUDA device ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaModel.h"
#include "Image.h"

#include "../DeviceRuntime.h"
#include "../Tables.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace tenon::artifact;

namespace tenon::runtime::cuda {

/// Alignment of every buffer, the same as that of the driver's allocations.
static constexpr int64_t alignment = 256;

static int64_t roundUp(int64_t bytes) {
  return (bytes + alignment - 1) / alignment * alignment;
}

static bool isOff(const char *variable) {
  const char *value = std::getenv(variable);
  return value && std::strcmp(value, "0") == 0;
}

static bool isOn(const char *variable) {
  const char *value = std::getenv(variable);
  return value && *value && std::strcmp(value, "0") != 0;
}

static std::string getAlternative(bool hasCpu) {
  return hasCpu ? ", or choose the cpu program with --device=cpu" : "";
}

static Expected<int32_t> countDevices(bool hasCpu) {
  Expected<Driver> driver = Driver::open(getAlternative(hasCpu));
  return driver ? countDevices(*driver, getAlternative(hasCpu))
                : driver.takeError();
}

static std::vector<const tenon_gpu_image *>
listImages(const tenon_program &program) {
  std::vector<const tenon_gpu_image *> images;
  for (int32_t i = 0; i < program.num_images; ++i)
    images.push_back(&program.images[i]);
  return images;
}

static Expected<std::unique_ptr<Model::Impl>>
createModel(const std::vector<const tenon_program *> &programs,
            const LoadSettings &settings, bool hasCpu) {
  std::string orCpu = getAlternative(hasCpu);
  Expected<std::unique_ptr<Device>> device = Device::open(
      settings.options.options.device_id, orCpu, settings.isPlanned());
  if (!device)
    return device.takeError();
  std::string others;
  for (const tenon_program *program : programs) {
    // Any image will do to plan memory.
    std::vector<const tenon_gpu_image *> images =
        settings.isPlanned()
            ? listImages(*program)
            : rankImages(*program, (*device)->major(), (*device)->minor());
    // A program that only moves data has no images to load.
    if (images.empty() && program->num_images > 0) {
      others += concat(others.empty() ? "" : ", ", describeImages(*program));
      continue;
    }
    return std::unique_ptr<Model::Impl>(std::make_unique<CudaModel>(
        *program, std::move(images), settings, std::move(*device)));
  }
  return makeError("the artifact has no kernels for ", (*device)->name(),
                   ", only: ", others, orCpu);
}

CudaModel::CudaModel(const tenon_program &program,
                     std::vector<const tenon_gpu_image *> suitingImages,
                     const LoadSettings &settings,
                     std::unique_ptr<Device> ownDevice)
    : Impl(program, settings, settings.options.options.device_id),
      device(std::move(ownDevice)), images(std::move(suitingImages)),
      libraries(*device),
      staysOnDevice(settings.options.channels == TENON_CHANNELS_NCCL),
      usesGraphs(!isOff("TENON_CUDA_GRAPH")),
      waitsAfterStep(isOn("TENON_CUDA_SYNC")) {
  // Waiting after each step is not possible in a graph.
  usesGraphs = usesGraphs && !waitsAfterStep;
}

CudaModel::~CudaModel() {
  ContextScope scope(*device);
  if (!device->isGone()) {
    // A failed load may leave work on the stream.
    device->driver().streamSynchronize(device->stream());
    for (Event event : {beginEvent, endEvent})
      if (event)
        events.push_back(event);
    for (Event event : events)
      device->driver().eventDestroy(event);
  }
  runs.clear();
  stateData.clear();
  calls.clear();
  libraries.close();
  kernels.unload();
  temporaries.clear();
  residents = DeviceBlock();
  arena = DeviceBlock();
  workspace = DeviceBlock();
  staging = DeviceBlock();
  pinned = PinnedBlock();
  plannedCopy = PinnedBlock();
}

Status CudaModel::prepare() {
  ContextScope scope(*device);
  if (Status status = scope.status(); !status)
    return status;
  device->limitMemory(memory);
  layOutArguments();
  if (!images.empty())
    if (Status status = kernels.load(*device, program, images); !status)
      return status;
  if (Status status = createCalls(); !status)
    return status;
  if (Status status = loadResidents(); !status)
    return status;
  if (Status status = loadStates(); !status)
    return status;
  if (Status status = runPrepareSteps(); !status)
    return status;
  if (Status status = device->wait("a step of prepare failed"); !status)
    return status;
  // All data that a run reads is now on the device. tenon_reset_states reads
  // the weights again that are initial values.
  bool startsAsParameter =
      std::any_of(program.states, program.states + program.num_states,
                  [](const tenon_state &state) { return state.param >= 0; });
  parameters.releaseAll();
  if (!startsAsParameter)
    weights.close();
  if (tracing)
    if (Status status = createEvents(); !status)
      return status;
  return planStaticEntries();
}

/// With static sizes everything is known. If the plan of an entry makes memory
/// grow, the plans made before are dropped, hence the second round.
Status CudaModel::planStaticEntries() {
  for (int round = 0; round < 2; ++round)
    for (EntryRun &run : runs) {
      current = &run;
      if (table().num_symbols > 0)
        continue;
      if (Status status = run.state->call.commit([&] { return selectPlan(); });
          !status)
        return status;
      if (memory.isPlanned() && !staysOnDevice)
        if (Status status = growStaging(/*fromHost=*/true); !status)
          return status;
    }
  return memory.isPlanned() && !staysOnDevice ? planStateCopy()
                                              : Status::success();
}

/// Tensors and states that calls have on the host are copied by way of memory
/// that the first of these calls allocates.
Status CudaModel::planStateCopy() {
  int64_t most = 0;
  for (const DeviceBlock &block : stateData)
    most = std::max(most, block.size());
  Expected<PinnedBlock> copy = PinnedBlock::allocate(*device, most);
  if (!copy)
    return copy.takeError();
  plannedCopy = std::move(*copy);
  return Status::success();
}

void CudaModel::layOutArguments() {
  size_t count = 0;
  for (int32_t i = 0; i < program.num_steps; ++i) {
    argumentsBegin.push_back(count);
    count +=
        program.steps[i].num_buffers + 1 + entryOfStep(i).table.num_symbols;
  }
  arguments.assign(count, 0);
  for (uint64_t &argument : arguments)
    argumentPointers.push_back(&argument);

  addresses.assign(program.num_buffers, 0);
  residentAddresses.assign(program.num_buffers, 0);
  arenaOffsets.assign(program.num_buffers, -1);
  runs.resize(program.num_entries);
  for (int32_t i = 0; i < program.num_entries; ++i)
    runs[i].state = entries[i].get();
  for (int32_t i = 0; i < program.num_checks; ++i) {
    checkBegin.push_back(checkWords.size());
    checkWords.resize(checkWords.size() +
                      static_cast<size_t>(2 * program.checks[i].parts));
    if (program.checks[i].step >= program.prepare.end_step)
      runs[entryOfStep(program.checks[i].step).index].checks.push_back(i);
  }
  for (int32_t i = 0; i < program.num_buffers; ++i) {
    const tenon_buffer &buffer = program.buffers[i];
    // Buffers of the same parameter share memory.
    int32_t owner = i;
    if (buffer.kind == TENON_BUFFER_PARAM)
      for (int32_t j = i; j-- > 0;)
        if (program.buffers[j].kind == TENON_BUFFER_PARAM &&
            program.buffers[j].index == buffer.index)
          owner = j;
    owners.push_back(owner);
  }
  for (EntryRun &run : runs) {
    const tenon_entry &table = run.state->table;
    run.tensors.resize(table.num_inputs + table.num_outputs +
                       run.checks.size());
    for (int32_t i = table.first_buffer; i < table.end_buffer; ++i) {
      int32_t tensor = findTensor(run, program.buffers[i]);
      if (tensor >= 0 && run.tensors[tensor].buffer < 0)
        run.tensors[tensor].buffer = i;
    }
  }
}

Status CudaModel::createCalls() {
  calls.resize(program.num_steps);
  int64_t workspaceBytes = 0;
  for (int32_t i = 0; i < program.num_steps; ++i) {
    const tenon_step &step = program.steps[i];
    if (step.kind == TENON_STEP_KERNEL && images.empty())
      return makeError("the artifact is damaged: step '", step.name,
                       "' has no image");
    if (step.kind == TENON_STEP_PLUGIN)
      return makeError("step '", step.name,
                       "': plug-ins have no CUDA implementation");
    if (step.kind != TENON_STEP_LIBRARY)
      continue;
    Expected<std::unique_ptr<LibraryCall>> call =
        memory.isPlanned() ? LibraryCall::createPlanned()
                           : LibraryCall::create(step, libraries);
    if (!call)
      return call.takeError();
    calls[i] = std::move(*call);
    workspaceBytes = std::max(workspaceBytes, calls[i]->workspaceBytes());
    callsLibraries |= i >= program.prepare.end_step;
  }
  // Allocate now, so that a lack of memory is reported at load and not by a
  // run.
  return grow(workspace, workspaceBytes, "the workspace of libraries");
}

static bool isKept(int32_t kind) {
  return kind == TENON_BUFFER_PARAM || kind == TENON_BUFFER_CONSTANT ||
         kind == TENON_BUFFER_PREPARED;
}

/// Returns the initial content of a buffer; null if prepare writes it.
static Expected<const void *> contentOf(const tenon_buffer &buffer,
                                        Parameters &parameters) {
  if (buffer.kind != TENON_BUFFER_PARAM)
    return buffer.kind == TENON_BUFFER_CONSTANT ? buffer.data : nullptr;
  if (Status status = parameters.reload(buffer.index); !status)
    return status.takeError();
  return parameters.data(buffer.index);
}

/// Puts the data that runs read into one block of memory.
Status CudaModel::loadResidents() {
  std::vector<bool> isRead(program.num_buffers, false);
  for (int32_t i = program.prepare.end_step; i < program.num_steps; ++i)
    for (int32_t j = 0; j < program.steps[i].num_buffers; ++j)
      isRead[owners[program.steps[i].buffers[j]]] = true;
  std::vector<int64_t> offsets(program.num_buffers, -1);
  int64_t sum = 0;
  for (int32_t i = 0; i < program.num_buffers; ++i) {
    if (!isKept(program.buffers[i].kind) || owners[i] != i || !isRead[i])
      continue;
    if (byteSizes[i] < 0)
      return makeError("the artifact is damaged: buffer ", i,
                       " has no static size");
    offsets[i] = sum;
    sum += roundUp(byteSizes[i]);
  }
  if (Status status =
          grow(residents, sum, "the memory of parameters and constants");
      !status)
    return status;
  for (int32_t i = 0; i < program.num_buffers; ++i) {
    if (offsets[owners[i]] < 0)
      continue;
    residentAddresses[i] = residents.data() + offsets[owners[i]];
    addresses[i] = residentAddresses[i];
    if (owners[i] != i || byteSizes[i] == 0)
      continue;
    Expected<const void *> content = contentOf(program.buffers[i], parameters);
    if (!content)
      return content.takeError();
    if (!*content)
      continue;
    if (Result code = device->driver().copyToDevice(
            addresses[i], *content, static_cast<size_t>(byteSizes[i]),
            device->stream());
        code != Success)
      return device->fail(code, "parameters can't be copied to it");
  }
  return Status::success();
}

/// Allocates memory for a buffer that only prepare reads, if it has none yet.
Status CudaModel::allocateTemporary(int32_t buffer) {
  int32_t owner = owners[buffer];
  if (!isKept(program.buffers[buffer].kind) || residentAddresses[owner])
    return Status::success();
  DeviceBlock &block = temporaries[owner];
  if (block.size() == 0 && byteSizes[owner] > 0) {
    Expected<DeviceBlock> allocated = DeviceBlock::allocate(
        *device, byteSizes[owner], "a parameter or constant for prepare");
    if (!allocated)
      return allocated.takeError();
    block = std::move(*allocated);
    Expected<const void *> content =
        contentOf(program.buffers[owner], parameters);
    if (!content)
      return content.takeError();
    if (*content)
      if (Result code = device->driver().copyToDevice(
              block.data(), *content, static_cast<size_t>(byteSizes[owner]),
              device->stream());
          code != Success)
        return device->fail(code, "parameters can't be copied to it");
  }
  addresses[buffer] = block.data();
  return Status::success();
}

Status CudaModel::runPrepareSteps() {
  EntryState &entry = prepareEntry();
  int32_t end = entry.table.end_step;
  if (end == 0)
    return Status::success();
  std::vector<int32_t> last(program.num_buffers, -1);
  std::vector<int32_t> lastUses = findLastPrepareUses();
  for (int32_t i = 0; i < program.num_buffers; ++i)
    last[owners[i]] = std::max(last[owners[i]], lastUses[i]);

  temporaries.resize(program.num_buffers);
  if (Status status = growArena(entry); !status)
    return status;
  for (int32_t i = 0; i < program.num_buffers; ++i)
    if (arenaOffsets[i] >= 0)
      addresses[i] = arena.data() + arenaOffsets[i];
  for (int32_t i = 0; i < end; ++i)
    if (calls[i])
      if (Status status = calls[i]->select(entry.symbols()); !status)
        return status;
  if (Status status = growWorkspace(entry); !status)
    return status;

  for (int32_t i = 0; i < end; ++i) {
    const tenon_step &step = program.steps[i];
    for (int32_t j = 0; j < step.num_buffers; ++j)
      if (Status status = allocateTemporary(step.buffers[j]); !status)
        return status;
    if (Status status = enqueueStep(entry, i); !status)
      return status;
    if (checkOfStep[i] >= 0)
      if (Status status = examinePrepared(checkOfStep[i]); !status)
        return status;
    // Buffers are released after their last reader, so that raw and prepared
    // weights are never all on the device at the same time.
    for (int32_t j = 0; j < step.num_buffers; ++j) {
      int32_t owner = owners[step.buffers[j]];
      if (last[owner] != i || temporaries[owner].size() == 0)
        continue;
      if (Status status = device->wait(concat("step '", step.name, "' failed"));
          !status)
        return status;
      temporaries[owner] = DeviceBlock();
    }
    calls[i] = nullptr;
  }
  // The entries may need a smaller arena.
  int64_t needed = 0;
  for (int32_t i = 0; i < program.num_entries; ++i)
    needed = std::max(needed, program.entries[i].arena_bytes);
  if (arena.size() > needed) {
    if (Status status = device->wait("a step of prepare failed"); !status)
      return status;
    arena = DeviceBlock();
  }
  return Status::success();
}

Status CudaModel::examinePrepared(int32_t check) {
  if (memory.isPlanned())
    return Status::success();
  int32_t buffer = program.checks[check].buffer;
  int64_t bytes = program.buffers[buffer].bytes;
  Expected<PinnedBlock> words = PinnedBlock::allocate(*device, bytes);
  if (!words)
    return words.takeError();
  if (Result code = device->driver().copyToHost(
          words->data(), addresses[buffer], static_cast<size_t>(bytes),
          device->stream());
      code != Success)
    return device->fail(code, "a check of indices can't be copied from it");
  if (Status status = device->wait("a check of indices failed"); !status)
    return status;
  return examineCheck(check, reinterpret_cast<const int64_t *>(words->data()));
}

Status CudaModel::createEvents() {
  int32_t count = 1;
  for (int32_t i = 0; i < program.num_entries; ++i)
    count = std::max(count, program.entries[i].end_step -
                                program.entries[i].first_step + 1);
  for (int32_t i = 0; i < count; ++i) {
    Event event = nullptr;
    if (Result code = device->driver().eventCreate(&event, 0); code != Success)
      return device->fail(code, "can't create an event for the trace");
    events.push_back(event);
  }
  return Status::success();
}

uint64_t CudaModel::memoryBytes() const {
  int64_t sum = residents.size() + arena.size() + workspace.size() +
                staging.size() + pinned.size();
  for (const DeviceBlock &block : stateData)
    sum += block.size();
  return static_cast<uint64_t>(sum);
}

} // namespace tenon::runtime::cuda

const tenon::runtime::DeviceRuntime tenon_runtime_cuda = {
    tenon::runtime::cuda::createModel, tenon::runtime::cuda::countDevices};
