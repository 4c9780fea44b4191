//===- LateOptions.h - options of phases that are done --------------------===//
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

/// Checks that a placed or lowered module is not compiled with options that no
/// longer have an effect: options of earlier phases, or a target (mode, devices
/// and, if it is lowered, precision) other than the one that its kernels were
/// chosen for. `target` is that of this compilation. Reports only the
/// first.
mlir::LogicalResult checkLateOptions(mlir::ModuleOp module,
                                     const CompileOptions &options,
                                     kernel::TargetAttr target);

} // namespace tenon

#endif // TENON_LIB_DRIVER_LATEOPTIONS_H
