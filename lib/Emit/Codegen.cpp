//===- Codegen.cpp - from kernels to an object file ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Codegen.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace tenon::emit;

llvm::Expected<std::unique_ptr<llvm::Module>>
tenon::emit::translateKernels(mlir::ModuleOp kernels, llvm::StringRef name,
                              const Target &target, FpMode fp,
                              llvm::LLVMContext &context) {
  mlir::MLIRContext *mlirContext = kernels.getContext();
  mlir::registerBuiltinDialectTranslation(*mlirContext);
  mlir::registerLLVMDialectTranslation(*mlirContext);
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machine =
      createTargetMachine(target, fp);
  if (!machine)
    return machine.takeError();

  // The translation reports through diagnostics; ours says where it happened.
  std::unique_ptr<llvm::Module> module =
      mlir::translateModuleToLLVMIR(kernels, context, name);
  if (!module)
    return llvm::createStringError("kernels of '" + name +
                                   "' have no form in LLVM IR");
  module->setDataLayout((*machine)->createDataLayout());
  module->setTargetTriple((*machine)->getTargetTriple());
  // Neither the folder of the build nor the version of a producer is part of
  // what the program means.
  module->setSourceFileName(name);
  module->setPICLevel(llvm::PICLevel::BigPIC);
  return module;
}

/// Gives every function the target's attributes, and hides what the artifact
/// does not export.
static void prepareFunctions(llvm::Module &module, const Target &target) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
    function.setVisibility(llvm::GlobalValue::DefaultVisibility);
    function.addFnAttr("target-cpu", target.cpu);
    function.addFnAttr("tune-cpu", target.tuneCpu);
    if (!target.features.empty())
      function.addFnAttr("target-features", target.features);
    function.addFnAttr("prefer-vector-width",
                       std::to_string(target.vectorBits));
    function.addFnAttr("no-trapping-math", "true");
    function.addFnAttr(llvm::Attribute::NoUnwind);
  }
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = true;
  tuning.SLPVectorization = true;
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
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3)
      .run(module, modules);
}

static llvm::Expected<llvm::SmallVector<char, 0>>
generateObject(llvm::Module &module, const Target &target, FpMode fp) {
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machine =
      createTargetMachine(target, fp);
  if (!machine)
    return machine.takeError();
  optimize(module, **machine);
  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream os(object);
  llvm::legacy::PassManager passes;
  if ((*machine)->addPassesToEmitFile(passes, os, nullptr,
                                      llvm::CodeGenFileType::ObjectFile))
    return llvm::createStringError("target '" + target.name +
                                   "': LLVM writes no object files for it");
  passes.run(module);
  return object;
}

llvm::Expected<llvm::SmallVector<llvm::SmallVector<char, 0>, 0>>
tenon::emit::generateObjects(std::unique_ptr<llvm::Module> module,
                             const Target &target, FpMode fp,
                             unsigned threads) {
  std::string message;
  llvm::raw_string_ostream os(message);
  if (llvm::verifyModule(*module, &os))
    return llvm::createStringError("kernels are not valid LLVM IR: " + message);
  prepareFunctions(*module, target);
  llvm::SmallVector<llvm::SmallVector<char, 0>, 0> objects;
  llvm::Expected<llvm::SmallVector<char, 0>> object =
      generateObject(*module, target, fp);
  if (!object)
    return object.takeError();
  objects.push_back(std::move(*object));
  return objects;
}
