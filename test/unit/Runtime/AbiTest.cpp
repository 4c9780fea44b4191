//===- AbiTest.cpp - tests of artifacts as libraries --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/Manifest.h"
#include "tenon/Artifact/RuntimeFunctions.h"

#include <gtest/gtest.h>

#include <dlfcn.h>
#include <malloc.h>
#include <string>
#include <thread>
#include <type_traits>

namespace {
/// The functions of an artifact.
struct Library {
  void *handle;
  decltype(&::tenon_abi_version) abiVersion;
  decltype(&::tenon_manifest) manifest;
  decltype(&::tenon_load) load;
  decltype(&::tenon_infer_shapes) inferShapes;
  decltype(&::tenon_run) run;
  decltype(&::tenon_unload) unload;
  decltype(&::tenon_last_error) lastError;

  explicit Library(const char *name) {
    std::string path = std::string(TENON_FIXTURES) + "/" + name + ".so";
    handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    EXPECT_TRUE(handle) << ::dlerror();
    get("tenon_abi_version", abiVersion);
    get("tenon_manifest", manifest);
    get("tenon_load", load);
    get("tenon_infer_shapes", inferShapes);
    get("tenon_run", run);
    get("tenon_unload", unload);
    get("tenon_last_error", lastError);
  }
  ~Library() {
    if (handle)
      ::dlclose(handle);
  }

  template <typename T> void get(const char *name, T &function) {
    function = reinterpret_cast<T>(handle ? ::dlsym(handle, name) : nullptr);
    EXPECT_TRUE(function) << name;
  }
};
} // namespace

TEST(Abi, RunsAnArtifact) {
  Library library("affine");
  EXPECT_EQ(library.abiVersion(), uint32_t(TENON_ABI_VERSION));
  EXPECT_TRUE(tenon::artifact::parseManifest(library.manifest()));
  EXPECT_STREQ(library.lastError(), "");
  tenon_options options = {};
  options.random_params = 1;
  tenon_model *model = nullptr;
  ASSERT_EQ(library.load(&options, &model), 0) << library.lastError();

  float x[12] = {}, y[12], s = 5, sums[3];
  int64_t xShape[] = {3, 4}, sumShape[] = {3};
  tenon_dtype f32 = {TENON_DL_FLOAT, 32, 1};
  tenon_tensor in[] = {{x, 1, 0, 2, f32, xShape, nullptr, 0},
                       {&s, 1, 0, 0, f32, nullptr, nullptr, 0}};
  tenon_tensor out[] = {{y, 1, 0, 2, f32, xShape, nullptr, 0},
                        {sums, 1, 0, 1, f32, sumShape, nullptr, 0}};
  ASSERT_EQ(library.run(model, in, 2, out, 2), 0) << library.lastError();
  EXPECT_EQ(y[7], 4);
  EXPECT_EQ(sums[2], 15);

  EXPECT_NE(library.run(model, in, 1, out, 2), 0);
  EXPECT_STREQ(library.lastError(), "expected 2 inputs, but got 1");
  // Errors are per thread.
  std::thread([&] { EXPECT_STREQ(library.lastError(), ""); }).join();

  size_t before = ::mallinfo2().uordblks;
  for (int i = 0; i < 10000; ++i)
    if (library.run(model, in, 2, out, 2) != 0)
      FAIL();
  EXPECT_EQ(::mallinfo2().uordblks, before);
  library.unload(model);
}

TEST(Abi, ReportsWhatIsMissing) {
  Library library("affine");
  tenon_model *model = nullptr;
  EXPECT_NE(library.load(nullptr, &model), 0);
  EXPECT_EQ(std::string(library.lastError()),
            "parameters: cannot open '" TENON_FIXTURES
            "/affine.safetensors': No such file or directory");
  EXPECT_EQ(model, nullptr);
  EXPECT_NE(library.load(nullptr, nullptr), 0);
  EXPECT_NE(library.run(nullptr, nullptr, 0, nullptr, 0), 0);
  EXPECT_STREQ(library.lastError(), "the model is null");
  library.unload(nullptr);
}

