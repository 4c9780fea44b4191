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
#include "ProgramChecks.h"
#include "ProgramTables.h"
#include "SplatConstants.h"
#include "StoragePlan.h"
#include "Weights.h"

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

  llvm::MutableArrayRef<LoweredProgram> programs;
  const EmitOptions &options;
  std::string output;
  EmitStatistics &statistics;
};
} // namespace

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
  llvm::Expected<PendingFile> artifact = PendingFile::create(output);
  if (!artifact)
    return artifact.takeError();
  llvm::Expected<PendingFile> header = PendingFile::create(beside(".h"));
  if (!header)
    return header.takeError();
  if (llvm::Error error = header->write(getHeader(programs, options)))
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
  {
    Stopwatch watch(statistics.weightsSeconds);
    if (llvm::Error error =
            writeWeights(programs, options, beside(".safetensors")))
      return error;
  }
  if (llvm::Error error = header->commit())
    return error;
  return artifact->commit(/*executable=*/shared);
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
