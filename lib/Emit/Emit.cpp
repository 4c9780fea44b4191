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
#include "ProgramChecks.h"
#include "ProgramTables.h"
#include "SplatConstants.h"
#include "StoragePlan.h"
#include "Weights.h"
#include "tenon/Artifact/OutputFile.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <chrono>
#include <optional>

using namespace tenon;
using namespace tenon::emit;
using namespace tenon::lower;
using artifact::PendingFile;
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
  Emission(llvm::MutableArrayRef<LoweredProgram> programs,
           const EmitOptions &options, llvm::StringRef output,
           EmitStatistics &statistics)
      : programs(programs), options(options), output(output.str()),
        statistics(statistics) {}

  llvm::Error run(bool shared);

private:
  std::string beside(llvm::StringRef extension) const {
    llvm::SmallString<256> name(output);
    path::replace_extension(name, extension);
    return name.str().str();
  }
  llvm::Expected<Objects> generate(llvm::ArrayRef<StoragePlan> storage);
  void enter(EmitPhase phase) const {
    if (options.onPhase)
      options.onPhase(phase);
  }

  llvm::MutableArrayRef<LoweredProgram> programs;
  const EmitOptions &options;
  std::string output;
  EmitStatistics &statistics;
};
} // namespace

static llvm::Error writeText(const std::string &path, llvm::StringRef text) {
  if (auto status = artifact::writeFile(path, text.data(), text.size());
      !status)
    return llvm::createStringError(status.error());
  return llvm::Error::success();
}

llvm::Expected<Objects>
Emission::generate(llvm::ArrayRef<StoragePlan> storage) {
  bool hasParams = llvm::any_of(programs, [](const LoweredProgram &program) {
    return !program.params.empty();
  });
  TableOptions tableOptions;
  tableOptions.cpuFeatures = options.target.cpuFeatures;
  if (hasParams)
    tableOptions.paramsFile = path::filename(beside(".safetensors")).str();
  const std::string &name = programs.front().name;
  llvm::LLVMContext kernelContext, tableContext;
  std::unique_ptr<llvm::Module> kernels, tables;
  std::vector<std::string> kernelNames;
  {
    enter(EmitPhase::Translate);
    Stopwatch watch(statistics.translateSeconds);
    auto translated =
        createModule(name, options.target, options.fp, kernelContext);
    for (LoweredProgram &program : programs) {
      if (program.isForGpu)
        continue;
      translated = translateKernels(*program.kernels, name, options.target,
                                    options.fp, kernelContext);
      for (const Step &step : program.steps)
        if (step.kind == StepKind::Kernel)
          kernelNames.push_back(step.kernel);
    }
    if (!translated)
      return translated.takeError();
    kernels = std::move(*translated);
    auto created = createModule(name + ".tables", options.target, options.fp,
                                tableContext);
    if (!created)
      return created.takeError();
    tables = std::move(*created);
    tableOptions.manifest =
        getManifest(programs, storage, options, tableOptions.paramsFile);
    if (llvm::Error error = addProgramTables(*tables, *kernels, programs,
                                             storage, tableOptions))
      return error;
  }
  enter(EmitPhase::Codegen);
  Stopwatch watch(statistics.codegenSeconds);
  return generateObjects(std::move(kernels), std::move(tables), kernelNames,
                         options.target, options.fp, options.threads);
}

