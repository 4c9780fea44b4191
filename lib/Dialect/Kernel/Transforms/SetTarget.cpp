//===- SetTarget.cpp - says what a module is compiled for -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Kernel/IR/Targets.h"
#include "tenon/Dialect/Kernel/Transforms/Passes.h"

namespace tenon::kernel {
#define GEN_PASS_DEF_KERNELSETTARGET
#include "tenon/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace tenon::kernel

using namespace mlir;
using namespace tenon;

namespace {
struct KernelSetTargetPass
    : kernel::impl::KernelSetTargetBase<KernelSetTargetPass> {
  using KernelSetTargetBase::KernelSetTargetBase;

  void runOnOperation() override {
    kernel::TargetOptions options;
    options.targets = targets;
    if (failed(parse("fp", fp, kFpModes, parseFpMode, options.fp)) ||
        failed(parse("precision", precision, kPrecisions, parsePrecision,
                     options.precision)))
      return signalPassFailure();
    FailureOr<kernel::TargetAttr> target =
        kernel::completeTarget(getOperation(), options);
    if (failed(target) || failed(checkPlaced(*target)))
      return signalPassFailure();
    kernel::setTarget(getOperation(), *target);
    graph::setVersion(getOperation());
  }

private:
  /// Kernels were chosen for a kind of device, and for numerics.
  LogicalResult checkPlaced(kernel::TargetAttr target) {
    kernel::TargetAttr before = kernel::findTarget(getOperation());
    if (!before || (before.getNumericsAttr() == target.getNumericsAttr() &&
                    before.getDevice() == target.getDevice()))
      return success();
    WalkResult result = getOperation().walk([&](kernel::CallOp call) {
      call.emitOpError() << "was placed for another target: "
                         << Attribute(before);
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }

  template <typename T>
  LogicalResult parse(StringRef option, StringRef text, StringRef names,
                      std::optional<T> (*parse)(StringRef),
                      std::optional<T> &value) {
    if (text.empty() || (value = parse(text)))
      return success();
    return getOperation().emitError()
           << option << ": expected " << names << ", but got '" << text << "'";
  }
};
} // namespace
