//===- Kernels.cpp - the loaded kernels of a program --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include "Image.h"

#include <map>
#include <string>

using namespace tenon::artifact;

namespace tenon::runtime::cuda {

void Kernels::unload() {
  if (module && !device->isGone())
    device->driver().moduleUnload(module);
  module = nullptr;
}

/// Returns whether the driver refused an image: when it was loaded or, if the
/// driver loads lazily, when a kernel was requested.
static bool isOfImage(Result result) {
  switch (result) {
  case NoBinaryForGpu:
  case UnsupportedPtxVersion:
  case InvalidPtx:
  case InvalidImage:
  case JitCompilerNotFound:
    return true;
  default:
    return false;
  }
}

static const char *adviceFor(Result result) {
  return result == JitCompilerNotFound
             ? "; the driver's PTX compiler is not installed"
         : isOfImage(result) ? "; the driver may be too old for it"
                             : "";
}

Status Kernels::load(Device &onDevice, const tenon_program &program,
                     const std::vector<const tenon_gpu_image *> &images) {
  device = &onDevice;
  Error first;
  std::string others;
  for (const tenon_gpu_image *image : images) {
    refusal = Success;
    Status status = loadImage(program, *image);
    if (status)
      return status;
    unload();
    // Without memory or a device the next image would fail as well, and an
    // error of a step occurs in every image.
    if (refusal == Success || refusal == OutOfMemory || isFatal(refusal))
      return status;
    if (first.message.empty())
      first = status.takeError();
    else
      others += concat("; nor its ", describeImage(*image), ": ",
                       device->driver().errorName(refusal));
  }
  first.message += others;
  return first;
}

Status Kernels::loadImage(const tenon_program &program,
                          const tenon_gpu_image &image) {
  char log[2048] = "";
  int options[] = {JitErrorLog, JitErrorLogBytes};
  void *values[] = {log, reinterpret_cast<void *>(sizeof log)};
  refusal =
      device->driver().moduleLoad(&module, image.data, 2, options, values);
  if (refusal != Success) {
    module = nullptr;
    Error error = device->fail(
        refusal,
        concat("the driver (", device->driver().versionText(),
               ") does not load the artifact's ", describeImage(image)));
    error.message += adviceFor(refusal);
    log[sizeof log - 1] = '\0';
    std::string text = log;
    while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
      text.pop_back();
    if (!text.empty())
      error.message += concat(": ", text);
    return error;
  }

  functions.assign(program.num_steps, nullptr);
  std::map<std::string, Loaded> known;
  for (int32_t i = 0; i < program.num_steps; ++i) {
    const tenon_step &step = program.steps[i];
    if (step.kind != TENON_STEP_KERNEL)
      continue;
    Loaded &kernel = known[step.launch->kernel];
    if (Status status = prepareStep(step, kernel); !status)
      return status;
    functions[i] = kernel.function;
  }
  return Status::success();
}

/// The shared memory that a block may have without a request.
static constexpr int defaultSharedBytes = 48 * 1024;

/// Several steps may launch the same kernel with different parameters.
Status Kernels::prepareStep(const tenon_step &step, Loaded &kernel) {
  const Driver &cu = device->driver();
  const char *name = step.launch->kernel;
  auto fail = [&](Result code, const std::string &what) {
    refusal = isOfImage(code) ? code : Success;
    return device->fail(code, concat("step '", step.name, "'", what));
  };
  if (!kernel.function) {
    if (Result code = cu.moduleGetFunction(&kernel.function, module, name);
        code != Success)
      return fail(code,
                  concat(": the artifact's image has no kernel '", name, "'"));
    // This query also makes a driver that loads lazily load the kernel now, and
    // not within the first run.
    if (Result code = cu.funcGetAttribute(&kernel.maxThreads,
                                          MaxThreadsPerBlock, kernel.function);
        code != Success)
      return fail(code, concat(": kernel '", name, "' can't be loaded"));
    int declared = 0;
    cu.funcGetAttribute(&declared, StaticSharedBytes, kernel.function);
    kernel.sharedBytes = defaultSharedBytes - declared;
  }
  if (step.launch->block_threads > kernel.maxThreads)
    return makeError(device->name(), ": step '", step.name, "': kernel '", name,
                     "': expected blocks of at most ", kernel.maxThreads,
                     " threads, but got ", step.launch->block_threads);
  if (step.launch->shared_bytes <= kernel.sharedBytes)
    return Status::success();
  kernel.sharedBytes = step.launch->shared_bytes;
  if (Result code = cu.funcSetAttribute(kernel.function, MaxDynamicSharedBytes,
                                        kernel.sharedBytes);
      code != Success)
    return fail(code, concat(": expected at most ", device->maxSharedBytes(),
                             " bytes of shared memory per block, but got ",
                             kernel.sharedBytes));
  return Status::success();
}

} // namespace tenon::runtime::cuda
