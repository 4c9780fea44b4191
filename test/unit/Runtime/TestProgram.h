//===- TestProgram.h - programs written by hand -------------------------===//
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

#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace tenon::runtime {

/// Owns the tables of a program. Buffers come in the order in which they are
/// added, and so do steps.
class TestProgram {
public:
  using Shape = std::vector<int64_t>;

  TestProgram() {
    program.abi_version = TENON_ABI_VERSION;
    program.name = "test";
    program.manifest = "{}";
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
  int32_t addConstant(const void *data, int64_t bytes) {
    return addBuffer({TENON_BUFFER_CONSTANT, 0, data, bytes, -1, 0, 0});
  }
  int32_t addPrepared(int64_t bytes) {
    return addBuffer({TENON_BUFFER_PREPARED, 0, nullptr, bytes, -1, 0, 0});
  }
  int32_t addArena(int64_t bytes, int64_t offset, int32_t first, int32_t last) {
    return addBuffer(
        {TENON_BUFFER_ARENA, 0, nullptr, bytes, offset, first, last});
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
                      nullptr, 16, -1, 0, 0});
  }

  void addKernel(const char *name, std::vector<int32_t> buffers,
                 tenon_kernel_fn kernel, int64_t extent, int64_t grain = 1) {
    steps.push_back({name, TENON_STEP_KERNEL,
                     static_cast<int32_t>(buffers.size()), keep(buffers),
                     kernel, nullptr, extent, grain, nullptr, nullptr});
  }
  /// Of a GPU program.
  void addLaunch(const char *name, std::vector<int32_t> buffers,
                 const char *kernel, int64_t blocks, int32_t threads = 8,
                 int32_t sharedBytes = 0) {
    launches.push_back({kernel, threads, sharedBytes});
    steps.push_back({name, TENON_STEP_KERNEL,
                     static_cast<int32_t>(buffers.size()), keep(buffers),
                     nullptr, nullptr, blocks, 1, nullptr, &launches.back()});
  }
  /// What makes it a GPU program; `text` is kept.
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
                  const tenon_site &site) {
    steps.push_back({name, TENON_STEP_LIBRARY,
                     static_cast<int32_t>(buffers.size()), keep(buffers),
                     nullptr, &site, 1, 1, nullptr, nullptr});
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
    program.num_symbols = static_cast<int32_t>(symbols.size());
    program.symbol_names = symbols.data();
    program.num_inputs = static_cast<int32_t>(inputs.size());
    program.inputs = inputs.data();
    program.num_outputs = static_cast<int32_t>(outputs.size());
    program.outputs = outputs.data();
    program.num_params = static_cast<int32_t>(params.size());
    program.params = params.data();
    program.num_buffers = static_cast<int32_t>(buffers.size());
    program.buffers = buffers.data();
    program.num_steps = static_cast<int32_t>(steps.size());
    program.steps = steps.data();
    program.num_images = static_cast<int32_t>(images.size());
    program.images = images.data();
    program.num_checks = static_cast<int32_t>(checks.size());
    program.checks = checks.data();
    program.donations = donations.empty() ? nullptr : donations.data();
    return program;
  }

  /// Fields that have no function above are set here.
  tenon_program program = {};

private:
  int32_t addBuffer(tenon_buffer buffer) {
    buffers.push_back(buffer);
    return static_cast<int32_t>(buffers.size()) - 1;
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
                      bytes, -1, 0, 0});
  }

  const int32_t *keep(std::vector<int32_t> list) {
    lists.push_back(std::move(list));
    return lists.back().data();
  }

  std::vector<const char *> symbols;
  std::vector<tenon_value> inputs, outputs, params;
  std::vector<tenon_buffer> buffers;
  std::vector<tenon_step> steps;
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
