//===- Passes.h - passes on pipelined programs ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_PIPE_TRANSFORMS_PASSES_H
#define TENON_DIALECT_PIPE_TRANSFORMS_PASSES_H

#include "tenon/Dialect/Pipe/IR/Pipe.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tenon::pipe {

/// The program of a module; null if there is none, or more than one.
ProgramOp getProgram(mlir::ModuleOp module);

/// The name of a program's value in channels and interfaces: the name of an
/// input, or STAGE.NUMBER.
std::string getValueName(mlir::Value value);

/// Builds a new function `main` that computes `stage`.
mlir::func::FuncOp buildStageFunction(mlir::OpBuilder &builder, StageOp stage);

/// A function `main` that does on one device what the program does on several.
/// The builder stays where it is.
mlir::func::FuncOp buildModelFunction(mlir::OpBuilder &builder,
                                      ProgramOp program);

/// Checks that each rank can run a function with a mesh: graph ops without
/// states, and sizes that are known by a number or a name.
mlir::LogicalResult checkMeshFunction(mlir::func::FuncOp function);

/// Turns a function with a mesh into one that does on one device what it does
/// on all ranks. Inputs and outputs have those of the ranks along a new first
/// axis. Fails, with a diagnostic, as checkMeshFunction.
mlir::LogicalResult stackRanks(mlir::func::FuncOp function);

#define GEN_PASS_DECL
#include "tenon/Dialect/Pipe/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "tenon/Dialect/Pipe/Transforms/Passes.h.inc"

} // namespace tenon::pipe

#endif // TENON_DIALECT_PIPE_TRANSFORMS_PASSES_H