llvm::Error Emission::run(bool shared) {
  llvm::StringRef extension = path::extension(output);
  if (extension == ".h" || extension == ".safetensors")
    return llvm::createStringError("output '" + output +
                                   "': expected another extension than that "
                                   "of the header or the weights");
  if (llvm::Error error = verifyAll(programs))
    return error;
  std::string runtime = options.runtimeLibrary;
  if (shared && runtime.empty()) {
    llvm::Expected<std::string> found = findRuntimeLibrary();
    if (!found)
      return found.takeError();
    runtime = *found;
  }
  // An output that can't be written is found out before the long work.
  auto library = PendingFile::create(output);
  if (!library)
    return llvm::createStringError(library.error());
  auto header = PendingFile::create(beside(".h"));
  if (!header)
    return llvm::createStringError(header.error());
  // The model's own file, if the artifact is put beside the model, is never
  // replaced: it holds all that is needed.
  std::optional<PendingFile> weights;
  if (!options.paramsSource.empty() &&
      !llvm::sys::fs::equivalent(options.paramsSource,
                                 beside(".safetensors"))) {
    auto pending = PendingFile::create(beside(".safetensors"));
    if (!pending)
      return llvm::createStringError(pending.error());
    weights.emplace(std::move(*pending));
  }
  if (llvm::Error error =
          writeText(header->getPath(), getHeader(programs, options)))
    return error;

  llvm::SmallVector<StoragePlan, 0> storage;
  for (LoweredProgram &program : programs) {
    // What fills them is code for the CPU.
    if (!program.isForGpu)
      expandSplats(program);
    storage.push_back(planStorage(program));
  }
  statistics.arenaBytes = storage.front().arenaBytes;
  statistics.constantBytes = storage.front().constantBytes;
  llvm::Expected<Objects> objects = generate(storage);
  if (!objects)
    return objects.takeError();
  for (const ObjectBytes &object : *objects)
    statistics.objectBytes += object.size();
  llvm::SmallVector<std::string, 0> parts;
  if (shared || objects->size() > 1) {
    for (const ObjectBytes &object : *objects) {
      parts.push_back(library->getPath() + "." + std::to_string(parts.size()) +
                      ".o");
      if (llvm::Error error =
              writeText(parts.back(), {object.data(), object.size()}))
        return error;
    }
    enter(EmitPhase::Link);
    Stopwatch watch(statistics.linkSeconds);
    if (llvm::Error error =
            shared ? linkSharedLibrary(parts, runtime, library->getPath())
                   : linkObjects(parts, library->getPath()))
      return error;
  } else if (llvm::Error error =
                 writeText(library->getPath(), {objects->front().data(),
                                                objects->front().size()})) {
    return error;
  }

  std::vector<artifact::FinishedFile> files = options.finishedFiles;
  if (weights) {
    enter(EmitPhase::Weights);
    Stopwatch watch(statistics.weightsSeconds);
    llvm::Expected<bool> written =
        writeWeights(programs, options, weights->getPath());
    if (!written)
      return written.takeError();
    if (*written)
      files.push_back(weights->finish());
  }
  files.push_back(header->finish());
  // The library last: when it is new, its companions are.
  files.push_back(library->finish(/*executable=*/shared));
  if (auto status = artifact::putInPlace(files); !status)
    return llvm::createStringError(status.error());
  return llvm::Error::success();
}

static mlir::LogicalResult
emitFiles(llvm::MutableArrayRef<LoweredProgram> programs,
          const EmitOptions &options, llvm::StringRef output, bool shared,
          EmitStatistics *statistics) {
  assert(!programs.empty() && "expected a program");
  EmitStatistics unused;
  // What fails here is about files or the whole program, not a place in it.
  mlir::Location loc =
      mlir::UnknownLoc::get(programs.front().kernels->getContext());
  if (llvm::Error error =
          Emission(programs, options, output, statistics ? *statistics : unused)
              .run(shared))
    return mlir::emitError(loc) << llvm::toString(std::move(error));
  return mlir::success();
}

mlir::LogicalResult tenon::emit::emitSharedLibrary(
    llvm::MutableArrayRef<LoweredProgram> programs, const EmitOptions &options,
    llvm::StringRef output, EmitStatistics *statistics) {
  return emitFiles(programs, options, output, /*shared=*/true, statistics);
}

mlir::LogicalResult
tenon::emit::emitObjectFile(llvm::MutableArrayRef<LoweredProgram> programs,
                            const EmitOptions &options, llvm::StringRef output,
                            EmitStatistics *statistics) {
  return emitFiles(programs, options, output, /*shared=*/false, statistics);
}
