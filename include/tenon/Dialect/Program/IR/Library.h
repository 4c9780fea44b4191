//===- Library.h - the libraries that steps call --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_PROGRAM_IR_LIBRARY_H
#define TENON_DIALECT_PROGRAM_IR_LIBRARY_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace tenon::program {

/// The built-in libraries, with their numbers in artifacts.
enum class Library : int32_t {
#define TENON_LIBRARY(Name, NAME, number, name, device) Name = number,
#include "tenon/Artifact/Libraries.def"
};

/// Returns its name, which is that of its backend.
llvm::StringRef stringifyLibrary(Library library);
/// Returns the library of this name, or nullopt if there is none.
std::optional<Library> symbolizeLibrary(llvm::StringRef name);

} // namespace tenon::program

#endif // TENON_DIALECT_PROGRAM_IR_LIBRARY_H
