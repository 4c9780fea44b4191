//===- Emit.cpp - object files and shared libraries ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Emit/Emit.h"
#include "Codegen.h"
#include "Link.h"
#include "Manifest.h"
#include "PendingFile.h"
#include "ProgramTables.h"
#include "SplatConstants.h"
#include "StoragePlan.h"
#include "tenon/Artifact/Safetensors.h"
#include "tenon/Artifact/TensorData.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <chrono>

using namespace tenon;
using namespace tenon::emit;
using namespace tenon::lower;
namespace path = llvm::sys::path;

namespace {
/// Adds the time until it goes to a number of seconds.
class Stopwatch {
public:
  explicit Stopwatch(double &seconds)
      : seconds(seconds), start(std::chrono::steady_clock::now()) {}
  ~Stopwatch() {
    seconds +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
            .count();
  }

private:
  double &seconds;
  std::chrono::steady_clock::time_point start;
};

using Objects = llvm::SmallVector<ObjectBytes, 0>;

/// One emission: the names of the files, and what is written into them.
class Emission {
public:
  Emission(LoweredProgram &program, const EmitOptions &options,
           llvm::StringRef output, EmitStatistics &statistics)
      : program(program), options(options), output(output.str()),
        statistics(statistics) {}

  llvm::Error run(bool shared);

private:
  std::string beside(llvm::StringRef extension) const {
    llvm::SmallString<256> name(output);
    path::replace_extension(name, extension);
    return name.str().str();
  }
  llvm::Expected<Objects> generate(const StoragePlan &storage);
  llvm::Error writeWeights();

  LoweredProgram &program;
  const EmitOptions &options;
  std::string output;
  EmitStatistics &statistics;
};
} // namespace

llvm::Expected<Objects> Emission::generate(const StoragePlan &storage) {
  std::string paramsFile = program.params.empty()
                               ? ""
                               : path::filename(beside(".safetensors")).str();
  llvm::LLVMContext kernelContext, tableContext;
  std::unique_ptr<llvm::Module> kernels, tables;
  {
    Stopwatch watch(statistics.translateSeconds);
    auto translated =
        translateKernels(*program.kernels, program.name, options.target,
                         options.fp, kernelContext);
    if (!translated)
      return translated.takeError();
    kernels = std::move(*translated);
    auto created = createModule(program.name + ".tables", options.target,
                                options.fp, tableContext);
    if (!created)
      return created.takeError();
    tables = std::move(*created);
    TableOptions tableOptions;
    tableOptions.cpuFeatures = options.target.cpuFeatures;
    tableOptions.manifest = getManifest(program, storage, options, paramsFile);
    tableOptions.paramsFile = paramsFile;
    if (llvm::Error error =
            addProgramTables(*tables, *kernels, program, storage, tableOptions))
      return error;
  }
  Stopwatch watch(statistics.codegenSeconds);
  std::vector<std::string> kernelNames;
  for (const Step &step : program.steps)
    if (step.kind == StepKind::Kernel)
      kernelNames.push_back(step.kernel);
  return generateObjects(std::move(kernels), std::move(tables), kernelNames,
                         options.target, options.fp, options.threads);
}

/// Copies the program's parameters to the file beside the artifact.
llvm::Error Emission::writeWeights() {
  if (program.params.empty() || options.paramsSource.empty())
    return llvm::Error::success();
  Stopwatch watch(statistics.weightsSeconds);
  auto source = artifact::SafetensorsFile::open(options.paramsSource);
  if (!source)
    return llvm::createStringError(source.error());
  std::vector<artifact::SafetensorsWriter::Declaration> declarations;
  for (const ModelValue &param : program.params) {
    const artifact::SafetensorsEntry *entry = source->find(param.name);
    if (!entry)
      return llvm::createStringError("parameter '" + param.name +
                                     "' is missing from '" +
                                     options.paramsSource + "'");
    artifact::DType dtype = *getDType(param.type.getElementType());
    std::vector<int64_t> shape(param.type.getShape());
    if (entry->dtype != dtype || entry->shape != shape)
      return llvm::createStringError(
          "parameter '" + param.name + "' in '" + options.paramsSource +
          "': expected " + artifact::formatType(dtype, shape) + ", but got " +
          artifact::formatType(entry->dtype, entry->shape));
    declarations.push_back({param.name, dtype, std::move(shape)});
  }
  std::string name = beside(".safetensors");
  // The model's own file, where the artifact is put beside the model, is never
  // replaced: it holds all that is needed.
  if (llvm::sys::fs::equivalent(options.paramsSource, name))
    return llvm::Error::success();
  // What the same writer wrote of the same tensors is the same file.
  if (options.ownsParamsSource &&
      declarations.size() == source->entries().size() &&
      !llvm::sys::fs::rename(options.paramsSource, name))
    return llvm::Error::success();
  auto writer = artifact::SafetensorsWriter::create(name, declarations);
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
  return llvm::Error::success();
}