TEST(Abi, RefusesOtherVersionsAndProcessors) {
  tenon_model *model = nullptr;
  Library old("old-abi");
  EXPECT_EQ(old.abiVersion(), 1000u);
  EXPECT_NE(old.load(nullptr, &model), 0);
  EXPECT_STREQ(old.lastError(),
               "the artifact has the ABI version 1000, but this runtime has 5");
  Library newer("newer-cpu");
  EXPECT_NE(newer.load(nullptr, &model), 0);
  EXPECT_STREQ(newer.lastError(),
               "this processor lacks features that the artifact requires: an "
               "instruction set that this version does not know");
}

TEST(Abi, ExportsNothingElse) {
  Library library("affine");
  EXPECT_FALSE(::dlsym(library.handle, "tenon_runtime_load"));
  EXPECT_TRUE(::dlsym(library.handle, "tenon_trace_json"));
  EXPECT_TRUE(::dlsym(library.handle, "tenon_memory_bytes"));
}

// RuntimeFunctions.h and ABI.h say the same.
#define CHECK_OF_ARTIFACT(RESULT, NAME, PARAMETERS, RUNTIME, ARGUMENTS)        \
  static_assert(std::is_same_v<RESULT(*) PARAMETERS, decltype(&tenon_##NAME)>);
#define CHECK_FUNCTION(RESULT, NAME, PARAMETERS, ARGUMENTS)                    \
  static_assert(std::is_same_v<decltype(&tenon_runtime_##NAME),                \
                               decltype(&tenon_##NAME)>);
TENON_RUNTIME_FUNCTIONS(CHECK_OF_ARTIFACT, CHECK_FUNCTION)

TEST(Abi, TwoArtifactsInOneLibrary) {
  Library library("counter"); // affine
  decltype(&::tenon_load_with) load;
  decltype(&::tenon_run_entry) runEntry;
  decltype(&::tenon_infer_entry_shapes) inferShapes;
  decltype(&::tenon_reset_states) reset;
  decltype(&::tenon_unload) unload;
  library.get("counter_load_with", load);
  library.get("counter_run_entry", runEntry);
  library.get("counter_infer_entry_shapes", inferShapes);
  library.get("counter_reset_states", reset);
  library.get("counter_unload", unload);
  EXPECT_EQ(
      static_cast<const char *>(::dlsym(library.handle, "tenon_symbol_prefix")),
      std::string("counter"));
  tenon_model *counter = nullptr, *affine = nullptr;
  ASSERT_EQ(load(nullptr, &counter), 0) << library.lastError();
  tenon_options options = {};
  options.random_params = 1;
  ASSERT_EQ(library.load(&options, &affine), 0) << library.lastError();
  float x[4] = {1, 1, 1, 1}, y[4] = {};
  int64_t shape[] = {4}, room[1];
  tenon_dtype f32 = {TENON_DL_FLOAT, 32, 1};
  tenon_tensor in = {x, 1, 0, 1, f32, shape, nullptr, 0};
  tenon_tensor out = {y, 1, 0, 1, f32, shape, nullptr, 0};
  ASSERT_EQ(runEntry(counter, nullptr, &in, 1, &out, 1), 0);
  ASSERT_EQ(runEntry(counter, "peek", nullptr, 0, &out, 1), 0);
  EXPECT_EQ(y[3], 5);
  tenon_tensor unknown = {};
  unknown.shape = room;
  ASSERT_EQ(inferShapes(counter, "peek", nullptr, 0, &unknown, 1), 0);
  EXPECT_EQ(room[0], 4);
  ASSERT_EQ(reset(counter), 0);
  ASSERT_EQ(runEntry(counter, "peek", nullptr, 0, &out, 1), 0);
  EXPECT_EQ(y[3], 4);
  EXPECT_NE(runEntry(counter, "poke", nullptr, 0, &out, 1), 0);
  // One text of the last error, for both.
  EXPECT_STREQ(library.lastError(),
               "the model has no entry 'poke', only 'add', 'peek'");
  unload(counter);
  library.unload(affine);
}

TEST(Abi, LoadsAndUnloadsManyTimes) {
  for (int i = 0; i < 20; ++i) {
    Library library("affine");
    tenon_options options = {};
    options.random_params = 1;
    options.threads = 2;
    tenon_model *model = nullptr;
    ASSERT_EQ(library.load(&options, &model), 0) << library.lastError();
    library.unload(model);
  }
}
