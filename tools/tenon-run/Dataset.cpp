//===- Dataset.cpp - samples for training --------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dataset.h"

#include "tenon/Artifact/InputFiles.h"
#include "tenon/Artifact/Npy.h"
#include "tenon/Artifact/Philox.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <unistd.h>

using namespace tenon::artifact;

namespace tenon::run {

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static bool endsWith(const std::string &text, const std::string &end) {
  return text.size() >= end.size() &&
         text.compare(text.size() - end.size(), end.size(), end) == 0;
}

static bool isInteger(DType dtype) {
  switch (dtype) {
  case DType::I64:
  case DType::I32:
  case DType::I8:
  case DType::U8:
    return true;
  default:
    return false;
  }
}

/// Whether data of a type may be given to an input of another one: conversions
/// that do not change what a number means, up to rounding to a narrower float.
static bool isConvertible(DType from, DType to) {
  if (from == to)
    return true;
  if (from == DType::Bool || to == DType::Bool)
    return false;
  if (!isInteger(to))
    return true;
  return isInteger(from) && (dtypeSize(from) < dtypeSize(to));
}

Expected<size_t> Dataset::findInput(const std::string &name) const {
  std::string names;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].name == name)
      return i;
    names += concat(i ? ", " : "", "'", inputs[i].name, "'");
  }
  return makeError("expected an input, ", names, ", but got '", name, "'");
}

Status Dataset::addTensor(size_t input, SampleColumn column, int64_t samples,
                          const std::string &file) {
  const ManifestValue &value = inputs[input];
  auto error = [&](auto &&...parts) {
    return makeError("'", file, "': input '", value.name, "': ", parts...);
  };
  if (byInput[input])
    return error("has samples already, of '", byInput[input]->file, "'");
  if (value.shape.empty())
    return error("is a scalar and has no samples");
  std::vector<int64_t> wanted = value.staticShape();
  wanted.erase(wanted.begin());
  bool suits = column.shape.size() == wanted.size();
  for (size_t axis = 0; suits && axis < wanted.size(); ++axis)
    suits = wanted[axis] < 0 || wanted[axis] == column.shape[axis];
  if (!suits) {
    ManifestValue sample = value;
    sample.shape.erase(sample.shape.begin());
    return error("expected samples of type ", sample.formatType(), ", but got ",
                 formatType(column.dtype, column.shape));
  }
  if (!isConvertible(column.dtype, value.dtype))
    return error("expected elements of ", dtypeName(value.dtype), ", but got ",
                 dtypeName(column.dtype));
  if (samples == 0)
    return error("expected samples, but got none");
  if (count != 0 && samples != count)
    return error("expected ", count, " samples as in '", firstFile,
                 "', but got ", samples);
  if (count == 0)
    firstFile = file;
  count = samples;
  column.file = file;
  byInput[input] = std::move(column);
  return Status::success();
}

/// Splits the shape of a tensor into the number of samples and their shape.
static Expected<int64_t> takeSamples(std::vector<int64_t> shape, DType dtype,
                                     const std::string &file,
                                     SampleColumn &column) {
  if (shape.empty())
    return makeError("'", file, "': expected an axis of samples, but got a ",
                     "scalar");
  int64_t samples = shape.front();
  shape.erase(shape.begin());
  column.dtype = dtype;
  Expected<int64_t> elements = countElements(shape, dtypeSize(dtype));
  if (!elements)
    return makeError("'", file, "': ", elements.error());
  column.sampleBytes = static_cast<size_t>(*elements) * dtypeSize(dtype);
  column.shape = std::move(shape);
  return samples;
}

Status Dataset::addSafetensors(const std::string &path,
                               std::optional<size_t> input) {
  Expected<SafetensorsFile> opened = SafetensorsFile::open(path);
  if (!opened)
    return opened.takeError();
  auto file = std::make_unique<SafetensorsFile>(std::move(*opened));
  bool found = false;
  for (const SafetensorsEntry &entry : file->entries()) {
    size_t target;
    if (input) {
      // The tensor of the input's name, or the only one.
      if (entry.name != inputs[*input].name && file->entries().size() != 1)
        continue;
      target = *input;
    } else {
      Expected<size_t> named = findInput(entry.name);
      if (!named)
        return makeError("'", path, "': ", named.error());
      target = *named;
    }
    SampleColumn column;
    Expected<int64_t> samples =
        takeSamples(entry.shape, entry.dtype, path, column);
    if (!samples)
      return samples.takeError();
    column.data = file->data(entry);
    if (Status added = addTensor(target, std::move(column), *samples, path);
        !added)
      return added;
    found = true;
  }
  if (!found)
    return makeError("'", path, "': expected a tensor ",
                     input ? concat("'", inputs[*input].name, "'")
                           : "with the name of an input",
                     ", but got none");
  safetensors.push_back(std::move(file));
  return Status::success();
}

