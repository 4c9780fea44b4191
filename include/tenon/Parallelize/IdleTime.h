//===- IdleTime.h - why devices wait in a plan ------------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PARALLELIZE_IDLETIME_H
#define TENON_PARALLELIZE_IDLETIME_H

#include "tenon/Parallelize/Plan.h"

namespace tenon::parallelize {

/// Shares of the time of all devices of a cluster in an iteration. With the
/// share in which they compute, they add up to 1.
struct IdleShares {
  /// Before the first task of a device, and after its last one and its sums,
  /// up to the updates.
  double filling = 0, draining = 0;
  /// Between tasks: while what is needed is on its way, and before it is
  /// computed.
  double links = 0, stages = 0;
  /// While gradients are summed, and while parameters are updated.
  double sums = 0, updates = 0;
  /// That of devices without a stage.
  double unused = 0;
};

IdleShares getIdleShares(const Evaluation &plan, unsigned numDevices);

} // namespace tenon::parallelize

#endif // TENON_PARALLELIZE_IDLETIME_H
