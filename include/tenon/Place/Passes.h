//===- Passes.h - placement of graph pieces on backends -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PLACE_PASSES_H
#define TENON_PLACE_PASSES_H

#include "tenon/Dialect/Kernel/IR/Kernel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace tenon::place {

#define GEN_PASS_DECL
#include "tenon/Place/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "tenon/Place/Passes.h.inc"

} // namespace tenon::place

#endif // TENON_PLACE_PASSES_H
