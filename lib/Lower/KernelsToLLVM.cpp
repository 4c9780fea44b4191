//===- KernelsToLLVM.cpp - conversion of loops to the LLVM dialect --------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Kernel/IR/Targets.h"
#include "tenon/Dialect/Program/IR/Program.h"
#include "tenon/Lower/Passes.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace tenon;

namespace tenon::lower {
#define GEN_PASS_DEF_PROGRAMLOWERKERNELS
#include "tenon/Lower/Passes.h.inc"
} // namespace tenon::lower

namespace {
/// Replaces transcendental functions of f32 by upstream's polynomials. These
/// are straight-line code that LLVM vectorizes, whereas a call to libm keeps a
/// loop scalar.
struct ApproximateMathPass
    : PassWrapper<ApproximateMathPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ApproximateMathPass)

  explicit ApproximateMathPass(bool contract) : contract(contract) {}

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    auto wanted = [](StringRef name) {
      // Upstream's polynomials for these functions are within a few ulp for
      // f32; the others (pow, inverse trigonometric functions) call libm.
      return llvm::is_contained(
          {math::ExpOp::getOperationName(), math::TanhOp::getOperationName(),
           math::ErfOp::getOperationName(), math::LogOp::getOperationName()},
          name);
    };
    populateMathPolynomialApproximationPatterns(patterns, wanted);
    SmallVector<Operation *> functions;
    getOperation().walk([&](Operation *op) {
      if (wanted(op->getName().getStringRef()))
        functions.push_back(op);
    });
    if (failed(applyOpPatternsGreedily(functions, std::move(patterns))))
      return signalPassFailure();
    // The polynomial of exp multiplies by a power of two whose exponent is
    // converted to an integer. The conversion of NaN is poison, which may let
    // LLVM choose any result. With a freeze, the exponent is an arbitrary
    // integer, and the product is NaN.
    getOperation().walk([](arith::FPToSIOp conversion) {
      OpBuilder builder(conversion);
      builder.setInsertionPointAfter(conversion);
      auto frozen = LLVM::FreezeOp::create(builder, conversion.getLoc(),
                                           conversion.getResult());
      conversion.getResult().replaceAllUsesExcept(frozen, frozen);
    });
    // Upstream's polynomials have no fast-math flags. Operations of f64 do not
    // come from polynomials and may compute indices, which must not be fused.
    if (contract)
      getOperation().walk([](arith::ArithFastMathInterface op) {
        // Conversions may not have the attribute at all.
        arith::FastMathFlagsAttr flags = op.getFastMathFlagsAttr();
        if (!flags || !op->getResult(0).getType().isF32())
          return;
        op->setAttr(op.getFastMathAttrName(),
                    arith::FastMathFlagsAttr::get(
                        op->getContext(),
                        flags.getValue() | arith::FastMathFlags::contract));
      });
  }

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<LLVM::LLVMDialect>();
  }

private:
  bool contract;
};

/// LLVM's vectorizer prefers the width that the target does, because loops that
/// only move or add elements gain nothing from wider vectors, and leave more to
/// scalar remainders. Polynomials are long enough to gain.
struct WidenMathPass : PassWrapper<WidenMathPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(WidenMathPass)

  explicit WidenMathPass(unsigned vectorBits) : vectorBits(vectorBits) {}

  void runOnOperation() override {
    auto width = StringAttr::get(&getContext(), std::to_string(vectorBits));
    SymbolTable symbols(getOperation());
    auto widen = [&](func::FuncOp function) {
      function->setAttr("prefer_vector_width", width);
    };
    getOperation().walk([&](Operation *op) {
      if (isa_and_nonnull<math::MathDialect>(op->getDialect()))
        widen(op->getParentOfType<func::FuncOp>());
    });
    // They are inlined.
    getOperation().walk([&](func::CallOp call) {
      auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
      if (callee && callee->hasAttr("prefer_vector_width"))
        widen(call->getParentOfType<func::FuncOp>());
    });
  }

