//===- Passes.h - passes that plan and check pipelines ----------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PARALLELIZE_PASSES_H
#define TENON_PARALLELIZE_PASSES_H

#include "tenon/Dialect/Pipe/IR/Pipe.h"
#include "tenon/Dialect/Program/IR/Program.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tenon::parallelize {

#define GEN_PASS_DECL
#include "tenon/Parallelize/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "tenon/Parallelize/Passes.h.inc"

} // namespace tenon::parallelize

#endif // TENON_PARALLELIZE_PASSES_H
