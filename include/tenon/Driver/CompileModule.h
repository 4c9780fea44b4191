//===- CompileModule.h - from a module in memory to programs --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compilation is a function of a module and its target. It reads no model and
// writes no file, except the kernels of --dump-kernels; the files that a
// command line names are read and written around it (Compile.h).
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DRIVER_COMPILEMODULE_H
#define TENON_DRIVER_COMPILEMODULE_H

#include "tenon/Driver/Compile.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tenon {

class PhaseTimes;

/// What compiling a module gives.
struct CompiledModule {
  /// What the last phase left: a graph, a placed graph, or after Lower a
  /// program.target for each unit, the default one first. `kernel.target` says
  /// what it is for.
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// The log of the rules that fired, if options.log is not empty.
  std::string log;
  /// The page, if options.report is not empty: JSON if that name ends
  /// so, else HTML.
  std::string report;
  /// What is proved of the rewrites, as JSON, if
  /// options.rewritesReport is not empty.
  std::string rewrites;
};

/// Runs the phases after the import, up to options.stopAfter, for each unit: a
/// program for one device. The last component of options.input names the
/// module; no file is opened by that name. Reports failures as diagnostics.
/// `times` is told what runs, unless it is null.
mlir::FailureOr<CompiledModule>
compileModule(mlir::OwningOpRef<mlir::ModuleOp> module,
              const CompileOptions &options, PhaseTimes *times = nullptr);

/// Does for a module that was made in memory what reading does for others, and
/// must be done before it is compiled: checks that it is a model, and writes
/// into its entries what their sizes must satisfy.
mlir::LogicalResult prepareModule(mlir::ModuleOp module);

/// Reads the model options.input, with its weights. The weights
/// of an .onnx model are written to `paramsPath`. `paramsFound` is the file of
/// the weights; empty: there are none.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
readModule(const CompileOptions &options, const std::string &paramsPath,
           std::string &paramsFound, mlir::MLIRContext &context);

/// Writes a compiled module as the artifact `output`, with the weights of a
/// safetensors file (empty: none), and the files beside it.
mlir::LogicalResult emitModule(const CompiledModule &compiled,
                               const CompileOptions &options,
                               const std::string &paramsPath,
                               const std::string &output);

} // namespace tenon

#endif // TENON_DRIVER_COMPILEMODULE_H
