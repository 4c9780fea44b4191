//===- ProgramTables.h - the tables of an artifact as constants -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_EMIT_PROGRAMTABLES_H
#define TENON_LIB_EMIT_PROGRAMTABLES_H

#include "ProgramView.h"

#include "llvm/Support/Error.h"

namespace llvm {
class Constant;
class Module;
} // namespace llvm

namespace tenon::emit {

struct TableOptions {
  /// The artifact's name.
  std::string name;
  std::string manifest;
  /// The parameters file, for programs with parameters; empty: no file.
  std::string paramsFile;
};

/// Adds the tenon_artifact of the programs to `module`, and returns it. Kernels
/// are looked up in `kernels`, modules of the same or other contexts (null: the
/// program launches none on the CPU), and declared in `module`.
llvm::Expected<llvm::Constant *> addProgramTables(
    llvm::Module &module, llvm::ArrayRef<const llvm::Module *> kernels,
    llvm::ArrayRef<ProgramView> programs, const TableOptions &options);

} // namespace tenon::emit

#endif // TENON_LIB_EMIT_PROGRAMTABLES_H