private:
  unsigned vectorBits;
};

/// Converts maxima and minima to LLVM's intrinsics. The loop vectorizer
/// recognizes reductions of intrinsics, but handles comparisons that propagate
/// NaN as a scalar chain. The choice between zeros of different signs is
/// unspecified, as it is for comparisons.
struct ExtremaPass : PassWrapper<ExtremaPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ExtremaPass)

  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (isa<arith::MaximumFOp>(op))
        replace<LLVM::MaximumOp>(op);
      else if (isa<arith::MinimumFOp>(op))
        replace<LLVM::MinimumOp>(op);
    });
  }

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<LLVM::LLVMDialect>();
  }

private:
  template <typename Intrinsic> static void replace(Operation *op) {
    OpBuilder builder(op);
    auto value = Intrinsic::create(builder, op->getLoc(), op->getOperand(0),
                                   op->getOperand(1), LLVM::FastmathFlags::nsz);
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  }
};

struct ProgramLowerKernelsPass
    : lower::impl::ProgramLowerKernelsBase<ProgramLowerKernelsPass> {
  void getDependentDialects(DialectRegistry &registry) const override {
    ProgramLowerKernelsBase::getDependentDialects(registry);
    arith::registerConvertArithToLLVMInterface(registry);
    cf::registerConvertControlFlowToLLVMInterface(registry);
    registerConvertFuncToLLVMInterface(registry);
    OpPassManager passes(ModuleOp::getOperationName());
    build(passes, /*vectorBits=*/256, /*contract=*/false);
    passes.getDependentDialects(registry);
  }

  void runOnOperation() override {
    kernel::TargetAttr whole = kernel::getTarget(getOperation());
    for (auto target : getOperation().getOps<program::TargetOp>()) {
      auto kernels = dyn_cast_or_null<ModuleOp>(
          SymbolTable::lookupSymbolIn(target, "kernels"));
      // Another run of the passes could change kernels that are lowered.
      if (target.getDevice() != Device::Cpu || !kernels ||
          kernels.getOps<func::FuncOp>().empty())
        continue;
      kernel::CpuAttr cpu = target.getHost().value_or(whole.getHost());
      OpPassManager passes(ModuleOp::getOperationName());
      build(passes, cpu.getVectorBits(), whole.getNumerics().mayReassociate());
      if (failed(runPipeline(passes, kernels)) || failed(verify(kernels)))
        return signalPassFailure();
    }
  }

private:
  static LogicalResult verify(ModuleOp kernels) {
    WalkResult all = kernels.walk([&](Operation *op) {
      if (op == kernels || isa_and_nonnull<LLVM::LLVMDialect>(op->getDialect()))
        return WalkResult::advance();
      op->emitError() << "'" << op->getName()
                      << "' has no form in the LLVM dialect";
      return WalkResult::interrupt();
    });
    return failure(all.wasInterrupted());
  }

  static void build(OpPassManager &passes, unsigned vectorBits, bool contract) {
    passes.addPass(createCSEPass());
    passes.addPass(std::make_unique<WidenMathPass>(vectorBits));
    passes.addPass(std::make_unique<ApproximateMathPass>(contract));
    passes.addPass(std::make_unique<ExtremaPass>());
    passes.addPass(arith::createArithExpandOpsPass());
    passes.addPass(createSCFToControlFlowPass());
    passes.addPass(createConvertMathToLLVMPass());
    passes.addPass(createConvertMathToLibmPass());
    ConvertToLLVMPassOptions conversion;
    conversion.filterDialects = {"arith", "cf", "func"};
    conversion.allowPatternRollback = false;
    passes.addPass(createConvertToLLVMPass(std::move(conversion)));
    passes.addPass(createReconcileUnrealizedCastsPass());
  }
};
} // namespace
