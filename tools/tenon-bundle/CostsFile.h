//===- CostsFile.h - measured costs, as a file ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_BUNDLE_COSTSFILE_H
#define TENON_TOOLS_TENON_BUNDLE_COSTSFILE_H

#include "BundleFile.h"
#include "GpuFacts.h"
#include "TraceTimes.h"

#include <map>

namespace tenon::bundle {

/// Equal kernels share one entry, over all artifacts.
struct Samples {
  std::vector<double> seconds;
  double roofline = 0;
};
using Costs = std::map<std::string, Samples>;

void addTimes(const Artifact &artifact, const CallTimes &times, Costs &costs);

/// The 10 %, 50 % and 90 % quantiles of at least one sample.
struct Distribution {
  double low, median, high;
};
Distribution summarize(std::vector<double> samples);

/// Writes what cost::CostDatabase reads. Each of `costs` has a sample.
artifact::Status writeCosts(const std::string &path, const Costs &costs,
                            const GpuFacts &gpu, const std::string &version);

} // namespace tenon::bundle

#endif // TENON_TOOLS_TENON_BUNDLE_COSTSFILE_H
