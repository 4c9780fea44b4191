//===- ModelTrace.h - tracing a run of a model ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_COMPARE_MODELTRACE_H
#define TENON_COMPARE_MODELTRACE_H

#include "tenon/Compare/Trace.h"
#include "tenon/Interpret/Interpreter.h"

namespace tenon::compare {

/// Runs `function` op by op, with every operation rounded to its element type.
/// Returns the values that depend on the inputs, without those that depend only
/// on weights, followed by the outputs. Reports its errors.
mlir::FailureOr<Trace> traceModel(mlir::func::FuncOp function,
                                  llvm::ArrayRef<interpret::Tensor> inputs,
                                  interpret::Options options);

/// Return the names of a function's inputs or outputs; without a name, its
/// number is used: "arg0" or "result0".
std::vector<std::string> getInputNames(mlir::func::FuncOp function);
std::vector<std::string> getOutputNames(mlir::func::FuncOp function);

} // namespace tenon::compare

#endif // TENON_COMPARE_MODELTRACE_H
