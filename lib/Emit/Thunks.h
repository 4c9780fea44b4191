//===- Thunks.h - the functions that an artifact exports ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_EMIT_THUNKS_H
#define TENON_LIB_EMIT_THUNKS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace llvm {
class Constant;
class Module;
} // namespace llvm

namespace tenon::emit {

/// The names of the functions of ABI.h, with `prefix` in place of `tenon`.
llvm::SmallVector<std::string, 0> getExports(llvm::StringRef prefix);

/// The text of ABI.h with these names, to be included beside that of others.
std::string renameFunctions(llvm::StringRef abi, llvm::StringRef prefix);

/// Adds the functions of ABI.h, under these names, to `module`: each calls the
/// runtime's. `artifact` points to the tenon_artifact. A shared library says
/// what the prefix is, if it is another one than `tenon`, by the symbol
/// `tenon_symbol_prefix`, for programs that open it.
void addThunks(llvm::Module &module, llvm::StringRef prefix, bool shared,
               llvm::Constant *artifact);

/// Makes the linker take the part of the runtime for CUDA devices.
void addReferenceToCudaRuntime(llvm::Module &module);

} // namespace tenon::emit

#endif // TENON_LIB_EMIT_THUNKS_H
