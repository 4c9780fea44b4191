//===- Dataset.h - samples for training ----------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A dataset has a tensor for each input that varies between steps. The first
// axis of the tensor counts samples, and the first axis of the input counts the
// samples of a batch. Files are mapped, not read: a dataset may be larger than
// the memory.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_RUN_DATASET_H
#define TENON_TOOLS_TENON_RUN_DATASET_H

#include "tenon/Artifact/File.h"
#include "tenon/Artifact/Manifest.h"
#include "tenon/Artifact/Safetensors.h"
#include "tenon/Artifact/TensorData.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tenon::run {

/// The samples of one input.
struct SampleColumn {
  std::string file;
  artifact::DType dtype;
  std::vector<int64_t> shape; // of a sample
  size_t sampleBytes = 0;
  /// The first sample; owned by the dataset.
  const uint8_t *data = nullptr;
};

class Dataset {
public:
  /// Opens files, each stated as `[NAME=]FILE` or `[NAME=]@FILE`: .npy,
  /// .safetensors, or raw elements of the input's type in any other file, whose
  /// size states the number of samples. Without a name, a safetensors file
  /// gives each input the tensor of its name, and other files belong to the
  /// inputs in order, without those that have a file by name. `option` is for
  /// errors. Fails unless all tensors have the same number of samples, and
  /// samples that suit the inputs.
  static artifact::Expected<Dataset>
  open(const std::vector<std::string> &files,
       const std::vector<artifact::ManifestValue> &inputs,
       const std::string &option);

  /// The number of samples; 0 if no input has any.
  int64_t size() const { return count; }
  /// By input; empty: it does not vary.
  const std::vector<std::optional<SampleColumn>> &columns() const {
    return byInput;
  }
  /// Returns these samples of an input that varies, as a tensor of the input's
  /// element type.
  artifact::Expected<artifact::TensorData>
  gather(size_t input, const std::vector<int64_t> &samples) const;

private:
  artifact::Status addFile(const std::string &text);
  artifact::Status addTensor(size_t input, SampleColumn column, int64_t samples,
                             const std::string &file);
  artifact::Status addSafetensors(const std::string &path,
                                  std::optional<size_t> input);
  artifact::Status addNpy(const std::string &path, size_t input);
  artifact::Status addRaw(const std::string &path, size_t input);
  artifact::Expected<size_t> findInput(const std::string &name) const;

  std::vector<artifact::ManifestValue> inputs;
  std::vector<std::optional<SampleColumn>> byInput;
  int64_t count = 0;
  std::string option, firstFile;
  std::vector<std::unique_ptr<artifact::MappedFile>> mapped;
  std::vector<std::unique_ptr<artifact::SafetensorsFile>> safetensors;
  std::vector<std::unique_ptr<artifact::TensorData>> tensors;
};

/// The order of the samples: each epoch takes all samples once, without those
/// that are too few for a batch at its end.
class BatchOrder {
public:
  /// Without a seed, in the order of the files. `samples` is at least `batch`.
  BatchOrder(int64_t samples, int64_t batch, std::optional<uint64_t> seed)
      : samples(samples), batch(batch), seed(seed) {}

  int64_t getStepsPerEpoch() const { return samples / batch; }
  /// Returns the samples of a step, which is counted from 0 over all epochs.
  /// They depend only on the seed and the step, so that training resumes with
  /// the samples that would have followed.
  std::vector<int64_t> getSamples(int64_t step);

private:
  int64_t samples, batch;
  std::optional<uint64_t> seed;
  int64_t epoch = -1; // of the order
  std::vector<int64_t> order;
};

} // namespace tenon::run

#endif // TENON_TOOLS_TENON_RUN_DATASET_H
