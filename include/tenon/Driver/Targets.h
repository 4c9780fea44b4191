//===- Targets.h - what one artifact is compiled for ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DRIVER_TARGETS_H
#define TENON_DRIVER_TARGETS_H

#include "tenon/Support/Policy.h"

#include "llvm/Support/Error.h"

#include <vector>

namespace tenon {

/// Reads a list of targets, such as "cpu:x86-64-v3,cpu:x86-64-v4,cuda:sm_80":
/// any number of CPUs and of GPUs' architectures. Sets `policy.device` to the
/// kind of the first, `policy.archs`, `policy.host` to the least demanding CPU
/// and `policy.levels` to the others, and `forBoth` if the list has a CPU and
/// GPUs.
llvm::Error parseTargets(llvm::StringRef text, Policy &policy, bool &forBoth);

/// Returns an error if an architecture or the host of a policy is unknown, or,
/// `forCode`, if there is no architecture for a GPU. Policies that parseTargets
/// sets are correct; those of modules may not be.
llvm::Error checkTargets(const Policy &policy, bool forCode);

/// The policies of the programs of an artifact, the default one first: one for
/// the device of `policy`, and if `forBoth`, one for the other device.
std::vector<Policy> listUnits(const Policy &policy, bool forBoth);

} // namespace tenon

#endif // TENON_DRIVER_TARGETS_H
