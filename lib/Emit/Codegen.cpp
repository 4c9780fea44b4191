//===- Codegen.cpp - from kernels to object files ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Codegen.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/PassInfo.h"
#include "llvm/PassRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include <atomic>
#include <functional>
#include <thread>

using namespace tenon;
using namespace tenon::emit;
using MachinePtr = std::unique_ptr<llvm::TargetMachine>;
using ModulePtr = std::unique_ptr<llvm::Module>;

static llvm::Error prepareModule(llvm::Module &module, llvm::StringRef name,
                                 kernel::CpuAttr target, FpMode fp) {
  llvm::Expected<MachinePtr> machine = createTargetMachine(target, fp);
  if (!machine)
    return machine.takeError();
  module.setDataLayout((*machine)->createDataLayout());
  module.setTargetTriple((*machine)->getTargetTriple());
  // The output must not depend on the build folder.
  module.setSourceFileName(name);
  module.setPICLevel(llvm::PICLevel::BigPIC);
  return llvm::Error::success();
}

llvm::Expected<ModulePtr>
tenon::emit::createModule(llvm::StringRef name, kernel::CpuAttr target,
                          FpMode fp, llvm::LLVMContext &context) {
  auto module = std::make_unique<llvm::Module>(name, context);
  if (llvm::Error error = prepareModule(*module, name, target, fp))
    return error;
  return module;
}

llvm::Expected<KernelCode> tenon::emit::translateKernels(mlir::ModuleOp kernels,
                                                         llvm::StringRef name,
                                                         llvm::StringRef suffix,
                                                         kernel::CpuAttr target,
                                                         FpMode fp) {
  mlir::MLIRContext *mlirContext = kernels.getContext();
  mlir::registerBuiltinDialectTranslation(*mlirContext);
  mlir::registerLLVMDialectTranslation(*mlirContext);
  KernelCode code;
  code.target = target;
  code.context = std::make_unique<llvm::LLVMContext>();
  // The translation reports failures through its own diagnostics.
  code.module = mlir::translateModuleToLLVMIR(kernels, *code.context, name);
  if (!code.module)
    return llvm::createStringError("kernels of '" + name +
                                   "' can't be translated to LLVM IR");
  if (llvm::Error error = prepareModule(*code.module, name, target, fp))
    return error;
  std::string message;
  llvm::raw_string_ostream os(message);
  if (llvm::verifyModule(*code.module, &os))
    return llvm::createStringError("kernels of '" + name +
                                   "' are not valid LLVM IR: " + message);
  // A name that is taken would be changed: all are free before any is given.
  std::vector<std::pair<llvm::Function *, std::string>> names;
  for (llvm::Function &function : *code.module)
    if (!function.isDeclaration()) {
      names.push_back({&function, (function.getName() + suffix).str()});
      function.setName("");
    }
  for (auto &[function, symbol] : names)
    function->setName(symbol);
  return code;
}

/// Gives every function the target's attributes, and hides functions that the
/// artifact does not export.
static void prepareFunctions(llvm::Module &module, kernel::CpuAttr target) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", target.getLevel());
    function.addFnAttr("tune-cpu", getTuneCpu(target));
    if (std::string features = getFeatures(target); !features.empty())
      function.addFnAttr("target-features", features);
    if (!function.hasFnAttribute("prefer-vector-width"))
      function.addFnAttr(
          "prefer-vector-width",
          std::to_string(std::min(target.getVectorBits(), 256u)));
    function.addFnAttr("no-trapping-math", "true");
    function.addFnAttr(llvm::Attribute::NoUnwind);
  }
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = true;
  // Kernels are loops, which the loop vectorizer handles. Vectorizing
  // straight-line code gained nothing on the models of benchmarks/ and, in LLVM
  // 22.1, breaks some kernels: an instruction may come to depend on itself,
  // after which VectorCombine does not terminate
  // (test/Emit/no-straight-line-vectors.mlir).
  tuning.SLPVectorization = false;
  tuning.LoopInterleaving = true;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graph;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine, tuning);
  functions.registerPass([&] {
    return llvm::TargetLibraryAnalysis(
        llvm::TargetLibraryInfoImpl(machine.getTargetTriple()));
  });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graph, modules);
  // O3 unrolls more: half as much code again and two thirds more time
  // (mobilenet_v2's kernels for AVX-512), for kernels that are no faster
  // (benchmarks/results/compile-time.md).
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2)
      .run(module, modules);
}

namespace {
/// Leaves out the reduction of loop strength, and the pass before it that
/// prepares loops for it: they take four fifths of the time that unrolled loops
/// need here, and do not make them faster. Nothing but an option of LLVM's
/// command line, which the whole process shares, turns them off.
class PassesWithoutStrengthReduction : public llvm::legacy::PassManager {
public:
  void add(llvm::Pass *pass) override {
    const llvm::PassInfo *info =
        llvm::PassRegistry::getPassRegistry()->getPassInfo(pass->getPassID());
    llvm::StringRef name = info ? info->getPassArgument() : "";
    if (name == "loop-reduce" || name == "canon-freeze")
      delete pass;
    else
      llvm::legacy::PassManager::add(pass);
  }
};
} // namespace

static llvm::Expected<ObjectBytes>
generateObject(llvm::Module &module, kernel::CpuAttr target, FpMode fp) {
  llvm::Expected<MachinePtr> machine = createTargetMachine(target, fp);
  if (!machine)
    return machine.takeError();
  prepareFunctions(module, target);
  optimize(module, **machine);
  ObjectBytes object;
  llvm::raw_svector_ostream os(object);
  PassesWithoutStrengthReduction passes;
  if ((*machine)->addPassesToEmitFile(passes, os, nullptr,
                                      llvm::CodeGenFileType::ObjectFile))
    return llvm::createStringError("target '" + target.getTargetName() +
                                   "': LLVM can't write object files for it");
  passes.run(module);
  return object;
}

