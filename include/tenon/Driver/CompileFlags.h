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

/// Adds the options of a compilation that every tool which compiles has:
/// --optimize, --rules, --precision, --without, --place, --bind. `plans` are
/// names of plans beside mixed and all:BACKEND; `binds` describes a value of
/// --bind, such as "SYMBOL=SIZE".
void addCompileFlags(artifact::OptionTable &table, CompileOptions &options,
                     const std::vector<std::string> &plans,
                     const std::string &binds);

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
