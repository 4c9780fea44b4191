//===- States.cpp - initial states and state files ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Interpret/States.h"
#include "ConstantElements.h"
#include "tenon/Artifact/SafetensorsWriter.h"
#include "tenon/Dialect/Graph/IR/StateOps.h"
#include "tenon/Interpret/TensorConversion.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::interpret;

static FailureOr<Tensor> getInitial(graph::StateOp state,
                                    const Options &options) {
  RankedTensorType type = state.getTensorType();
  if (std::optional<ElementsAttr> value = state.getValue())
    return evaluateConstant(state, *value, options.domain);
  if (std::optional<StringRef> parameter = state.getParameter()) {
    if (!options.parameters)
      return state.emitError() << "expected weights for '" << *parameter
                               << "', but no weights were given";
    return options.parameters(state, *parameter, type, options.domain);
  }
  FailureOr<Tensor> zeros =
      Tensor::allocate(type.getElementType(), type.getShape());
  if (failed(zeros))
    return outOfMemory(state, type);
  return toDomain(*zeros, options.domain);
}

FailureOr<States> tenon::interpret::getInitialStates(ModuleOp module,
                                                     const Options &options) {
  States states;
  for (auto state : module.getOps<graph::StateOp>()) {
    FailureOr<Tensor> tensor = getInitial(state, options);
    if (failed(tensor))
      return failure();
    states[state.getSymName()] = std::move(*tensor);
  }
  return states;
}

artifact::Status tenon::interpret::loadStates(const std::string &path,
                                              ModuleOp module, Domain domain,
                                              States &states) {
  auto file = artifact::SafetensorsFile::open(path);
  if (!file)
    return artifact::makeError(file.error());
  std::string where = "states '" + path + "'";
  for (const artifact::SafetensorsEntry &entry : file->entries())
    if (!states.contains(entry.name))
      return artifact::makeError(where + ": the model has no state '" +
                                 entry.name + "'");
  States loaded;
  for (auto state : module.getOps<graph::StateOp>()) {
    std::string name = state.getSymName().str();
    const artifact::SafetensorsEntry *entry = file->find(name);
    if (!entry)
      return artifact::makeError(where + " have no tensor '" + name + "'");
    RankedTensorType type = state.getTensorType();
    artifact::DType dtype = getDType(type.getElementType());
    if (entry->dtype != dtype ||
        ArrayRef<int64_t>(entry->shape) != type.getShape())
      return artifact::makeError(
          "state '" + name + "' of '" + path + "': expected " +
          artifact::formatType(dtype, type.getShape().vec()) + ", but got " +
          artifact::formatType(entry->dtype, entry->shape));
    FailureOr<Tensor> tensor =
        fromBytes(file->data(*entry), dtype, type.getElementType(),
                  type.getShape(), domain);
    if (failed(tensor))
      return artifact::makeError("state '" + name +
                                 "' does not fit into memory");
    loaded[name] = *tensor;
  }
  states = std::move(loaded);
  return {};
}

artifact::Status tenon::interpret::saveStates(const std::string &path,
                                              ModuleOp module, Domain domain,
                                              const States &states) {
  std::vector<artifact::SafetensorsWriter::Declaration> tensors;
  for (auto state : module.getOps<graph::StateOp>())
    tensors.push_back({state.getSymName().str(),
                       getDType(state.getTensorType().getElementType()),
                       state.getTensorType().getShape().vec()});
  auto writer = artifact::SafetensorsWriter::create(path, tensors);
  if (!writer)
    return artifact::makeError(writer.error());
  for (const auto &tensor : tensors) {
    artifact::TensorData data = toData(states.lookup(tensor.name), domain);
    if (artifact::Status status =
            writer->write(tensor.name, data.bytes.data(), data.bytes.size());
        !status)
      return status;
  }
  return writer->finish();
}