namespace {
/// The assignment of kernels to parts that are compiled separately.
struct Partition {
  unsigned numParts = 0;
  llvm::StringMap<unsigned> partOf;
};
} // namespace

/// Spreads the kernels evenly: the largest first, each to the smallest part.
/// There are enough parts for several threads, and they are large enough to
/// make the overhead of each (reading the module, creating passes) negligible.
static Partition partitionKernels(const llvm::Module &module,
                                  llvm::ArrayRef<std::string> kernelNames) {
  constexpr size_t instructionsPerPart = 2500, maxParts = 16;
  llvm::SmallVector<std::pair<size_t, llvm::StringRef>> kernels;
  llvm::StringMap<bool> seen;
  size_t total = 0;
  for (const std::string &name : kernelNames) {
    const llvm::Function *function = module.getFunction(name);
    if (!function || !seen.try_emplace(name, true).second)
      continue;
    kernels.emplace_back(function->getInstructionCount(), name);
    total += kernels.back().first;
  }
  llvm::stable_sort(
      kernels, [](const auto &a, const auto &b) { return a.first > b.first; });
  Partition result;
  result.numParts =
      std::min({total / instructionsPerPart + 1, maxParts, kernels.size()});
  llvm::SmallVector<size_t> load(result.numParts, 0);
  for (const auto &[size, name] : kernels) {
    unsigned part = llvm::min_element(load) - load.begin();
    result.partOf[name] = part;
    load[part] += size;
  }
  return result;
}

/// Reads one part of the kernels back from bitcode, in a separate context,
/// because threads cannot share one.
static llvm::Expected<ObjectBytes>
compilePart(llvm::StringRef bitcode, const Partition &partition, unsigned part,
            kernel::CpuAttr target, FpMode fp) {
  llvm::LLVMContext context;
  llvm::Expected<ModulePtr> module = llvm::parseBitcodeFile(
      llvm::MemoryBufferRef(bitcode, "kernels"), context);
  if (!module)
    return module.takeError();
  for (llvm::Function &function : **module) {
    if (function.isDeclaration())
      continue;
    auto found = partition.partOf.find(function.getName());
    if (found == partition.partOf.end()) {
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
      function.setVisibility(llvm::GlobalValue::DefaultVisibility);
    } else if (found->second == part) {
      function.setLinkage(llvm::GlobalValue::ExternalLinkage);
      function.setVisibility(llvm::GlobalValue::HiddenVisibility);
    } else {
      function.deleteBody();
    }
  }
  for (llvm::GlobalVariable &global : (*module)->globals())
    if (!global.isDeclaration())
      global.setLinkage(llvm::GlobalValue::PrivateLinkage);
  return generateObject(**module, target, fp);
}

/// Runs jobs [0, count) on `threads` threads.
static void runJobs(size_t count, unsigned threads,
                    const std::function<void(size_t)> &job) {
  std::atomic<size_t> next{0};
  auto work = [&] {
    for (size_t current; (current = next++) < count;)
      job(current);
  };
  std::vector<std::thread> helpers;
  for (unsigned i = 1; i < std::min<size_t>(threads, count); ++i)
    helpers.emplace_back(work);
  work();
  for (std::thread &helper : helpers)
    helper.join();
}

namespace {
/// One part of a program's kernels.
struct Job {
  const KernelCode &code;
  llvm::SmallVector<char, 0> &bitcode;
  const Partition &parts;
  unsigned part;
};
} // namespace

llvm::Expected<llvm::SmallVector<ObjectBytes, 0>>
tenon::emit::generateObjects(std::vector<KernelCode> programs, ModulePtr tables,
                             kernel::CpuAttr target, FpMode fp,
                             unsigned threads) {
  std::vector<Partition> partitions;
  std::vector<llvm::SmallVector<char, 0>> bitcode(programs.size());
  for (auto [code, bytes] : llvm::zip_equal(programs, bitcode)) {
    partitions.push_back(partitionKernels(*code.module, code.names));
    llvm::raw_svector_ostream os(bytes);
    llvm::WriteBitcodeToFile(*code.module, os);
    code.module = nullptr;
  }
  std::vector<Job> jobs;
  for (auto [code, bytes, parts] :
       llvm::zip_equal(programs, bitcode, partitions))
    for (unsigned part = 0; part < parts.numParts; ++part)
      jobs.push_back({code, bytes, parts, part});

  std::vector<std::optional<llvm::Expected<ObjectBytes>>> results(jobs.size() +
                                                                  1);
  // The tables have their own context, so that any thread may compile them.
  runJobs(results.size(), threads, [&](size_t number) {
    if (number == jobs.size()) {
      results[number] = generateObject(*tables, target, fp);
      return;
    }
    const Job &job = jobs[number];
    results[number] = compilePart({job.bitcode.data(), job.bitcode.size()},
                                  job.parts, job.part, job.code.target, fp);
  });
  llvm::SmallVector<ObjectBytes, 0> objects;
  llvm::Error errors = llvm::Error::success();
  for (auto &result : results) {
    if (*result)
      objects.push_back(std::move(**result));
    else
      errors = llvm::joinErrors(std::move(errors), result->takeError());
  }
  if (errors)
    return errors;
  return objects;
}
