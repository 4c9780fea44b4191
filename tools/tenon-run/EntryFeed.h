//===- EntryFeed.h - calls of an entry with batches ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_RUN_ENTRYFEED_H
#define TENON_TOOLS_TENON_RUN_ENTRYFEED_H

#include "Dataset.h"
#include "LoadedModel.h"

namespace tenon::run {

/// The samples and tensors of one call.
struct Batch {
  std::vector<int64_t> samples;
  std::vector<artifact::TensorData> inputs;
};

/// Calls of an entry with batches of a dataset.
class EntryFeed {
public:
  artifact::Status prepare(const artifact::Manifest &manifest,
                           const std::string &entry,
                           const std::vector<std::string> &files,
                           const std::string &option, const CommandLine &line);
  artifact::Expected<Batch> gather(std::vector<int64_t> samples) const;
  /// Returns the loss.
  artifact::Expected<double> call(LoadedModel &model, Batch &batch);
  /// Describes the first sample that is not finite; empty: all are.
  std::string describeNonFinite(const Batch &batch) const;

  Dataset dataset;
  int64_t batchSize = 0;
  /// Whether the size of a batch is the caller's choice.
  bool isOpen = false;

private:
  artifact::Status findBatchSize(const CommandLine &line);

  std::string entry;
  std::vector<artifact::ManifestValue> inputs;
  artifact::ManifestValue loss;
  std::vector<artifact::TensorData>
      constants; // by input; those without samples
};

} // namespace tenon::run

#endif // TENON_TOOLS_TENON_RUN_ENTRYFEED_H
