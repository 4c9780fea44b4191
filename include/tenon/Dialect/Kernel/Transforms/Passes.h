//===- Passes.h - passes on what a module is compiled for -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_KERNEL_TRANSFORMS_PASSES_H
#define TENON_DIALECT_KERNEL_TRANSFORMS_PASSES_H

#include "tenon/Dialect/Kernel/IR/Kernel.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tenon::kernel {

#define GEN_PASS_DECL
#include "tenon/Dialect/Kernel/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "tenon/Dialect/Kernel/Transforms/Passes.h.inc"

} // namespace tenon::kernel

#endif // TENON_DIALECT_KERNEL_TRANSFORMS_PASSES_H
