//===- Onnx.cpp - import of ONNX models -----------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Import/Onnx.h"

#include "GraphImporter.h"
#include "Model.h"

#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Support/File.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <climits>

using namespace mlir;
using namespace tenon;
using namespace tenon::onnx;

static FailureOr<OwningOpRef<ModuleOp>>
importModel(StringRef bytes, StringRef name, StringRef directory,
            MLIRContext *context, const OnnxImportOptions &options) {
  context->loadDialect<func::FuncDialect, graph::GraphDialect>();
  ModelProto model;
  Location loc = FileLineColLoc::get(context, name, 0, 0);
  if (failed(parseModel(bytes, loc, model)))
    return failure();
  GraphImporter importer(model, name, directory, context, options);
  FailureOr<OwningOpRef<ModuleOp>> module = importer.import();
  if (options.filesRead)
    *options.filesRead = importer.getFiles().getPaths();
  return module;
}

FailureOr<OwningOpRef<ModuleOp>>
tenon::importOnnxBytes(StringRef bytes, StringRef name, MLIRContext *context,
                       const OnnxImportOptions &options) {
  return importModel(bytes, name, "", context, options);
}

static FailureOr<std::unique_ptr<llvm::MemoryBuffer>> openFile(StringRef path,
                                                               Location loc) {
  auto buffer = readInputFile(path);
  if (buffer)
    return std::move(*buffer);
  emitError(loc) << llvm::toString(buffer.takeError());
  return failure();
}

FailureOr<OwningOpRef<ModuleOp>>
tenon::importOnnx(StringRef path, MLIRContext *context,
                  const OnnxImportOptions &options) {
  auto buffer = openFile(path, FileLineColLoc::get(context, path, 0, 0));
  if (failed(buffer))
    return failure();
  StringRef directory = llvm::sys::path::parent_path(path);
  return importModel((*buffer)->getBuffer(), path,
                     directory.empty() ? "." : directory, context, options);
}

FailureOr<std::vector<std::string>>
tenon::listOnnxInputs(StringRef path, MLIRContext *context) {
  Location loc = FileLineColLoc::get(context, path, 0, 0);
  auto buffer = openFile(path, loc);
  ModelProto model;
  if (failed(buffer) || failed(parseModel((*buffer)->getBuffer(), loc, model)))
    return failure();
  std::vector<std::string> names;
  for (const ValueInfoProto &input : model.graph().input())
    if (llvm::none_of(model.graph().initializer(),
                      [&](const TensorProto &initializer) {
                        return initializer.name() == input.name();
                      }))
      names.push_back(input.name());
  return names;
}

FailureOr<artifact::TensorData> tenon::readOnnxTensorFile(StringRef path,
                                                          Location loc) {
  auto buffer = openFile(path, loc);
  if (failed(buffer))
    return failure();
  TensorProto proto;
  StringRef bytes = (*buffer)->getBuffer();
  if (bytes.size() > INT_MAX ||
      !proto.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    emitError(loc) << "'" << path << "' is not an ONNX tensor";
    return failure();
  }
  ExternalFiles files(llvm::sys::path::parent_path(path));
  llvm::Expected<OnnxTensor> tensor = readTensor(proto, files);
  if (!tensor) {
    emitError(loc) << "'" << path
                   << "': " << llvm::toString(tensor.takeError());
    return failure();
  }
  artifact::TensorData data;
  data.dtype = tensor->dtype;
  data.shape.assign(tensor->shape.begin(), tensor->shape.end());
  data.bytes.assign(tensor->bytes.begin(), tensor->bytes.end());
  return data;
}
