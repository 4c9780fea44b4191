//===- Origins.h - locations of values in the model -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_LOWER_ORIGINS_H
#define TENON_LIB_LOWER_ORIGINS_H

#include "tenon/Dialect/Kernel/IR/Kernel.h"

#include <string>

namespace tenon::lower {

/// Returns the source location and the name of the op that computes a result of
/// a kernel; empty if the op has no location.
std::string describeOrigin(kernel::CallOp call, unsigned result);

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_ORIGINS_H
