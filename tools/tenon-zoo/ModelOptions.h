//===- ModelOptions.h - what the models of the zoo can be given -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_ZOO_MODELOPTIONS_H
#define TENON_ZOO_MODELOPTIONS_H

#include "tenon/Generate/ModelBuilder.h"

namespace tenon::zoo {

using generate::ModelBuilder;

/// The options of a model.
struct ModelOptions {
  /// Constant, or the symbol "n".
  graph::SymInt batch = graph::SymInt::symbol("n");
  /// Language models: constant, or the symbol "s". mmt replaces the symbol by
  /// its own default.
  graph::SymInt sequence = graph::SymInt::symbol("s");
  /// The same structure at sizes that an interpreter is quick with.
  bool small = false;
  /// Language models: blocks, if not as many as the model has. Models of
  /// parallel branches: layers of each branch.
  std::optional<int64_t> layers;
  /// Models of parallel branches: sizes that differ from those of the model.
  std::optional<int64_t> branches, width, heads;
  /// dlrm, candle-uno: layers after the concatenation of the branches.
  std::optional<int64_t> trunkLayers;
  /// gpt2: as many positions as caches of keys and values hold; none: no
  /// caches.
  std::optional<int64_t> cache;

  int64_t pick(int64_t full, int64_t reduced) const {
    return small ? reduced : full;
  }
  int64_t pickLayers(int64_t full, int64_t reduced) const {
    return layers.value_or(pick(full, reduced));
  }
  /// Small models have an eighth of the channels, in multiples of 8: most of
  /// the full numbers are such multiples, and kernels depend on it.
  int64_t channels(int64_t full) const {
    return small ? (full + 63) / 64 * 8 : full;
  }
};

using Module = mlir::OwningOpRef<mlir::ModuleOp>;
using ModelFunction = Module (*)(mlir::MLIRContext *, const ModelOptions &);

Module buildMlp(mlir::MLIRContext *context, const ModelOptions &options);
Module buildResNet50(mlir::MLIRContext *context, const ModelOptions &options);
Module buildResNet18(mlir::MLIRContext *context, const ModelOptions &options);
Module buildCsrNet(mlir::MLIRContext *context, const ModelOptions &options);
Module buildSqueezeNet(mlir::MLIRContext *context, const ModelOptions &options);
Module buildVgg19(mlir::MLIRContext *context, const ModelOptions &options);
Module buildResNeXt50(mlir::MLIRContext *context, const ModelOptions &options);
Module buildNasNetA(mlir::MLIRContext *context, const ModelOptions &options);
Module buildInceptionV3(mlir::MLIRContext *context,
                        const ModelOptions &options);
Module buildNasRnn(mlir::MLIRContext *context, const ModelOptions &options);
Module buildBertBase(mlir::MLIRContext *context, const ModelOptions &options);
Module buildGpt2(mlir::MLIRContext *context, const ModelOptions &options);
Module buildGpt2Decode(mlir::MLIRContext *context, const ModelOptions &options);
Module buildGpt2Cached(mlir::MLIRContext *context, const ModelOptions &options);
Module buildMmt(mlir::MLIRContext *context, const ModelOptions &options);
Module buildDlrm(mlir::MLIRContext *context, const ModelOptions &options);
Module buildCandleUno(mlir::MLIRContext *context, const ModelOptions &options);

/// Gives why mmt can't be built with these options, or "".
std::string checkMmt(const ModelOptions &options);

} // namespace tenon::zoo

#endif // TENON_ZOO_MODELOPTIONS_H
