//===- ProgramModule.h - lowered programs as IR ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LOWER_PROGRAMMODULE_H
#define TENON_LOWER_PROGRAMMODULE_H

#include "tenon/Lower/LoweredProgram.h"

namespace tenon::lower {

/// A module with one `program.target`, whose entry is `main`: the steps,
/// buffers and conditions, and the kernels. Without images. Moves the kernels
/// and references out of `program`.
mlir::OwningOpRef<mlir::ModuleOp> writeProgram(LoweredProgram program);

/// The program in a module of the form of writeProgram. Takes the kernels and
/// references out of `module`, which must be valid. Fails, with a diagnostic,
/// where it is not one target with one entry.
mlir::FailureOr<LoweredProgram> readProgram(mlir::ModuleOp module);

} // namespace tenon::lower

#endif // TENON_LOWER_PROGRAMMODULE_H
