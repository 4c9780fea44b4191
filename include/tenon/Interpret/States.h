//===- States.h - states of a module between runs -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_INTERPRET_STATES_H
#define TENON_INTERPRET_STATES_H

#include "tenon/Artifact/Status.h"
#include "tenon/Interpret/Interpreter.h"

#include "mlir/IR/BuiltinOps.h"

namespace tenon::interpret {

/// The values of a module's states, by name, in one domain.
using States = llvm::StringMap<Tensor>;

/// The initial value of every `graph.state` of the module, in `options.domain`.
/// Fails, with a diagnostic at the state, if one starts as a weight that
/// `options.parameters` does not provide.
mlir::FailureOr<States> getInitialStates(mlir::ModuleOp module,
                                         const Options &options);

/// Evaluates a function on one tensor per argument of its own. The function may
/// access states, by ops or by arguments and results
/// (tenon/Dialect/Graph/IR/StateOps.h). Returns the function's own results; the
/// results of states are stored in `states`. A failure does not change
/// `states`.
mlir::FailureOr<llvm::SmallVector<Tensor>>
evaluateEntry(mlir::func::FuncOp function, llvm::ArrayRef<Tensor> inputs,
              States &states, const Options &options,
              Statistics *statistics = nullptr);

/// Replaces `states`, those of `module`, by the tensors of a safetensors file,
/// which must have exactly these names, types and shapes.
artifact::Status loadStates(const std::string &path, mlir::ModuleOp module,
                            Domain domain, States &states);

/// Writes the states of `module` in their own element types (domains f64 and
/// f32).
artifact::Status saveStates(const std::string &path, mlir::ModuleOp module,
                            Domain domain, const States &states);

} // namespace tenon::interpret

#endif // TENON_INTERPRET_STATES_H
