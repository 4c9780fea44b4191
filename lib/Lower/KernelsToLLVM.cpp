//===- KernelsToLLVM.cpp - from loops to the LLVM dialect -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace {
/// Replaces transcendental functions of f32 by upstream's polynomials: straight
/// code that LLVM vectorizes, where a call to libm would keep a loop scalar.
struct ApproximateMathPass
    : PassWrapper<ApproximateMathPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ApproximateMathPass)

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    auto wanted = [](StringRef name) {
      // Upstream's polynomials of these keep f32 within a few ulp; the others
      // (pow, trigonometric inverses) stay with libm.
      return llvm::is_contained(
          {math::ExpOp::getOperationName(), math::TanhOp::getOperationName(),
           math::ErfOp::getOperationName(), math::LogOp::getOperationName()},
          name);
    };
    populateMathPolynomialApproximationPatterns(patterns, wanted);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace

LogicalResult tenon::lower::lowerKernelsToLLVM(ModuleOp module) {
  PassManager manager(module.getContext());
  manager.addPass(createCSEPass());
  manager.addPass(std::make_unique<ApproximateMathPass>());
  manager.addPass(createConvertMathToFuncs());
  manager.addPass(arith::createArithExpandOpsPass());
  manager.addPass(createSCFToControlFlowPass());
  manager.addPass(createConvertMathToLLVMPass());
  manager.addPass(createConvertMathToLibmPass());
  manager.addPass(createArithToLLVMConversionPass());
  manager.addPass(createConvertControlFlowToLLVMPass());
  manager.addPass(createConvertFuncToLLVMPass());
  manager.addPass(createReconcileUnrealizedCastsPass());
  return manager.run(module);
}
