//===- GpuImages.cpp - kernels as a driver loads them ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Driver/GpuImages.h"
#include "tenon/Artifact/OutputFile.h"
#include "tenon/Driver/GpuPipeline.h"
#include "tenon/Lower/Lower.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace tenon;

/// The order in which architectures came.
static unsigned getNumber(StringRef arch) {
  unsigned number = 0;
  arch.drop_front(3).take_while(llvm::isDigit).getAsInteger(10, number);
  return number;
}

/// GPUs multiply 32-bit integers several times as fast as 64-bit ones. They are
/// enough where sizes are known, and no buffer has more bytes, nor a grid more
/// threads, than they can count.
static bool fitsNarrowIndices(const lower::LoweredProgram &program) {
  auto fits = [](const graph::SymInt &size, int64_t factor) {
    std::optional<int64_t> value = size.getConstant();
    return value && *value < (int64_t(1) << 31) / factor;
  };
  return llvm::all_of(program.buffers,
                      [&](const lower::Buffer &buffer) {
                        return fits(buffer.bytes, 1);
                      }) &&
         llvm::all_of(program.steps, [&](const lower::Step &step) {
           return step.kind != lower::StepKind::Kernel ||
                  fits(step.extent, std::max<int64_t>(step.blockThreads, 1));
         });
}

/// Assembles a copy of the kernels and adds what comes of it to `images`.
static LogicalResult assemble(const lower::LoweredProgram &program,
                              ArrayRef<std::string> archs, bool toPtx,
                              SmallVector<lower::GpuImage, 0> &images) {
  OwningOpRef<ModuleOp> module = program.kernels.get().clone();
  GpuBinaryOptions options;
  options.chips.assign(archs.begin(), archs.end());
  options.format = toPtx ? "isa" : "bin";
  options.indexBits = fitsNarrowIndices(program) ? 32 : 64;
  lower::lowerMatrixProducts(*module);
  // Upstream misses the library where nothing needs it any more.
  ScopedDiagnosticHandler quiet(module->getContext(), [&](Diagnostic &message) {
    return success(!hasGpuLibdevice() &&
                   StringRef(message.str()).starts_with("LibDevice path"));
  });
  PassManager passes(module.get()->getName());
  buildGpuBinaryPipeline(passes, options);
  if (failed(passes.run(*module)))
    return failure();
  module->walk([&](gpu::BinaryOp binary) {
    for (auto object : binary.getObjects().getAsRange<gpu::ObjectAttr>()) {
      lower::GpuImage image;
      image.arch =
          cast<NVVM::NVVMTargetAttr>(object.getTarget()).getChip().str();
      image.isPtx = toPtx;
      image.bytes = object.getObject().getValue().str();
      // Of PTX, the terminating zero is added by whoever emits it.
      while (toPtx && !image.bytes.empty() && image.bytes.back() == 0)
        image.bytes.pop_back();
      images.push_back(std::move(image));
    }
  });
  return success();
}

LogicalResult tenon::assembleKernels(lower::LoweredProgram &program,
                                     ArrayRef<std::string> archs) {
  program.images.clear();
  if (!hasGpuAssembler())
    return assemble(program, archs, /*toPtx=*/true, program.images);
  if (failed(assemble(program, archs, /*toPtx=*/false, program.images)))
    return failure();
  // For what comes after the last, and for drivers that are too old for this
  // machine code. Architectures of one GPU alone ("sm_90a") have no successors.
  std::vector<std::string> plain;
  for (const std::string &arch : archs)
    if (llvm::isDigit(arch.back()))
      plain.push_back(arch);
  if (plain.empty())
    return success();
  llvm::sort(plain, [](const std::string &a, const std::string &b) {
    return getNumber(a) < getNumber(b);
  });
  if (plain.size() > 2)
    plain.erase(plain.begin() + 1, plain.end() - 1);
  return assemble(program, plain, /*toPtx=*/true, program.images);
}

/// The PTX of every architecture, also where the artifact has machine code.
static FailureOr<SmallVector<lower::GpuImage, 0>>
listImages(const lower::LoweredProgram &program) {
  SmallVector<lower::GpuImage, 0> images = program.images;
  std::vector<std::string> archs;
  for (const lower::GpuImage &image : program.images)
    if (!image.isPtx && llvm::none_of(program.images, [&](const auto &other) {
          return other.isPtx && other.arch == image.arch;
        }))
      archs.push_back(image.arch);
  if (!archs.empty() &&
      failed(assemble(program, archs, /*toPtx=*/true, images)))
    return failure();
  return images;
}

LogicalResult tenon::dumpKernels(lower::LoweredProgram &program,
                                 StringRef folder) {
  Location loc = UnknownLoc::get(program.kernels->getContext());
  if (std::error_code code = llvm::sys::fs::create_directories(folder))
    return emitError(loc) << "can't create '" << folder
                          << "': " << code.message();
  auto write = [&](const Twine &name, StringRef bytes) -> LogicalResult {
    SmallString<256> file(folder);
    llvm::sys::path::append(file, name);
    if (auto status =
            artifact::writeFile(file.str().str(), bytes.data(), bytes.size());
        !status)
      return emitError(loc) << status.error();
    return success();
  };
  std::string text;
  llvm::raw_string_ostream os(text);
  program.kernels->print(os);
  if (failed(write(program.name + ".kernels.mlir", text)))
    return failure();
  FailureOr<SmallVector<lower::GpuImage, 0>> images = listImages(program);
  if (failed(images))
    return failure();
  for (const lower::GpuImage &image : *images)
    if (failed(write(program.name + "." + image.arch +
                         (image.isPtx ? ".ptx" : ".cubin"),
                     image.bytes)))
      return failure();
  return success();
}
