//===- CompileSession.h - what a person sees of a compilation -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DRIVER_COMPILESESSION_H
#define TENON_LIB_DRIVER_COMPILESESSION_H

#include "PhaseTimes.h"
#include "tenon/Driver/Compile.h"
#include "tenon/Support/Progress.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/SourceMgr.h"

namespace tenon {

/// Diagnostics, progress and times of one command.
struct CompileSession {
  CompileSession(const CompileOptions &options, mlir::MLIRContext &context);

  /// Says how long it took, if that was asked for.
  void finish();

  const CompileOptions &options;
  llvm::SourceMgr sources;
  mlir::SourceMgrDiagnosticHandler handler;
  mlir::ScopedDiagnosticHandler makesRoom;
  std::unique_ptr<Progress> progress; // null: none is wanted
  PhaseTimes times;
};

} // namespace tenon

#endif // TENON_LIB_DRIVER_COMPILESESSION_H
