//===- PlanMemory.h - the memory that a model needs -----------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_RUN_PLANMEMORY_H
#define TENON_TOOLS_TENON_RUN_PLANMEMORY_H

#include "CommandLine.h"

namespace tenon::run {

/// --plan-memory: prints what an instance, or each rank, would need, and writes
/// it to --json.
artifact::Status printMemory(const CommandLine &line);

} // namespace tenon::run

#endif // TENON_TOOLS_TENON_RUN_PLANMEMORY_H
