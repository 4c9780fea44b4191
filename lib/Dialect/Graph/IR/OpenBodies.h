//===- OpenBodies.h - the bodies that a context parses --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DIALECT_GRAPH_IR_OPENBODIES_H
#define TENON_LIB_DIALECT_GRAPH_IR_OPENBODIES_H

#include "tenon/Dialect/Graph/IR/TypeSyntax.h"

#include "mlir/IR/DialectInterface.h"

#include <mutex>
#include <thread>
#include <utility>

namespace tenon::graph {

/// All `BodyTypes` of a context. Several threads may parse in one context.
class OpenBodies : public mlir::DialectInterface::Base<OpenBodies> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(OpenBodies)

  explicit OpenBodies(mlir::Dialect *dialect) : Base(dialect) {}

  void add(BodyTypes *body);
  void remove(BodyTypes *body);
  /// Returns the innermost body that this thread parses; null: none.
  BodyTypes *find();

private:
  std::mutex mutex;
  llvm::SmallVector<std::pair<std::thread::id, BodyTypes *>, 4> bodies;
};

} // namespace tenon::graph

#endif // TENON_LIB_DIALECT_GRAPH_IR_OPENBODIES_H
