//===- Entries.cpp - public functions of a model --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/Transforms/Entries.h"

using namespace mlir;

SmallVector<func::FuncOp> tenon::graph::getEntries(ModuleOp module) {
  SmallVector<func::FuncOp> entries;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isPublic() || function.isExternal())
      continue;
    bool isMain = function.getName() == "main";
    entries.insert(isMain ? entries.begin() : entries.end(), function);
  }
  return entries;
}
