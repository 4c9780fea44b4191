//===- tenon-run.cpp - runs a compiled model ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArtifactLibrary.h"
#include "CommandLine.h"
#include "DeploymentRun.h"
#include "Report.h"

#include "tenon/Artifact/OutputFile.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <thread>
#include <unistd.h>

using namespace tenon;
using namespace tenon::artifact;
using namespace tenon::run;

static double milliseconds() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double, std::milli>(
             Clock::now().time_since_epoch())
      .count();
}

namespace {
/// A line on the terminal that tells how far a long run has come.
class Progress {
public:
  ~Progress() { clear(); }

  void update(int32_t done, int32_t total) {
    double now = milliseconds();
    if (!enabled || now - last < 200)
      return;
    last = now;
    shown = true;
    std::fprintf(stderr, "\rrun %d of %d", done, total);
    std::fflush(stderr);
  }

  void say(const char *what) {
    if (!enabled)
      return;
    shown = true;
    std::fprintf(stderr, "\r%s", what);
    std::fflush(stderr);
  }

  void clear() {
    if (shown)
      std::fprintf(stderr, "\r\033[K");
    shown = false;
  }

private:
  bool enabled = ::isatty(STDERR_FILENO) != 0;
  bool shown = false;
  double last = milliseconds();
};

/// One run of the tool.
class Session {
public:
  explicit Session(const CommandLine &line) : line(line) {}

  Status run() {
    Status status = runAll();
    progress.clear();
    return status;
  }
  bool agrees() const { return report.agrees; }

private:
  Status runAll();
  Status checkVersion() const;
  Status loadInputs();
  Status loadModel();
  Status allocateOutputs();
  void shareDonated();
  Status call(double &elapsed);
  Status finish();
  Status compareOutputs();

  tenon_tensor view(TensorData &tensor) const;
  Error modelError(const char *what) const {
    const char *reason = library.lastError();
    return makeError(what, reason && *reason ? reason : "no reason was given");
  }

  const CommandLine &line;
  ArtifactLibrary library;
  tenon_model *model = nullptr;
  std::vector<TensorData> inputs, outputs;
  std::vector<const InputSpec *> expected, written; // by output
  std::vector<tenon_tensor> inputViews, outputViews;
  Report report;
  Progress progress;
};
} // namespace

static std::vector<std::string>
namesOf(const std::vector<ManifestValue> &list) {
  std::vector<std::string> names;
  for (const ManifestValue &value : list)
    names.push_back(value.name);
  return names;
}

tenon_tensor Session::view(TensorData &tensor) const {
  tenon_tensor result = {};
  result.data = tensor.bytes.data();
  result.device_type = 1;
  result.ndim = static_cast<int32_t>(tensor.shape.size());
  result.dtype = toDLDType(tensor.dtype);
  result.shape = tensor.shape.data();
  return result;
}

/// Inputs from files and with a shape of their own come first: they say what
/// the dimensions are that others share by name.
Status Session::loadInputs() {
  const Manifest &manifest = library.manifest;
  Expected<std::vector<const InputSpec *>> specs =
      assignSpecs(line.inputs, namesOf(manifest.inputs), "input");
  if (!specs)
    return specs.takeError();
  InputSpec fallback; // random:0
  std::vector<std::pair<std::string, int64_t>> sizes;
  inputs.resize(manifest.inputs.size());
  report.inputs.resize(inputs.size());
  for (bool shaped : {true, false})
    for (size_t i = 0; i < inputs.size(); ++i) {
      const ManifestValue &value = manifest.inputs[i];
      const InputSpec &spec = (*specs)[i] ? *(*specs)[i] : fallback;
      if (shaped != (!spec.path.empty() || spec.shape.has_value()))
        continue;
      std::vector<int64_t> shape = value.staticShape();
      for (size_t axis = 0; axis < shape.size(); ++axis)
        for (const auto &[symbol, size] : sizes)
          if (shape[axis] < 0 && value.shape[axis].symbol == symbol)
            shape[axis] = size;
      Expected<TensorData> tensor =
          loadInput(spec, concat("input '", value.name, "'"), value.name,
                    value.dtype, shape);
      if (!tensor)
        return tensor.takeError();
      if (tensor->shape.size() == shape.size())
        for (size_t axis = 0; axis < shape.size(); ++axis)
          if (!value.shape[axis].symbol.empty())
            sizes.emplace_back(value.shape[axis].symbol, tensor->shape[axis]);
      inputs[i] = std::move(*tensor);
      std::string source = spec.path.empty() ? concat("random:", spec.seed)
                                             : "'" + spec.path + "'";
      if (!(*specs)[i])
        source += " (not given)";
      report.inputs[i] = {value.name,
                          inputs[i].dtype,
                          inputs[i].shape,
                          source,
                          {},
                          std::nullopt,
                          ""};
    }
  for (TensorData &input : inputs)
    inputViews.push_back(view(input));
  return Status::success();
}

