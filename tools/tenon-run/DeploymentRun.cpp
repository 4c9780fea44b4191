//===- DeploymentRun.cpp - runs the stages of a deployment ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeploymentRun.h"
#include "ArtifactLibrary.h"
#include "Report.h"

#include "tenon/Artifact/Deployment.h"
#include "tenon/Artifact/File.h"
#include "tenon/Runtime/Channels.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <map>
#include <new>
#include <system_error>
#include <thread>

using namespace tenon::artifact;
using namespace tenon::run;
using tenon::runtime::Channels;

static double milliseconds() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double, std::milli>(
             Clock::now().time_since_epoch())
      .count();
}

static tenon_tensor view(TensorData &tensor) {
  tenon_tensor result = {};
  result.data = tensor.bytes.data();
  result.device_type = 1;
  result.ndim = static_cast<int32_t>(tensor.shape.size());
  result.dtype = toDLDType(tensor.dtype);
  result.shape = tensor.shape.data();
  return result;
}

/// A tensor as a message: element type, rank, sizes, data.
static Channels::Message pack(const TensorData &tensor) {
  std::vector<int64_t> header = {static_cast<int64_t>(tensor.dtype),
                                 static_cast<int64_t>(tensor.shape.size())};
  header.insert(header.end(), tensor.shape.begin(), tensor.shape.end());
  size_t bytes = header.size() * sizeof(int64_t);
  Channels::Message message(bytes + tensor.bytes.size());
  std::memcpy(message.data(), header.data(), bytes);
  std::copy(tensor.bytes.begin(), tensor.bytes.end(), message.begin() + bytes);
  return message;
}

static Expected<TensorData> unpack(const Channels::Message &message) {
  int64_t header[2];
  Error damaged =
      makeError("a message of ", message.size(), " bytes is not a tensor");
  if (message.size() < sizeof(header))
    return damaged;
  std::memcpy(header, message.data(), sizeof(header));
  if (header[1] < 0 || header[1] > 64 ||
      message.size() < (2 + header[1]) * sizeof(int64_t))
    return damaged;
  std::vector<int64_t> shape(header[1]);
  std::memcpy(shape.data(), message.data() + sizeof(header),
              shape.size() * sizeof(int64_t));
  Expected<TensorData> tensor =
      TensorData::zeros(static_cast<DType>(header[0]), std::move(shape));
  if (!tensor)
    return tensor;
  size_t offset = sizeof(header) + header[1] * sizeof(int64_t);
  if (message.size() - offset != tensor->bytes.size())
    return damaged;
  std::copy(message.begin() + offset, message.end(), tensor->bytes.begin());
  return tensor;
}

namespace {
/// One rank of a deployment.
class RankRun {
public:
  RankRun(const CommandLine &line, const Deployment &deployment,
          Channels &channels)
      : line(line), deployment(deployment), channels(channels) {}
  ~RankRun() {
    for (Loaded &stage : loaded)
      if (stage.model)
        stage.library.unload(stage.model);
  }

  Status run();
  Report report;

private:
  struct Loaded {
    const DeploymentStage *stage = nullptr;
    ArtifactLibrary library;
    tenon_model *model = nullptr;
  };
  Status load();
  Status runStage(Loaded &stage);
  Expected<TensorData *> getValue(Loaded &stage, size_t number);
  Status sendOutputs(const DeploymentStage &stage);
  Status reportOutputs();
  /// The number of a value in the deployment: its tag.
  int getTag(const std::string &value) const;
  const DeploymentStage *getSource(const std::string &value) const;
  Error modelError(Loaded &stage) const {
    const char *reason = stage.library.lastError();
    return makeError("stage '", stage.stage->name,
                     "': ", reason && *reason ? reason : "no reason was given");
  }

  const CommandLine &line;
  const Deployment &deployment;
  Channels &channels;
  std::vector<Loaded> loaded;
  std::vector<const InputSpec *> inputs;
  std::map<std::string, TensorData> values;
};
} // namespace

int RankRun::getTag(const std::string &value) const {
  int tag = 0;
  for (const DeploymentStage &stage : deployment.stages)
    for (const std::string &output : stage.outputs) {
      if (output == value)
        return tag;
      ++tag;
    }
  return tag;
}

const DeploymentStage *RankRun::getSource(const std::string &value) const {
  for (const DeploymentStage &stage : deployment.stages)
    if (std::find(stage.outputs.begin(), stage.outputs.end(), value) !=
        stage.outputs.end())
      return &stage;
  return nullptr;
}

