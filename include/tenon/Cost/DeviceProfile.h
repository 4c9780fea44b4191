//===- DeviceProfile.h - what a device can do in a second -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_COST_DEVICEPROFILE_H
#define TENON_COST_DEVICEPROFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace tenon::cost {

/// How costs add up.
enum class Semantics {
  /// Every op is a kernel of its own; only a bias and an activation join the
  /// matmul or convolution before them (TASO, SOSP'19, section 5).
  Isolated,
  /// Elementwise ops and data movement join their producers or consumers, as
  /// Tenon's own code generator lets them.
  Fused
};

/// A roofline (Williams et al., CACM 2009) with a launch cost and a size at
/// which half of the peak is reached. Flops are per second, bandwidths bytes
/// per second, times seconds, sizes bytes.
struct DeviceProfile {
  std::string name;
  /// Where the figures come from: a data sheet, or a measurement with date.
  std::string source;
  Semantics semantics = Semantics::Fused;
  /// Multiply-adds count as two flops. Matrix work: matmul and convolution.
  double matrixFlops32 = 0, matrixFlops16 = 0;
  /// Everything else.
  double vectorFlops = 0;
  double memoryBandwidth = 0;
  /// Operands that fit the cache together are read at its bandwidth.
  double cacheBandwidth = 0;
  double cacheBytes = 0;
  /// Weights of a model together are larger than the cache: they are streamed
  /// at this rate, after a start that a kernel with weights beyond 64 KiB pays.
  /// 0: weights are read as other operands are.
  double weightBandwidth = 0;
  double weightSeconds = 0;
  /// Per kernel.
  double launchSeconds = 0;
  /// Matrix work, in flops, at which half of the peak is reached.
  double halfPeakFlops = 0;
  /// What generated code reaches in matrix work; 0: as libraries do.
  double ownMatrixFlops = 0;
  /// Per call of a library, beside the launch.
  double librarySeconds = 0;
};

/// "cpu" (this project's reference CPU, one thread), "t4" (NVIDIA T4), and what
/// else `getProfileNames` lists; or a JSON file of one profile. Fails with what
/// is wrong and what exists.
llvm::Expected<DeviceProfile> getProfile(llvm::StringRef nameOrFile);
std::vector<std::string> getProfileNames();

} // namespace tenon::cost

#endif // TENON_COST_DEVICEPROFILE_H
