//===- Passes.h - passes that the named pipelines are made of -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DRIVER_PASSES_H
#define TENON_DRIVER_PASSES_H

#include "tenon/Dialect/Kernel/IR/Kernel.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tenon {

#define GEN_PASS_DECL
#include "tenon/Driver/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "tenon/Driver/Passes.h.inc"

} // namespace tenon

#endif // TENON_DRIVER_PASSES_H
