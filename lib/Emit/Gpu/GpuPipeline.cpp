//===- GpuPipeline.cpp - from GPU kernels to objects ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Emit/GpuPipeline.h"
#include "tenon/Lower/Passes.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVM/NVVM/Target.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::emit;

std::string tenon::emit::getPtxFeature(StringRef chip) {
#define TENON_GPU(name, ptx, profile)                                          \
  if (chip == name)                                                            \
    return ptx;
#include "tenon/Dialect/Kernel/IR/Gpus.def"
  return "";
}

/// Where the CUDA toolkit lies; empty: it is not there.
static std::string findToolkit() {
  const char *root = std::getenv("CUDAToolkit_ROOT");
  std::string place = root && *root ? root : "/usr/local/cuda";
  return llvm::sys::fs::can_execute(place + "/bin/ptxas") ? place : "";
}

static bool hasLibdevice(const std::string &toolkit) {
  return !toolkit.empty() &&
         llvm::sys::fs::exists(toolkit + "/nvvm/libdevice/libdevice.10.bc");
}

bool tenon::emit::hasGpuLibdevice() { return hasLibdevice(findToolkit()); }

bool tenon::emit::hasGpuAssembler() { return !findToolkit().empty(); }

void tenon::emit::buildGpuBinaryPipeline(OpPassManager &passes,
                                         const GpuBinaryOptions &options) {
  for (const std::string &chip : options.chips) {
    GpuNVVMAttachTargetOptions target;
    target.chip = chip;
    target.features = getPtxFeature(chip);
    target.optLevel = 3;
    passes.addPass(createGpuNVVMAttachTarget(target));
  }
  std::string toolkit = findToolkit();
  bool expandsMath = !hasLibdevice(toolkit);
  {
    OpPassManager &kernels = passes.nest<gpu::GPUModuleOp>();
    if (options.indexBits < 64)
      kernels.addPass(lower::createGpuSaturateIndices());
    if (expandsMath)
      kernels.addPass(lower::createGpuExpandMath());
    kernels.addPass(createCanonicalizerPass());
    kernels.addPass(createCSEPass());
    kernels.addPass(createLoopInvariantCodeMotionPass());
    kernels.addPass(createSCFToControlFlowPass());
    // With the interfaces of the other dialects, which it asks for.
    ConvertGpuOpsToNVVMOpsOptions conversion;
    conversion.indexBitwidth = options.indexBits;
    kernels.addPass(createConvertGpuOpsToNVVMOps(conversion));
    if (expandsMath)
      kernels.addPass(lower::createGpuReplaceLibdevice());
    kernels.addPass(createCanonicalizerPass());
    kernels.addPass(createCSEPass());
    kernels.addPass(createReconcileUnrealizedCastsPass());
  }

  GpuModuleToBinaryPassOptions binary;
  binary.toolkitPath = toolkit;
  binary.compilationTarget = options.toPtx ? "isa" : "bin";
  passes.addPass(createGpuModuleToBinaryPass(binary));
  passes.addPass(lower::createGpuStripTimes());
}

void tenon::emit::registerGpuDialects(DialectRegistry &registry) {
  registry.insert<gpu::GPUDialect, NVVM::NVVMDialect, nvgpu::NVGPUDialect,
                  vector::VectorDialect>();
  NVVM::registerNVVMTargetInterfaceExternalModels(registry);
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
  arith::registerConvertArithToLLVMInterface(registry);
  cf::registerConvertControlFlowToLLVMInterface(registry);
  registerConvertMathToLLVMInterface(registry);
  ub::registerConvertUBToLLVMInterface(registry);
  vector::registerConvertVectorToLLVMInterface(registry);
}
