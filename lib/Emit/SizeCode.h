//===- SizeCode.h - size expressions as generated functions --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_EMIT_SIZECODE_H
#define TENON_LIB_EMIT_SIZECODE_H

#include "tenon/Dialect/Graph/IR/SymInt.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace tenon::emit {

/// Adds a function of type tenon_sizes_fn that writes `sizes` in order, given
/// the values of `symbols`. A value that does not fit in 64 bits, or a division
/// by zero, gives INT64_MAX, which no allocation satisfies. Fails on an unknown
/// size and on a symbol that is not in the list.
llvm::Expected<llvm::Function *>
addSizesFunction(llvm::Module &module, llvm::StringRef name,
                 llvm::ArrayRef<graph::SymInt> sizes,
                 llvm::ArrayRef<std::string> symbols);

} // namespace tenon::emit

#endif // TENON_LIB_EMIT_SIZECODE_H
