//===- Side.cpp - one of the builds that are compared --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Side.h"

#include "llvm/ADT/STLExtras.h"

using namespace tenon;
using namespace tenon::artifact;
using namespace tenon::compare;

/// Symbols stand for any size: a build may have fixed one.
static bool isCompatible(const ManifestValue &a, const ManifestValue &b) {
  return a.name == b.name && a.dtype == b.dtype &&
         a.shape.size() == b.shape.size() &&
         llvm::all_of(llvm::zip(a.shape, b.shape), [](auto both) {
           int64_t x = std::get<0>(both).size, y = std::get<1>(both).size;
           return x < 0 || y < 0 || x == y;
         });
}

static Status checkValues(const char *what, const std::string &a,
                          const std::vector<ManifestValue> &first,
                          const std::string &b,
                          const std::vector<ManifestValue> &second) {
  for (size_t i = 0; i < std::max(first.size(), second.size()); ++i) {
    auto describe = [&](const std::vector<ManifestValue> &list) {
      return i < list.size()
                 ? concat("'", list[i].name, "' (", list[i].formatType(), ")")
                 : concat("no ", what, " ", i);
    };
    if (i >= first.size() || i >= second.size() ||
        !isCompatible(first[i], second[i]))
      return makeError("expected builds with equal ", what, "s, but '", a,
                       "' has ", describe(first), " and '", b, "' has ",
                       describe(second));
  }
  return Status::success();
}

Status tenon::compare::checkSignatures(const std::string &a,
                                       const Signature &first,
                                       const std::string &b,
                                       const Signature &second) {
  if (Status status = checkValues("input", a, first.inputs, b, second.inputs);
      !status)
    return status;
  return checkValues("output", a, first.outputs, b, second.outputs);
}

Expected<std::vector<TensorData>>
tenon::compare::loadInputs(const Arguments &arguments,
                           const Signature &signature) {
  std::vector<std::string> names;
  for (const ManifestValue &value : signature.inputs)
    names.push_back(value.name);
  auto specs = assignSpecs(arguments.inputs, names, "input");
  if (!specs)
    return specs.takeError();
  InputSpec fallback; // random:0
  std::vector<std::pair<std::string, int64_t>> sizes;
  std::vector<TensorData> inputs(names.size());
  for (bool shaped : {true, false})
    for (size_t i = 0; i < inputs.size(); ++i) {
      const ManifestValue &value = signature.inputs[i];
      const InputSpec &spec = (*specs)[i] ? *(*specs)[i] : fallback;
      if (shaped != (!spec.path.empty() || spec.shape.has_value()))
        continue;
      std::vector<int64_t> shape = value.staticShape();
      for (size_t axis = 0; axis < shape.size(); ++axis)
        for (const auto &[symbol, size] : sizes)
          if (shape[axis] < 0 && value.shape[axis].symbol == symbol)
            shape[axis] = size;
      auto tensor = loadInput(spec, concat("input '", value.name, "'"),
                              value.name, value.dtype, shape);
      if (!tensor)
        return tensor.takeError();
      bool fits =
          tensor->dtype == value.dtype && tensor->shape.size() == shape.size();
      for (size_t axis = 0; fits && axis < shape.size(); ++axis)
        fits = shape[axis] < 0 || shape[axis] == tensor->shape[axis];
      if (!fits)
        return makeError("input '", value.name, "': expected ",
                         value.formatType(), ", but got ",
                         formatType(tensor->dtype, tensor->shape));
      for (size_t axis = 0; axis < shape.size(); ++axis)
        if (!value.shape[axis].symbol.empty())
          sizes.emplace_back(value.shape[axis].symbol, tensor->shape[axis]);
      inputs[i] = std::move(*tensor);
    }
  return inputs;
}
