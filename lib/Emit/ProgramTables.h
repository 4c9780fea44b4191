//===- ProgramTables.h - the tables of an artifact as constants ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_EMIT_PROGRAMTABLES_H
#define TENON_LIB_EMIT_PROGRAMTABLES_H

#include "StoragePlan.h"

#include "llvm/Support/Error.h"

namespace llvm {
class Module;
} // namespace llvm

namespace tenon::emit {

/// What the tables say beside the program itself.
struct TableOptions {
  uint32_t cpuFeatures = 0;
  std::string manifest;
  /// For programs with parameters; empty: no file.
  std::string paramsFile;
};

/// Adds `tenon_the_programs` and all that it points to, in the form of
/// tenon/Artifact/Program.h, to `module`. The functions in `kernels`, those of
/// the CPU program, are referred to as hidden symbols. `storage` has an entry
/// for each program.
llvm::Error addProgramTables(llvm::Module &module, const llvm::Module &kernels,
                             llvm::ArrayRef<lower::LoweredProgram> programs,
                             llvm::ArrayRef<StoragePlan> storage,
                             const TableOptions &options);

} // namespace tenon::emit

#endif // TENON_LIB_EMIT_PROGRAMTABLES_H
