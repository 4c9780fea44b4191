//===- CudaLoadErrorTest.cpp - tests of loads that fail on CUDA -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaTestSupport.h"

using namespace tenon;
using namespace tenon::runtime;

using CudaLoadError = CudaTest;

TEST_F(CudaLoadError, NoDriver) {
  TestProgram test, cpu;
  makeStatic(test);
  ::setenv("TENON_CUDA_DRIVER", "/nonexistent/libcuda.so.1", 1);
  std::string start =
      "this artifact's program is for CUDA, but /nonexistent/libcuda.so.1 "
      "can't be opened: /nonexistent/libcuda.so.1: cannot open shared object "
      "file: No such file or directory; run it on a machine with an NVIDIA "
      "driver";
  EXPECT_EQ(loadError(test.get()), start);
  cpu.addOutput("y", {8});
  const tenon_program *programs[] = {&test.get(), &cpu.get(), nullptr};
  auto model = Model::load(programs, {}, "");
  EXPECT_EQ(model.ok() ? "" : model.error(),
            start + ", or choose the cpu program with --device=cpu");
  ::setenv("TENON_CUDA_DRIVER", "libm.so.6", 1);
  EXPECT_EQ(loadError(test.get()),
            "the CUDA driver libm.so.6 is too old: it lacks cuInit");
}

TEST_F(CudaLoadError, NoDevice) {
  TestProgram test;
  makeStatic(test);
  tenon_options second = {};
  second.device_id = 1;
  EXPECT_EQ(loadError(test.get(), second),
            "CUDA device 1 does not exist: the driver finds 1 device, counted "
            "from 0");
  fake->devices = 2;
  EXPECT_EQ(loadError(test.get(), second), "");
  fake->devices = 0;
  EXPECT_EQ(loadError(test.get()),
            "this artifact's program is for CUDA, but the driver finds no "
            "device; run it on a machine with an NVIDIA GPU");
}

TEST_F(CudaLoadError, DriverThatIsNone) {
  TestProgram test;
  makeStatic(test);
  fake->initError = 34;
  std::string error = loadError(test.get());
  EXPECT_EQ(error.substr(error.rfind('/')),
            "/libtenon_fake_cuda.so is the toolkit's stub, not a driver; run "
            "it on a machine with an NVIDIA driver");
  fake->initError = 3;
  error = loadError(test.get());
  EXPECT_EQ(error.substr(error.rfind('/')),
            "/libtenon_fake_cuda.so does not start: CUDA_ERROR_OF_A_FAKE (as "
            "the fake driver says)");
}

TEST_F(CudaLoadError, DeviceThatTellsNothing) {
  TestProgram test;
  makeStatic(test);
  fake->failQuery = -1;
  EXPECT_EQ(loadError(test.get()),
            "the driver can't count its CUDA devices: CUDA_ERROR_OF_A_FAKE (as "
            "the fake driver says)");
  for (int attribute : {75, 76, 97}) {
    fake->failQuery = attribute;
    EXPECT_EQ(loadError(test.get()),
              "CUDA device 0: its attributes can't be queried: "
              "CUDA_ERROR_OF_A_FAKE (as the fake driver says)");
  }
}

TEST_F(CudaLoadError, NoImage) {
  TestProgram test;
  makeStatic(test);
  test.addImage("sm_90", staticImage, TENON_IMAGE_PTX);
  fake->capability = 75;
  EXPECT_EQ(loadError(test.get()),
            "the artifact has no kernels for CUDA device 0 (Fake A, sm_75), "
            "only: cubin sm_80, ptx sm_90");
  TestProgram none;
  makeStatic(none);
  none.get();
  none.program.num_images = 0;
  EXPECT_EQ(loadError(none.program),
            "the artifact is damaged: step 'first' has no image");
}

TEST_F(CudaLoadError, DriverTooOld) {
  for (bool isPtx : {true, false}) {
    TestProgram test;
    makeStatic(test);
    tenon_program program = test.get();
    tenon_gpu_image image = {"sm_80",
                             isPtx ? TENON_IMAGE_PTX : TENON_IMAGE_CUBIN,
                             isPtx ? "too-new-ptx 0" : "too-new-binary 0", 0};
    program.images = &image;
    EXPECT_EQ(loadError(program),
              isPtx ? "CUDA device 0 (Fake A, sm_80): the driver (CUDA 12.4) "
                      "does not load the artifact's PTX for sm_80: "
                      "CUDA_ERROR_UNSUPPORTED_PTX_VERSION (as the fake driver "
                      "says); the driver may be too old for it: unsupported "
                      ".version"
                    : "CUDA device 0 (Fake A, sm_80): the driver (CUDA 12.4) "
                      "does not load the artifact's machine code for sm_80: "
                      "CUDA_ERROR_NO_BINARY_FOR_GPU (as the fake driver says); "
                      "the driver may be too old for it");
  }
}

