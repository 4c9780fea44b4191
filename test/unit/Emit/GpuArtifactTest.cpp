//===- GpuArtifactTest.cpp - artifacts with programs for several devices ===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestPrograms.h"
#include "tenon/Artifact/SafetensorsWriter.h"
#include "tenon/Emit/Emit.h"

#include "gtest/gtest.h"

#include <cstdlib>

using namespace tenon;
using namespace tenon::emit;
using namespace tenon::emit::test;
using graph::SymInt;

static EmitOptions getOptions() {
  EmitOptions options;
  options.toolVersion = "tenon-compile test";
  return options;
}

namespace {
/// With the CUDA driver for tests in place of the machine's.
class GpuArtifact : public testing::Test {
protected:
  GpuArtifact() { ::setenv("TENON_CUDA_DRIVER", TENON_FAKE_CUDA, 1); }
  ~GpuArtifact() override {
    ::unsetenv("TENON_CUDA_DRIVER");
    ::unsetenv("TENON_FAKE_CUDA_DEVICES");
  }

  /// The lines of tenon-run's report about the model and its output.
  std::string runTool(std::vector<std::string> arguments) {
    std::string command = TENON_RUN;
    for (const std::string &argument : arguments)
      command += " '" + argument + "'";
    command += " > " + (folder / "out.txt") + " 2>&1";
    status = std::system(command.c_str());
    return readText(folder / "out.txt");
  }

  TestFolder folder;
  int status = 0;
};
} // namespace

TEST_F(GpuArtifact, RunsOnEachDevice) {
  SymInt n = SymInt::symbol("n");
  EmitOptions options = getOptions();
  ASSERT_TRUE(succeeded(
      emitSharedLibrary(*parse({makeTwoStepsOnGpu(n), makeTwoSteps(n)},
                               "two_steps", "cuda:sm_90,cpu:x86-64-v3"),
                        options, folder / "m.so")));
  EXPECT_NE(
      readText(folder / "m.h")
          .find("by tenon-compile test for cuda:sm_90 and cpu:x86-64-v3. The"),
      std::string::npos);
  // 2 * (x + 1) with x in [3, 3.0001).
  for (const char *device : {"cuda", "cuda:0", "cpu"}) {
    std::string report =
        runTool({folder / "m.so", std::string("--device=") + device,
                 "--input=random:1:100:uniform(3,3.0001)", "--repeat=3",
                 "--output=@" + (folder / "y.npy")});
    EXPECT_EQ(status, 0) << report;
    EXPECT_NE(report.find(std::string("model 'two_steps' for ") +
                          (device[1] == 'p' ? "cpu:x86-64-v3" : "cuda:sm_90")),
              std::string::npos)
        << report;
    EXPECT_NE(report.find("output 'y': f32 100"), std::string::npos) << report;
    // Both devices give the same result.
    if (device[1] == 'p') {
      runTool({folder / "m.so", "--input=random:1:100:uniform(3,3.0001)",
               "--expect=@" + (folder / "y.npy"), "--rtol=0"});
      EXPECT_EQ(status, 0) << readText(folder / "out.txt");
    }
  }
  ::setenv("TENON_FAKE_CUDA_DEVICES", "0", 1);
  std::string report = runTool({folder / "m.so", "--input=random:1:100"});
  EXPECT_NE(status, 0);
  EXPECT_EQ(report, "tenon-run: error: cannot load the model: this artifact's "
                    "program is for CUDA, but the driver finds no device; run "
                    "it on a machine with an NVIDIA GPU, or choose the cpu "
                    "program with --device=cpu\n");
}

TEST_F(GpuArtifact, HoldsNoKernelsForTheCpuWhereNoneAreAskedFor) {
  ASSERT_TRUE(succeeded(emitSharedLibrary(*parse(makeTwoStepsOnGpu(16)),
                                          getOptions(), folder / "m.so")));
  std::string report = runTool({folder / "m.so", "--device=cpu"});
  EXPECT_NE(report.find("the artifact has no program for cpu, only for cuda"),
            std::string::npos)
      << report;
  report = runTool({folder / "m.so"});
  EXPECT_EQ(status, 0) << report;
}

TEST_F(GpuArtifact, BytesAreReproducible) {
  auto emitTo = [&](const std::string &path, unsigned threads) {
    EmitOptions options = getOptions();
    options.threads = threads;
    return succeeded(emitSharedLibrary(
        *parse({makeTwoSteps(16), makeTwoStepsOnGpu(16)}), options, path));
  };
  TestFolder other;
  ASSERT_TRUE(emitTo(folder / "m.so", 1));
  ASSERT_TRUE(emitTo(other / "m.so", 2));
  EXPECT_EQ(readText(folder / "m.so"), readText(other / "m.so"));
}

TEST_F(GpuArtifact, WeightsAreThoseOfAllPrograms) {
  using artifact::DType;
  auto writer = artifact::SafetensorsWriter::create(
      folder / "source.safetensors",
      {{"v", DType::F32, {2}}, {"w", DType::F32, {4}}, {"x", DType::I8, {1}}});
  ASSERT_TRUE(writer.ok());
  float data[4] = {1, 2, 3, 4};
  ASSERT_TRUE(writer->write("v", data, 8).ok() &&
              writer->write("w", data, 16).ok() &&
              writer->write("x", data, 1).ok() && writer->finish().ok());
  std::string gpu = R"(
program.target cuda attributes {
    images = [#program.image<"sm_80" cubin "add 4\0A">]} {
  %w = program.parameter "w" : tensor<4xf32>
  %v = program.parameter "v" : tensor<2xf32>
  program.entry @main {
    %x = program.input "x" : tensor<4xf32>
    %y = program.output "y" : tensor<4xf32>
    program.run {
      program.launch "graph.add" @kernels::@add(%x, %w, %y) extent(1) block 4
    }
  }
  builtin.module @kernels {
    llvm.func @add()
  }
}
)";
  EmitOptions options = getOptions();
  options.paramsSource = folder / "source.safetensors";
  ASSERT_TRUE(succeeded(emitSharedLibrary(*parse({makeWithParameter(), gpu}),
                                          options, folder / "m.so")));
  auto copied = artifact::SafetensorsFile::open(folder / "m.safetensors");
  ASSERT_TRUE(copied.ok());
  EXPECT_EQ(copied->entries().size(), 2u);
  EXPECT_TRUE(copied->find("w") && copied->find("v"));
  for (const char *device : {"--device=cpu", "--device=cuda"}) {
    std::string report = runTool({folder / "m.so", device});
    EXPECT_EQ(status, 0) << report;
  }
}
