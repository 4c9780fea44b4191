//===- ArtifactSide.cpp - an artifact that is compared -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArtifactSide.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

#include <cstring>
#include <dlfcn.h>

using namespace tenon;
using namespace tenon::artifact;
using namespace tenon::compare;

namespace {
/// Collects what the steps of one run write.
class Recorder {
public:
  explicit Recorder(std::vector<TensorData> &outputs) : outputs(outputs) {}

  static void receive(void *context, const tenon_observed_step *step) {
    for (int32_t i = 0; i < step->num_values; ++i)
      static_cast<Recorder *>(context)->add(*step, step->values[i]);
  }

  /// An error of the values, as there is no way to report it earlier.
  Expected<Trace> finish();

private:
  void add(const tenon_observed_step &step, const tenon_observed_value &value);

  std::vector<TensorData> &outputs;
  std::string error;
  Trace trace;
  /// By value: the output in whose memory it lies, or -1.
  std::vector<int> outputOf;
};
} // namespace

void Recorder::add(const tenon_observed_step &step,
                   const tenon_observed_value &value) {
  const tenon_tensor &tensor = value.tensor;
  std::optional<DType> dtype = fromDLDType(tensor.dtype);
  if (!dtype) {
    error = concat("step '", step.name, "' has a value of an unknown type");
    return;
  }
  auto data =
      TensorData::zeros(*dtype, {tensor.shape, tensor.shape + tensor.ndim});
  if (!data) {
    error = concat("step '", step.name, "': ", data.error());
    return;
  }
  const char *bytes =
      static_cast<const char *>(tensor.data) + tensor.byte_offset;
  if (!data->bytes.empty())
    std::memcpy(data->bytes.data(), bytes, data->bytes.size());
  TracedValue traced;
  traced.origin = parseOrigin(value.origin ? value.origin : "");
  traced.step = step.name ? step.name : "";
  traced.data = std::move(*data);
  trace.values.push_back(std::move(traced));
  int output = -1;
  for (size_t i = 0; i < outputs.size(); ++i)
    if (!outputs[i].bytes.empty() &&
        outputs[i].bytes.data() == static_cast<const void *>(bytes))
      output = static_cast<int>(i);
  outputOf.push_back(output);
}

/// An output is shown by every step that uses it: it counts once, from the step
/// that gives it its final contents. Several steps may have written parts of
/// it.
Expected<Trace> Recorder::finish() {
  if (!error.empty())
    return makeError(error);
  Trace result;
  std::vector<bool> isShown(outputs.size());
  for (auto [value, output] : llvm::zip(trace.values, outputOf)) {
    if (output >= 0) {
      if (isShown[output] || value.data.bytes != outputs[output].bytes)
        continue;
      isShown[output] = true;
    }
    result.values.push_back(std::move(value));
  }
  return result;
}

Expected<ArtifactSide> ArtifactSide::open(const std::string &path,
                                          const Arguments &arguments) {
  if (!arguments.entry.empty())
    return makeError("--entry: '", path,
                     "' is an artifact, of which the first "
                     "entry is run; expected models");
  auto library = ArtifactLibrary::open(path);
  if (!library)
    return library.takeError();
  ArtifactSide side;
  side.path = path;
  side.library = std::move(*library);
  // It is loaded already.
  std::string name = path.find('/') == std::string::npos ? "./" + path : path;
  void *handle = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return makeError("cannot load '", path, "'");
  auto *said =
      static_cast<const char *>(::dlsym(handle, "tenon_symbol_prefix"));
  std::string prefix = said ? said : "tenon";
  side.observe = reinterpret_cast<decltype(side.observe)>(
      ::dlsym(handle, (prefix + "_observe").c_str()));
  if (!side.observe)
    return makeError("'", path,
                     "' has an ABI version before 3, which does not "
                     "show its values; compile the model again");
  const Manifest &manifest = side.library.manifest;
  side.signature = {manifest.inputs, manifest.outputs};
  return side;
}

std::string ArtifactSide::getParamsPath() const {
  const std::string &file = library.manifest.parametersFile;
  if (file.empty())
    return "";
  llvm::SmallString<128> beside = llvm::sys::path::parent_path(path);
  llvm::sys::path::append(beside, file);
  return beside.str().str();
}

static tenon_tensor view(TensorData &tensor) {
  tenon_tensor result = {};
  result.data = tensor.bytes.data();
  result.device_type = TENON_DEVICE_CPU;
  result.ndim = static_cast<int32_t>(tensor.shape.size());
  result.dtype = toDLDType(tensor.dtype);
  result.shape = tensor.shape.data();
  return result;
}

Expected<Trace> ArtifactSide::run(std::vector<TensorData> inputs,
                                  const Arguments &arguments) {
  tenon_options options = {};
  options.threads = static_cast<int32_t>(arguments.threads);
  if (arguments.paramsSeed) {
    options.random_params = 1;
    options.random_seed = *arguments.paramsSeed;
  } else if (!arguments.paramsPath.empty()) {
    options.params_path = arguments.paramsPath.c_str();
  }
  auto fail = [&] {
    const char *reason = library.lastError();
    return makeError(reason && *reason ? reason : "no reason was given");
  };
  tenon_model *model = nullptr;
  if (library.load(&options, &model) != 0)
    return fail();
  std::unique_ptr<tenon_model, decltype(library.unload)> owner(model,
                                                               library.unload);
  std::vector<TensorData> outputs(signature.outputs.size());
  std::vector<tenon_tensor> inputViews, outputViews;
  for (TensorData &input : inputs)
    inputViews.push_back(view(input));
  for (auto [output, value] : llvm::zip(outputs, signature.outputs)) {
    output.shape.assign(value.shape.size(), 0);
    outputViews.push_back(view(output));
  }
  if (library.inferShapes(model, inputViews.data(), inputViews.size(),
                          outputViews.data(), outputViews.size()) != 0)
    return fail();
  for (auto [output, shown, value] :
       llvm::zip(outputs, outputViews, signature.outputs)) {
    auto tensor = TensorData::zeros(value.dtype, output.shape);
    if (!tensor)
      return tensor.takeError();
    output = std::move(*tensor);
    // Makes unwritten elements visible: NaN in every float type.
    std::fill(output.bytes.begin(), output.bytes.end(), 0xff);
    shown = view(output);
  }
  Recorder recorder(outputs);
  if (observe(model, Recorder::receive, &recorder) != 0 ||
      library.run(model, inputViews.data(), inputViews.size(),
                  outputViews.data(), outputViews.size()) != 0)
    return fail();
  auto trace = recorder.finish();
  if (!trace)
    return trace;
  for (auto [output, value] : llvm::zip(outputs, signature.outputs)) {
    TracedValue last;
    last.output = value.name;
    last.data = std::move(output);
    trace->values.push_back(std::move(last));
  }
  return trace;
}
