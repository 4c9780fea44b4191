//===- ArtifactTest.cpp - shared libraries through the C ABI -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestPrograms.h"
#include "tenon/Artifact/ABI.h"
#include "tenon/Artifact/SafetensorsWriter.h"
#include "tenon/Emit/Emit.h"
#include "tenon/Lower/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

#include <dlfcn.h>

using namespace tenon;
using namespace tenon::emit;
using namespace tenon::emit::test;
using graph::SymInt;

static EmitOptions getOptions() {
  EmitOptions options;
  options.toolVersion = "tenon-compile test";
  return options;
}

/// Emits an artifact of one target.
static mlir::LogicalResult emitTarget(const std::string &target,
                                      const EmitOptions &options,
                                      llvm::StringRef path,
                                      EmitStatistics *statistics = nullptr) {
  return emitSharedLibrary(*parse(target, "two_steps", "cpu:x86-64-v2"),
                           options, path, statistics);
}

/// Runs `emit` and returns the text of its last diagnostic.
template <typename F> static std::string getDiagnostic(F emit) {
  std::string message;
  mlir::ScopedDiagnosticHandler handler(&getContext(),
                                        [&](mlir::Diagnostic &diagnostic) {
                                          message = diagnostic.str();
                                          return mlir::success();
                                        });
  EXPECT_TRUE(failed(emit()));
  return message;
}

/// Names in a folder, sorted.
static std::vector<std::string> list(llvm::StringRef folder) {
  std::vector<std::string> names;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator it(folder, code), end;
       it != end && !code; it.increment(code))
    names.push_back(llvm::StringRef(it->path()).rsplit('/').second.str());
  llvm::sort(names);
  return names;
}

namespace {
/// The functions of one loaded artifact.
struct Artifact {
  explicit Artifact(const std::string &path)
      : library(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (!library)
      error = dlerror();
  }
  ~Artifact() {
    if (library)
      dlclose(library);
  }
  template <typename F> F *get(const char *name, F *) const {
    return reinterpret_cast<F *>(dlsym(library, name));
  }

  void *library;
  std::string error;
};
#define TENON_GET(ARTIFACT, NAME) (ARTIFACT).get(#NAME, &NAME)

/// y := model(x), both vectors of floats.
std::string runModel(const Artifact &artifact, tenon_model *model,
                     std::vector<float> &x, std::vector<float> &y) {
  int64_t xSize = x.size(), ySize = y.size();
  tenon_dtype f32 = {TENON_DL_FLOAT, 32, 1};
  tenon_tensor input = {x.data(), 1, 0, 1, f32, &xSize, nullptr, 0};
  tenon_tensor output = {y.data(), 1, 0, 1, f32, &ySize, nullptr, 0};
  if (TENON_GET(artifact, tenon_run)(model, &input, 1, &output, 1) != 0)
    return TENON_GET(artifact, tenon_last_error)();
  return "";
}
} // namespace

TEST(Artifact, StaticModelRuns) {
  TestFolder folder;
  EmitStatistics statistics;
  ASSERT_TRUE(succeeded(emitTarget(makeTwoSteps(16), getOptions(),
                                   folder / "m.so", &statistics)));
  EXPECT_EQ(statistics.arenaBytes, 64);
  EXPECT_EQ(list(folder / ""), (std::vector<std::string>{"m.h", "m.so"}));
  Artifact artifact(folder / "m.so");
  ASSERT_TRUE(artifact.library) << artifact.error;
  EXPECT_EQ(TENON_GET(artifact, tenon_abi_version)(),
            unsigned(TENON_ABI_VERSION));
  // The runtime is the library's own affair.
  EXPECT_EQ(dlsym(artifact.library, "tenon_runtime_run"), nullptr);
  tenon_model *model = nullptr;
  ASSERT_EQ(TENON_GET(artifact, tenon_load)(nullptr, &model), 0)
      << TENON_GET(artifact, tenon_last_error)();
  std::vector<float> x(16), y(16, -1);
  for (int i = 0; i < 16; ++i)
    x[i] = float(i);
  EXPECT_EQ(runModel(artifact, model, x, y), "");
  for (int i = 0; i < 16; ++i)
    EXPECT_EQ(y[i], 2 * (float(i) + 1));
  std::vector<float> wrong(17);
  EXPECT_NE(runModel(artifact, model, wrong, y), "");
  TENON_GET(artifact, tenon_unload)(model);
}

