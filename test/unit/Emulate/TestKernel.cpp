//===- TestKernel.cpp - kernels from text, and their launches -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace tenon::emulate;

TestKernel::TestKernel(StringRef function, StringRef globals) {
  context
      .loadDialect<arith::ArithDialect, cf::ControlFlowDialect, gpu::GPUDialect,
                   LLVM::LLVMDialect, NVVM::NVVMDialect, math::MathDialect,
                   memref::MemRefDialect, nvgpu::NVGPUDialect, scf::SCFDialect,
                   ub::UBDialect, vector::VectorDialect>();
  std::string text =
      ("gpu.module @kernels {\n" + globals + "\ngpu.func @k" + function + "\n}")
          .str();
  module = parseSourceString<ModuleOp>(text, &context, "kernel.mlir");
  if (!module) {
    compileError = "the text does not parse";
    return;
  }
  gpu::GPUFuncOp found;
  module->walk([&](gpu::GPUFuncOp op) { found = op; });
  llvm::Expected<Kernel> compiled = Kernel::compile(found);
  if (!compiled) {
    compileError = llvm::toString(compiled.takeError());
    return;
  }
  kernel.emplace(std::move(*compiled));
}

std::string TestKernel::launch(ArrayRef<Argument> arguments) {
  if (!kernel)
    return compileError;
  std::string text;
  llvm::handleAllErrors(
      tenon::emulate::launch(*kernel, config, arguments, memory, &statistics),
      [&](const EmulationError &error) {
        text = error.getText().str();
        kind = error.getKind();
      });
  return text;
}
