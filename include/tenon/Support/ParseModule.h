//===- ParseModule.h - reading .mlir files --------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR reads, walks and destroys nested things by recursion, so what is nested
// too deeply runs out of stack. Every tool reads .mlir files through this.
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

/// The deepest nesting of brackets, regions, attributes and types.
constexpr unsigned maxNesting = 256;
/// The most operators in one expression.
constexpr unsigned maxOperators = 4096;
/// The most characters of a number, or of a shape such as 2x3xf32, which MLIR
/// reads in quadratic time.
constexpr unsigned maxNumber = 4096;

/// Reads a file (by readInputFile), text or bytecode, and parses it; failures
/// are diagnostics. `sources`, if given, is empty and gets the text.
mlir::OwningOpRef<mlir::ModuleOp>
parseModuleFile(llvm::StringRef path, mlir::MLIRContext *context,
                llvm::SourceMgr *sources = nullptr);

/// The same for what was read already; `sources` has it as its main buffer.
mlir::OwningOpRef<mlir::ModuleOp> parseModule(const llvm::SourceMgr &sources,
                                              mlir::MLIRContext *context);

/// The weights of a module that was read from the file `model`: `given`, or if
/// that is empty the file that `graph.params` names, which must lie in the
/// folder of `model` unless `isOwn` (this program wrote it). Empty: none.
mlir::FailureOr<std::string> findWeights(mlir::ModuleOp module,
                                         llvm::StringRef model,
                                         llvm::StringRef given,
                                         bool isOwn = false);

/// Fails with a diagnostic at the place, if the text is nested more deeply than
/// it can be parsed. Bytecode is passed over. Where the text is split, lines
/// that begin with `splitMarker` begin another one.
mlir::LogicalResult checkNesting(const llvm::MemoryBuffer &buffer,
                                 mlir::MLIRContext *context,
                                 llvm::StringRef splitMarker = "");

} // namespace tenon

#endif // TENON_SUPPORT_PARSEMODULE_H
