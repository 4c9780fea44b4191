//===- PluginTables.cpp - plug-in calls as constants ----------------------===//
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

/// Returns the shape of an operand or a result for one item.
static graph::Shape getShape(mlir::Attribute type) {
  return graph::getShape(mlir::cast<mlir::TypeAttr>(type).getValue());
}

llvm::SmallVector<graph::SymInt, 0>
tenon::emit::getPluginSizes(program::PluginOp call) {
  llvm::SmallVector<graph::SymInt, 0> sizes{call.getItems().getEntry(0)};
  if (std::optional<graph::DimsAttr> values = call.getValues())
    llvm::append_range(sizes, values->getEntries());
  for (mlir::Attribute type : call.getTypes())
    llvm::append_range(sizes, getShape(type));
  return sizes;
}

Constant *tenon::emit::addPluginCall(TableBuilder &tables,
                                     program::PluginOp call,
                                     llvm::ArrayRef<Constant *> dtypes,
                                     Constant *sizes) {
  llvm::SmallVector<Constant *> operands, names;
  for (const auto &[number, dtype] : llvm::enumerate(dtypes))
    operands.push_back(
        StructBuilder(tables, sizeof(tenon_plugin_operand))
            .add(TENON_FIELD(tenon_plugin_operand, dtype), dtype)
            .add(TENON_FIELD(tenon_plugin_operand, rank),
                 tables.int32(getShape(call.getTypes()[number]).size()))
            .add(TENON_FIELD(tenon_plugin_operand, is_lifted),
                 tables.int32(call.getLifted()[number]))
            .add(TENON_FIELD(tenon_plugin_operand, is_constant),
                 tables.int32(call.getConstant()[number]))
            .finish());
  if (std::optional<mlir::ArrayAttr> symbols = call.getSymbols())
    for (llvm::StringRef name : symbols->getAsValueRange<mlir::StringAttr>())
      names.push_back(tables.text(name));
  Constant *value =
      StructBuilder(tables, sizeof(tenon_plugin_call))
          .add(TENON_FIELD(tenon_plugin_call, backend),
               tables.text(call.getBackend()))
          .add(TENON_FIELD(tenon_plugin_call, file),
               tables.text(call.getFile()))
          .add(TENON_FIELD(tenon_plugin_call, pattern),
               tables.text(call.getPattern()))
          .add(TENON_FIELD(tenon_plugin_call, patterns_hash),
               tables.int64(static_cast<int64_t>(call.getPatternsHash())))
          .add(TENON_FIELD(tenon_plugin_call, num_operands),
               tables.int32(operands.size() - call.getNumResults()))
          .add(TENON_FIELD(tenon_plugin_call, num_results),
               tables.int32(call.getNumResults()))
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