Status RankRun::load() {
  size_t slash = line.artifact.rfind('/');
  std::string folder =
      slash == std::string::npos ? "./" : line.artifact.substr(0, slash + 1);
  double begin = milliseconds();
  for (const DeploymentStage &stage : deployment.stages) {
    if (stage.rank != channels.getRank())
      continue;
    Expected<ArtifactLibrary> library =
        ArtifactLibrary::open(folder + stage.artifact);
    if (!library)
      return library.takeError();
    if (library->manifest.inputs.size() != stage.inputs.size() ||
        library->manifest.outputs.size() != stage.outputs.size())
      return makeError("'", stage.artifact, "' has ",
                       library->manifest.inputs.size(), " inputs and ",
                       library->manifest.outputs.size(),
                       " outputs, but the plan says ", stage.inputs.size(),
                       " and ", stage.outputs.size());
    loaded.push_back({&stage, std::move(*library), nullptr});
    Loaded &last = loaded.back();
    tenon_load_options all = {};
    all.deterministic = line.deterministic;
    tenon_options &options = all.options;
    // Ranks share the machine: one thread each unless the user says more.
    options.threads = line.threads > 0 ? line.threads : 1;
    options.device = line.device;
    options.device_id = line.deviceId;
    if (line.paramsSeed) {
      options.random_params = 1;
      options.random_seed = *line.paramsSeed;
    } else if (!line.paramsPath.empty()) {
      options.params_path = line.paramsPath.c_str();
    }
    if (line.deterministic && !last.library.loadWith)
      return makeError("--deterministic: '", stage.artifact,
                       "' is of an ABI version that does not have it");
    if (last.library.create(all, last.model) != 0)
      return modelError(last);
    report.target = last.library.getTarget(last.model, line.device);
  }
  report.loadMilliseconds = milliseconds() - begin;
  return Status::success();
}

/// An input of the model, a value of this rank, or one that another sends.
Expected<TensorData *> RankRun::getValue(Loaded &stage, size_t number) {
  const std::string &value = stage.stage->inputs[number];
  auto it = values.find(value);
  if (it != values.end())
    return &it->second;
  if (const DeploymentStage *source = getSource(value)) {
    Expected<Channels::Message> message =
        channels.receive(static_cast<int>(source->rank), getTag(value));
    if (!message)
      return message.takeError();
    Expected<TensorData> tensor = unpack(*message);
    if (!tensor)
      return tensor.takeError();
    return &(values[value] = std::move(*tensor));
  }
  size_t position =
      std::find(deployment.inputs.begin(), deployment.inputs.end(), value) -
      deployment.inputs.begin();
  const ManifestValue &declared = stage.library.manifest.inputs[number];
  InputSpec fallback; // random:0
  const InputSpec &spec = inputs[position] ? *inputs[position] : fallback;
  Expected<TensorData> tensor =
      loadInput(spec, concat("input '", value, "'"), value, declared.dtype,
                declared.staticShape());
  if (!tensor)
    return tensor.takeError();
  return &(values[value] = std::move(*tensor));
}

Status RankRun::runStage(Loaded &stage) {
  std::vector<tenon_tensor> inputViews, outputViews;
  for (size_t i = 0; i < stage.stage->inputs.size(); ++i) {
    Expected<TensorData *> value = getValue(stage, i);
    if (!value)
      return value.takeError();
    inputViews.push_back(view(**value));
  }
  const std::vector<ManifestValue> &declared = stage.library.manifest.outputs;
  std::vector<TensorData> outputs(declared.size());
  for (size_t i = 0; i < outputs.size(); ++i) {
    outputs[i].shape.assign(declared[i].shape.size(), 0);
    outputViews.push_back(view(outputs[i]));
  }
  if (stage.library.inferShapes(stage.model, inputViews.data(),
                                inputViews.size(), outputViews.data(),
                                outputViews.size()) != 0)
    return modelError(stage);
  for (size_t i = 0; i < outputs.size(); ++i) {
    Expected<TensorData> tensor =
        TensorData::zeros(declared[i].dtype, std::move(outputs[i].shape));
    if (!tensor)
      return tensor.takeError();
    outputs[i] = std::move(*tensor);
    std::fill(outputs[i].bytes.begin(), outputs[i].bytes.end(), 0xff);
    outputViews[i] = view(outputs[i]);
  }
  double begin = milliseconds();
  if (stage.library.run(stage.model, inputViews.data(), inputViews.size(),
                        outputViews.data(), outputViews.size()) != 0)
    return modelError(stage);
  report.firstMilliseconds += milliseconds() - begin;
  for (size_t i = 0; i < outputs.size(); ++i)
    values[stage.stage->outputs[i]] = std::move(outputs[i]);
  return sendOutputs(*stage.stage);
}

Status RankRun::sendOutputs(const DeploymentStage &stage) {
  for (const std::string &value : stage.outputs) {
    // Once to every rank that needs it.
    std::vector<int64_t> sent = {stage.rank};
    for (const DeploymentStage &user : deployment.stages) {
      if (std::find(user.inputs.begin(), user.inputs.end(), value) ==
              user.inputs.end() ||
          std::find(sent.begin(), sent.end(), user.rank) != sent.end())
        continue;
      sent.push_back(user.rank);
      if (Status status = channels.send(static_cast<int>(user.rank),
                                        getTag(value), pack(values[value]));
          !status)
        return status;
    }
  }
  return Status::success();
}

