//===- main.cpp - two models in one program -------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Classifies images with two models at the same time, on several threads.
// `precise` computes in f32, and is linked as an object; `quick` computes in
// bf16, and is a shared library. Their weights are opened once. All instances
// run their loops on one pool of threads.
//
//   main WEIGHTS.safetensors
//
//===----------------------------------------------------------------------===//

#include "precise.h"
#include "quick.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {
constexpr int numWorkers = 4, imagesPerWorker = 2, poolThreads = 2;
constexpr int64_t channels = 3, side = 64, classes = 128;

/// The functions of one model: types are common, names have its prefix.
struct Model {
  decltype(&precise_load_with) load;
  decltype(&precise_run) run;
  decltype(&precise_unload) unload;
  decltype(&precise_last_error) lastError;
};
constexpr Model precise = {precise_load_with, precise_run, precise_unload,
                           precise_last_error};
constexpr Model quick = {quick_load_with, quick_run, quick_unload,
                         quick_last_error};

void check(int32_t status, const Model &model) {
  if (status != 0)
    throw std::runtime_error(model.lastError());
}

/// A deleter that calls a function of the C ABI.
template <auto function> struct Call {
  template <typename T> void operator()(T *handle) const { function(handle); }
};
// Functions of any model open weights and make pools, for all models. Instances
// count as users: the order in which all of it is freed does not matter.
using Weights = std::unique_ptr<tenon_weights, Call<precise_close_weights>>;
using Pool = std::unique_ptr<tenon_executor, Call<precise_free_pool>>;

Weights openWeights(const char *path) {
  tenon_weights_options options = {};
  options.struct_size = sizeof(options);
  options.path = path;
  tenon_weights *weights = nullptr;
  check(precise_open_weights(&options, &weights), precise);
  return Weights(weights);
}

Pool createPool(int32_t threads) {
  tenon_executor *pool = nullptr;
  check(precise_create_pool(threads, &pool), precise);
  return Pool(pool);
}

using Image = std::array<float, channels * side * side>;
using Scores = std::array<float, classes>;

/// A loaded model, for one thread at a time.
class Instance {
public:
  Instance(const Model &model, const Weights &weights, const Pool &pool)
      : model(model), handle(nullptr, model.unload) {
    tenon_load_options options = {};
    options.struct_size = sizeof(options);
    options.weights = weights.get();
    options.executor = pool.get();
    tenon_model *loaded = nullptr;
    check(model.load(&options, &loaded), model);
    handle.reset(loaded);
  }

  void run(Image &image, Scores &scores) {
    int64_t imageShape[] = {1, channels, side, side};
    int64_t scoresShape[] = {1, classes};
    tenon_tensor input = makeTensor(image.data(), 4, imageShape);
    tenon_tensor output = makeTensor(scores.data(), 2, scoresShape);
    check(model.run(handle.get(), &input, 1, &output, 1), model);
  }

private:
  static tenon_tensor makeTensor(float *data, int32_t axes, int64_t *shape) {
    tenon_tensor tensor = {}; // dense: no strides, no offset
    tensor.data = data;
    tensor.device_type = TENON_DEVICE_CPU;
    tensor.ndim = axes;
    tensor.dtype = {TENON_DL_FLOAT, 32, 1};
    tensor.shape = shape;
    return tensor;
  }

  const Model &model;
  std::unique_ptr<tenon_model, decltype(&precise_unload)> handle;
};

struct Result {
  Scores precise, quick;
};

/// Patterns instead of pictures: image k has a period of k + 7 elements.
void draw(int k, Image &image) {
  for (size_t i = 0; i < image.size(); ++i)
    image[i] = static_cast<float>(i % (k + 7)) / 4 - 1;
}

std::vector<Result> classify(int worker, const Weights &weights,
                             const Pool &pool) {
  Instance first(precise, weights, pool), second(quick, weights, pool);
  std::vector<Result> results(imagesPerWorker);
  Image image;
  for (int i = 0; i < imagesPerWorker; ++i) {
    draw(worker * imagesPerWorker + i, image);
    first.run(image, results[i].precise);
    second.run(image, results[i].quick);
  }
  return results;
}

size_t bestClass(const Scores &scores) {
  return std::max_element(scores.begin(), scores.end()) - scores.begin();
}

void runAll(const char *path) {
  Weights weights = openWeights(path);
  Pool pool = createPool(poolThreads);
  std::vector<std::future<std::vector<Result>>> workers;
  for (int worker = 0; worker < numWorkers; ++worker)
    workers.push_back(std::async(std::launch::async, [&, worker] {
      return classify(worker, weights, pool);
    }));
  // An exception of a worker is thrown here, when the others have ended.
  int image = 0;
  for (std::future<std::vector<Result>> &worker : workers)
    for (const Result &result : worker.get()) {
      size_t a = bestClass(result.precise), b = bestClass(result.quick);
      std::printf("image %d: precise class %zu, max %.4g; quick class %zu, "
                  "max %.4g\n",
                  image++, a, result.precise[a], b, result.quick[b]);
    }
}
} // namespace

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: main WEIGHTS.safetensors\n");
    return 2;
  }
  try {
    runAll(argv[1]);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "main: %s\n", error.what());
    return 1;
  }
  return 0;
}
