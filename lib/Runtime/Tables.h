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

/// The tables come from the compiler; these checks keep a damaged artifact from
/// causing accesses outside of them.
artifact::Status checkTables(const tenon_program &program);

/// Returns the bytes of a value of static shape; fails for other shapes.
artifact::Expected<int64_t> countBytes(const tenon_value &value);

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_TABLES_H
