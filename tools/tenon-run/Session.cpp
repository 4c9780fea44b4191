//===- Session.cpp - runs of an entry with given inputs -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Session.h"

#include "tenon/Artifact/OutputFile.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

using namespace tenon::artifact;

namespace tenon::run {

static std::vector<std::string>
namesOf(const std::vector<ManifestValue> &list) {
  std::vector<std::string> names;
  for (const ManifestValue &value : list)
    names.push_back(value.name);
  return names;
}

/// Inputs from files and with a shape of their own come first: they say what
/// the dimensions are that others share by name.
Status Session::loadInputs() {
  const Manifest &manifest = model.library.manifest;
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

Status Session::allocateOutputs() {
  const std::vector<ManifestValue> &values = model.library.manifest.outputs;
  outputs.resize(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    outputs[i].shape.assign(values[i].shape.size(), 0);
    outputViews.push_back(view(outputs[i]));
  }
  int32_t failed =
      line.entry.empty()
          ? model.library.inferShapes(model.model, inputViews.data(),
                                      inputViews.size(), outputViews.data(),
                                      outputViews.size())
          : model.library.inferEntryShapes(
                model.model, line.entry.c_str(), inputViews.data(),
                inputViews.size(), outputViews.data(), outputViews.size());
  if (failed)
    return model.error("");
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
    int32_t output = model.library.manifest.inputs[i].donatedTo;
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
          ? model.library.run(model.model, inputViews.data(), inputViews.size(),
                              outputViews.data(), outputViews.size())
          : model.library.runEntry(model.model, line.entry.c_str(),
                                   inputViews.data(), inputViews.size(),
                                   outputViews.data(), outputViews.size());
  elapsed = milliseconds() - begin;
  return failed ? model.error("") : Status::success();
}

Status Session::compareOutputs() {
  const std::vector<ManifestValue> &values = model.library.manifest.outputs;
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

/// Of a pipeline, whose trace is that of its last run, that of the run which
/// took the median time of the first 100: one run may have been disturbed.
Status Session::keepTrace(double elapsed) {
  constexpr size_t mostTraces = 100;
  if (line.trace.empty() || model.library.manifest.ranks == 0 ||
      traces.size() == mostTraces)
    return Status::success();
  const char *text = model.library.traceJson(model.model);
  if (!text)
    return makeError("the model recorded no trace");
  traces.emplace_back(elapsed, text);
  return Status::success();
}

Status Session::writeTrace() {
  if (line.trace.empty())
    return Status::success();
  std::string trace;
  if (traces.empty()) {
    const char *text = model.library.traceJson(model.model);
    if (!text)
      return makeError("the model recorded no trace");
    trace = text;
  } else {
    auto median = traces.begin() + traces.size() / 2;
    std::nth_element(traces.begin(), median, traces.end());
    trace = std::move(median->second);
  }
  // So that the trace says what its stages are.
  if (const std::string &plan = model.library.manifest.plan; !plan.empty())
    trace.insert(1, "\"plan\": " + plan + ",\n ");
  return writeFile(line.trace, trace.data(), trace.size());
}

Status Session::finish() {
  for (size_t i = 0; i < outputs.size(); ++i)
    if (written[i])
      if (Status status = writeTensorFile(
              written[i]->path, model.library.manifest.outputs[i].name,
              outputs[i]);
          !status)
        return status;
  if (!line.saveState.empty())
    if (Status saved = model.saveStates(line.saveState, "--save-state"); !saved)
      return saved;
  if (Status status = writeTrace(); !status)
    return status;
  report.memoryBytes = model.library.memoryBytes(model.model);
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

/// Measures an instance that need not be deterministic.
Status Session::measureOther() {
  CommandLine plain = line;
  plain.deterministic = false;
  LoadedModel other;
  if (Status status = other.open(plain); !status)
    return status;
  if (Status status = other.load(plain); !status)
    return status;
  if (!line.state.empty())
    if (Status status = other.restoreStates(line.state, "--state"); !status)
      return status;
  // Its results are not the ones to report.
  std::vector<TensorData> results = outputs;
  std::swap(model.model, other.model);
  Status status = Status::success();
  double elapsed = 0;
  for (int32_t i = 0; status && i <= line.repeat; ++i) {
    status = call(elapsed);
    if (i > 0)
      report.otherLatency.runs.push_back(elapsed);
  }
  std::swap(model.model, other.model);
  for (size_t i = 0; i < outputs.size(); ++i)
    outputs[i].bytes = results[i].bytes;
  return status;
}

Status Session::runAll() {
  if (Status status = model.open(line); !status)
    return status;
  if (!line.entry.empty())
    if (Status status = model.library.manifest.selectEntry(line.entry); !status)
      return status;
  report.artifact = line.artifact;
  report.model = model.library.manifest.name;
  report.threads = model.getThreads(line);

  std::vector<std::string> names = namesOf(model.library.manifest.outputs);
  Expected<std::vector<const InputSpec *>> specs =
      assignSpecs(line.expected, names, "output");
  if (!specs)
    return makeError("--expect: ", specs.error());
  expected = std::move(*specs);
  specs = assignSpecs(line.outputs, names, "output");
  if (!specs)
    return makeError("--output: ", specs.error());
  written = std::move(*specs);

  progress.show("loading");
  if (Status status = loadInputs(); !status)
    return status;
  report.params = model.getWeightsSource(line);
  double begin = milliseconds();
  if (Status status = model.load(line); !status)
    return status;
  report.loadMilliseconds = milliseconds() - begin;
  report.target = model.library.getTarget(model.model, line.device);
  if (!line.state.empty())
    if (Status status = model.restoreStates(line.state, "--state"); !status)
      return status;
  if (Status status = allocateOutputs(); !status)
    return status;
  progress.show("running");
  if (Status status = call(report.firstMilliseconds); !status)
    return status;
  for (int32_t i = 0; i < line.repeat; ++i) {
    double elapsed;
    if (Status status = call(elapsed); !status)
      return status;
    report.latency.runs.push_back(elapsed);
    if (Status status = keepTrace(elapsed); !status)
      return status;
    if (progress.isDue())
      progress.show(concat("run ", i + 1, " of ", line.repeat));
  }
  if (line.repeat > 0 && line.deterministic)
    if (Status status = measureOther(); !status)
      return status;
  progress.clear();
  if (Status status = compareOutputs(); !status)
    return status;
  if (Status status = finish(); !status)
    return status;
  return Status::success();
}

} // namespace tenon::run
