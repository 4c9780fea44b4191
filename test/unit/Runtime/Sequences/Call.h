//===- Call.h - one call, right or wrong
//------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TEST_UNIT_RUNTIME_SEQUENCES_CALL_H
#define TENON_TEST_UNIT_RUNTIME_SEQUENCES_CALL_H

#include "SequenceModel.h"

#include <random>

namespace tenon::runtime {

using Random = std::mt19937;

inline size_t draw(Random &random, size_t below) {
  return std::uniform_int_distribution<size_t>(0, below - 1)(random);
}
template <typename List> auto &pick(Random &random, List &list) {
  return list[draw(random, list.size())];
}

/// The tensors of a call, in memory of their own. Every tensor is followed by
/// guard values that must not change.
class Call {
public:
  Call(SequenceModel &model, Sizes symbols, Content content);

  /// Puts a tensor (inputs, then outputs) into memory on a device, which has
  /// room for `roomFor` of it. Before `donate`.
  void moveToDevice(size_t number, float *memory);
  size_t roomFor(size_t number) const;
  size_t countTensors() const { return tensors.size(); }
  /// Outputs share memory with the inputs that are donated to them.
  void donate();
  /// Makes the call one that has to be refused, in one of many ways; false: the
  /// tensors are such that this way is none. `toRun`: everything is looked at,
  /// not the inputs' shapes alone.
  bool spoil(Random &random, bool toRun);

  artifact::Status run(Model &instance);
  artifact::Status inferShapes(Model &instance);

  /// Nothing when the outputs are bit for bit those of a new instance.
  std::string compare();
  /// Nothing when no output was written.
  std::string compareUntouched() const;
  /// Nothing when `inferShapes` gave the outputs' sizes.
  std::string compareShapes();

  const Sizes symbols;
  std::vector<tenon_tensor> in, out;

private:
  struct Tensor {
    std::vector<float> data;
    Sizes shape, strides;
    size_t count = 0;
    float *place; // of the data: here, or on a device
  };

  bool spoilTensor(Random &random, bool isInput, bool toRun);
  std::string checkEnds() const;

  SequenceModel &model;
  const Content content;
  std::deque<Tensor> tensors; // inputs, then outputs
  std::vector<float *> given; // where each output's data is
  size_t numInputs, numOutputs;
  bool isDonated = false;
  bool hasNoInputs = false, hasNoOutputs = false; // null lists
};

} // namespace tenon::runtime

#endif // TENON_TEST_UNIT_RUNTIME_SEQUENCES_CALL_H
