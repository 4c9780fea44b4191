//===- Tables.h - checks of a program's tables ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_TABLES_H
#define TENON_LIB_RUNTIME_TABLES_H

#include "tenon/Artifact/Program.h"
#include "tenon/Artifact/Status.h"

namespace tenon::runtime {

/// The tables come from the compiler; what is checked here keeps a damaged
/// artifact from reaching outside of them.
artifact::Status checkTables(const tenon_program &program);

/// Bytes of a value of static shape; an error if it has another one.
artifact::Expected<int64_t> countBytes(const tenon_value &value);

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_TABLES_H