/// Checks that the artifact has the requested functions.
Status Session::checkVersion() const {
  for (auto [option, isAsked] :
       {std::pair("--entry", !line.entry.empty()),
        std::pair("--state", !line.state.empty()),
        std::pair("--save-state", !line.saveState.empty())})
    if (isAsked && !(library.runEntry && library.inferEntryShapes &&
                     library.saveStates && library.restoreStates))
      return makeError(option, ": '", line.artifact, "' has the ABI version ",
                       library.version,
                       ", which has no entries and states; compile the model "
                       "again");
  return Status::success();
}

Status Session::loadModel() {
  tenon_options options = {};
  options.threads = line.threads;
  options.trace = !line.trace.empty();
  options.device = line.device;
  options.device_id = line.deviceId;
  if (line.paramsSeed) {
    options.random_params = 1;
    options.random_seed = *line.paramsSeed;
    report.params = concat("random:", *line.paramsSeed);
  } else if (!line.paramsPath.empty()) {
    options.params_path = line.paramsPath.c_str();
    report.params = concat("'", line.paramsPath, "'");
  } else if (!library.manifest.parametersFile.empty()) {
    report.params =
        concat("'", library.manifest.parametersFile, "' beside the model");
  }
  double begin = milliseconds();
  if (library.load(&options, &model) != 0)
    return modelError("cannot load the model: ");
  report.loadMilliseconds = milliseconds() - begin;
  if (!line.state.empty() &&
      library.restoreStates(model, line.state.c_str()) != 0)
    return modelError("--state: ");
  return Status::success();
}

Status Session::allocateOutputs() {
  const std::vector<ManifestValue> &values = library.manifest.outputs;
  outputs.resize(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    outputs[i].shape.assign(values[i].shape.size(), 0);
    outputViews.push_back(view(outputs[i]));
  }
  int32_t failed =
      line.entry.empty()
          ? library.inferShapes(model, inputViews.data(), inputViews.size(),
                                outputViews.data(), outputViews.size())
          : library.inferEntryShapes(model, line.entry.c_str(),
                                     inputViews.data(), inputViews.size(),
                                     outputViews.data(), outputViews.size());
  if (failed)
    return modelError("");
  for (size_t i = 0; i < values.size(); ++i) {
    std::optional<DType> dtype = fromDLDType(outputViews[i].dtype);
    if (!dtype)
      return makeError("output '", values[i].name,
                       "' has an unknown element type");
    Expected<TensorData> tensor =
        TensorData::zeros(*dtype, std::move(outputs[i].shape));
    if (!tensor)
      return makeError("output '", values[i].name, "': ", tensor.error());
    outputs[i] = std::move(*tensor);
    outputViews[i] = view(outputs[i]);
  }
  return Status::success();
}

/// Puts inputs where their outputs will lie. If several are donated to one
/// output, the first shares its memory.
void Session::shareDonated() {
  std::vector<bool> shared(outputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    int32_t output = library.manifest.inputs[i].donatedTo;
    if (output < 0 || shared[output])
      continue;
    shared[output] = true;
    outputs[output].bytes = inputs[i].bytes;
    outputViews[output] = view(outputs[output]);
    inputViews[i].data = outputViews[output].data;
  }
}

