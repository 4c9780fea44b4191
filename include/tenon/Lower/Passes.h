//===- Passes.h - lowering of graphs, programs and GPU code ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declares the passes of Passes.td, which docs/reference/passes-lower.md
// documents; docs/debugging.md has the pipelines that they are part of.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LOWER_PASSES_H
#define TENON_LOWER_PASSES_H

#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Dialect/Program/IR/Program.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tenon::lower {

#define GEN_PASS_DECL
#include "tenon/Lower/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "tenon/Lower/Passes.h.inc"

} // namespace tenon::lower

#endif // TENON_LOWER_PASSES_H
