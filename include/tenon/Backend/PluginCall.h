//===- PluginCall.h - a placed subgraph as a plug-in call -----------------===//
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
  /// The shape for one item.
  graph::Shape shape;
  /// Whether the axes of the items precede the shape.
  bool isLifted = false;
  /// Whether it is known when the weights are loaded. Set by Lower.
  bool isConstant = false;
};

/// The contents of tenon/Artifact/PluginCall.h, before emission.
struct PluginCall {
  /// The plug-in's name, its file without folder, its version on the compiling
  /// machine, and the hash of its patterns.
  std::string backend, file, version;
  uint64_t patternsHash = 0;
  std::string pattern;
  /// The operands of the pattern, then its results.
  llvm::SmallVector<PluginOperand, 0> operands;
  unsigned numResults = 1;
  graph::SymInt items = 1;
  llvm::SmallVector<std::pair<std::string, graph::SymInt>, 0> symbols;
};

} // namespace tenon::backend

#endif // TENON_BACKEND_PLUGINCALL_H
