//===- SequenceModel.h - models for random sequences of calls -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TEST_UNIT_RUNTIME_SEQUENCES_SEQUENCEMODEL_H
#define TENON_TEST_UNIT_RUNTIME_SEQUENCES_SEQUENCEMODEL_H

#include "../TestProgram.h"

#include <deque>
#include <map>
#include <mutex>

namespace tenon::runtime {

using Sizes = std::vector<int64_t>;
using Values = std::vector<std::vector<float>>;

/// The contents of the inputs of a call.
enum class Content { Numbers, WithNan, FailsStep };

/// A program with dynamic sizes, what its calls may be, and the results that
/// new instances give. Tensors are f32.
struct SequenceModel {
  const char *name = "";
  TestProgram test;
  tenon_options options = {};
  /// Values of the symbols: that run, that no call may have, and whose plan
  /// can't be made.
  std::vector<Sizes> sizes, refused, unplannable;
  /// Whether there are inputs with which a step fails in the middle of a run.
  bool canFailStep = false;
  /// Input 0 may be in the memory of output 0.
  bool isDonated = false;

  /// Tables that the program points to.
  std::deque<tenon_call> calls;
  std::deque<std::vector<tenon_call_operand>> operands;
  std::deque<Sizes> shapes;
  std::deque<std::vector<int32_t>> orders;
  std::deque<std::vector<tenon_post_op>> postOps;
  std::deque<std::vector<float>> constants;
  tenon_plugin_call plugin = {};
  std::vector<tenon_plugin_operand> pluginOperands;

  /// A new instance.
  artifact::Expected<std::unique_ptr<Model>> load();
  /// Sizes of every input, then of every output; these as the tables say.
  std::vector<Sizes> shapesFor(const Sizes &symbols);
  Values inputsFor(const Sizes &symbols, Content content);
  /// Outputs of a new instance, computed once.
  const Values &expected(const Sizes &symbols, Content content);

  /// Helpers that describe a library call.
  tenon_call_operand operand(Sizes shape, std::vector<int32_t> order = {});
  tenon_call &call(int32_t kind, std::vector<tenon_call_operand> list);
  int32_t constant(int64_t count, uint64_t key);

private:
  std::mutex mutex;
  std::map<std::pair<Sizes, Content>, Values> results;
};

/// The models on the CPU; `threads` as in tenon_options.
std::deque<SequenceModel> &cpuSequenceModels(int32_t threads);

} // namespace tenon::runtime

#endif // TENON_TEST_UNIT_RUNTIME_SEQUENCES_SEQUENCEMODEL_H