TEST(Artifact, DynamicModelRuns) {
  TestFolder folder;
  ASSERT_TRUE(succeeded(emitTarget(makeTwoSteps(SymInt::symbol("n"), 3),
                                   getOptions(), folder / "m.so")));
  Artifact artifact(folder / "m.so");
  ASSERT_TRUE(artifact.library) << artifact.error;
  tenon_model *model = nullptr;
  ASSERT_EQ(TENON_GET(artifact, tenon_load)(nullptr, &model), 0);
  for (size_t size : {1, 1000, 7, 0, 100000}) {
    std::vector<float> x(size), y(size, -1);
    for (size_t i = 0; i < size; ++i)
      x[i] = float(i % 100);
    ASSERT_EQ(runModel(artifact, model, x, y), "");
    for (size_t i = 0; i < size; ++i)
      ASSERT_EQ(y[i], 2 * (float(i % 100) + 3));
  }
  TENON_GET(artifact, tenon_unload)(model);
}

/// x + 2.5, step by step twice, with a constant of `size` equal values.
static std::string makeWithRepeatedValue(const std::string &size) {
  return substitute(R"(
program.target cpu {
  %c = program.constant dense<2.5> : tensor<SIZExf32>
  program.entry @main {
    %x = program.input "x" : tensor<SIZExf32>
    %t = program.arena : tensor<SIZExf32> live 0 to 1
    %y = program.output "y" : tensor<SIZExf32>
    program.run {
      program.launch "graph.add" @kernels::@sum(%x, %c, %t) extent(SIZE)
      program.launch "graph.add" @kernels::@sum(%t, %c, %y) extent(SIZE)
    }
  }
)" + getKernels() + "}\n",
                    "SIZE", size);
}

TEST(Artifact, RepeatedValuesAreFilledIn) {
  TestFolder folder;
  auto emitExpanded = [&](const std::string &size, const std::string &path) {
    mlir::OwningOpRef<mlir::ModuleOp> module =
        parse(makeWithRepeatedValue(size));
    mlir::PassManager passes(module.get()->getName());
    passes.addPass(lower::createProgramExpandSplats());
    passes.addPass(lower::createProgramPlanArena());
    return succeeded(passes.run(*module)) &&
           succeeded(emitSharedLibrary(*module, getOptions(), path));
  };
  ASSERT_TRUE(emitExpanded("50000", folder / "m.so"));
  ASSERT_TRUE(emitExpanded("50", folder / "few.so"));
  // The values would take 200,000 bytes.
  EXPECT_LT(readText(folder / "m.so").size(),
            readText(folder / "few.so").size() + 10000);
  Artifact artifact(folder / "m.so");
  ASSERT_TRUE(artifact.library) << artifact.error;
  tenon_model *model = nullptr;
  ASSERT_EQ(TENON_GET(artifact, tenon_load)(nullptr, &model), 0)
      << TENON_GET(artifact, tenon_last_error)();
  std::vector<float> x(50000), y(50000, -1);
  for (int i = 0; i < 50000; ++i)
    x[i] = float(i);
  EXPECT_EQ(runModel(artifact, model, x, y), "");
  for (int i = 0; i < 50000; ++i)
    ASSERT_EQ(y[i], float(i) + 5);
  TENON_GET(artifact, tenon_unload)(model);
}

