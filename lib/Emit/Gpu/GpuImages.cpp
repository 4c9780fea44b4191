//===- GpuImages.cpp - kernels as a driver loads them ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Emit/GpuImages.h"
#include "tenon/Artifact/OutputFile.h"
#include "tenon/Emit/GpuPipeline.h"
#include "tenon/Lower/Lower.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::emit;

/// The order in which architectures came.
static unsigned getNumber(StringRef arch) {
  unsigned number = 0;
  arch.drop_front(3).take_while(llvm::isDigit).getAsInteger(10, number);
  return number;
}

/// GPUs multiply 32-bit integers several times as fast as 64-bit ones. They are
/// enough where sizes are known, and no buffer has more bytes, nor a grid more
/// threads, than they can count.
static bool fitsNarrowIndices(program::TargetOp target) {
  auto fits = [](const graph::SymInt &size, int64_t factor) {
    std::optional<int64_t> value = size.getConstant();
    return value && *value < (int64_t(1) << 31) / factor;
  };
  WalkResult result = target->walk([&](Operation *op) {
    bool isNarrow = true;
    if (auto launch = dyn_cast<program::LaunchOp>(op))
      isNarrow = fits(launch.getExtent().getEntry(0),
                      std::max<int64_t>(launch.getBlock().value_or(1), 1));
    else if (op->getNumResults() == 1 &&
             isa<program::BufferType>(op->getResult(0).getType()))
      isNarrow = fits(
          program::countBytes(program::getTensorType(op->getResult(0))), 1);
    return isNarrow ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

using Images = SmallVector<program::ImageAttr, 0>;

static ModuleOp getKernels(program::TargetOp target) {
  return target.lookupSymbol<ModuleOp>("kernels");
}

/// Assembles a copy of the kernels and adds what comes of it to `images`.
static LogicalResult assemble(program::TargetOp target,
                              ArrayRef<std::string> archs, bool toPtx,
                              Images &images) {
  MLIRContext *context = target.getContext();
  OwningOpRef<ModuleOp> module = getKernels(target).clone();
  GpuBinaryOptions options;
  options.chips.assign(archs.begin(), archs.end());
  options.toPtx = toPtx;
  options.indexBits = fitsNarrowIndices(target) ? 32 : 64;
  lower::lowerMatrixProducts(*module);
  // Upstream misses the library where nothing needs it any more.
  ScopedDiagnosticHandler quiet(context, [&](Diagnostic &message) {
    return success(!hasGpuLibdevice() &&
                   StringRef(message.str()).starts_with("LibDevice path"));
  });
  PassManager passes(module.get()->getName());
  buildGpuBinaryPipeline(passes, options);
  if (failed(passes.run(*module)))
    return failure();
  module->walk([&](gpu::BinaryOp binary) {
    for (auto object : binary.getObjects().getAsRange<gpu::ObjectAttr>()) {
      StringRef arch = cast<NVVM::NVVMTargetAttr>(object.getTarget()).getChip();
      StringRef data = object.getObject().getValue();
      // The terminating zero of PTX is added when the image is emitted.
      if (toPtx)
        data = data.rtrim('\0');
      images.push_back(program::ImageAttr::get(context, arch, toPtx,
                                               StringAttr::get(context, data)));
    }
  });
  return success();
}

static LogicalResult assembleAll(program::TargetOp target,
                                 ArrayRef<std::string> archs, Images &images) {
  if (!hasGpuAssembler())
    return assemble(target, archs, /*toPtx=*/true, images);
  if (failed(assemble(target, archs, /*toPtx=*/false, images)))
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
  return assemble(target, plain, /*toPtx=*/true, images);
}

LogicalResult tenon::emit::assembleKernels(program::TargetOp target,
                                           ArrayRef<std::string> archs) {
  Images images;
  if (failed(assembleAll(target, archs, images)))
    return failure();
  SmallVector<Attribute> attributes(images.begin(), images.end());
  target.setImagesAttr(ArrayAttr::get(target.getContext(), attributes));
  return success();
}

/// The PTX of every architecture, also where the artifact has machine code.
static FailureOr<Images> listImages(program::TargetOp target) {
  Images images;
  if (std::optional<ArrayAttr> list = target.getImages())
    llvm::append_range(images, list->getAsRange<program::ImageAttr>());
  std::vector<std::string> archs;
  for (program::ImageAttr image : images)
    if (!image.getIsPtx() &&
        llvm::none_of(images, [&](program::ImageAttr other) {
          return other.getIsPtx() && other.getArch() == image.getArch();
        }))
      archs.push_back(image.getArch().str());
  if (!archs.empty() && failed(assemble(target, archs, /*toPtx=*/true, images)))
    return failure();
  return images;
}

LogicalResult tenon::emit::dumpKernels(program::TargetOp target, StringRef name,
                                       StringRef folder) {
  Location loc = UnknownLoc::get(target.getContext());
  if (std::error_code code = llvm::sys::fs::create_directories(folder))
    return emitError(loc) << "can't create '" << folder
                          << "': " << code.message();
  auto write = [&](const Twine &file, StringRef bytes) -> LogicalResult {
    SmallString<256> path(folder);
    llvm::sys::path::append(path, name + file);
    if (auto status =
            artifact::writeFile(path.str().str(), bytes.data(), bytes.size());
        !status)
      return emitError(loc) << status.error();
    return success();
  };
  std::string text;
  llvm::raw_string_ostream os(text);
  getKernels(target)->print(os);
  if (failed(write(".kernels.mlir", text)))
    return failure();
  FailureOr<Images> images = listImages(target);
  if (failed(images))
    return failure();
  for (program::ImageAttr image : *images)
    if (failed(write("." + image.getArch() +
                         (image.getIsPtx() ? ".ptx" : ".cubin"),
                     image.getData())))
      return failure();
  return success();
}
