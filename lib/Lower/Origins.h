//===- Origins.h - where in the model a value comes from ------------------===//
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

/// The place in the source and the name of the op that computes a result of a
/// piece; empty where it has no place.
std::string describeOrigin(kernel::CallOp call, unsigned result);

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_ORIGINS_H
