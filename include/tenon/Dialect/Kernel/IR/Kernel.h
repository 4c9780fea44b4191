//===- Kernel.h - the kernel dialect --------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_KERNEL_IR_KERNEL_H
#define TENON_DIALECT_KERNEL_IR_KERNEL_H

#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Support/NumericsSyntax.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "tenon/Dialect/Kernel/IR/KernelDialect.h.inc"

#include "tenon/Dialect/Kernel/IR/KernelAttrInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "tenon/Dialect/Kernel/IR/KernelAttrs.h.inc"

#define GET_OP_CLASSES
#include "tenon/Dialect/Kernel/IR/KernelOps.h.inc"

namespace tenon::kernel {

/// The names of generated code for each device, and of the built-in libraries:
/// kOneDnnBackend and so on.
inline constexpr llvm::StringLiteral kCpuBackend = "cpu";
inline constexpr llvm::StringLiteral kCudaBackend = "cuda";
#define TENON_LIBRARY(Name, NAME, number, name, device)                        \
  inline constexpr llvm::StringLiteral k##Name##Backend = name;
#include "tenon/Artifact/Libraries.def"

/// Whether Tenon generates the code of a backend's kernels.
inline bool isGeneratedCode(llvm::StringRef backend) {
  return backend == kCpuBackend || backend == kCudaBackend;
}

/// The name of the module attribute that holds a TargetAttr.
inline constexpr llvm::StringLiteral kTargetAttrName = "kernel.target";

/// The target that a module states; null if it states none.
TargetAttr findTarget(mlir::ModuleOp module);
/// The same, or the usual targets if it states none.
TargetAttr getTarget(mlir::ModuleOp module);
void setTarget(mlir::ModuleOp module, TargetAttr target);

} // namespace tenon::kernel

#endif // TENON_DIALECT_KERNEL_IR_KERNEL_H
