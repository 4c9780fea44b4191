//===- PluginTables.cpp - calls of plug-ins as constants ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PluginTables.h"
#include "tenon/Artifact/PluginCall.h"

#include "llvm/IR/Constants.h"

using namespace tenon;
using namespace tenon::emit;
using llvm::Constant;

llvm::SmallVector<graph::SymInt, 0>
tenon::emit::getPluginSizes(const backend::PluginCall &call) {
  llvm::SmallVector<graph::SymInt, 0> sizes{call.items};
  for (const auto &[name, value] : call.symbols)
    sizes.push_back(value);
  for (const backend::PluginOperand &operand : call.operands)
    llvm::append_range(sizes, operand.shape);
  return sizes;
}

Constant *tenon::emit::addPluginCall(TableBuilder &tables,
                                     const backend::PluginCall &call,
                                     llvm::ArrayRef<Constant *> dtypes,
                                     Constant *sizes) {
  llvm::SmallVector<Constant *> operands, names;
  for (const auto &[operand, dtype] : llvm::zip_equal(call.operands, dtypes))
    operands.push_back(StructBuilder(tables, sizeof(tenon_plugin_operand))
                           .add(TENON_FIELD(tenon_plugin_operand, dtype), dtype)
                           .add(TENON_FIELD(tenon_plugin_operand, rank),
                                tables.int32(operand.shape.size()))
                           .add(TENON_FIELD(tenon_plugin_operand, is_lifted),
                                tables.int32(operand.isLifted))
                           .add(TENON_FIELD(tenon_plugin_operand, is_constant),
                                tables.int32(operand.isConstant))
                           .finish());
  for (const auto &[name, value] : call.symbols)
    names.push_back(tables.text(name));
  Constant *value =
      StructBuilder(tables, sizeof(tenon_plugin_call))
          .add(TENON_FIELD(tenon_plugin_call, backend),
               tables.text(call.backend))
          .add(TENON_FIELD(tenon_plugin_call, file), tables.text(call.file))
          .add(TENON_FIELD(tenon_plugin_call, pattern),
               tables.text(call.pattern))
          .add(TENON_FIELD(tenon_plugin_call, patterns_hash),
               tables.int64(static_cast<int64_t>(call.patternsHash)))
          .add(TENON_FIELD(tenon_plugin_call, num_operands),
               tables.int32(operands.size() - call.numResults))
          .add(TENON_FIELD(tenon_plugin_call, num_results),
               tables.int32(call.numResults))
          .add(
              TENON_FIELD(tenon_plugin_call, operands),
              tables.array("operands", operands, alignof(tenon_plugin_operand)))
          .add(TENON_FIELD(tenon_plugin_call, num_symbols),
               tables.int32(names.size()))
          .add(TENON_FIELD(tenon_plugin_call, symbol_names),
               tables.array("symbols", names, alignof(char *)))
          .add(TENON_FIELD(tenon_plugin_call, sizes), sizes)
          .finish();
  return tables.array("plugin", value, alignof(tenon_plugin_call));
}
