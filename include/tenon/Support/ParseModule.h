//===- ParseModule.h - reading .mlir files --------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR reads, walks and destroys nested structures recursively, so deep nesting
// overflows the stack. Every tool reads .mlir files through these functions.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_SUPPORT_PARSEMODULE_H
#define TENON_SUPPORT_PARSEMODULE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace llvm {
class MemoryBuffer;
class SourceMgr;
} // namespace llvm

namespace tenon {

/// The limit on the nesting of brackets, regions, attributes and types.
constexpr unsigned maxNesting = 256;
/// The limit on operators in one expression.
constexpr unsigned maxOperators = 4096;
/// The limit on characters of a number, or of a shape such as 2x3xf32, which
/// MLIR reads in quadratic time.
constexpr unsigned maxNumber = 4096;

/// Reads a file (by readInputFile), text or bytecode, and parses it; failures
/// are diagnostics. If given, `sources` must be empty and receives the text.
mlir::OwningOpRef<mlir::ModuleOp>
parseModuleFile(llvm::StringRef path, mlir::MLIRContext *context,
                llvm::SourceMgr *sources = nullptr);

/// Parses a text that was already read, which is the main buffer of `sources`.
mlir::OwningOpRef<mlir::ModuleOp> parseModule(const llvm::SourceMgr &sources,
                                              mlir::MLIRContext *context);

/// The weights of a module that was read from the file `model`: `given`, or if
/// that is empty the file that `graph.params` names, which must lie in the
/// folder of `model`. Empty: none.
mlir::FailureOr<std::string> findWeights(mlir::ModuleOp module,
                                         llvm::StringRef model,
                                         llvm::StringRef given);

/// Fails with a diagnostic at the location if the text is nested too deeply to
/// be parsed. Bytecode is skipped. If `splitMarker` is not empty, lines that
/// begin with it separate texts.
mlir::LogicalResult checkNesting(const llvm::MemoryBuffer &buffer,
                                 mlir::MLIRContext *context,
                                 llvm::StringRef splitMarker = "");

} // namespace tenon

#endif // TENON_SUPPORT_PARSEMODULE_H
