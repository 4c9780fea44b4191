//===- Weights.cpp - the parameters file of an artifact -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Weights.h"
#include "ConstantData.h"
#include "tenon/Artifact/SafetensorsWriter.h"
#include "tenon/Artifact/TensorData.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"

using namespace tenon;
using namespace tenon::emit;
using namespace tenon::program;

/// Returns the parameters of all programs, each once, in the order of
/// appearance.
static std::vector<ParameterOp>
collectParams(llvm::ArrayRef<ProgramView> programs) {
  std::vector<ParameterOp> params;
  llvm::StringSet<> seen;
  for (const ProgramView &program : programs)
    for (ParameterOp param : program.params)
      if (seen.insert(param.getName()).second)
        params.push_back(param);
  return params;
}

llvm::Expected<bool>
tenon::emit::writeWeights(llvm::ArrayRef<ProgramView> programs,
                          const EmitOptions &options,
                          const std::string &temporary) {
  std::vector<ParameterOp> params = collectParams(programs);
  if (params.empty())
    return false;
  auto source = artifact::SafetensorsFile::open(options.paramsSource);
  if (!source)
    return llvm::createStringError(source.error());
  std::vector<artifact::SafetensorsWriter::Declaration> declarations;
  for (ParameterOp param : params) {
    std::string name = param.getName().str();
    auto type = mlir::cast<mlir::RankedTensorType>(param.getType());
    const artifact::SafetensorsEntry *entry = source->find(name);
    if (!entry)
      return llvm::createStringError("parameter '" + name +
                                     "' is missing from '" +
                                     options.paramsSource + "'");
    artifact::DType dtype = *getDType(type.getElementType());
    std::vector<int64_t> shape(type.getShape());
    if (entry->dtype != dtype || entry->shape != shape)
      return llvm::createStringError(
          "parameter '" + name + "' in '" + options.paramsSource +
          "': expected " + artifact::formatType(dtype, shape) + ", but got " +
          artifact::formatType(entry->dtype, entry->shape));
    declarations.push_back({name, dtype, std::move(shape)});
  }
  // The same writer and the same tensors give the same file.
  if (options.ownsParamsSource &&
      declarations.size() == source->entries().size() &&
      !llvm::sys::fs::rename(options.paramsSource, temporary))
    return true;
  auto writer = artifact::SafetensorsWriter::create(temporary, declarations);
  if (!writer)
    return llvm::createStringError(writer.error());
  for (const artifact::SafetensorsWriter::Declaration &declaration :
       declarations) {
    const artifact::SafetensorsEntry *entry = source->find(declaration.name);
    if (auto status =
            writer->write(entry->name, source->data(*entry), entry->bytes);
        !status)
      return llvm::createStringError(status.error());
  }
  if (auto status = writer->finish(); !status)
    return llvm::createStringError(status.error());
  return true;
}
