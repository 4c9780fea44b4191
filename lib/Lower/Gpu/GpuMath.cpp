//===- GpuMath.cpp - functions of numbers on GPUs -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Lower/Lower.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace tenon;

template <typename Intrinsic> static void replace(Operation *op) {
  OpBuilder builder(op);
  OperationState state(op->getLoc(), Intrinsic::getOperationName());
  state.addOperands(op->getOperands());
  state.addTypes(op->getResultTypes());
  if (auto fast = dyn_cast<arith::ArithFastMathInterface>(op))
    if (arith::FastMathFlagsAttr flags = fast.getFastMathFlagsAttr())
      state.addAttribute("fastmathFlags",
                         LLVM::FastmathFlagsAttr::get(
                             op->getContext(), static_cast<LLVM::FastmathFlags>(
                                                   flags.getValue())));
  op->replaceAllUsesWith(builder.create(state)->getResults());
  op->erase();
}

/// What GPUs have instructions for needs no function of a library.
static void useInstructions(Operation *root) {
  root->walk([](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case<math::SqrtOp>([](auto op) { replace<LLVM::SqrtOp>(op); })
        .Case<math::FmaOp>([](auto op) { replace<LLVM::FMAOp>(op); })
        .Case<math::AbsFOp>([](auto op) { replace<LLVM::FAbsOp>(op); })
        .Case<math::FloorOp>([](auto op) { replace<LLVM::FFloorOp>(op); })
        .Case<math::CeilOp>([](auto op) { replace<LLVM::FCeilOp>(op); })
        .Case<math::TruncOp>([](auto op) { replace<LLVM::FTruncOp>(op); })
        .Case<math::RoundEvenOp>(
            [](auto op) { replace<LLVM::RoundEvenOp>(op); })
        .Case<math::CopySignOp>([](auto op) { replace<LLVM::CopySignOp>(op); })
        .Case<arith::MaximumFOp>([](auto op) { replace<LLVM::MaximumOp>(op); })
        .Case<arith::MinimumFOp>([](auto op) { replace<LLVM::MinimumOp>(op); })
        .Case<arith::MaxNumFOp>([](auto op) { replace<LLVM::MaxNumOp>(op); })
        .Case<arith::MinNumFOp>([](auto op) { replace<LLVM::MinNumOp>(op); });
  });
}

LogicalResult tenon::lower::lowerGpuMath(ModuleOp module, bool hasLibdevice) {
  if (!hasLibdevice) {
    RewritePatternSet patterns(module.getContext());
    math::populateExpansionPatterns(patterns, {"tan", "sinh", "cosh", "asinh",
                                               "acosh", "atanh", "exp2", "powf",
                                               "round", "rsqrt"});
    populateMathPolynomialApproximationPatterns(patterns);
    if (failed(applyPatternsGreedily(module, std::move(patterns))))
      return failure();
    module->walk([](arith::RemFOp op) { replace<LLVM::FRemOp>(op); });
  }
  useInstructions(module);
  if (hasLibdevice)
    return success();
  WalkResult left = module->walk([](Operation *op) {
    if (!isa_and_present<math::MathDialect>(op->getDialect()) ||
        !llvm::any_of(op->getResultTypes(), llvm::IsaPred<FloatType>))
      return WalkResult::advance();
    op->emitError() << "'" << op->getName() << "' of "
                    << op->getResult(0).getType()
                    << " needs libdevice, which comes with the CUDA toolkit "
                       "(CUDAToolkit_ROOT or /usr/local/cuda)";
    return WalkResult::interrupt();
  });
  return failure(left.wasInterrupted());
}
