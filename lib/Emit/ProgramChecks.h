//===- ProgramChecks.h - whether programs can be emitted ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_EMIT_PROGRAMCHECKS_H
#define TENON_LIB_EMIT_PROGRAMCHECKS_H

#include "tenon/Lower/LoweredProgram.h"

#include "llvm/Support/Error.h"

namespace tenon::emit {

/// Checks what the tables rely on: that positions are in range, sizes and
/// element types known, and the launches of a GPU program possible. The error
/// names what is wrong.
llvm::Error verify(const lower::LoweredProgram &program);

/// Checks each program, and that they are one model for several targets.
llvm::Error verifyAll(llvm::ArrayRef<lower::LoweredProgram> programs);

} // namespace tenon::emit

#endif // TENON_LIB_EMIT_PROGRAMCHECKS_H
