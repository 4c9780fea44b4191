//===- GraphOutputs.cpp - outputs of a graph, and the file of weights -----===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphImporter.h"

#include "NodeContext.h"

#include "tenon/Artifact/SafetensorsWriter.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::onnx;

LogicalResult GraphImporter::finishFunction(const GraphProto &graph,
                                            Scope &scope) {
  SmallVector<Value> results;
  SmallVector<Type> types;
  SmallVector<Attribute> names;
  if (graph.output_size() == 0)
    return emitError(fileLoc) << "the graph has no outputs";
  for (const ValueInfoProto &output : graph.output()) {
    ImportedValue *value = scope.find(output.name());
    if (!value)
      return emitError(fileLoc)
             << "output '" << output.name() << "' is not defined";
    if (value->isSequence())
      return emitError(fileLoc) << "output '" << output.name()
                                << "' is a sequence; expected a tensor";
    Value result = materialize(*value);
    if (!result)
      return failure();
    results.push_back(result);
    types.push_back(result.getType());
    names.push_back(builder.getDictionaryAttr(builder.getNamedAttr(
        "graph.name", builder.getStringAttr(output.name()))));
  }
  builder.setInsertionPointToEnd(&function.getBody().front());
  func::ReturnOp::create(builder, fileLoc, results);
  function.setFunctionType(
      builder.getFunctionType(function.getArgumentTypes(), types));
  function.setResAttrsAttr(builder.getArrayAttr(names));
  graph::recordSizeConditions(function, conditions);
  return success();
}

void GraphImporter::addTrainingNorm(NodeContext &node) {
  trainingNorms.emplace_back(nodeName(node.getNode()),
                             node.getImported(3)->constant->name);
}

void GraphImporter::reportTrainingNorms() {
  if (trainingNorms.empty())
    return;
  const auto &[norm, mean] = trainingNorms.front();
  std::string which =
      "batch norms with training_mode = 1, such as '" + norm + "', ";
  if (options.trainsBatchNorms)
    emitRemark(fileLoc) << which
                        << "normalize by the batch only in training; in "
                           "evaluation and inference, they use the stored "
                           "statistics, such as '"
                        << mean << "'";
  else
    emitWarning(fileLoc)
        << which
        << "normalize by the batch that they are given and ignore the stored "
           "statistics, such as '"
        << mean
        << "'; export the model in evaluation mode if it is to use these";
}

LogicalResult GraphImporter::writeParams() {
  if (params.empty())
    return success();
  StringRef name = options.paramsName;
  if (name.empty())
    name = llvm::sys::path::filename(options.paramsPath);
  if (!name.empty())
    (*module)->setAttr("graph.params", builder.getStringAttr(name));
  if (options.discardParams)
    return success();
  if (options.paramsPath.empty())
    return emitError(fileLoc) << "the model has " << params.size()
                              << " weights; expected a file to write them to";
  std::vector<artifact::SafetensorsWriter::Declaration> declarations;
  for (const OnnxTensor *tensor : params)
    declarations.push_back(
        {tensor->name, tensor->dtype,
         std::vector<int64_t>(tensor->shape.begin(), tensor->shape.end())});
  auto writer = artifact::SafetensorsWriter::create(options.paramsPath,
                                                    std::move(declarations));
  if (!writer)
    return emitError(fileLoc) << writer.error();
  for (const OnnxTensor *tensor : params) {
    artifact::Status status =
        writer->write(tensor->name, tensor->bytes.data(), tensor->bytes.size());
    if (!status)
      return emitError(fileLoc) << status.error();
  }
  artifact::Status status = writer->finish();
  if (!status)
    return emitError(fileLoc) << status.error();
  return success();
}
