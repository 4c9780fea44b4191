//===- ModelTrace.h - runs a model and keeps its values ------------------===//
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

/// Runs `function` op by op, every operation rounded to the type of its
/// elements, and gives what its ops compute of the inputs: not what depends on
/// weights alone. Outputs follow. Reports its errors.
mlir::FailureOr<Trace> traceModel(mlir::func::FuncOp function,
                                  llvm::ArrayRef<interpret::Tensor> inputs,
                                  interpret::Options options);

/// Names of a function's inputs or outputs; one without a name is called by its
/// number, "arg0" or "result0".
std::vector<std::string> getInputNames(mlir::func::FuncOp function);
std::vector<std::string> getOutputNames(mlir::func::FuncOp function);

} // namespace tenon::compare

#endif // TENON_COMPARE_MODELTRACE_H
