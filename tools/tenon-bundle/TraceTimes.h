//===- TraceTimes.h - times of kernels, from a trace ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_BUNDLE_TRACETIMES_H
#define TENON_TOOLS_TENON_BUNDLE_TRACETIMES_H

#include "BundleFile.h"

namespace tenon::bundle {

/// The first run packs weights and plans memory, and two more fill caches; as
/// tenon-profile counts them.
constexpr int kWarmUpRuns = 3;

/// Seconds of every counted run, by call.
using CallTimes = std::vector<std::vector<double>>;

/// Takes them out of what tenon-run --trace wrote. A call's time is the sum of
/// its launches in one run; copies belong to no kernel.
artifact::Expected<CallTimes> readTrace(const Artifact &artifact,
                                        const std::string &path);

} // namespace tenon::bundle

#endif // TENON_TOOLS_TENON_BUNDLE_TRACETIMES_H
