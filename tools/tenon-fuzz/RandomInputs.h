//===- RandomInputs.h - inputs of random graphs ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_FUZZ_RANDOMINPUTS_H
#define TENON_TOOLS_TENON_FUZZ_RANDOMINPUTS_H

#include "tenon/Interpret/Tensor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <string>
#include <vector>

namespace tenon::fuzz {

/// The arguments of tenon-run and tenon-interpret that give the inputs which
/// follow from `seed`.
std::vector<std::string> listInputArguments(mlir::func::FuncOp function,
                                            uint64_t seed);

/// The inputs that `listInputArguments` names, in domain f64, or an error.
mlir::FailureOr<llvm::SmallVector<interpret::Tensor>>
drawInputs(mlir::func::FuncOp function, uint64_t seed, std::string &error);

/// Whether sizes are known at run time only: then an op may turn out not to fit
/// them, such as a window that is larger than its input.
bool isDynamic(mlir::func::FuncOp function);

/// The first lines of what a program said.
std::string shorten(llvm::StringRef text);

} // namespace tenon::fuzz

#endif // TENON_TOOLS_TENON_FUZZ_RANDOMINPUTS_H