llvm::Error Emission::run(bool shared) {
  llvm::StringRef extension = path::extension(output);
  if (extension == ".h" || extension == ".safetensors")
    return llvm::createStringError("output '" + output +
                                   "': expected another extension than that "
                                   "of the header or the weights");
  if (llvm::Error error = verify(program))
    return error;
  std::string runtime = options.runtimeLibrary;
  if (shared && runtime.empty()) {
    llvm::Expected<std::string> found = findRuntimeLibrary();
    if (!found)
      return found.takeError();
    runtime = *found;
  }
  // An output that can't be written is found out before the long work.
  llvm::Expected<PendingFile> artifact = PendingFile::create(output);
  if (!artifact)
    return artifact.takeError();
  llvm::Expected<PendingFile> header = PendingFile::create(beside(".h"));
  if (!header)
    return header.takeError();
  if (llvm::Error error = header->write(getHeader(program, options)))
    return error;

  expandSplats(program);
  StoragePlan storage = planStorage(program);
  statistics.arenaBytes = storage.arenaBytes;
  statistics.constantBytes = storage.constantBytes;
  llvm::Expected<Objects> objects = generate(storage);
  if (!objects)
    return objects.takeError();
  for (const ObjectBytes &object : *objects)
    statistics.objectBytes += object.size();
  llvm::SmallVector<PendingFile, 0> parts;
  llvm::SmallVector<std::string, 0> partNames;
  if (shared || objects->size() > 1) {
    for (const ObjectBytes &object : *objects) {
      llvm::Expected<PendingFile> part = PendingFile::create(
          output + "." + std::to_string(parts.size()) + ".o");
      if (!part)
        return part.takeError();
      if (llvm::Error error = part->write({object.data(), object.size()}))
        return error;
      partNames.push_back(part->getPath());
      parts.push_back(std::move(*part));
    }
    Stopwatch watch(statistics.linkSeconds);
    if (llvm::Error error =
            shared ? linkSharedLibrary(partNames, runtime, artifact->getPath())
                   : linkObjects(partNames, artifact->getPath()))
      return error;
  } else if (llvm::Error error = artifact->write(
                 {objects->front().data(), objects->front().size()})) {
    return error;
  }

  // The library last: where it is new, all that it needs is there.
  if (llvm::Error error = writeWeights())
    return error;
  if (llvm::Error error = header->commit())
    return error;
  return artifact->commit(/*executable=*/shared);
}

static mlir::LogicalResult emitFiles(LoweredProgram &program,
                                     const EmitOptions &options,
                                     llvm::StringRef output, bool shared,
                                     EmitStatistics *statistics) {
  EmitStatistics unused;
  // What fails here is about files or the whole program, not a place in it.
  mlir::Location loc = mlir::UnknownLoc::get(program.kernels->getContext());
  if (llvm::Error error =
          Emission(program, options, output, statistics ? *statistics : unused)
              .run(shared))
    return mlir::emitError(loc) << llvm::toString(std::move(error));
  return mlir::success();
}

mlir::LogicalResult tenon::emit::emitSharedLibrary(LoweredProgram &program,
                                                   const EmitOptions &options,
                                                   llvm::StringRef output,
                                                   EmitStatistics *statistics) {
  return emitFiles(program, options, output, /*shared=*/true, statistics);
}

mlir::LogicalResult tenon::emit::emitObjectFile(LoweredProgram &program,
                                                const EmitOptions &options,
                                                llvm::StringRef output,
                                                EmitStatistics *statistics) {
  return emitFiles(program, options, output, /*shared=*/false, statistics);
}
