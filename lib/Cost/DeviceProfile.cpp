//===- DeviceProfile.cpp - throughput of devices --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Data sheets give peaks. The other figures are derived here:
//
// - halfPeakFlops: a matrix multiplication runs in waves of tiles, and the last
//   wave is half empty on average. With two tiles of 64 x 64 in flight on each
//   of n multiprocessors and 256 multiply-adds deep (a usual depth of
//   convolutions), half a wave is n * 64 * 64 * 256 * 2 flops. Smaller work
//   than that leaves most of the device idle.
// - cacheBandwidth: not in data sheets; assumed to be two times the memory's
//   bandwidth.
// - launchSeconds: the time from one kernel to the next. All kernels are in one
//   CUDA graph; 2 us are assumed until this is measured.
// - generatedMatrixFlops of GPUs: half of the libraries' rate, an assumption
//   until it is measured. The instructions that generated code uses for
//   Hopper's tensor cores reach no more.
//
//===----------------------------------------------------------------------===//

#include "tenon/Cost/DeviceProfile.h"
#include "ProfileFile.h"
#include "tenon/Dialect/Kernel/IR/SharedFiles.h"

#include "llvm/Support/FileSystem.h"

using namespace llvm;
using namespace tenon::cost;

/// The flops of half a wave on `processors` multiprocessors.
static constexpr double halfWave(double processors) {
  return processors * 64 * 64 * 256 * 2;
}

static std::vector<DeviceProfile> getProfiles() {
  DeviceProfile cpu;
  cpu.name = "cpu";
  cpu.source = "measured on 2026-11-21 through tenon-profile: one thread of an "
               "Intel Xeon with AVX-512 (virtual machine, 2 MiB L2 per core), "
               "oneDNN 2.6.3, code for x86-64-v3";
  // Matrix work on large convolutions and matmuls. Below about a microsecond it
  // reaches half of the peak. 16-bit matrix work runs in generated code.
  cpu.matrixFlops32 = 150e9;
  cpu.matrixFlops16 = 43e9;
  cpu.vectorFlops = 30e9;
  // Bandwidth for weights and other tensors beyond the L2, and for activations
  // within it.
  cpu.memoryBandwidth = 13e9;
  cpu.cacheBandwidth = 45e9;
  cpu.cacheBytes = 2 * 1024 * 1024;
  // A matmul of one row takes 55, 185 and 712 us with weights of 1, 4 and 16
  // MiB, if the model has many weights.
  cpu.weightBandwidth = 23.5e9;
  cpu.weightSeconds = 9e-6;
  cpu.launchSeconds = 0.2e-6;
  cpu.halfPeakFlops = 50e3;
  // Chains of matmuls in generated code reach 40 to 51 GFLOP/s where a weight
  // has up to 256 KiB, and half of that beyond, where libraries are chosen
  // anyway. (2026-11-27, one thread of an AMD EPYC with AVX2 code.)
  cpu.generatedMatrixFlops = 45e9;
  cpu.librarySeconds = 1e-6;

  DeviceProfile h100;
  h100.name = "h100";
  h100.source =
      "NVIDIA H100 SXM data sheet (67 TFLOPS f32, 989 TFLOPS f16 "
      "dense, 3.35 TB/s, 132 multiprocessors, 50 MB L2); launch, "
      "cache bandwidth, half-peak size and rate of generated code derived; not "
      "measured here";
  h100.device = tenon::Device::Cuda;
  h100.matrixFlops32 = 67e12;
  h100.matrixFlops16 = 989e12;
  h100.vectorFlops = 67e12;
  h100.memoryBandwidth = 3.35e12;
  h100.cacheBandwidth = 2 * h100.memoryBandwidth;
  h100.cacheBytes = 50e6;
  h100.launchSeconds = 2e-6;
  h100.halfPeakFlops = halfWave(132);
  h100.generatedMatrixFlops = h100.matrixFlops32 / 2;

  DeviceProfile a100;
  a100.name = "a100";
  a100.source =
      "NVIDIA A100 80GB SXM data sheet (19.5 TFLOPS f32, 312 TFLOPS "
      "f16 dense, 2.04 TB/s, 108 multiprocessors, 40 MB L2); launch, "
      "cache bandwidth, half-peak size and rate of generated code derived; not "
      "measured here";
  a100.device = tenon::Device::Cuda;
  a100.matrixFlops32 = 19.5e12;
  a100.matrixFlops16 = 312e12;
  a100.vectorFlops = 19.5e12;
  a100.memoryBandwidth = 2.039e12;
  a100.cacheBandwidth = 2 * a100.memoryBandwidth;
  a100.cacheBytes = 40e6;
  a100.launchSeconds = 2e-6;
  a100.halfPeakFlops = halfWave(108);
  a100.generatedMatrixFlops = a100.matrixFlops32 / 2;

  // The same processor with faster memory.
  DeviceProfile h200 = h100;
  h200.name = "h200";
  h200.source =
      "NVIDIA H200 SXM data sheet (67 TFLOPS f32, 989 TFLOPS f16 "
      "dense, 4.8 TB/s, 132 multiprocessors, 50 MB L2); launch, "
      "cache bandwidth, half-peak size and rate of generated code derived; not "
      "measured here";
  h200.memoryBandwidth = 4.8e12;
  return {cpu, a100, h100, h200};
}

std::vector<std::string> tenon::cost::getProfileNames() {
  std::vector<std::string> names;
  for (const DeviceProfile &profile : getProfiles())
    names.push_back(profile.name);
  return names;
}

Expected<DeviceProfile> tenon::cost::getProfile(StringRef nameOrFile) {
  for (DeviceProfile &profile : getProfiles())
    if (profile.name == nameOrFile)
      return std::move(profile);
  if (nameOrFile.ends_with(".json") || sys::fs::exists(nameOrFile))
    return readProfile(nameOrFile);
  std::string names;
  for (const std::string &name : getProfileNames())
    names += name + ", ";
  return createStringError("no device profile '" + nameOrFile + "': expected " +
                           names + "or a JSON file of one profile");
}

Expected<std::shared_ptr<const DeviceProfile>>
tenon::cost::getProfile(mlir::MLIRContext *context, StringRef nameOrFile) {
  auto readOnce = [&]() -> Expected<std::shared_ptr<const DeviceProfile>> {
    Expected<DeviceProfile> profile = getProfile(nameOrFile);
    if (!profile)
      return profile.takeError();
    return std::make_shared<const DeviceProfile>(std::move(*profile));
  };
  return kernel::SharedFiles::get(context).read<DeviceProfile>(
      "profile", {nameOrFile.str()}, readOnce);
}

Expected<DeviceProfile> tenon::cost::getProfileFor(kernel::DeviceTarget target,
                                                   StringRef nameOrFile) {
  if (nameOrFile.empty())
    nameOrFile = target.getProfileName();
  Expected<DeviceProfile> profile = getProfile(nameOrFile);
  if (profile && profile->device != target.getDevice())
    return createStringError("profile '" + nameOrFile + "' is of the device " +
                             getName(profile->device) + ", but the target is " +
                             getName(target.getDevice()));
  return profile;
}
