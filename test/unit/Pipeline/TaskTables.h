//===- TaskTables.h - tasks of pipelines written by hand ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TEST_UNIT_PIPELINE_TASKTABLES_H
#define TENON_TEST_UNIT_PIPELINE_TASKTABLES_H

#include "tenon/Artifact/DType.h"
#include "tenon/Artifact/Program.h"

#include <deque>
#include <string>
#include <vector>

namespace tenon::runtime {

/// Owns the tables of a program of f32 tensors. States are added first, then
/// entries, each with its inputs and outputs before its steps.
class TaskTables {
public:
  using Shape = std::vector<int64_t>;

  /// Return numbers of buffers.
  int32_t addState(const std::string &name, Shape shape);
  int32_t addInput(const std::string &name, Shape shape);
  int32_t addOutput(const std::string &name, Shape shape);

  void startEntry(const std::string &name);
  /// target = 0.5 source + 1.
  void addSet(int32_t source, int32_t target);
  /// target += 0.25 source.
  void addAdd(int32_t source, int32_t target);
  /// target[0] += the sum of source.
  void addSum(int32_t source, int32_t target);
  /// target[0] = 0.
  void addZero(int32_t target);
  /// parameter -= 0.001 gradient; gradient = 0.
  void addUpdate(int32_t parameter, int32_t gradient);

  /// The last `numTasks` entries are tasks; `pipeline` must outlive it.
  tenon_program &get(const char *pipeline, int32_t numTasks);

private:
  tenon_value makeValue(const std::string &name, Shape shape);
  int32_t addBuffer(int32_t kind, int32_t index, const Shape &shape);
  void addStep(std::vector<int32_t> list, tenon_kernel_fn kernel,
               int64_t extent);

  struct Entry {
    const char *name;
    std::vector<tenon_value> inputs, outputs;
    int32_t firstBuffer, endBuffer, firstStep, endStep;
  };
  std::deque<std::string> names;
  std::deque<Shape> shapes;
  std::deque<std::vector<int32_t>> lists;
  std::vector<tenon_state> states;
  std::vector<tenon_buffer> buffers;
  std::vector<tenon_step> steps;
  std::deque<Entry> entries;
  std::vector<tenon_entry> tables;
  tenon_program program = {};
};

} // namespace tenon::runtime

#endif // TENON_TEST_UNIT_PIPELINE_TASKTABLES_H
