//===- LateOptions.h - options of phases that a model is past -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DRIVER_LATEOPTIONS_H
#define TENON_LIB_DRIVER_LATEOPTIONS_H

#include "tenon/Driver/Compile.h"

#include "mlir/IR/BuiltinOps.h"

namespace tenon {

/// Refuses what the user stated or asked for and a module can't follow any
/// more: options of phases that are behind it, and another policy than the one
/// that its kernels were chosen for. `policy` is the one to compile it for.
/// Reports the first at the module.
mlir::LogicalResult checkLateOptions(mlir::ModuleOp module,
                                     const CompileOptions &options,
                                     const Policy &policy);

} // namespace tenon

#endif // TENON_LIB_DRIVER_LATEOPTIONS_H
