//===- EmulateProgram.cpp - compiles for GPUs and runs on the CPU ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Driver/EmulateProgram.h"
#include "tenon/Emit/GpuImages.h"
#include "tenon/Lower/Lower.h"

using namespace mlir;
using namespace tenon;
using interpret::Tensor;

std::optional<Numerics> tenon::parseEmulation(StringRef name) {
  Numerics numerics;
  std::optional<FpMode> mode = parseFpMode(name);
  std::optional<Precision> precision = parsePrecision(name);
  if (mode == FpMode::Strict)
    numerics.fp = *mode;
  else if (precision == Precision::F32 || precision == Precision::TF32)
    numerics.precision = *precision;
  else
    return std::nullopt;
  return numerics;
}

FailureOr<SmallVector<Tensor>>
tenon::emulateProgram(func::FuncOp entry, ArrayRef<Tensor> inputs,
                      interpret::States &states, const EmulateOptions &options,
                      emulate::RunStatistics *statistics) {
  auto placed = entry->getParentOfType<ModuleOp>();
  lower::LowerOptions lowering;
  lowering.numerics = options.numerics;
  lowering.device = Device::Cuda;
  FailureOr<OwningOpRef<ModuleOp>> program =
      lower::lowerProgram(placed, lowering);
  if (failed(program))
    return failure();
  program::TargetOp target =
      *program->get().getOps<program::TargetOp>().begin();
  if (!options.archs.empty() &&
      failed(emit::assembleKernels(target, options.archs)))
    return failure();
  return emulate::runProgram(entry, target, inputs, states, options,
                             statistics);
}
