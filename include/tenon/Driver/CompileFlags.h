//===- CompileFlags.h - options that several tools have ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DRIVER_COMPILEFLAGS_H
#define TENON_DRIVER_COMPILEFLAGS_H

#include "tenon/Artifact/OptionTable.h"
#include "tenon/Driver/Compile.h"

namespace tenon {

/// Take the values of options that several tools have. `form` is what a value
/// of
/// --bind looks like, such as "SYMBOL=SIZE"; `names` are the plans beside
/// all:BACKEND.
artifact::Status parseBindOption(std::string_view value,
                                 const std::string &form,
                                 std::vector<std::string> &binds);
artifact::Status parsePlanOption(std::string_view value,
                                 std::vector<std::string> names,
                                 std::string &plan);
artifact::Status parsePrecisionOption(std::string_view value,
                                      std::optional<Precision> &out);

/// Checks --target, and --precision with it. Returns the kinds of devices that
/// are named, in their order. What a model says itself is checked with it.
llvm::Expected<std::vector<Device>> checkTargets(const CompileOptions &options,
                                                 mlir::MLIRContext &context);

/// What is wrong with the names of backends in --place, --pin and --without, of
/// whichever device; empty if nothing is. Plug-ins must be loaded.
std::string checkBackendNames(const CompileOptions &options,
                              mlir::MLIRContext &context);

} // namespace tenon

#endif // TENON_DRIVER_COMPILEFLAGS_H
