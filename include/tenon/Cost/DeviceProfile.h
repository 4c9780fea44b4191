//===- DeviceProfile.h - throughput of devices ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_COST_DEVICEPROFILE_H
#define TENON_COST_DEVICEPROFILE_H

#include "tenon/Dialect/Kernel/IR/Kernel.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tenon::cost {

/// The cost of kernels of one class (see getKernelClass) as a sum of what their
/// work takes. Seconds, or seconds for a unit of work.
struct ClassRates {
  double start = 0;
  /// For each row of memory of its largest tensor.
  double row = 0;
  double matrixFlop = 0, vectorFlop = 0;
  /// In addition: for each flop of columns that do not fill a vector, and with
  /// weights that do not stay in a cache.
  double remainderFlop = 0, streamedFlop = 0;
  /// For each byte of operands and results without weights; and, if these do
  /// not fit the cache together, in addition.
  double byte = 0, memoryByte = 0;
  double weightByte = 0;
  /// The standard deviation of the logarithms of measured over predicted cost,
  /// and the number of kernels that were measured.
  double deviation = 0;
  unsigned kernels = 0;
};

/// A roofline (Williams et al., CACM 2009) with a launch cost and the amount of
/// work at which half of the peak is reached. Units are flops per second, bytes
/// per second, seconds and bytes.
struct DeviceProfile {
  std::string name;
  /// The source of the figures: a data sheet, or a measurement with its date.
  std::string source;
  /// The backends for other devices don't count in the least work of a product.
  tenon::Device device = tenon::Device::Cpu;
  /// Multiply-adds count as two flops. Matrix work: matmul and convolution.
  double matrixFlops32 = 0, matrixFlops16 = 0;
  /// The rate of all other work.
  double vectorFlops = 0;
  double memoryBandwidth = 0;
  /// Operands that fit the cache together are read at this bandwidth.
  double cacheBandwidth = 0;
  double cacheBytes = 0;
  /// The weights of a model do not fit the cache together. They are streamed at
  /// this rate, after a start-up time that only kernels with weights above 64
  /// KiB pay. 0: weights are read like other operands.
  double weightBandwidth = 0;
  double weightSeconds = 0;
  /// The time to launch a kernel.
  double launchSeconds = 0;
  /// The amount of matrix work, in flops, at which half of the peak is reached.
  double halfPeakFlops = 0;
  /// The rate of matrix work in generated code; 0 if it equals that of
  /// libraries.
  double generatedMatrixFlops = 0;
  /// The time that a library call takes in addition to the launch.
  double librarySeconds = 0;
  /// By class of kernels: the rates that replace the roofline for kernels that
  /// compute in f32 (see fitRates). Classes that are missing have the roofline.
  std::map<std::string, ClassRates> classes;
};

/// `nameOrFile` is a name from `getProfileNames`, such as "cpu" (this project's
/// reference CPU, one thread) or "h100" (NVIDIA H100), or a JSON file of one
/// profile. The error says what is wrong and which profiles exist.
llvm::Expected<DeviceProfile> getProfile(llvm::StringRef nameOrFile);
/// The same, once for a context.
llvm::Expected<std::shared_ptr<const DeviceProfile>>
getProfile(mlir::MLIRContext *context, llvm::StringRef nameOrFile);
/// The profile `nameOrFile` for a device; empty: that of the device. Fails,
/// too, if it is of another kind of device.
llvm::Expected<DeviceProfile> getProfileFor(kernel::DeviceTarget target,
                                            llvm::StringRef nameOrFile = "");
/// Writes a file that `getProfile` reads; atomically: the file has either the
/// old or the new contents.
llvm::Error writeProfile(const DeviceProfile &profile, llvm::StringRef path);
std::vector<std::string> getProfileNames();

} // namespace tenon::cost

#endif // TENON_COST_DEVICEPROFILE_H
