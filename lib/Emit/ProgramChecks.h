//===- ProgramChecks.h - checks before emission ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_EMIT_PROGRAMCHECKS_H
#define TENON_LIB_EMIT_PROGRAMCHECKS_H

#include "ProgramView.h"

#include "llvm/Support/Error.h"

namespace tenon::emit {

/// Checks what the tables rely on and the dialect does not verify: element
/// types have names in the C ABI, GPU kernels have images, the runtime supports
/// the steps, and the programs are one model for several targets. The error
/// describes the violation.
llvm::Error verifyAll(llvm::ArrayRef<ProgramView> programs);

} // namespace tenon::emit

#endif // TENON_LIB_EMIT_PROGRAMCHECKS_H
