//===- PluginCall.h - a placed piece as a call of a plug-in ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_BACKEND_PLUGINCALL_H
#define TENON_BACKEND_PLUGINCALL_H

#include "tenon/Dialect/Graph/IR/Graph.h"

#include <string>
#include <utility>

namespace tenon::backend {

struct PluginOperand {
  mlir::Type elementType;
  /// Of one item.
  graph::Shape shape;
  /// Has the call's items in front.
  bool isLifted = false;
  /// Set by Lower, which knows what is there once weights are loaded.
  bool isConstant = false;
};

/// What tenon/Artifact/PluginCall.h says, before it is emitted.
struct PluginCall {
  /// Of the plug-in: its name, its file without folder, its version on the
  /// machine that compiles, and the hash of its patterns.
  std::string backend, file, version;
  uint64_t patternsHash = 0;
  std::string pattern;
  /// Operands of the pattern, then results.
  llvm::SmallVector<PluginOperand, 0> operands;
  unsigned numResults = 1;
  graph::SymInt items = 1;
  llvm::SmallVector<std::pair<std::string, graph::SymInt>, 0> symbols;
};

} // namespace tenon::backend

#endif // TENON_BACKEND_PLUGINCALL_H
