//===- ReproducerTest.cpp - what a pass that crashes leaves behind --------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Driver/CompileModule.h"
#include "tenon/Driver/Registration.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

#include <csignal>

using namespace mlir;
using namespace tenon;

namespace {
struct CrashPass : PassWrapper<CrashPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CrashPass)
  StringRef getArgument() const override { return "test-crash"; }
  void runOnOperation() override { std::raise(SIGSEGV); }
};

TEST(Reproducer, ACrashLeavesTheModuleAndThePasses) {
  registerAllPasses();
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(R"(
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = graph.exp %x : tensor<4xf32>
      return %0 : tensor<4xf32>
    })",
                                                             &context);
  ASSERT_TRUE(module);
  ASSERT_TRUE(succeeded(prepareModule(*module)));
  llvm::SmallString<128> file;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("reproducer", "mlir", file));
  CompileOptions options;
  options.input = "m.mlir";
  options.stopAfter = CompilePhase::Place;
  options.configurePasses = [&](PassManager &passes) {
    passes.enableCrashReproducerGeneration(file);
    passes.addPass(std::make_unique<CrashPass>());
    return success();
  };
  ScopedDiagnosticHandler quiet(&context,
                                [](Diagnostic &) { return success(); });
  EXPECT_TRUE(failed(compileModule(std::move(module), options)));
  auto text = llvm::MemoryBuffer::getFile(file);
  ASSERT_TRUE(text);
  StringRef reproducer = (*text)->getBuffer();
  EXPECT_TRUE(reproducer.contains("func.func @main"));
  EXPECT_TRUE(reproducer.contains("kernel.target"));
  // Without the pass that crashed, the passes run as tenon-opt reads them.
  auto [before, after] = reproducer.split("pipeline: \"");
  std::string pipeline = after.split('"').first.str();
  size_t crash = pipeline.find("test-crash, ");
  ASSERT_NE(crash, std::string::npos) << pipeline;
  pipeline.erase(crash, strlen("test-crash, "));
  FailureOr<OpPassManager> passes = parsePassPipeline(pipeline);
  ASSERT_TRUE(succeeded(passes)) << pipeline;
  OwningOpRef<ModuleOp> again =
      parseSourceString<ModuleOp>(before.split("{-#").first, &context);
  ASSERT_TRUE(again);
  PassManager manager(&context);
  static_cast<OpPassManager &>(manager) = *passes;
  EXPECT_TRUE(succeeded(manager.run(*again)));
  llvm::sys::fs::remove(file);
}
} // namespace
