//===- Admit.h - whether backends compute what they claim -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_PROFILE_ADMIT_H
#define TENON_TOOLS_TENON_PROFILE_ADMIT_H

#include "PlacedModel.h"
#include "Workspace.h"
#include "tenon/Backend/Backend.h"
#include "tenon/Cost/CostDatabase.h"

/// The programs that run what was compiled and say what is right.
struct Judges {
  std::string tenonRun, tenonInterpret;
  unsigned threads = 1;
  /// The time after which a kernel counts as hanging. Subgraphs are the
  /// smallest of a model.
  unsigned limitSeconds = 30;
};

/// For every backend that is not trusted, every pattern of it that the
/// optimized model has a subgraph for, and that `database` says nothing of:
/// compiles the smallest subgraph by itself, runs it in a process of its own on
/// random inputs and with a limit of time, and compares its results with the
/// interpreter's. Adds what was found to `database`, and says on standard error
/// which patterns are not admitted, and why. Fails if the model can't be
/// read.
llvm::Error admitPatterns(const tenon::CompileOptions &options,
                          const OptimizedModel &optimized, const Judges &judges,
                          const Workspace &workspace,
                          tenon::cost::CostDatabase &database);

#endif // TENON_TOOLS_TENON_PROFILE_ADMIT_H