static void writeWeights(const std::string &path, int64_t size) {
  std::vector<float> w(size);
  for (int64_t i = 0; i < size; ++i)
    w[i] = size == 1 ? 0.5f : 10 * float(i);
  std::vector<uint8_t> unused(3, 7);
  auto writer = artifact::SafetensorsWriter::create(
      path, {{"w", artifact::DType::F32, {size}},
             {"unused", artifact::DType::U8, {3}}});
  ASSERT_TRUE(writer.ok());
  ASSERT_TRUE(writer->write("w", w.data(), 4 * w.size()).ok());
  ASSERT_TRUE(writer->write("unused", unused.data(), 3).ok());
  ASSERT_TRUE(writer->finish().ok());
}

TEST(Artifact, ParametersAreCopied) {
  TestFolder folder;
  writeWeights(folder / "source.safetensors", 4);
  EmitOptions options = getOptions();
  options.paramsSource = folder / "source.safetensors";
  ASSERT_TRUE(
      succeeded(emitTarget(makeWithParameter(), options, folder / "m.so")));
  auto copied = artifact::SafetensorsFile::open(folder / "m.safetensors");
  ASSERT_TRUE(copied.ok());
  ASSERT_EQ(copied->entries().size(), 1u);
  EXPECT_EQ(copied->entries()[0].name, "w");
  Artifact artifact(folder / "m.so");
  ASSERT_TRUE(artifact.library) << artifact.error;
  tenon_model *model = nullptr;
  ASSERT_EQ(TENON_GET(artifact, tenon_load)(nullptr, &model), 0)
      << TENON_GET(artifact, tenon_last_error)();
  std::vector<float> x = {1, 2, 3, 4}, y(4);
  EXPECT_EQ(runModel(artifact, model, x, y), "");
  EXPECT_EQ(y, (std::vector<float>{1, 12, 23, 34}));
  TENON_GET(artifact, tenon_unload)(model);
}

TEST(Artifact, EntriesShareStates) {
  TestFolder folder;
  writeWeights(folder / "source.safetensors", 1);
  EmitOptions options = getOptions();
  options.paramsSource = folder / "source.safetensors";
  options.symbolPrefix = "mine";
  ASSERT_TRUE(
      succeeded(emitTarget(makeTwoEntries(), options, folder / "m.so")));
  Artifact artifact(folder / "m.so");
  ASSERT_TRUE(artifact.library) << artifact.error;
  EXPECT_EQ(dlsym(artifact.library, "tenon_load"), nullptr);
  tenon_model *model = nullptr;
  ASSERT_EQ(artifact.get("mine_load", &tenon_load)(nullptr, &model), 0)
      << artifact.get("mine_last_error", &tenon_last_error)();
  auto runEntry = artifact.get("mine_run_entry", &tenon_run_entry);
  tenon_dtype f32 = {TENON_DL_FLOAT, 32, 1};
  std::vector<float> x = {1, 2, 4}, y(3);
  int64_t shape[] = {3}, matrix[] = {3, 1};
  // The first adds 10 * w = 5 to s, which is 3, after it has read it.
  for (float s : {3.0f, 8.0f, 13.0f}) {
    tenon_tensor input = {x.data(), 1, 0, 1, f32, shape, nullptr, 0};
    tenon_tensor output = {y.data(), 1, 0, 1, f32, shape, nullptr, 0};
    ASSERT_EQ(runEntry(model, nullptr, &input, 1, &output, 1), 0);
    EXPECT_EQ(y, (std::vector<float>{1 + s, 2 + s, 4 + s}));
    input.ndim = output.ndim = 2;
    input.shape = output.shape = matrix;
    ASSERT_EQ(runEntry(model, "peek", &input, 1, &output, 1), 0);
    s += 5;
    EXPECT_EQ(y, (std::vector<float>{1 * s, 2 * s, 4 * s}));
  }
  artifact.get("mine_unload", &tenon_unload)(model);
}

