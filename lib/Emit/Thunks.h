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

/// Returns the names of the functions of ABI.h, with `prefix` instead of
/// `tenon`.
llvm::SmallVector<std::string, 0> getExports(llvm::StringRef prefix);

/// Returns the text of ABI.h with these names; several such headers can be
/// included together.
std::string renameFunctions(llvm::StringRef abi, llvm::StringRef prefix);

/// Adds the functions of ABI.h, under these names, to `module`: each calls the
/// corresponding function of the runtime. `artifact` points to the
/// tenon_artifact. If the prefix is not `tenon`, a shared library stores it in
/// the symbol `tenon_symbol_prefix`, for programs that open it.
void addThunks(llvm::Module &module, llvm::StringRef prefix, bool shared,
               llvm::Constant *artifact);

/// Makes the linker take the part of the runtime that a symbol is of
/// (RuntimeFunctions.h).
void addReferenceToRuntime(llvm::Module &module, llvm::StringRef name);

} // namespace tenon::emit

#endif // TENON_LIB_EMIT_THUNKS_H
