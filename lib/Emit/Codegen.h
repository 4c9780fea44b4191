//===- Codegen.h - from kernels to object files --------------------------===//
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

#include <memory>
#include <string>
#include <vector>

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace tenon::emit {

/// The bytes of an object file.
using ObjectBytes = llvm::SmallVector<char, 0>;

/// Makes an empty module for the target; `name` becomes part of its objects.
llvm::Expected<std::unique_ptr<llvm::Module>>
createModule(llvm::StringRef name, kernel::CpuAttr target, FpMode fp,
             llvm::LLVMContext &context);

/// The kernels of one program.
struct KernelCode {
  kernel::CpuAttr target;
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  /// The functions that stay visible to the linker; the others are internal to
  /// each part of the code that uses them.
  std::vector<std::string> names;
};

/// Translates a module of the LLVM dialect. Its functions get `suffix` at the
/// end of their names.
llvm::Expected<KernelCode> translateKernels(mlir::ModuleOp kernels,
                                            llvm::StringRef name,
                                            llvm::StringRef suffix,
                                            kernel::CpuAttr target, FpMode fp);

/// Optimizes and compiles the tables' module for `target`, and each program's
/// kernels in parts, on `threads` threads. The result depends only on the
/// modules: the number of parts does not depend on the number of threads.
llvm::Expected<llvm::SmallVector<ObjectBytes, 0>>
generateObjects(std::vector<KernelCode> programs,
                std::unique_ptr<llvm::Module> tables, kernel::CpuAttr target,
                FpMode fp, unsigned threads);

} // namespace tenon::emit

#endif // TENON_LIB_EMIT_CODEGEN_H
