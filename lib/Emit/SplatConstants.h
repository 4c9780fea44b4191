//===- SplatConstants.h - constants of one repeated value ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_EMIT_SPLATCONSTANTS_H
#define TENON_LIB_EMIT_SPLATCONSTANTS_H

#include "tenon/Lower/LoweredProgram.h"

namespace tenon::emit {

/// Replaces large constants that repeat one value by buffers that a prepare
/// step fills: an artifact does not carry megabytes of the same number.
void expandSplats(lower::LoweredProgram &program);

} // namespace tenon::emit

#endif // TENON_LIB_EMIT_SPLATCONSTANTS_H
