//===- TaskTables.cpp - tasks of pipelines written by hand ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TaskTables.h"

namespace tenon::runtime {

tenon_value TaskTables::makeValue(const std::string &name, Shape shape) {
  names.push_back(name);
  shapes.push_back(std::move(shape));
  return {names.back().c_str(), artifact::toDLDType(artifact::DType::F32),
          static_cast<int32_t>(shapes.back().size()), shapes.back().data()};
}

int32_t TaskTables::addBuffer(int32_t kind, int32_t index, const Shape &shape) {
  int64_t bytes = 4;
  for (int64_t size : shape)
    bytes *= size;
  buffers.push_back({kind, index, nullptr, bytes, -1, 0, 0, nullptr});
  return static_cast<int32_t>(buffers.size()) - 1;
}

int32_t TaskTables::addState(const std::string &name, Shape shape) {
  states.push_back({makeValue(name, shape), nullptr, -1});
  return addBuffer(TENON_BUFFER_STATE, static_cast<int32_t>(states.size()) - 1,
                   shape);
}

int32_t TaskTables::addInput(const std::string &name, Shape shape) {
  std::vector<tenon_value> &inputs = entries.back().inputs;
  inputs.push_back(makeValue(name, shape));
  return addBuffer(TENON_BUFFER_INPUT, static_cast<int32_t>(inputs.size()) - 1,
                   shape);
}

int32_t TaskTables::addOutput(const std::string &name, Shape shape) {
  std::vector<tenon_value> &outputs = entries.back().outputs;
  outputs.push_back(makeValue(name, shape));
  return addBuffer(TENON_BUFFER_OUTPUT,
                   static_cast<int32_t>(outputs.size()) - 1, shape);
}

void TaskTables::startEntry(const std::string &name) {
  names.push_back(name);
  auto buffer = static_cast<int32_t>(buffers.size());
  auto step = static_cast<int32_t>(steps.size());
  if (!entries.empty()) {
    entries.back().endBuffer = buffer;
    entries.back().endStep = step;
  }
  entries.push_back({names.back().c_str(), {}, {}, buffer, buffer, step, step});
}

void TaskTables::addStep(std::vector<int32_t> list, tenon_kernel_fn kernel,
                         int64_t extent) {
  lists.push_back(std::move(list));
  steps.push_back({"step", TENON_STEP_KERNEL,
                   static_cast<int32_t>(lists.back().size()),
                   lists.back().data(), kernel, nullptr, extent,
                   int64_t(1) << 40, nullptr, nullptr});
}

void TaskTables::addSet(int32_t source, int32_t target) {
  addStep(
      {source, target},
      [](const int64_t *, void *const *buffers, void *, int64_t lo,
         int64_t hi) {
        const auto *from = static_cast<const float *>(buffers[0]);
        auto *to = static_cast<float *>(buffers[1]);
        for (int64_t i = lo; i < hi; ++i)
          to[i] = 0.5F * from[i] + 1;
      },
      buffers[source].bytes / 4);
}

void TaskTables::addAdd(int32_t source, int32_t target) {
  addStep(
      {source, target},
      [](const int64_t *, void *const *buffers, void *, int64_t lo,
         int64_t hi) {
        const auto *from = static_cast<const float *>(buffers[0]);
        auto *to = static_cast<float *>(buffers[1]);
        for (int64_t i = lo; i < hi; ++i)
          to[i] += 0.25F * from[i];
      },
      buffers[source].bytes / 4);
}

void TaskTables::addSum(int32_t source, int32_t target) {
  addStep(
      {source, target},
      [](const int64_t *, void *const *buffers, void *, int64_t lo,
         int64_t hi) {
        const auto *from = static_cast<const float *>(buffers[0]);
        auto *to = static_cast<float *>(buffers[1]);
        for (int64_t i = lo; i < hi; ++i)
          to[0] += from[i];
      },
      buffers[source].bytes / 4);
}

void TaskTables::addZero(int32_t target) {
  addStep(
      {target},
      [](const int64_t *, void *const *buffers, void *, int64_t, int64_t) {
        static_cast<float *>(buffers[0])[0] = 0;
      },
      1);
}

void TaskTables::addUpdate(int32_t parameter, int32_t gradient) {
  addStep(
      {parameter, gradient},
      [](const int64_t *, void *const *buffers, void *, int64_t lo,
         int64_t hi) {
        auto *to = static_cast<float *>(buffers[0]);
        auto *sum = static_cast<float *>(buffers[1]);
        for (int64_t i = lo; i < hi; ++i) {
          to[i] -= 0.001F * sum[i];
          sum[i] = 0;
        }
      },
      buffers[parameter].bytes / 4);
}

tenon_program &TaskTables::get(const char *pipeline, int32_t numTasks) {
  entries.back().endBuffer = static_cast<int32_t>(buffers.size());
  entries.back().endStep = static_cast<int32_t>(steps.size());
  for (const Entry &entry : entries) {
    tenon_entry table = {};
    table.name = entry.name;
    table.num_inputs = static_cast<int32_t>(entry.inputs.size());
    table.inputs = entry.inputs.data();
    table.num_outputs = static_cast<int32_t>(entry.outputs.size());
    table.outputs = entry.outputs.data();
    table.first_buffer = entry.firstBuffer;
    table.end_buffer = entry.endBuffer;
    table.first_step = entry.firstStep;
    table.end_step = entry.endStep;
    tables.push_back(table);
  }
  program.name = "tasks";
  program.num_states = static_cast<int32_t>(states.size());
  program.states = states.data();
  program.num_buffers = static_cast<int32_t>(buffers.size());
  program.buffers = buffers.data();
  program.num_steps = static_cast<int32_t>(steps.size());
  program.steps = steps.data();
  program.prepare.name = "prepare";
  program.prepare.first_buffer = program.prepare.end_buffer =
      static_cast<int32_t>(states.size());
  program.num_entries = static_cast<int32_t>(tables.size());
  program.entries = tables.data();
  program.pipeline = pipeline;
  program.num_tasks = numTasks;
  return program;
}

} // namespace tenon::runtime
