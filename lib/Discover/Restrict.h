//===- Restrict.h - graphs that compute a part of a result ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DISCOVER_RESTRICT_H
#define TENON_LIB_DISCOVER_RESTRICT_H

#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Discover/Differences.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace tenon::discover {

/// The elements of a value in a box; the value itself, if they are all.
mlir::Value sliceBox(mlir::OpBuilder &builder, mlir::Value value,
                     const Box &box);

/// Builds graphs that compute only some elements of a value: of ops that
/// compute it, only what these elements need.
class Restriction {
public:
  /// `arguments` maps the block arguments that values read. Where a choice
  /// depends on sizes, that of most of `instances` is taken.
  Restriction(mlir::OpBuilder &builder, const mlir::IRMapping &arguments,
              llvm::ArrayRef<std::map<std::string, int64_t>> instances,
              std::string &reason)
      : builder(builder), arguments(arguments), instances(instances),
        reason(reason) {}

  /// Fails, with a reason, for ops that it does not know.
  mlir::FailureOr<mlir::Value> restrict(mlir::Value value, const Box &box);

  /// What was taken to be at least 0.
  llvm::ArrayRef<graph::SymInt> getAssumptions() const { return assumptions; }

private:
  mlir::FailureOr<mlir::Value> restrictConv(graph::ConvOp op, const Box &box);
  mlir::FailureOr<mlir::Value> restrictMatmul(graph::MatmulOp op,
                                              const Box &box);
  /// The larger of `size` and 0.
  graph::SymInt clamp(const graph::SymInt &size);
  mlir::FailureOr<mlir::Value> fail(const llvm::Twine &why);

  mlir::OpBuilder &builder;
  const mlir::IRMapping &arguments;
  llvm::ArrayRef<std::map<std::string, int64_t>> instances;
  std::string &reason;
  llvm::SmallVector<graph::SymInt> assumptions;
};

} // namespace tenon::discover

#endif // TENON_LIB_DISCOVER_RESTRICT_H
