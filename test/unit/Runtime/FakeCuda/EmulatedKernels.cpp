//===- EmulatedKernels.cpp - kernels of Tenon in the driver for tests -----===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever its image, every module has the kernels of the file that
// TENON_FAKE_CUDA_KERNELS names, as `tenon-compile --dump-kernels` writes it.
// The emulator runs them, and finds errors that a GPU hides.
//
//===----------------------------------------------------------------------===//

#include "FakeState.h"

#include "Shadow.h"
#include "tenon/Emulate/Emulator.h"

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

using namespace tenon;
using emulate::Argument;
using emulate::Pointer;

namespace {
struct EmulatedKernel {
  mlir::gpu::GPUFuncOp function;
  std::optional<emulate::Kernel> compiled; // by the first launch
};

/// The kernels of the file.
struct KernelFile {
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::map<std::string, EmulatedKernel> kernels;

  KernelFile();
};

struct DeviceMemory {
  emulate::Memory memory;
  std::map<uint64_t, Pointer> starts; // by address
};
} // namespace

KernelFile::KernelFile() {
  const char *path = std::getenv("TENON_FAKE_CUDA_KERNELS");
  if (!path) {
    llvm::errs() << "emulated CUDA: TENON_FAKE_CUDA_KERNELS names no file of "
                    "kernels (tenon-compile --dump-kernels)\n";
    return;
  }
  context.loadDialect<mlir::arith::ArithDialect, mlir::cf::ControlFlowDialect,
                      mlir::gpu::GPUDialect, mlir::LLVM::LLVMDialect,
                      mlir::NVVM::NVVMDialect, mlir::math::MathDialect,
                      mlir::memref::MemRefDialect, mlir::nvgpu::NVGPUDialect,
                      mlir::scf::SCFDialect, mlir::ub::UBDialect,
                      mlir::vector::VectorDialect>();
  module = mlir::parseSourceFile<mlir::ModuleOp>(path, &context);
  if (!module) {
    llvm::errs() << "emulated CUDA: '" << path << "' does not parse\n";
    return;
  }
  module->walk([&](mlir::gpu::GPUFuncOp function) {
    if (function.isKernel())
      kernels[function.getName().str()].function = function;
  });
}

/// Never destroyed: threads may still launch when the process ends.
static KernelFile &getFile() {
  static auto *file = new KernelFile();
  return *file;
}
static DeviceMemory &getMemory() {
  static auto *memory = new DeviceMemory();
  return *memory;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

const Limits &getLimits() {
  // Those of sm_80.
  static const Limits limits = {size_t(16) << 30, 163 << 10, 1024};
  return limits;
}

/// In place of the emulator's bytes, whose alignment is that of malloc.
uint64_t allocateBlock(size_t bytes) {
  emulate::Memory &memory = getMemory().memory;
  Pointer start = memory.allocate("a block of device memory", bytes);
  void *data = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  memory.getState().find(start.bits)->data.reset(static_cast<uint8_t *>(data));
  uint64_t address = reinterpret_cast<uint64_t>(data);
  getMemory().starts[address] = start;
  return address;
}

void freeBlock(uint64_t address) {
  DeviceMemory &memory = getMemory();
  memory.memory.release(memory.starts.at(address));
  memory.starts.erase(address);
}

/// Returns nullopt for an address that is in no block of the device.
static std::optional<Pointer> translate(uint64_t address) {
  if (address == 0)
    return Pointer();
  // Empty buffers may be at the end of a block.
  if (!isFakeMemory(address, 1) && !isFakeMemory(address - 1, 1))
    return std::nullopt;
  const auto &starts = getMemory().starts;
  auto start = std::prev(
      starts.upper_bound(isFakeMemory(address, 1) ? address : address - 1));
  return start->second + static_cast<int64_t>(address - start->first);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Says the first error.
static bool fail(const std::string &name, llvm::Error error) {
  static bool isFirst = true;
  std::string text = llvm::toString(std::move(error));
  if (isFirst)
    llvm::errs() << "emulated CUDA: in " << name << ": " << text << "\n";
  isFirst = false;
  return false;
}

static bool run(const std::string &name, EmulatedKernel &kernel,
                const Launch &launch, const std::vector<uint64_t> &words) {
  if (!kernel.compiled) {
    auto compiled = emulate::Kernel::compile(kernel.function);
    if (!compiled)
      return fail(name, compiled.takeError());
    kernel.compiled.emplace(std::move(*compiled));
  }
  std::vector<Argument> arguments;
  for (size_t i = 0; i < words.size(); ++i) {
    if (!llvm::isa<mlir::LLVM::LLVMPointerType>(
            kernel.function.getArgument(i).getType())) {
      arguments.push_back(static_cast<int64_t>(words[i]));
      continue;
    }
    std::optional<Pointer> pointer = translate(words[i]);
    if (!pointer)
      return fail(name, llvm::createStringError(
                            "argument %zu is no memory of the device", i));
    arguments.push_back(*pointer);
  }
  emulate::LaunchConfig config;
  config.grid = launch.grid;
  config.block = launch.block;
  config.dynamicSharedBytes = launch.sharedBytes;
  config.instructionBudget = UINT64_MAX;
  if (llvm::Error error = emulate::launch(*kernel.compiled, config, arguments,
                                          getMemory().memory))
    return fail(name, std::move(error));
  return true;
}

int loadImage(Module &module, const void *,
              const std::function<void(const char *)> &) {
  KernelFile &file = getFile();
  if (!file.module)
    return InvalidValue;
  for (auto &[name, kernel] : file.kernels)
    module.functions[name] = {
        name, static_cast<int>(kernel.function.getNumArguments()),
        [name = name, &kernel = kernel](const Launch &launch,
                                        const std::vector<uint64_t> &words) {
          return run(name, kernel, launch, words);
        }};
  return Success;
}
