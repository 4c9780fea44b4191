//===- EntryFeed.cpp - calls of an entry with batches -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EntryFeed.h"

#include "tenon/Artifact/InputSpec.h"

#include <cmath>

using namespace tenon::artifact;

namespace tenon::run {

Status EntryFeed::findBatchSize(const CommandLine &line) {
  int64_t wanted = line.training.batch;
  isOpen = true;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!dataset.columns()[i])
      continue;
    int64_t size = inputs[i].shape.front().size;
    if (size < 0)
      continue;
    isOpen = false;
    if (wanted != 0 && size != wanted)
      return makeError(line.training.batch ? "--batch: " : "", "input '",
                       inputs[i].name, "' takes ", size,
                       " samples at a time, but expected ", wanted);
    wanted = size;
  }
  if (wanted == 0 && isOpen)
    return makeError("the model leaves the size of a batch open: expected "
                     "--batch N");
  if (wanted == 0)
    return makeError("the model takes batches of no samples");
  batchSize = wanted;
  return Status::success();
}

Status EntryFeed::prepare(const Manifest &manifest, const std::string &name,
                          const std::vector<std::string> &files,
                          const std::string &option, const CommandLine &line) {
  entry = name;
  Manifest own = manifest;
  if (Status selected = own.selectEntry(entry); !selected)
    return makeError("--train: the model has no entry '", entry,
                     "'; compile it with tenon-compile --train=LOSS");
  if (own.outputs.size() != 1 || !own.outputs.front().shape.empty() ||
      (own.outputs.front().dtype != DType::F32 &&
       own.outputs.front().dtype != DType::F64))
    return makeError("--train: expected a loss, a scalar of f32 or f64, as the "
                     "result of the entry '",
                     entry, "'");
  inputs = own.inputs;
  loss = own.outputs.front();
  Expected<Dataset> opened = Dataset::open(files, inputs, option);
  if (!opened)
    return opened.takeError();
  dataset = std::move(*opened);
  std::vector<std::string> names;
  for (const ManifestValue &input : inputs)
    names.push_back(input.name);
  Expected<std::vector<const InputSpec *>> specs =
      assignSpecs(line.inputs, names, "input");
  if (!specs)
    return specs.takeError();
  constants.resize(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    const InputSpec *spec = (*specs)[i];
    if (dataset.columns()[i]) {
      if (spec)
        return makeError("input '", inputs[i].name, "' has ", option,
                         " and --input");
      continue;
    }
    if (!spec)
      return makeError(option, ": input '", inputs[i].name, "' of type ",
                       inputs[i].formatType(),
                       " has no samples; name them, or give --input, the same "
                       "in every step");
    Expected<TensorData> tensor =
        loadInput(*spec, concat("input '", names[i], "'"), names[i],
                  inputs[i].dtype, inputs[i].staticShape());
    if (!tensor)
      return tensor.takeError();
    constants[i] = std::move(*tensor);
  }
  if (dataset.size() == 0) {
    batchSize = 1;
    return Status::success();
  }
  if (Status found = findBatchSize(line); !found)
    return found;
  if (dataset.size() < batchSize)
    return makeError(option, ": expected a batch of ", batchSize,
                     " samples or more, but got ", dataset.size());
  return Status::success();
}

Expected<Batch> EntryFeed::gather(std::vector<int64_t> samples) const {
  Batch batch;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!dataset.columns()[i]) {
      batch.inputs.push_back(constants[i]);
      continue;
    }
    Expected<TensorData> tensor = dataset.gather(i, samples);
    if (!tensor)
      return tensor.takeError();
    batch.inputs.push_back(std::move(*tensor));
  }
  batch.samples = std::move(samples);
  return batch;
}

Expected<double> EntryFeed::call(LoadedModel &model, Batch &batch) {
  std::vector<tenon_tensor> views;
  for (TensorData &input : batch.inputs)
    views.push_back(view(input));
  Expected<TensorData> result = TensorData::zeros(loss.dtype, {});
  if (!result)
    return result.takeError();
  tenon_tensor output = view(*result);
  if (model.library.runEntry(model.model, entry.c_str(), views.data(),
                             views.size(), &output, 1) != 0)
    return model.error("");
  return result->get(0);
}

std::string EntryFeed::describeNonFinite(const Batch &batch) const {
  for (size_t i = 0; i < inputs.size(); ++i) {
    const TensorData &tensor = batch.inputs[i];
    int64_t count = tensor.numElements();
    int64_t each = count;
    if (dataset.columns()[i] && !batch.samples.empty())
      each = count / static_cast<int64_t>(batch.samples.size());
    for (int64_t element = 0; element < count; ++element)
      if (double value = tensor.get(element); !std::isfinite(value))
        return concat("; input '", inputs[i].name, "' is ", value,
                      dataset.columns()[i]
                          ? concat(" in sample ", batch.samples[element / each],
                                   " of '", dataset.columns()[i]->file, "'")
                          : "");
  }
  return "";
}

} // namespace tenon::run
