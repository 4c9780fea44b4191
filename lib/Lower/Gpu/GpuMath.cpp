//===- GpuMath.cpp - math functions on GPUs without libdevice -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Lower/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "gpu-expand-math"

namespace tenon::lower {
#define GEN_PASS_DEF_GPUEXPANDMATH
#define GEN_PASS_DEF_GPUREPLACELIBDEVICE
#include "tenon/Lower/Passes.h.inc"
} // namespace tenon::lower

using namespace mlir;
using namespace tenon;

namespace {
struct GpuExpandMathPass : lower::impl::GpuExpandMathBase<GpuExpandMathPass> {
  using GpuExpandMathBase::GpuExpandMathBase;
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    math::populateExpansionPatterns(patterns, {"tan", "sinh", "cosh", "asinh",
                                               "acosh", "atanh", "exp2", "powf",
                                               "round", "rsqrt"});
    populateMathPolynomialApproximationPatterns(patterns);
    Replaced replaced(numExpanded);
    GreedyRewriteConfig config;
    config.setListener(&replaced);
    if (failed(
            applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      signalPassFailure();
  }

private:
  /// Counts the math ops that the patterns replace.
  struct Replaced : RewriterBase::Listener {
    explicit Replaced(Pass::Statistic &number) : number(number) {}
    void notifyOperationReplaced(Operation *op, ValueRange) override {
      if (!isa<math::MathDialect>(op->getDialect()))
        return;
      LDBG() << op->getName() << " at " << op->getLoc();
      ++number;
    }
    Pass::Statistic &number;
  };
};

struct GpuReplaceLibdevicePass
    : lower::impl::GpuReplaceLibdeviceBase<GpuReplaceLibdevicePass> {
  using GpuReplaceLibdeviceBase::GpuReplaceLibdeviceBase;
  void runOnOperation() override;
};
} // namespace

/// Returns the intrinsic for a function of libdevice. The names of f32
/// functions end in "f".
static StringRef getIntrinsic(StringRef function) {
  static const llvm::StringMap<StringRef> names = {
      {"fabs", "llvm.intr.fabs"},   {"sqrt", "llvm.intr.sqrt"},
      {"floor", "llvm.intr.floor"}, {"ceil", "llvm.intr.ceil"},
      {"trunc", "llvm.intr.trunc"}, {"rint", "llvm.intr.roundeven"},
      {"fma", "llvm.intr.fma"},     {"copysign", "llvm.intr.copysign"},
      {"fmax", "llvm.intr.maxnum"}, {"fmin", "llvm.intr.minnum"},
  };
  if (!function.consume_front("__nv_"))
    return "";
  auto found = names.find(function);
  if (found == names.end() && function.consume_back("f"))
    found = names.find(function);
  return found == names.end() ? "" : found->second;
}

void GpuReplaceLibdevicePass::runOnOperation() {
  WalkResult result = getOperation()->walk([&](LLVM::CallOp call) {
    StringRef callee = call.getCallee().value_or("");
    if (!callee.starts_with("__nv_"))
      return WalkResult::advance();
    StringRef intrinsic = getIntrinsic(callee);
    if (intrinsic.empty()) {
      call->emitError() << "'" << callee
                        << "' is of libdevice, which comes with the CUDA "
                           "toolkit (CUDAToolkit_ROOT or /usr/local/cuda)";
      return WalkResult::interrupt();
    }
    OpBuilder builder(call);
    OperationState state(call.getLoc(), intrinsic);
    state.addOperands(call.getArgOperands());
    state.addTypes(call.getResultTypes());
    LDBG() << callee << " at " << call.getLoc() << " is " << intrinsic;
    call->replaceAllUsesWith(builder.create(state)->getResults());
    call.erase();
    ++numReplaced;
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    signalPassFailure();
}
