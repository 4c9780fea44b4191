//===- InputSpec.cpp - inputs named on a command line ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/InputSpec.h"

#include "tenon/Artifact/Npy.h"
#include "tenon/Artifact/TensorProto.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace tenon::artifact {

static bool startsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

static bool endsWith(std::string_view text, std::string_view suffix) {
  return text.size() >= suffix.size() &&
         text.substr(text.size() - suffix.size()) == suffix;
}

template <typename T> static bool parseInteger(std::string_view text, T &out) {
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size() &&
         !text.empty();
}

static bool parseDouble(std::string_view text, double &out) {
  std::string copy(text);
  char *end = nullptr;
  out = std::strtod(copy.c_str(), &end);
  return !copy.empty() && end == copy.c_str() + copy.size() &&
         std::isfinite(out);
}

Expected<std::vector<int64_t>> parseShape(std::string_view text) {
  std::vector<int64_t> shape;
  if (text == "scalar")
    return shape;
  for (std::string_view rest = text;;) {
    size_t end = rest.find('x');
    int64_t size;
    if (!parseInteger(rest.substr(0, end), size) || size < 0)
      return makeError("expected a shape such as 1x3x224x224, but got '", text,
                       "'");
    shape.push_back(size);
    if (end == std::string_view::npos)
      return shape;
    rest.remove_prefix(end + 1);
  }
}

/// Splits "name(a,b)" into its two arguments.
static bool parseArguments(std::string_view text, std::string_view name,
                           std::string_view &a, std::string_view &b) {
  if (!startsWith(text, name) || text.size() < name.size() + 2 ||
      text[name.size()] != '(' || text.back() != ')')
    return false;
  std::string_view inside =
      text.substr(name.size() + 1, text.size() - name.size() - 2);
  size_t comma = inside.find(',');
  if (comma == std::string_view::npos)
    return false;
  a = inside.substr(0, comma);
  b = inside.substr(comma + 1);
  while (!b.empty() && b.front() == ' ')
    b.remove_prefix(1);
  return true;
}

static Expected<Distribution> parseDistribution(std::string_view text) {
  if (text == "normal")
    return Distribution::normal();
  std::string_view a, b;
  if (parseArguments(text, "uniform", a, b)) {
    double low, high;
    if (!parseDouble(a, low) || !parseDouble(b, high) || low > high)
      return makeError("expected uniform(a,b) with numbers a <= b, but got '",
                       text, "'");
    return Distribution::uniform(low, high);
  }
  if (parseArguments(text, "int", a, b)) {
    int64_t first, end;
    if (!parseInteger(a, first) || !parseInteger(b, end) || first >= end)
      return makeError("expected int(a,b) with integers a < b, but got '", text,
                       "'");
    return Distribution::integers(first, end);
  }
  return makeError("expected normal, uniform(a,b) or int(a,b), but got '", text,
                   "'");
}

Expected<InputSpec> parseInputSpec(std::string_view text) {
  InputSpec spec;
  std::string_view value = text;
  if (!startsWith(text, "@") && !startsWith(text, "random:")) {
    // A name may contain '='; it ends at the beginning of a value.
    size_t split = std::min(text.find("=@"), text.find("=random:"));
    if (split == std::string_view::npos || split == 0)
      return makeError("expected [NAME=]@FILE or [NAME=]random:SEED, but got '",
                       text, "'");
    spec.name = std::string(text.substr(0, split));
    value = text.substr(split + 1);
  }
  if (value[0] == '@') {
    spec.path = std::string(value.substr(1));
    if (!endsWith(spec.path, ".pb") && !endsWith(spec.path, ".npy"))
      return makeError("expected a file named .pb or .npy, but got '",
                       spec.path, "'");
    return spec;
  }

  value.remove_prefix(std::string_view("random:").size());
  size_t end = value.find(':');
  if (!parseInteger(value.substr(0, end), spec.seed))
    return makeError("expected a seed of at least 0 after 'random:', but got '",
                     value.substr(0, end), "'");
  while (end != std::string_view::npos) {
    value.remove_prefix(end + 1);
    end = value.find(':');
    std::string_view part = value.substr(0, end);
    bool isShape =
        part == "scalar" || (!part.empty() && part[0] >= '0' && part[0] <= '9');
    if (isShape && !spec.shape && !spec.distribution) {
      Expected<std::vector<int64_t>> shape = parseShape(part);
      if (!shape)
        return shape.takeError();
      spec.shape = std::move(*shape);
      continue;
    }
    if (spec.distribution)
      return makeError("unexpected '", part, "' after the distribution in '",
                       text, "'");
    Expected<Distribution> distribution = parseDistribution(part);
    if (!distribution)
      return distribution.takeError();
    spec.distribution = *distribution;
  }
  return spec;
}

