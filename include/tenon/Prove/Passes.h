//===- Passes.h - passes that prove -----------------------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PROVE_PASSES_H
#define TENON_PROVE_PASSES_H

#include "tenon/Dialect/Rule/IR/Rule.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace tenon::prove {

#define GEN_PASS_DECL
#include "tenon/Prove/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "tenon/Prove/Passes.h.inc"

} // namespace tenon::prove

#endif // TENON_PROVE_PASSES_H
