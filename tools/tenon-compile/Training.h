//===- Training.h - options of training -----------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_COMPILE_TRAINING_H
#define TENON_TOOLS_TENON_COMPILE_TRAINING_H

#include "tenon/Artifact/OptionTable.h"
#include "tenon/Driver/Compile.h"

/// Reads options from a file: {"schema_version": 1, "loss": ...,
/// "learning-rate": 0.1, "freeze": ["a*", "b"]}. `table` has them by these
/// names. An array is an option that is repeated.
tenon::artifact::Status readTraining(const std::string &path,
                                     const tenon::artifact::OptionTable &table);

/// Checks that involve more than one option. Returns what is wrong, or an empty
/// text.
std::string checkTraining(const tenon::CompileOptions &options);

#endif // TENON_TOOLS_TENON_COMPILE_TRAINING_H