Expected<std::vector<const InputSpec *>>
assignSpecs(const std::vector<InputSpec> &specs,
            const std::vector<std::string> &names, std::string_view what) {
  for (auto name = names.begin(); name != names.end(); ++name)
    if (std::find(names.begin(), name, *name) != name)
      return makeError("two ", what, "s are named '", *name,
                       "'; expected names that differ");
  std::vector<const InputSpec *> assigned(names.size(), nullptr);
  size_t position = 0;
  for (const InputSpec &spec : specs) {
    size_t index;
    if (spec.name.empty()) {
      index = position++;
      if (index >= names.size())
        return makeError("expected at most ", names.size(), " ", what,
                         "s, but got ", index + 1);
    } else {
      index = std::find(names.begin(), names.end(), spec.name) - names.begin();
      if (index == names.size()) {
        std::string known;
        for (const std::string &name : names)
          known += concat(known.empty() ? "'" : ", '", name, "'");
        return makeError("no ", what, " is named '", spec.name,
                         "': expected one of ", known.empty() ? "none" : known);
      }
    }
    if (assigned[index])
      return makeError(what, " '", names[index], "' is given twice");
    assigned[index] = &spec;
  }
  return assigned;
}

Expected<TensorData> readTensorFile(const std::string &path) {
  if (endsWith(path, ".npy"))
    return readNpy(path);
  if (!endsWith(path, ".pb"))
    return makeError("expected a file named .pb or .npy, but got '", path, "'");
  Expected<NamedTensor> tensor = readTensorProto(path);
  if (!tensor)
    return tensor.takeError();
  return std::move(tensor->tensor);
}

Status writeTensorFile(const std::string &path, const std::string &name,
                       const TensorData &tensor) {
  if (endsWith(path, ".npy"))
    return writeNpy(path, tensor);
  if (!endsWith(path, ".pb"))
    return makeError("expected a file named .pb or .npy, but got '", path, "'");
  return writeTensorProto(path, NamedTensor{name, tensor});
}

Expected<TensorData> loadInput(const InputSpec &spec, std::string_view what,
                               std::string_view name, DType dtype,
                               const std::vector<int64_t> &shape) {
  if (!spec.path.empty()) {
    Expected<TensorData> tensor = readTensorFile(spec.path);
    if (!tensor)
      return makeError(what, ": ", tensor.error());
    return tensor;
  }
  const std::vector<int64_t> &wanted = spec.shape ? *spec.shape : shape;
  if (std::any_of(wanted.begin(), wanted.end(),
                  [](int64_t size) { return size < 0; }))
    return makeError(what, " has the shape ", formatShape(wanted),
                     ": expected a shape for its random values, as in random:",
                     spec.seed, ":1x3x224x224");
  Expected<TensorData> tensor = TensorData::zeros(dtype, wanted);
  if (!tensor)
    return makeError(what, ": ", tensor.error());
  Distribution distribution =
      spec.distribution.value_or(defaultInputDistribution(dtype));
  if (!isFloat(dtype) && distribution.kind != Distribution::Int)
    return makeError(what, ": element type ", dtypeName(dtype),
                     " needs the distribution int(a,b)");
  fillRandom(tensor->bytes.data(), dtype, 0, tensor->numElements(),
             streamKey(spec.seed, name), distribution);
  return tensor;
}

} // namespace tenon::artifact
