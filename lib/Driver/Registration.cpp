//===- Registration.cpp - all dialects and passes -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Driver/Registration.h"
#include "tenon/Backend/BuiltIn.h"
#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Dialect/Graph/Transforms/Passes.h"
#include "tenon/Dialect/Kernel/IR/Kernel.h"
#include "tenon/Dialect/Kernel/Transforms/Passes.h"
#include "tenon/Dialect/Pipe/IR/Pipe.h"
#include "tenon/Dialect/Pipe/Transforms/Passes.h"
#include "tenon/Dialect/Program/IR/Program.h"
#include "tenon/Dialect/Rule/IR/Rule.h"
#include "tenon/Differentiate/Passes.h"
#include "tenon/Driver/DataFolders.h"
#include "tenon/Driver/Passes.h"
#include "tenon/Driver/PlacedScore.h"
#include "tenon/Driver/RuleJudge.h"
#include "tenon/Emit/GpuPipeline.h"
#include "tenon/Import/Passes.h"
#include "tenon/Lower/Passes.h"
#include "tenon/Optimize/Passes.h"
#include "tenon/Parallelize/Passes.h"
#include "tenon/Place/Passes.h"
#include "tenon/Prove/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void tenon::registerAllDialects(DialectRegistry &registry) {
  registry.insert<graph::GraphDialect, kernel::KernelDialect, rule::RuleDialect,
                  pipe::PipeDialect, program::ProgramDialect>();
  registry.insert<arith::ArithDialect, func::FuncDialect, LLVM::LLVMDialect,
                  math::MathDialect, memref::MemRefDialect, scf::SCFDialect,
                  tosa::TosaDialect>();
  emit::registerGpuDialects(registry);
  registry.addExtension(+[](MLIRContext *context, kernel::KernelDialect *) {
    // Backends describe their calls by attributes of this dialect.
    context->loadDialect<program::ProgramDialect>();
    auto &backends = backend::BackendRegistry::get(context);
#define TENON_LIBRARY(Name, NAME, number, name, device)                        \
  llvm::cantFail(backends.add(backend::create##Name##Backend()));
#include "tenon/Artifact/Libraries.def"
  });
}

void tenon::registerAllPasses() {
  graph::registerGraphPasses();
  differentiate::registerDifferentiatePasses();
  parallelize::registerParallelizePasses();
  prove::registerProvePasses();
  import::registerImportPasses();
  optimize::OptimizeServices services;
  services.judge = makeRuleJudge();
  services.makeScorer = [](ModuleOp module, const cost::CostModel &costs) {
    return makePlacedScorer(costs,
                            PlacePipelineOptions(kernel::getTarget(module)));
  };
  services.rulesFolder = findRulesFolder();
  services.rulesArchive = findRulesArchive();
  registerTenonPasses();
  registerPipelines(services);
  optimize::registerOptimizePasses(std::move(services));
  kernel::registerKernelPasses();
  lower::registerLowerPasses();
  pipe::registerPipePasses();
  place::registerPlacePasses();
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  mlir::registerSymbolDCEPass();
  mlir::registerStripDebugInfoPass();
}
