//===- GpuFacts.h - which GPU this is -------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_BUNDLE_GPUFACTS_H
#define TENON_TOOLS_TENON_BUNDLE_GPUFACTS_H

#include <map>
#include <string>
#include <vector>

namespace tenon::bundle {

/// The facts that distinguish devices in costs (cost::Device).
struct GpuFacts {
  /// "cuda:sm_90": which of the targets runs here.
  std::string target;
  /// "NVIDIA H100 80GB HBM3"; "unknown GPU" if the driver does not report a
  /// name.
  std::string processor = "unknown GPU";
  /// "cuda" (that the driver is for), "nvidia" (the driver's own), and those of
  /// the libraries that are here.
  std::map<std::string, std::string> versions;
};

/// Asks the driver and the libraries that artifacts would open, which the
/// environment may name as it does for artifacts.
GpuFacts getGpuFacts(int device, const std::vector<std::string> &targets);

} // namespace tenon::bundle

#endif // TENON_TOOLS_TENON_BUNDLE_GPUFACTS_H
