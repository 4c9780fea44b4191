//===- ClusterFile.h - devices and links as a file --------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PARALLELIZE_CLUSTERFILE_H
#define TENON_PARALLELIZE_CLUSTERFILE_H

#include "tenon/Cost/DeviceProfile.h"
#include "tenon/Parallelize/Plan.h"

namespace tenon::parallelize {

struct ClusterDescription {
  /// One word or more, and where the figures come from.
  std::string name, source;
  cost::DeviceProfile device;
  Cluster cluster;
};

/// What is planned for without a file: V100s with 16 GiB, four in a node with
/// NVLink, and InfiniBand EDR between nodes, as in GraphPipe (section 7.1).
ClusterDescription getDefaultCluster(unsigned count);

/// Reads a cluster (docs/formats.md). `count`: how many of its devices are
/// used; 0: all. Errors name the file and the member.
llvm::Expected<ClusterDescription> readCluster(llvm::StringRef path,
                                               unsigned count);

} // namespace tenon::parallelize

#endif // TENON_PARALLELIZE_CLUSTERFILE_H