Status Session::call(double &elapsed) {
  // Makes unwritten elements visible: NaN in every float type.
  for (TensorData &output : outputs)
    std::fill(output.bytes.begin(), output.bytes.end(), 0xff);
  if (line.donate)
    shareDonated();
  double begin = milliseconds();
  int32_t failed =
      line.entry.empty()
          ? library.run(model, inputViews.data(), inputViews.size(),
                        outputViews.data(), outputViews.size())
          : library.runEntry(model, line.entry.c_str(), inputViews.data(),
                             inputViews.size(), outputViews.data(),
                             outputViews.size());
  elapsed = milliseconds() - begin;
  return failed ? modelError("") : Status::success();
}

Status Session::compareOutputs() {
  const std::vector<ManifestValue> &values = library.manifest.outputs;
  for (size_t i = 0; i < outputs.size(); ++i) {
    TensorReport output{values[i].name,
                        outputs[i].dtype,
                        outputs[i].shape,
                        "",
                        summarize(outputs[i]),
                        std::nullopt,
                        ""};
    if (expected[i]) {
      Expected<TensorData> wanted = readTensorFile(expected[i]->path);
      if (!wanted)
        return makeError("--expect: ", wanted.error());
      Expected<Comparison> comparison =
          compareTensors(outputs[i], *wanted, line.tolerance);
      if (!comparison)
        return makeError("output '", values[i].name, "': ", comparison.error(),
                         " (expected as in '", expected[i]->path, "')");
      report.agrees &= comparison->agrees();
      output.comparison = *comparison;
      output.expectedPath = expected[i]->path;
    }
    report.outputs.push_back(std::move(output));
  }
  return Status::success();
}

Status Session::finish() {
  for (size_t i = 0; i < outputs.size(); ++i)
    if (written[i])
      if (Status status = writeTensorFile(
              written[i]->path, library.manifest.outputs[i].name, outputs[i]);
          !status)
        return status;
  if (!line.saveState.empty() &&
      library.saveStates(model, line.saveState.c_str()) != 0)
    return modelError("--save-state: ");
  if (!line.trace.empty()) {
    const char *text = library.traceJson(model);
    if (!text)
      return makeError("the model recorded no trace");
    if (Status status = writeFile(line.trace, text, std::strlen(text)); !status)
      return status;
  }
  report.memoryBytes = library.memoryBytes(model);
  report.print();
  if (!line.json.empty()) {
    std::string text = report.json();
    if (Status status = writeFile(line.json, text.data(), text.size()); !status)
      return status;
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout))
    return makeError("cannot write the results to standard output");
  return Status::success();
}

Status Session::runAll() {
  Expected<ArtifactLibrary> opened = ArtifactLibrary::open(line.artifact);
  if (!opened)
    return opened.takeError();
  library = std::move(*opened);
  if (Status status = checkVersion(); !status)
    return status;
  if (!line.entry.empty())
    if (Status status = library.manifest.selectEntry(line.entry); !status)
      return status;
  report.artifact = line.artifact;
  report.model = library.manifest.name;
  report.target = library.manifest.targetOn(line.device);
  report.threads = line.threads;

  std::vector<std::string> names = namesOf(library.manifest.outputs);
  Expected<std::vector<const InputSpec *>> specs =
      assignSpecs(line.expected, names, "output");
  if (!specs)
    return makeError("--expect: ", specs.error());
  expected = std::move(*specs);
  specs = assignSpecs(line.outputs, names, "output");
  if (!specs)
    return makeError("--output: ", specs.error());
  written = std::move(*specs);

  progress.say("loading");
  if (Status status = loadInputs(); !status)
    return status;
  if (Status status = loadModel(); !status)
    return status;
  if (Status status = allocateOutputs(); !status)
    return status;
  progress.say("running");
  if (Status status = call(report.firstMilliseconds); !status)
    return status;
  if (line.repeat > 1)
    for (int32_t i = 0; i < line.repeat; ++i) {
      double elapsed;
      if (Status status = call(elapsed); !status)
        return status;
      report.latency.runs.push_back(elapsed);
      progress.update(i + 1, line.repeat);
    }
  progress.clear();
  if (Status status = compareOutputs(); !status)
    return status;
  if (Status status = finish(); !status)
    return status;
  library.unload(model);
  return Status::success();
}

