//===- Models.h - the models by name, and what each can be given ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_ZOO_MODELS_H
#define TENON_ZOO_MODELS_H

#include "ModelOptions.h"

#include "tenon/Artifact/Status.h"

namespace tenon::zoo {

/// A set of sizes that a model can be given, as bits.
enum Sizes : unsigned {
  NoSizes = 0,
  Layers = 1,
  Branches = 2,
  Width = 4,
  Heads = 8,
  TrunkLayers = 16
};

struct Model {
  llvm::StringLiteral name;
  ModelFunction build;
  /// The `Sizes` that the model can be given.
  unsigned sizes = NoSizes;
  /// The largest `--sequence` of the model, and that of a small one; 0 if it
  /// has no sequence. For models with embeddings of positions, their number.
  int64_t longestSequence = 0, longestSmallSequence = 0;
  /// With --cache.
  ModelFunction buildCached = nullptr;
  /// Gives what is wrong with sizes that exclude each other, or "".
  std::string (*check)(const ModelOptions &options) = nullptr;
};

/// nullptr if there is none.
const Model *findModel(llvm::StringRef name);

/// Fails if the model can't be built with these options.
artifact::Status checkOptions(const Model &model, const ModelOptions &options);

} // namespace tenon::zoo

#endif // TENON_ZOO_MODELS_H
