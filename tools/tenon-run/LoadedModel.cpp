//===- LoadedModel.cpp - an instance of an artifact ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoadedModel.h"
#include "tenon/Artifact/Safetensors.h"

#include <cstdlib>

using namespace tenon::artifact;

namespace tenon::run {

tenon_tensor view(TensorData &tensor) {
  tenon_tensor result = {};
  result.data = tensor.bytes.data();
  result.device_type = 1;
  result.ndim = static_cast<int32_t>(tensor.shape.size());
  result.dtype = toDLDType(tensor.dtype);
  result.shape = tensor.shape.data();
  return result;
}

Error LoadedModel::error(const std::string &what) const {
  const char *reason = library.lastError();
  return makeError(what, reason && *reason ? reason : "no reason was given");
}

Status LoadedModel::open(const CommandLine &line) {
  Expected<ArtifactLibrary> opened = ArtifactLibrary::open(line.artifact);
  if (!opened)
    return opened.takeError();
  library = std::move(*opened);
  for (auto [option, isAsked] :
       {std::pair("--train", line.training.isOn),
        std::pair("--entry", !line.entry.empty()),
        std::pair("--state", !line.state.empty()),
        std::pair("--save-state", !line.saveState.empty())})
    if (isAsked &&
        !(library.runEntry && library.inferEntryShapes && library.getState &&
          library.saveStates && library.restoreStates))
      return makeError(option, ": '", line.artifact, "' has the ABI version ",
                       library.version,
                       ", which has no entries and states; compile the model "
                       "again");
  if (line.deterministic && !library.loadWith)
    return makeError("--deterministic: '", line.artifact,
                     "' has the ABI version ", library.version,
                     ", which does not have it; compile the model again");
  if (library.manifest.ranks == 0 &&
      (!line.channels.empty() || line.ranks > 0 || line.watchdog > 0 ||
       line.timedWaits > 0))
    return makeError("--channels, --ranks, --watchdog and --timed-waits are "
                     "for pipelines, but '",
                     line.artifact, "' is none");
  // Each process would run all ranks, and train a copy of its own.
  if (library.manifest.ranks > 0 && !isOneOfProcesses(line))
    for (const char *name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
      if (const char *processes = std::getenv(name);
          processes && std::strtol(processes, nullptr, 10) > 1)
        return makeError("'", line.artifact, "': this is one of ", processes,
                         " processes (", name,
                         "), each of which would run the whole pipeline: "
                         "expected --channels mpi or nccl");
  // The artifact itself reads weights only if it needs some.
  if (!line.paramsPath.empty() && library.manifest.parameters.empty())
    if (auto file = SafetensorsFile::open(line.paramsPath); !file)
      return makeError("--params: ", file.error());
  for (auto [option, isAsked] :
       {std::pair("--state", !line.state.empty()),
        std::pair("--save-state", !line.saveState.empty())})
    if (isAsked && library.manifest.states.empty())
      return makeError("'", line.artifact, "' has no states, but got ", option);
  return Status::success();
}

std::string LoadedModel::getWeightsSource(const CommandLine &line) const {
  if (line.paramsSeed)
    return concat("random:", *line.paramsSeed);
  if (!line.paramsPath.empty())
    return concat("'", line.paramsPath, "'");
  if (!library.manifest.parametersFile.empty())
    return concat("'", library.manifest.parametersFile, "' beside the model");
  return "";
}

int32_t LoadedModel::getThreads(const CommandLine &line) const {
  if (line.threads > 0)
    return line.threads;
  // Ranks share the machine.
  return library.manifest.ranks > 0 ? 1 : line.defaultThreads;
}

tenon_load_options LoadedModel::getLoadOptions(const CommandLine &line) const {
  tenon_load_options all = {};
  all.struct_size = sizeof all;
  tenon_options &options = all.options;
  options.threads = getThreads(line);
  options.trace = !line.trace.empty();
  options.device = line.device;
  options.device_id = line.deviceId;
  if (line.paramsSeed) {
    options.random_params = 1;
    options.random_seed = *line.paramsSeed;
  } else if (!line.paramsPath.empty()) {
    options.params_path = line.paramsPath.c_str();
  }
  all.deterministic = line.deterministic;
  all.channels = line.channels == "mpi"    ? TENON_CHANNELS_MPI
                 : line.channels == "nccl" ? TENON_CHANNELS_NCCL
                                           : TENON_CHANNELS_LOCAL;
  all.ranks = line.ranks;
  all.watchdog_seconds = line.watchdog;
  all.timed_waits = line.timedWaits;
  all.memory_limit = line.memoryLimit;
  return all;
}

Status LoadedModel::load(const CommandLine &line) {
  if (library.create(getLoadOptions(line), model) != 0)
    return error("cannot load the model: ");
  return Status::success();
}

Status LoadedModel::restoreStates(const std::string &path,
                                  const std::string &option) {
  if (library.restoreStates(model, path.c_str()) != 0)
    return error(option + ": ");
  return Status::success();
}

Status LoadedModel::saveStates(const std::string &path,
                               const std::string &option) {
  if (library.saveStates(model, path.c_str()) != 0)
    return error(option + ": ");
  return Status::success();
}

} // namespace tenon::run
