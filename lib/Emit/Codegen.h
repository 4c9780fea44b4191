//===- Codegen.h - from kernels to an object file ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_EMIT_CODEGEN_H
#define TENON_LIB_EMIT_CODEGEN_H

#include "tenon/Emit/Target.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <string>

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace tenon::emit {

/// Translates a module of the LLVM dialect. Functions become internal to the
/// artifact, and are marked for the target.
llvm::Expected<std::unique_ptr<llvm::Module>>
translateKernels(mlir::ModuleOp kernels, llvm::StringRef name,
                 const Target &target, FpMode fp, llvm::LLVMContext &context);

/// Optimizes the module and writes object files: one, or where that pays, as
/// many as there are threads, so that all of them work. What is written depends
/// on the module alone, not on `threads`.
llvm::Expected<llvm::SmallVector<llvm::SmallVector<char, 0>, 0>>
generateObjects(std::unique_ptr<llvm::Module> module, const Target &target,
                FpMode fp, unsigned threads);

} // namespace tenon::emit

#endif // TENON_LIB_EMIT_CODEGEN_H
