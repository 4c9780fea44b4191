//===- Pipelines.h - the named pipelines ---------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DRIVER_PIPELINES_H
#define TENON_DRIVER_PIPELINES_H

#include <string>
#include <utility>
#include <vector>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace tenon {

struct PlacePipelineOptions {
  /// Backends that must not be used.
  std::vector<std::string> without;
  /// (op, backend): ops, by the name of their location or by their mnemonic,
  /// that must run on a backend.
  std::vector<std::pair<std::string, std::string>> pins;
  /// Whether float arithmetic may be regrouped: batch norms are folded into
  /// convolutions only then.
  bool reassociate = true;
};

/// From a graph to a placed module: composites are decomposed, what is computed
/// twice is computed once, and every piece is given to a backend. Runs on a
/// module.
void buildPlacePipeline(mlir::OpPassManager &passes,
                        const PlacePipelineOptions &options);

} // namespace tenon

#endif // TENON_DRIVER_PIPELINES_H
