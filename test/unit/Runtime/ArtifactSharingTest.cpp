//===- ArtifactSharingTest.cpp - tests of copies of the runtime ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/ABI.h"
#include "tenon/Artifact/SafetensorsWriter.h"

#include <gtest/gtest.h>

#include <dlfcn.h>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace tenon;

namespace {
struct Artifact {
  void *handle;
  decltype(&::tenon_load_with) loadWith;
  decltype(&::tenon_run) run;
  decltype(&::tenon_unload) unload;
  decltype(&::tenon_open_weights) openWeights;
  decltype(&::tenon_close_weights) closeWeights;
  decltype(&::tenon_create_pool) createPool;
  decltype(&::tenon_free_pool) freePool;
  decltype(&::tenon_last_error) lastError;

  explicit Artifact(const std::string &file)
      : handle(::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    EXPECT_TRUE(handle) << ::dlerror();
    get("tenon_load_with", loadWith);
    get("tenon_run", run);
    get("tenon_unload", unload);
    get("tenon_open_weights", openWeights);
    get("tenon_close_weights", closeWeights);
    get("tenon_create_pool", createPool);
    get("tenon_free_pool", freePool);
    get("tenon_last_error", lastError);
  }
  ~Artifact() { ::dlclose(handle); }
  template <typename T> void get(const char *name, T &function) {
    function = reinterpret_cast<T>(::dlsym(handle, name));
    EXPECT_TRUE(function) << name;
  }
};
} // namespace

TEST(WeightsOfArtifacts, AreShared) {
  std::string folder =
      ::testing::TempDir() + "tenon-" + std::to_string(::getpid()) + "-copies";
  std::filesystem::create_directory(folder);
  std::filesystem::copy_file(std::string(TENON_FIXTURES) + "/affine.so",
                             folder + "/other.so");
  std::string path = folder + "/w.safetensors";
  float w[] = {1, 2, 3, 4};
  auto writer = artifact::SafetensorsWriter::create(
      path, {{"w", artifact::DType::F32, {4}}});
  ASSERT_TRUE(writer && writer->write("w", w, 16) && writer->finish());
  {
    Artifact first(std::string(TENON_FIXTURES) + "/affine.so"),
        second(folder + "/other.so");
    tenon_weights_options source = {};
    source.struct_size = sizeof source;
    source.path = path.c_str();
    tenon_weights *weights = nullptr;
    ASSERT_EQ(first.openWeights(&source, &weights), 0) << first.lastError();
    tenon_executor *pool = nullptr;
    ASSERT_EQ(first.createPool(2, &pool), 0) << first.lastError();
    tenon_load_options options = {};
    options.struct_size = sizeof options;
    options.weights = weights;
    options.executor = pool;
    std::vector<std::pair<Artifact *, tenon_model *>> models;
    for (Artifact *library : {&first, &second}) {
      tenon_model *model = nullptr;
      ASSERT_EQ(library->loadWith(&options, &model), 0) << library->lastError();
      models.emplace_back(library, model);
    }
    first.closeWeights(weights);
    first.freePool(pool);
    for (auto [library, model] : models) {
      float x[4] = {1, 1, 1, 1}, y[4], s = 0, sums[1];
      int64_t xShape[] = {1, 4}, sumShape[] = {1};
      tenon_dtype f32 = {TENON_DL_FLOAT, 32, 1};
      tenon_tensor in[] = {{x, 1, 0, 2, f32, xShape, nullptr, 0},
                           {&s, 1, 0, 0, f32, nullptr, nullptr, 0}};
      tenon_tensor out[] = {{y, 1, 0, 2, f32, xShape, nullptr, 0},
                            {sums, 1, 0, 1, f32, sumShape, nullptr, 0}};
      ASSERT_EQ(library->run(model, in, 2, out, 2), 0) << library->lastError();
      EXPECT_EQ(y[3], 4 + 4);
      library->unload(model);
    }
    // Structures of newer callers.
    struct {
      tenon_load_options known;
      uint64_t more;
    } newer = {};
    newer.known.struct_size = sizeof newer;
    newer.known.options.random_params = 1;
    tenon_model *model = nullptr;
    ASSERT_EQ(first.loadWith(&newer.known, &model), 0) << first.lastError();
    first.unload(model);
    newer.more = 1;
    EXPECT_NE(first.loadWith(&newer.known, &model), 0);
    EXPECT_EQ(std::string(first.lastError()).find("tenon_load_options: byte "),
              0u);
    newer.known.struct_size = 4;
    EXPECT_NE(first.loadWith(&newer.known, &model), 0);
    EXPECT_STREQ(first.lastError(), "tenon_load_options.struct_size: expected "
                                    "sizeof(tenon_load_options), but got 4");
  }
  std::filesystem::remove_all(folder);
}