TEST(Artifact, ModelsOwnWeightsStay) {
  TestFolder folder;
  writeWeights(folder / "m.safetensors", 4);
  std::string before = readText(folder / "m.safetensors");
  EmitOptions options = getOptions();
  options.paramsSource = folder / "m.safetensors";
  ASSERT_TRUE(
      succeeded(emitTarget(makeWithParameter(), options, folder / "m.so")));
  EXPECT_EQ(readText(folder / "m.safetensors"), before);
}

TEST(Artifact, WrongWeightsAreRefused) {
  TestFolder folder;
  writeWeights(folder / "source.safetensors", 5);
  EmitOptions options = getOptions();
  options.paramsSource = folder / "source.safetensors";
  EXPECT_EQ(getDiagnostic([&] {
              return emitTarget(makeWithParameter(), options, folder / "m.so");
            }),
            "parameter 'w' in '" + (folder / "source.safetensors") +
                "': expected f32 4, but got f32 5");
  options.paramsSource = folder / "none.safetensors";
  EXPECT_NE(getDiagnostic([&] {
              return emitTarget(makeWithParameter(), options, folder / "m.so");
            }).find("none.safetensors"),
            std::string::npos);
  EXPECT_EQ(list(folder / ""),
            (std::vector<std::string>{"source.safetensors"}));
}

TEST(Artifact, BytesAreReproducible) {
  TestFolder one, two;
  auto emitTo = [&](const std::string &path, unsigned threads) {
    EmitOptions options = getOptions();
    options.threads = threads;
    return succeeded(
        emitTarget(makeTwoSteps(SymInt::symbol("n")), options, path));
  };
  ASSERT_TRUE(emitTo(one / "m.so", 1));
  ASSERT_TRUE(emitTo(two / "m.so", 2));
  EXPECT_EQ(readText(one / "m.so"), readText(two / "m.so"));
  EXPECT_EQ(readText(one / "m.h"), readText(two / "m.h"));
  // No path of the build gets into the library.
  EXPECT_EQ(readText(one / "m.so").find(one / ""), std::string::npos);
  EXPECT_EQ(readText(one / "m.so").find(".cpp"), std::string::npos);
}

TEST(Artifact, HeaderIsCAndCpp) {
  TestFolder folder;
  ASSERT_TRUE(
      succeeded(emitTarget(substitute(makeTwoSteps(SymInt::symbol("n")),
                                      "\"x\"", "\"a */ b\\0A\\\\ ?\?/\""),
                           getOptions(), folder / "m.so")));
  std::string header = readText(folder / "m.h");
  EXPECT_NE(header.find("0: a _/ b__ __/: f32 [n]"), std::string::npos)
      << header;
  for (const char *name : {"use.c", "use.cpp"}) {
    std::error_code code;
    llvm::raw_fd_ostream source(folder / name, code);
    source << "#include \"m.h\"\n#include \"m.h\"\n"
              "int use(tenon_model *m) { return tenon_run(m, 0, 0, 0, 0); }\n";
    source.close();
    EXPECT_EQ(run(TENON_TEST_CC, {"-Wall", "-Wextra", "-pedantic", "-Werror",
                                  "-fsyntax-only", folder / name}),
              0);
  }
}

TEST(Artifact, UnwritableOutputIsRefused) {
  TestFolder folder;
  EXPECT_EQ(getDiagnostic([&] {
              return emitTarget(makeTwoSteps(16), getOptions(),
                                folder / "none/m.so");
            }),
            "can't write '" + (folder / "none/m.so") +
                "': No such file or directory");
  EXPECT_EQ(getDiagnostic([&] {
              return emitTarget(makeTwoSteps(16), getOptions(), folder / "");
            }),
            "can't write '" + (folder / "") + "': expected the name of a file");
  EmitOptions options = getOptions();
  options.runtimeLibrary = folder / "libNone.a";
  EXPECT_EQ(getDiagnostic([&] {
              return emitTarget(makeTwoSteps(16), options, folder / "m.so");
            }),
            "runtime library '" + (folder / "libNone.a") + "' does not exist");
  EXPECT_TRUE(list(folder / "").empty());
}