Status RankRun::reportOutputs() {
  std::vector<std::string> names;
  for (const auto &output : deployment.outputs)
    names.push_back(output.first);
  auto expected = assignSpecs(line.expected, names, "output");
  if (!expected)
    return makeError("--expect: ", expected.error());
  auto written = assignSpecs(line.outputs, names, "output");
  if (!written)
    return makeError("--output: ", written.error());
  for (size_t i = 0; i < deployment.outputs.size(); ++i) {
    const auto &[name, value] = deployment.outputs[i];
    if (getSource(value)->rank != channels.getRank())
      continue;
    TensorData &tensor = values[value];
    TensorReport entry{name, tensor.dtype,      tensor.shape,
                       "",   summarize(tensor), std::nullopt,
                       ""};
    if (const InputSpec *spec = (*expected)[i]) {
      Expected<TensorData> wanted = readTensorFile(spec->path);
      if (!wanted)
        return makeError("--expect: ", wanted.error());
      Expected<Comparison> comparison =
          compareTensors(tensor, *wanted, line.tolerance);
      if (!comparison)
        return makeError("output '", name, "': ", comparison.error());
      report.agrees &= comparison->agrees();
      entry.comparison = *comparison;
      entry.expectedPath = spec->path;
    }
    if (const InputSpec *spec = (*written)[i])
      if (Status status = writeTensorFile(spec->path, name, tensor); !status)
        return status;
    report.outputs.push_back(std::move(entry));
  }
  return Status::success();
}

Status RankRun::run() {
  report.model = deployment.name;
  if (channels.getSize() != deployment.ranks)
    return makeError("the plan needs ", deployment.ranks,
                     " ranks, but there are ", channels.getSize());
  auto specs = assignSpecs(line.inputs, deployment.inputs, "input");
  if (!specs)
    return specs.takeError();
  inputs = std::move(*specs);
  if (Status status = load(); !status)
    return status;
  for (Loaded &stage : loaded)
    if (Status status = runStage(stage); !status)
      return status;
  if (Status status = reportOutputs(); !status)
    return status;
  return channels.finish();
}

/// Runs one rank; when it fails, the others learn it.
static Status runRank(RankRun &rank, Channels &channels) {
  Status status;
  try {
    status = rank.run();
  } catch (const std::bad_alloc &) {
    // If it left a thread, it would end the process.
    status = makeError("out of memory");
  }
  if (!status)
    channels.giveUp(status.error());
  return status;
}

static int fail(const std::string &message) {
  std::fprintf(stderr, "tenon-run: error: %s\n", message.c_str());
  return 1;
}

static int runLocal(const CommandLine &line, const Deployment &deployment) {
  int64_t size = line.ranks ? line.ranks : deployment.ranks;
  std::vector<std::unique_ptr<Channels>> ends =
      tenon::runtime::openLocalChannels(static_cast<int>(size));
  std::vector<std::unique_ptr<RankRun>> ranks;
  std::vector<Status> results(ends.size());
  std::vector<std::thread> threads;
  for (auto &end : ends)
    ranks.push_back(std::make_unique<RankRun>(line, deployment, *end));
  threads.reserve(ends.size());
  for (size_t i = 0; i < ends.size(); ++i) {
    try {
      threads.emplace_back(
          [&, i] { results[i] = runRank(*ranks[i], *ends[i]); });
    } catch (const std::system_error &error) {
      results[i] = makeError("its thread can't be started: ", error.what());
      ends[i]->giveUp(results[i].error());
    }
  }
  for (std::thread &thread : threads)
    thread.join();
  bool agrees = true;
  for (size_t i = 0; i < ranks.size(); ++i) {
    if (!results[i])
      return fail(concat("rank ", i, ": ", results[i].error()));
    if (!ranks[i]->report.outputs.empty())
      ranks[i]->report.print();
    agrees &= ranks[i]->report.agrees;
  }
  return agrees ? 0 : 1;
}

static int runMpi(const CommandLine &line, const Deployment &deployment) {
  Expected<std::unique_ptr<Channels>> channels =
      tenon::runtime::openMpiChannels();
  if (!channels)
    return fail(channels.error());
  RankRun rank(line, deployment, **channels);
  // On failure, giveUp does not return.
  if (Status status = runRank(rank, **channels); !status)
    return fail(status.error());
  if (!rank.report.outputs.empty()) {
    rank.report.print();
    std::fflush(stdout);
  }
  return rank.report.agrees ? 0 : 1;
}

int tenon::run::runDeployment(const CommandLine &line) {
  if (line.channels == "nccl")
    return fail(concat("'", line.artifact,
                       "': its ranks run on the CPU: expected --channels local "
                       "or mpi"));
  Expected<std::vector<uint8_t>> text = readFile(line.artifact);
  if (!text)
    return fail(text.error());
  Expected<Deployment> deployment = parseDeployment(std::string_view(
      reinterpret_cast<const char *>(text->data()), text->size()));
  if (!deployment)
    return fail(concat("'", line.artifact, "': ", deployment.error()));
  return line.channels == "mpi" ? runMpi(line, *deployment)
                                : runLocal(line, *deployment);
}
