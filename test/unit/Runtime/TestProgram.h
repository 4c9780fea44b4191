//===- TestProgram.h - programs written by hand ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TEST_UNIT_RUNTIME_TESTPROGRAM_H
#define TENON_TEST_UNIT_RUNTIME_TESTPROGRAM_H

#include "tenon/Artifact/DType.h"
#include "tenon/Artifact/PluginCall.h"
#include "tenon/Runtime/Model.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tenon::runtime {

/// Owns the tables of a program of one entry. Buffers and steps are known by
/// the order in which they are added, also to `entry.buffer_bytes` and
/// `entry.step_extents`; the tables have them as Program.h says.
class TestProgram {
public:
  using Shape = std::vector<int64_t>;

  TestProgram() {
    program.name = "test";
    entry.name = "main";
    slot = getNextSlot();
  }

  int32_t addInput(const char *name, Shape shape,
                   artifact::DType dtype = artifact::DType::F32) {
    return addValue(inputs, TENON_BUFFER_INPUT, name, shape, dtype);
  }
  int32_t addOutput(const char *name, Shape shape,
                    artifact::DType dtype = artifact::DType::F32) {
    return addValue(outputs, TENON_BUFFER_OUTPUT, name, shape, dtype);
  }
  int32_t addParam(const char *name, Shape shape,
                   artifact::DType dtype = artifact::DType::F32) {
    return addValue(params, TENON_BUFFER_PARAM, name, shape, dtype);
  }
  int32_t addState(const char *name, Shape shape, const void *initial = nullptr,
                   artifact::DType dtype = artifact::DType::F32,
                   int32_t param = -1, bool isTransient = false) {
    shapes.push_back(shape);
    states.push_back(
        {{name, toDLDType(dtype), static_cast<int32_t>(shape.size()),
          shapes.back().data()},
         initial,
         param,
         isTransient});
    int64_t bytes = static_cast<int64_t>(dtypeSize(dtype));
    for (int64_t size : shape)
      bytes *= size;
    return addBuffer({TENON_BUFFER_STATE,
                      static_cast<int32_t>(states.size()) - 1, nullptr, bytes,
                      -1, 0, 0, nullptr});
  }
  /// Says what a buffer holds.
  void setValue(int32_t buffer, const char *origin, Shape shape,
                artifact::DType dtype = artifact::DType::F32) {
    shapes.push_back(shape);
    values.push_back({origin, toDLDType(dtype),
                      static_cast<int32_t>(shape.size()),
                      shapes.back().data()});
    added[buffer].value = &values.back();
  }
  /// The following steps belong to another entry.
  void startEntry(const char *name) {
    finishEntry();
    entry = {};
    entry.name = name;
    inputs.clear();
    outputs.clear();
    firstOfEntry = static_cast<int32_t>(added.size());
    firstStepOfEntry = static_cast<int32_t>(steps.size());
  }
  int32_t addConstant(const void *data, int64_t bytes) {
    return addBuffer(
        {TENON_BUFFER_CONSTANT, 0, data, bytes, -1, 0, 0, nullptr});
  }
  int32_t addPrepared(int64_t bytes) {
    return addBuffer(
        {TENON_BUFFER_PREPARED, 0, nullptr, bytes, -1, 0, 0, nullptr});
  }
  int32_t addArena(int64_t bytes, int64_t offset, int32_t first, int32_t last) {
    return addBuffer(
        {TENON_BUFFER_ARENA, 0, nullptr, bytes, offset, first, last, nullptr});
  }

  /// What the last step has found: it looked for indices from 0 to 7, for axis
  /// 0, in a tensor of 4 x 4.
  void addCheck(int32_t buffer, const char *reader, const char *input) {
    static const int64_t axis = 0;
    auto sizes = [](const int64_t *, int64_t *out) {
      out[0] = out[1] = 4;
      out[2] = 0;
      out[3] = 8;
    };
    checks.push_back({reader, input, 2, 1, &axis, sizes, nullptr, 1, buffer,
                      static_cast<int32_t>(steps.size()) - 1});
  }
  /// What the next check's step writes.
  int32_t addCheckWords() {
    return addBuffer({TENON_BUFFER_CHECK, static_cast<int32_t>(checks.size()),
                      nullptr, 16, -1, 0, 0, nullptr});
  }

  void addKernel(const char *name, std::vector<int32_t> buffers,
                 tenon_kernel_fn kernel, int64_t extent, int64_t grain = 1) {
    steps.push_back({name, TENON_STEP_KERNEL,
                     static_cast<int32_t>(buffers.size()), keep(buffers),
                     kernel, nullptr, extent, grain, nullptr, nullptr});
  }
  /// Adds a launch to a GPU program.
  void addLaunch(const char *name, std::vector<int32_t> buffers,
                 const char *kernel, int64_t blocks, int32_t threads = 8,
                 int32_t sharedBytes = 0) {
    launches.push_back({kernel, threads, sharedBytes});
    steps.push_back({name, TENON_STEP_KERNEL,
                     static_cast<int32_t>(buffers.size()), keep(buffers),
                     nullptr, nullptr, blocks, 1, nullptr, &launches.back()});
  }
  /// Makes it a GPU program; keeps `text`.
  void addImage(const char *arch, const char *text,
                int32_t kind = TENON_IMAGE_CUBIN) {
    images.push_back(
        {arch, kind, text, static_cast<int64_t>(std::strlen(text))});
  }
  void addCopy(const char *name, int32_t from, int32_t to) {
    steps.push_back({name, TENON_STEP_COPY, 2, keep({from, to}), nullptr,
                     nullptr, 1, 1, nullptr, nullptr});
  }
  void addLibrary(const char *name, std::vector<int32_t> buffers,
                  const tenon_call &call) {
    steps.push_back({name, TENON_STEP_LIBRARY,
                     static_cast<int32_t>(buffers.size()), keep(buffers),
                     nullptr, &call, 1, 1, nullptr, nullptr});
  }
  void addPlugin(const char *name, std::vector<int32_t> buffers,
                 const tenon_plugin_call &call) {
    steps.push_back({name, TENON_STEP_PLUGIN,
                     static_cast<int32_t>(buffers.size()), keep(buffers),
                     nullptr, nullptr, 1, 1, &call, nullptr});
  }
  void addSymbol(const char *name) { symbols.push_back(name); }
  void setDonations(std::vector<int32_t> list) { donations = std::move(list); }