/// Checks that no output replaces an input.
static Status checkFiles(const CommandLine &line) {
  std::vector<PlannedOutput> outputs;
  for (const InputSpec &output : line.outputs)
    outputs.push_back({"--output", output.path});
  if (!line.json.empty())
    outputs.push_back({"--json", line.json});
  if (!line.trace.empty())
    outputs.push_back({"--trace", line.trace});
  if (!line.saveState.empty())
    outputs.push_back({"--save-state", line.saveState});
  std::vector<std::string> inputs = {line.artifact};
  // States may be saved where they come from: the file is read as a whole
  // before it is replaced.
  if (line.state != line.saveState)
    inputs.push_back(line.state);
  for (const std::vector<InputSpec> *specs : {&line.inputs, &line.expected})
    for (const InputSpec &spec : *specs)
      inputs.push_back(spec.path);
  inputs.push_back(line.paramsPath);
  // The weights beside the model, by their usual name.
  size_t dot = line.artifact.rfind('.');
  inputs.push_back(line.artifact.substr(0, dot) + ".safetensors");
  inputs.push_back(line.artifact.substr(0, dot) + ".h");
  return checkOutputs(outputs, inputs, /*force=*/false);
}

/// Where artifacts find the plug-ins that Tenon comes with:
/// `../lib/tenon/backends` beside the `bin` of this program.
static void tellBackendsFolder() {
  char program[4096];
  ssize_t length = ::readlink("/proc/self/exe", program, sizeof program);
  if (length <= 0 || length == sizeof program)
    return;
  std::string folder(program, static_cast<size_t>(length));
  for (int part = 0; part < 2; ++part) {
    size_t slash = folder.rfind('/');
    folder.resize(slash == std::string::npos ? 0 : slash);
  }
  ::setenv("TENON_BACKEND_INSTALL", (folder + "/lib/tenon/backends").c_str(),
           /*overwrite=*/0);
}

int main(int argc, char **argv) {
  prepareStreams();
  prepareSignals("tenon-run");
  int status;
  std::optional<CommandLine> line = parseCommandLine(argc, argv, status);
  if (!line)
    return status;
  if (Status checked = checkFiles(*line); !checked) {
    std::fprintf(stderr, "tenon-run: error: %s\n", checked.error().c_str());
    return 1;
  }
  tellBackendsFolder();
  if (!line->isDeployment() && line->threads == 0) {
    // The runtime's decision, for the report.
    const char *text = std::getenv("OMP_NUM_THREADS");
    char *end = nullptr;
    long wanted = text ? std::strtol(text, &end, 10) : 0;
    // A list has a number for each level of nesting.
    if (end && *end != '\0' && *end != ',')
      wanted = 0;
    if (wanted > mostThreads) {
      std::fprintf(stderr,
                   "tenon-run: error: OMP_NUM_THREADS: expected a number from "
                   "1 to %d, but got '%s'\n",
                   mostThreads, text);
      return 2;
    }
    line->threads = static_cast<int32_t>(wanted);
    if (line->threads < 1)
      line->threads =
          std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  }
  // libgomp's threads spin for milliseconds by default: on a machine that has
  // other work, ResNet-50 on two threads takes 5 to 10 times as long as with
  // 3000 turns (some 50 microseconds), which still covers the gaps between two
  // steps. Read by libgomp when the artifact brings it in.
  if (!line->isDeployment() && !std::getenv("OMP_WAIT_POLICY"))
    ::setenv("GOMP_SPINCOUNT", "3000", /*overwrite=*/0);
  try {
    if (line->isDeployment())
      return runDeployment(*line);
    Session session(*line);
    if (Status done = session.run(); !done) {
      std::fprintf(stderr, "tenon-run: error: %s\n", done.error().c_str());
      return 1;
    }
    return session.agrees() ? 0 : 1;
  } catch (const std::bad_alloc &) {
    std::fprintf(stderr, "tenon-run: error: out of memory\n");
    return 1;
  }
}
