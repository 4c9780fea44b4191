//===- DeploymentRun.h - runs the stages of a deployment ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_RUN_DEPLOYMENTRUN_H
#define TENON_TOOLS_TENON_RUN_DEPLOYMENTRUN_H

#include "CommandLine.h"

namespace tenon::run {

/// Runs the deployment `line.artifact` once over `line.channels`: every rank as
/// a thread of this process, or this process as one rank under mpirun. Ranks
/// that hold an output report it. Returns the exit status.
int runDeployment(const CommandLine &line);

} // namespace tenon::run

#endif // TENON_TOOLS_TENON_RUN_DEPLOYMENTRUN_H
