//===- PluginTables.h - plug-in calls as constants ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_EMIT_PLUGINTABLES_H
#define TENON_LIB_EMIT_PLUGINTABLES_H

#include "TableBuilder.h"
#include "tenon/Dialect/Program/IR/Program.h"

namespace tenon::emit {

/// Returns the sizes that tenon_plugin_call.sizes writes.
llvm::SmallVector<graph::SymInt, 0> getPluginSizes(program::PluginOp call);

/// Returns a pointer to a tenon_plugin_call. `dtypes` has the tenon_dtype of
/// each operand and result; `sizes` is the function that writes getPluginSizes.
llvm::Constant *addPluginCall(TableBuilder &tables, program::PluginOp call,
                              llvm::ArrayRef<llvm::Constant *> dtypes,
                              llvm::Constant *sizes);

} // namespace tenon::emit

#endif // TENON_LIB_EMIT_PLUGINTABLES_H
