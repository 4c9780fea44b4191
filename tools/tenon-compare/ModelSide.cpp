//===- ModelSide.cpp - a model that is compared --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelSide.h"

#include "tenon/Compare/ModelTrace.h"
#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Dialect/Graph/IR/StateOps.h"
#include "tenon/Dialect/Kernel/IR/Kernel.h"
#include "tenon/Interpret/TensorConversion.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::compare;
using interpret::Tensor;

LogicalResult ModelSide::open(const std::string &path,
                              const Arguments &arguments) {
  ::CommandLine line;
  line.model = path;
  line.inputs = arguments.inputs;
  line.paramsPath = arguments.paramsPath;
  line.paramsSeed = arguments.paramsSeed;
  if (failed(file.read(line, sources, context)))
    return failure();
  std::string entry = arguments.entry.empty() ? "main" : arguments.entry;
  Location loc = UnknownLoc::get(&context);
  function = file.module->lookupSymbol<func::FuncOp>(entry);
  if (!function || function.isExternal() || !function.getBody().hasOneBlock())
    return emitError(loc) << "'" << path << "': expected a function @" << entry
                          << " of one block";
  if (!file.module->getOps<graph::StateOp>().empty())
    return emitError(loc) << "'" << path
                          << "': expected a model without states";
  paramsPath =
      !arguments.paramsPath.empty() ? arguments.paramsPath : file.paramsPath;
  options.threads = arguments.threads;
  if (arguments.paramsSeed)
    options.parameters = interpret::randomParameters(*arguments.paramsSeed);
  else if (!paramsPath.empty())
    options.parameters = interpret::parametersFromFile(paramsPath);
  if (sources.getNumBuffers() > 0 && !StringRef(path).ends_with(".mlirbc"))
    sources.getMemoryBuffer(sources.getMainFileID())
        ->getBuffer()
        .split(lines, '\n');
  return readSignature();
}

LogicalResult ModelSide::readSignature() {
  auto read = [&](Type type, std::string name,
                  std::vector<artifact::ManifestValue> &into) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      return function.emitError()
             << "'" << name << "': expected a ranked tensor, but got " << type;
    artifact::ManifestValue value;
    value.name = std::move(name);
    value.dtype = interpret::getDType(tensor.getElementType());
    for (const graph::SymInt &size : graph::getShape(tensor)) {
      artifact::ManifestDim dim;
      if (std::optional<int64_t> constant = size.getConstant())
        dim.size = *constant;
      else if (std::optional<StringRef> symbol = size.getSymbol())
        dim.symbol = symbol->str();
      value.shape.push_back(std::move(dim));
    }
    into.push_back(std::move(value));
    return InFlightDiagnostic();
  };
  for (auto [type, name] :
       llvm::zip(function.getArgumentTypes(), getInputNames(function)))
    if (failed(read(type, name, signature.inputs)))
      return failure();
  // Results that are checks of indices follow the model's own.
  std::vector<std::string> outputs = getOutputNames(function);
  for (auto [number, name] : llvm::enumerate(outputs))
    if (failed(
            read(function.getResultTypes()[number], name, signature.outputs)))
      return failure();
  return success();
}

FailureOr<SmallVector<Tensor>>
ModelSide::convert(const std::vector<artifact::TensorData> &inputs) {
  SmallVector<Tensor> tensors;
  for (const artifact::TensorData &data : inputs) {
    FailureOr<Tensor> tensor =
        interpret::fromData(data, &context, interpret::Domain());
    if (failed(tensor))
      return function.emitError("expected inputs that fit into memory");
    tensors.push_back(*tensor);
  }
  return tensors;
}

FailureOr<Trace>
ModelSide::run(const std::vector<artifact::TensorData> &inputs) {
  FailureOr<SmallVector<Tensor>> tensors = convert(inputs);
  if (failed(tensors))
    return failure();
  return traceModel(function, *tensors, options);
}

LogicalResult ModelSide::judge(const std::vector<artifact::TensorData> &inputs,
                               std::optional<ReferenceGraph> &graph) {
  WalkResult placed =
      function.walk([](kernel::CallOp) { return WalkResult::interrupt(); });
  if (placed.wasInterrupted())
    return function.emitError("expected a model that is not placed, to judge "
                              "another one");
  FailureOr<SmallVector<Tensor>> tensors = convert(inputs);
  if (failed(tensors))
    return failure();
  graph.emplace(function, options);
  return graph->evaluate(*tensors);
}

std::string ModelSide::getLine(StringRef place) const {
  // [FILE:]LINE:COLUMN
  SmallVector<StringRef> parts;
  place.split(parts, ':');
  size_t line;
  if (parts.size() < 2 || parts.back().empty() ||
      !llvm::all_of(parts.back(), llvm::isDigit) ||
      parts[parts.size() - 2].getAsInteger(10, line) || line == 0 ||
      line > lines.size())
    return "";
  constexpr size_t mostCharacters = 160;
  StringRef text = lines[line - 1].trim();
  if (text.size() > mostCharacters)
    return (text.take_front(mostCharacters) + "...").str();
  return text.str();
}
