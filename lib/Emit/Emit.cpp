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
#include "Thunks.h"
#include "Weights.h"
#include "tenon/Artifact/OutputFile.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <chrono>
#include <optional>
#include <utility>

using namespace tenon;
using namespace tenon::emit;
using artifact::PendingFile;
namespace path = llvm::sys::path;

namespace {
/// Adds the time from its construction to its destruction to a number of
/// seconds.
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

/// One emission: the names of the files, and their contents.
class Emission {
public:
  Emission(mlir::ModuleOp module, const EmitOptions &options,
           llvm::StringRef output, EmitStatistics &statistics)
      : name(module.getSymName().value_or("model").str()), options(options),
        target(kernel::getTarget(module)), tableTarget(target.getHost()),
        output(output.str()), statistics(statistics) {}

  void addPrograms(mlir::ModuleOp module);

  llvm::Error run(bool shared);

private:
  std::string beside(llvm::StringRef extension) const {
    llvm::SmallString<256> name(output);
    path::replace_extension(name, extension);
    return name.str().str();
  }
  llvm::Expected<Objects> generate(bool shared);
  void enter(EmitPhase phase) const {
    if (options.onPhase)
      options.onPhase(phase);
  }

  std::string name;
  llvm::SmallVector<ProgramView, 0> programs;
  const EmitOptions &options;
  kernel::TargetAttr target;
  kernel::CpuAttr tableTarget;
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

void Emission::addPrograms(mlir::ModuleOp module) {
  bool hasKernels = false;
  for (auto program : module.getOps<program::TargetOp>()) {
    kernel::CpuAttr host = program.getHost().value_or(target.getHost());
    // Programs for several CPUs have kernels of the same names.
    std::string suffix;
    if (program.getDevice() == Device::Cpu && std::exchange(hasKernels, true))
      suffix = "." + std::to_string(programs.size());
    programs.emplace_back(program, host, target.getGpus(), suffix);
    // All programs share the code of the tables.
    if (host.getFeatureBits() < tableTarget.getFeatureBits())
      tableTarget = host;
  }
}

llvm::Expected<Objects> Emission::generate(bool shared) {
  bool hasParams = llvm::any_of(programs, [](const ProgramView &program) {
    return !program.params.empty();
  });
  TableOptions tableOptions;
  tableOptions.name = name;
  if (hasParams)
    tableOptions.paramsFile = path::filename(beside(".safetensors")).str();
  llvm::LLVMContext tableContext;
  std::unique_ptr<llvm::Module> tables;
  std::vector<KernelCode> codes;
  {
    enter(EmitPhase::Translate);
    Stopwatch watch(statistics.translateSeconds);
    std::vector<const llvm::Module *> kernels;
    llvm::StringSet<> symbols;
    for (ProgramView &program : programs) {
      kernels.push_back(nullptr);
      if (program.isForGpu() || !program.getKernels())
        continue;
      llvm::Expected<KernelCode> code =
          translateKernels(program.getKernels(), name, program.suffix,
                           program.host, target.getNumerics().fp);
      if (!code)
        return code.takeError();
      llvm::StringSet<> own;
      program.target->walk([&](program::LaunchOp launch) {
        if (own.insert(program.getSymbol(launch)).second)
          code->names.push_back(program.getSymbol(launch));
      });
      for (const std::string &symbol : code->names)
        if (!symbols.insert(symbol).second)
          return llvm::createStringError(
              "kernel '" + symbol +
              "': expected a name that no kernel of another program has");
      kernels.back() = code->module.get();
      codes.push_back(std::move(*code));
    }
    auto created = createModule(name + ".tables", tableTarget,
                                target.getNumerics().fp, tableContext);
    if (!created)
      return created.takeError();
    tables = std::move(*created);
    tableOptions.manifest =
        getManifest(programs, target, options, name, tableOptions.paramsFile);
    llvm::Expected<llvm::Constant *> artifact =
        addProgramTables(*tables, kernels, programs, tableOptions);
    if (!artifact)
      return artifact.takeError();
    addThunks(*tables, options.symbolPrefix, shared, *artifact);
    auto isForGpu = [](const ProgramView &program) {
      return program.isForGpu();
    };
    auto isPipeline = [](const ProgramView &program) {
      return program.isOfRanks();
    };
    if (llvm::any_of(programs, isForGpu))
      addReferenceToRuntime(*tables, "tenon_runtime_cuda");
    if (llvm::any_of(programs, isPipeline))
      addReferenceToRuntime(*tables, "tenon_runtime_pipeline");
    if (llvm::any_of(programs, [&](const ProgramView &program) {
          return isForGpu(program) && isPipeline(program);
        }))
      addReferenceToRuntime(*tables, "tenon_runtime_nccl");
  }
  enter(EmitPhase::Codegen);
  Stopwatch watch(statistics.codegenSeconds);
  return generateObjects(std::move(codes), std::move(tables), tableTarget,
                         target.getNumerics().fp, options.threads);
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
  // Detect an output that can't be written before the long work.
  auto library = PendingFile::create(output);
  if (!library)
    return llvm::createStringError(library.error());
  auto header = PendingFile::create(beside(".h"));
  if (!header)
    return llvm::createStringError(header.error());
  // If the artifact is put beside the model, the model's own file is never
  // replaced: it already holds everything needed.
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

  statistics.constantBytes = programs.front().constantBytes;
  for (const ProgramPart *part : programs.front().getParts())
    if (part->arenaBytes < 0 || statistics.arenaBytes < 0)
      statistics.arenaBytes = -1;
    else
      statistics.arenaBytes = std::max(statistics.arenaBytes, part->arenaBytes);
  llvm::Expected<Objects> objects = generate(shared);
  if (!objects)
    return objects.takeError();
  for (const ObjectBytes &object : *objects)
    statistics.objectBytes += object.size();
  llvm::SmallVector<std::string, 0> parts;
  for (const ObjectBytes &object : *objects) {
    parts.push_back(library->getPath() + "." + std::to_string(parts.size()) +
                    ".o");
    if (llvm::Error error =
            writeText(parts.back(), {object.data(), object.size()}))
      return error;
  }
  enter(EmitPhase::Link);
  {
    Stopwatch watch(statistics.linkSeconds);
    if (llvm::Error error =
            shared ? linkSharedLibrary(parts, runtime, options.symbolPrefix,
                                       library->getPath())
                   : linkObjects(parts, library->getPath()))
      return error;
  }
  if (shared && options.checkLibrary &&
      mlir::failed(options.checkLibrary(library->getPath())))
    return llvm::createStringError("the library was not written");

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
  // Write the library last, after its companion files.
  files.push_back(library->finish(/*executable=*/shared));
  if (auto status = artifact::putInPlace(files); !status)
    return llvm::createStringError(status.error());
  return llvm::Error::success();
}

static mlir::LogicalResult emitFiles(mlir::ModuleOp module,
                                     const EmitOptions &options,
                                     llvm::StringRef output, bool shared,
                                     EmitStatistics *statistics) {
  EmitStatistics unused;
  // These failures concern files or the whole program, so they have no
  // location.
  mlir::Location loc = mlir::UnknownLoc::get(module.getContext());
  Emission emission(module, options, output, statistics ? *statistics : unused);
  emission.addPrograms(module);
  if (llvm::Error error = emission.run(shared))
    return mlir::emitError(loc) << llvm::toString(std::move(error));
  return mlir::success();
}

mlir::LogicalResult tenon::emit::emitSharedLibrary(mlir::ModuleOp module,
                                                   const EmitOptions &options,
                                                   llvm::StringRef output,
                                                   EmitStatistics *statistics) {
  return emitFiles(module, options, output, /*shared=*/true, statistics);
}

mlir::LogicalResult tenon::emit::emitObjectFile(mlir::ModuleOp module,
                                                const EmitOptions &options,
                                                llvm::StringRef output,
                                                EmitStatistics *statistics) {
  return emitFiles(module, options, output, /*shared=*/false, statistics);
}
