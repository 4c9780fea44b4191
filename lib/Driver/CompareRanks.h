//===- CompareRanks.h - tables of an artifact against programs --*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DRIVER_COMPARERANKS_H
#define TENON_LIB_DRIVER_COMPARERANKS_H

#include "tenon/Artifact/Program.h"
#include "tenon/Dialect/Program/IR/Program.h"

#include <optional>
#include <string>

namespace tenon {

/// Compares what the tables of a program let its ranks do with the programs of
/// a module: entries, ranks, every step with its buffers and their places, and
/// states. Returns the first difference. Independent of how tables are emitted
/// (lib/Emit).
std::optional<std::string> compareRanks(mlir::ModuleOp module,
                                        const tenon_program &tables);

} // namespace tenon

#endif // TENON_LIB_DRIVER_COMPARERANKS_H