  /// The tables as they stand; further additions need another call.
  tenon_program &get() {
    finishEntry();
    fill();
    finished.pop_back();
    return program;
  }

  /// Fields that have no function above are set here.
  tenon_program program = {};
  tenon_entry entry = {};
  int32_t numPrepareSteps = 0;

  /// The sizes of buffers and extents of steps of an entry, in the tables'
  /// order.
  void getBytes(size_t entry, const int64_t *symbols, int64_t *out) const;
  void getExtents(size_t entry, const int64_t *symbols, int64_t *out) const;

private:
  /// An entry that is described as a whole.
  struct Finished {
    tenon_entry table;
    std::vector<tenon_value> inputs, outputs;
    int32_t firstBuffer, endBuffer, firstStep, endStep; // as they were added
  };

  void finishEntry() {
    entry.num_symbols = static_cast<int32_t>(symbols.size());
    entry.symbol_names = symbols.data();
    entry.donations = donations.empty() ? nullptr : donations.data();
    finished.push_back({entry, inputs, outputs, firstOfEntry,
                        static_cast<int32_t>(added.size()), firstStepOfEntry,
                        static_cast<int32_t>(steps.size())});
  }

  static bool isShared(const tenon_buffer &buffer) {
    return buffer.kind == TENON_BUFFER_PARAM ||
           buffer.kind == TENON_BUFFER_CONSTANT ||
           buffer.kind == TENON_BUFFER_PREPARED ||
           buffer.kind == TENON_BUFFER_STATE;
  }
  bool isOfPrepare(const tenon_buffer &buffer) const {
    return buffer.kind == TENON_BUFFER_ARENA &&
           buffer.last_step < numPrepareSteps;
  }

  /// Orders buffers and numbers what names them.
  void fill();
  static size_t getNextSlot();
  size_t slot;

  int32_t addBuffer(tenon_buffer buffer) {
    added.push_back(buffer);
    return static_cast<int32_t>(added.size()) - 1;
  }

  int32_t addValue(std::vector<tenon_value> &list, int32_t kind,
                   const char *name, const Shape &shape,
                   artifact::DType dtype) {
    shapes.push_back(shape);
    list.push_back({name, toDLDType(dtype), static_cast<int32_t>(shape.size()),
                    shapes.back().data()});
    int64_t bytes = static_cast<int64_t>(dtypeSize(dtype));
    for (int64_t size : shape)
      bytes = size < 0 || bytes < 0 ? -1 : bytes * size;
    return addBuffer({kind, static_cast<int32_t>(list.size()) - 1, nullptr,
                      bytes, -1, 0, 0, nullptr});
  }

  const int32_t *keep(std::vector<int32_t> list) {
    lists.push_back(std::move(list));
    return lists.back().data();
  }

  std::vector<const char *> symbols;
  std::vector<tenon_value> inputs, outputs, params;
  std::vector<tenon_state> states;
  std::vector<tenon_buffer> added, buffers;
  std::vector<int32_t> places; // by buffer as added
  std::vector<tenon_step> steps, placedSteps;
  std::vector<tenon_check> placedChecks;
  std::vector<Finished> finished, kept;
  std::vector<tenon_entry> entries;
  std::deque<std::vector<int32_t>> placedLists;
  std::deque<tenon_value> values;
  int32_t firstOfEntry = 0, firstStepOfEntry = 0;
  std::vector<int32_t> donations;
  std::vector<tenon_check> checks;
  std::vector<tenon_gpu_image> images;
  std::deque<tenon_gpu_launch> launches;
  std::deque<Shape> shapes;
  std::deque<std::vector<int32_t>> lists;
};

/// A tensor of a call, dense and on the host.
struct TestTensor {
  std::vector<int64_t> shape;
  std::vector<float> data;

  explicit TestTensor(std::vector<int64_t> shape, float value = 0)
      : shape(std::move(shape)) {
    int64_t count = 1;
    for (int64_t size : this->shape)
      count *= size;
    data.assign(static_cast<size_t>(count), value);
  }

  tenon_tensor get() {
    return {data.data(),
            1,
            0,
            static_cast<int32_t>(shape.size()),
            {TENON_DL_FLOAT, 32, 1},
            shape.data(),
            nullptr,
            0};
  }
};

inline std::vector<tenon_tensor> list(std::vector<TestTensor *> tensors) {
  std::vector<tenon_tensor> result;
  for (TestTensor *tensor : tensors)
    result.push_back(tensor->get());
  return result;
}

inline artifact::Status run(Model &model, std::vector<TestTensor *> inputs,
                            std::vector<TestTensor *> outputs) {
  std::vector<tenon_tensor> in = list(inputs), out = list(outputs);
  return model.run(in.data(), in.size(), out.data(), out.size());
}

} // namespace tenon::runtime

#endif // TENON_TEST_UNIT_RUNTIME_TESTPROGRAM_H