TEST_F(CudaLoadError, AnotherImageWhereOneIsRefused) {
  for (const char *refused : {"too-new-binary 0", "too-new-kernels 0"}) {
    TestProgram test;
    makeStatic(test);
    tenon_gpu_image images[] = {
        {"sm_80", TENON_IMAGE_CUBIN, refused, 0},
        {"sm_80", TENON_IMAGE_PTX, "too-new-ptx 0", 0},
        {"sm_75", TENON_IMAGE_PTX, staticImage, 0},
    };
    tenon_program program = test.get();
    program.images = images;
    program.num_images = 3;
    auto model = load(program);
    ASSERT_TRUE(model);
    EXPECT_EQ(fake->liveModules, 1);
    TestTensor x({8}, 1), y({8});
    ASSERT_TRUE(run(*model, {&x}, {&y}));
    EXPECT_EQ(y.data[0], 4);
  }
  TestProgram test;
  makeStatic(test);
  tenon_gpu_image images[] = {
      {"sm_80", TENON_IMAGE_CUBIN, "too-new-binary 0", 0},
      {"sm_75", TENON_IMAGE_PTX, "too-new-ptx 0", 0},
  };
  tenon_program program = test.get();
  program.images = images;
  program.num_images = 2;
  EXPECT_EQ(loadError(program),
            "CUDA device 0 (Fake A, sm_80): the driver (CUDA 12.4) does not "
            "load the artifact's machine code for sm_80: "
            "CUDA_ERROR_NO_BINARY_FOR_GPU (as the fake driver says); the "
            "driver may be too old for it; nor its PTX for sm_75: "
            "CUDA_ERROR_UNSUPPORTED_PTX_VERSION");
  // With these, others are of no use.
  for (const char *failing : {"takes-all-memory 0", "loses-device 0"}) {
    images[0].data = failing;
    images[1].data = staticImage;
    EXPECT_NE(loadError(program), "");
    get<FakeCuda *()>("tenon_fake_cuda")();
  }
}

TEST_F(CudaLoadError, KernelsThatCantRun) {
  TestProgram missing;
  makeStatic(missing);
  missing.addLaunch("third", {0, 1}, "none", 1);
  EXPECT_EQ(loadError(missing.get()),
            "CUDA device 0 (Fake A, sm_80): step 'third': the artifact's image "
            "has no kernel 'none': CUDA_ERROR_NOT_FOUND (as the fake driver "
            "says)");
  TestProgram wide;
  makeStatic(wide);
  wide.addLaunch("third", {0, 1}, "add_one", 1, 513);
  TestProgram alone;
  makeStatic(alone);
  alone.addLaunch("third", {0, 0, 1}, "add", 1, 513);
  EXPECT_EQ(loadError(alone.get()),
            "CUDA device 0 (Fake A, sm_80): step 'third': kernel 'add': "
            "expected blocks of at most 512 threads, but got 513");
  EXPECT_EQ(loadError(wide.get()),
            "CUDA device 0 (Fake A, sm_80): step 'third': kernel 'add_one': "
            "expected blocks of at most 512 threads, but got 513");
  TestProgram shared;
  makeStatic(shared);
  shared.addLaunch("third", {0, 1}, "add_one", 1, 8, 200000);
  EXPECT_EQ(loadError(shared.get()),
            "CUDA device 0 (Fake A, sm_80): step 'third': expected at most "
            "100000 bytes of shared memory per block, but got 200000: "
            "CUDA_ERROR_OF_A_FAKE (as the fake driver says)");
}

TEST_F(CudaLoadError, StepsWithoutImplementation) {
  TestProgram library;
  makeStatic(library);
  tenon_call call = {};
  library.addLibrary("graph.matmul", {0, 0, 1}, call);
  EXPECT_EQ(loadError(library.get()),
            "the library step 'graph.matmul' has no CUDA implementation");
  TestProgram plugin;
  makeStatic(plugin);
  tenon_plugin_call plugged = {};
  plugin.addPlugin("call", {0, 1}, plugged);
  EXPECT_EQ(loadError(plugin.get()),
            "step 'call': plug-ins have no CUDA implementation");
}

TEST_F(CudaLoadError, MemoryLimit) {
  TestProgram test;
  makeStatic(test);
  LoadSettings settings;
  const tenon_program *programs[] = {&test.get(), nullptr};
  auto loadError = [&](uint64_t limit) {
    settings.options.memory_limit = limit;
    auto model = Model::load(programs, settings);
    if (!model)
      return model.error();
    TestTensor x({8}, 1), y({8});
    std::string error = run(**model, {&x}, {&y}).error();
    EXPECT_LE((*model)->memoryBytes(), limit);
    return error;
  };
  EXPECT_EQ(loadError(100),
            "out of memory: the arena needs 512 bytes in addition to the 0 in "
            "use, but memory_limit is 100");
  EXPECT_NE(loadError(600).find("but memory_limit is 600"), std::string::npos);
  EXPECT_EQ(loadError(10000), "");
}