Status Dataset::addNpy(const std::string &path, size_t input) {
  noteInput(path);
  Expected<MappedFile> opened = MappedFile::open(path);
  if (!opened)
    return opened.takeError();
  auto file = std::make_unique<MappedFile>(std::move(*opened));
  Expected<NpyLayout> layout = parseNpyLayout(file->data(), file->size());
  if (!layout)
    return makeError("'", path, "': ", layout.error());
  SampleColumn column;
  Expected<int64_t> samples =
      takeSamples(layout->shape, layout->dtype, path, column);
  if (!samples)
    return samples.takeError();
  // What must be converted as a whole is read.
  if (layout->isColumnMajor || layout->dtype == DType::Bool) {
    Expected<TensorData> tensor = parseNpy(file->data(), file->size());
    if (!tensor)
      return makeError("'", path, "': ", tensor.error());
    tensors.push_back(std::make_unique<TensorData>(std::move(*tensor)));
    column.data = tensors.back()->bytes.data();
  } else {
    column.data = file->data() + layout->offset;
    mapped.push_back(std::move(file));
  }
  return addTensor(input, std::move(column), *samples, path);
}

Status Dataset::addRaw(const std::string &path, size_t input) {
  const ManifestValue &value = inputs[input];
  noteInput(path);
  Expected<MappedFile> opened = MappedFile::open(path);
  if (!opened)
    return opened.takeError();
  auto file = std::make_unique<MappedFile>(std::move(*opened));
  std::vector<int64_t> shape = value.staticShape();
  if (!shape.empty())
    shape.front() = 1;
  for (int64_t size : shape)
    if (size < 0)
      return makeError("'", path, "': input '", value.name, "' of type ",
                       value.formatType(), " has samples of no fixed size; ",
                       "give them as .npy or .safetensors");
  SampleColumn column;
  Expected<int64_t> one = takeSamples(shape, value.dtype, path, column);
  if (!one)
    return one.takeError();
  if (column.sampleBytes == 0 || file->size() % column.sampleBytes != 0)
    return makeError(
        "'", path, "': input '", value.name, "': expected a multiple of ",
        column.sampleBytes, " bytes, a sample of type ",
        formatType(column.dtype, column.shape), ", but got ", file->size());
  auto samples = static_cast<int64_t>(file->size() / column.sampleBytes);
  column.data = file->data();
  mapped.push_back(std::move(file));
  return addTensor(input, std::move(column), samples, path);
}

Status Dataset::addFile(const std::string &text) {
  std::optional<size_t> input;
  std::string path = text;
  if (size_t equals = text.find('='); equals != std::string::npos) {
    Expected<size_t> named = findInput(text.substr(0, equals));
    if (named) {
      input = *named;
      path = text.substr(equals + 1);
    } else if (::access(text.c_str(), F_OK) != 0) {
      return named.takeError();
    }
  }
  if (!path.empty() && path.front() == '@')
    path.erase(0, 1);
  if (endsWith(path, ".safetensors"))
    return addSafetensors(path, input);
  for (size_t i = 0; !input && i < inputs.size(); ++i)
    if (!byInput[i])
      input = i;
  if (!input)
    return makeError("'", path, "': every input has samples already");
  return endsWith(path, ".npy") ? addNpy(path, *input) : addRaw(path, *input);
}

Expected<Dataset> Dataset::open(const std::vector<std::string> &files,
                                const std::vector<ManifestValue> &inputs,
                                const std::string &option) {
  Dataset dataset;
  dataset.inputs = inputs;
  dataset.byInput.resize(inputs.size());
  // Files with names first: the others belong to the inputs that are left.
  for (bool named : {true, false})
    for (const std::string &file : files)
      if (named == (file.find('=') != std::string::npos))
        if (Status added = dataset.addFile(file); !added)
          return makeError(option, ": ", added.error());
  return dataset;
}

Expected<TensorData>
Dataset::gather(size_t input, const std::vector<int64_t> &samples) const {
  const SampleColumn &column = *byInput[input];
  std::vector<int64_t> shape = column.shape;
  shape.insert(shape.begin(), static_cast<int64_t>(samples.size()));
  Expected<TensorData> batch = TensorData::zeros(column.dtype, shape);
  if (!batch)
    return batch;
  uint8_t *out = batch->bytes.data();
  for (int64_t sample : samples) {
    if (column.sampleBytes > 0)
      std::memcpy(out, column.data + sample * column.sampleBytes,
                  column.sampleBytes);
    out += column.sampleBytes;
  }
  if (column.dtype == inputs[input].dtype)
    return batch;
  return batch->convert(inputs[input].dtype);
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

std::vector<int64_t> BatchOrder::getSamples(int64_t step) {
  int64_t begin = step % getStepsPerEpoch() * batch;
  std::vector<int64_t> chosen(batch);
  if (!seed) {
    std::iota(chosen.begin(), chosen.end(), begin);
    return chosen;
  }
  if (int64_t wanted = step / getStepsPerEpoch(); epoch != wanted) {
    epoch = wanted;
    order.resize(samples);
    std::iota(order.begin(), order.end(), 0);
    // Fisher and Yates, by the counter-based generator: every epoch has a
    // stream of its own.
    uint64_t key = streamKey(*seed, concat("epoch ", epoch));
    for (int64_t i = samples - 1; i > 0; --i) {
      std::array<uint32_t, 4> block = philox4x32(
          {static_cast<uint32_t>(i), static_cast<uint32_t>(i >> 32), 0, 0},
          {static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32)});
      uint64_t random = block[0] | static_cast<uint64_t>(block[1]) << 32;
      auto bound = static_cast<unsigned __int128>(i + 1);
      std::swap(order[i], order[static_cast<int64_t>(random * bound >> 64)]);
    }
  }
  std::copy_n(order.begin() + begin, batch, chosen.begin());
  return chosen;
}

} // namespace tenon::run
