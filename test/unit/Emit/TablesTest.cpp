//===- TablesTest.cpp - emitted tables read as C structures --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestPrograms.h"
#include "tenon/Artifact/Manifest.h"
#include "tenon/Artifact/Program.h"
#include "tenon/Emit/Emit.h"

#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <dlfcn.h>

using namespace tenon;
using namespace tenon::emit;
using namespace tenon::emit::test;
using namespace tenon::backend;
using namespace tenon::lower;
using graph::SymInt;

namespace {
/// Links an emitted object with a function that returns its table.
class LoadedTables {
public:
  explicit LoadedTables(llvm::MutableArrayRef<LoweredProgram> programs) {
    EmitOptions options;
    options.target = llvm::cantFail(parseTarget("cpu:x86-64-v3"));
    options.toolVersion = "tenon-compile test";
    if (failed(emitObjectFile(programs, options, folder / "m.o")))
      return;
    std::error_code code;
    llvm::raw_fd_ostream source(folder / "get.c", code);
    source << "extern const void *const tenon_the_programs[];\n"
              "const void *const *get(void) { return tenon_the_programs; }\n";
    source.close();
    if (run(TENON_TEST_CC, {"-shared", "-fPIC", "-o", folder / "m.so",
                            folder / "get.c", folder / "m.o"}) != 0)
      return;
    void *library = dlopen((folder / "m.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library)
      return;
    auto get = reinterpret_cast<const tenon_program *const *(*)()>(
        dlsym(library, "get"));
    tables = get();
    table = tables[0];
  }

  const tenon_program *table = nullptr; // the first
  const tenon_program *const *tables = nullptr;

private:
  TestFolder folder;
};

void runStep(const tenon_program &table, int step, const int64_t *symbols,
             llvm::ArrayRef<void *> data, int64_t hi) {
  llvm::SmallVector<void *> pointers;
  for (int i = 0; i < table.steps[step].num_buffers; ++i)
    pointers.push_back(data[table.steps[step].buffers[i]]);
  table.steps[step].kernel(symbols, pointers.data(), nullptr, 0, hi);
}
} // namespace

TEST(Tables, StaticProgram) {
  LoweredProgram program = makeTwoSteps(16);
  LoadedTables loaded(program);
  ASSERT_TRUE(loaded.table);
  const tenon_program &table = *loaded.table;
  EXPECT_EQ(table.abi_version, unsigned(TENON_ABI_VERSION));
  EXPECT_EQ(table.cpu_features,
            unsigned(TENON_CPU_X86_64_V2 | TENON_CPU_X86_64_V3));
  EXPECT_STREQ(table.name, "two_steps");
  EXPECT_EQ(table.params_file, nullptr);
  EXPECT_EQ(table.num_symbols, 0);
  ASSERT_EQ(table.num_inputs, 1);
  EXPECT_STREQ(table.inputs[0].name, "x");
  EXPECT_EQ(table.inputs[0].dtype.code, TENON_DL_FLOAT);
  EXPECT_EQ(table.inputs[0].dtype.bits, 32);
  EXPECT_EQ(table.inputs[0].dtype.lanes, 1);
  EXPECT_EQ(table.inputs[0].rank, 1);
  EXPECT_EQ(table.inputs[0].shape[0], 16);
  ASSERT_EQ(table.num_outputs, 1);
  EXPECT_STREQ(table.outputs[0].name, "y");
  EXPECT_EQ(table.num_params, 0);
  int64_t dims[2] = {};
  table.dims(nullptr, dims);
  EXPECT_EQ(dims[0], 16);
  EXPECT_EQ(dims[1], 16);
  EXPECT_EQ(table.donations[0], -1);

  ASSERT_EQ(table.num_buffers, 5);
  EXPECT_EQ(table.buffers[0].kind, TENON_BUFFER_INPUT);
  EXPECT_EQ(table.buffers[1].kind, TENON_BUFFER_CONSTANT);
  EXPECT_EQ(*static_cast<const float *>(table.buffers[1].data), 1.0f);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(table.buffers[1].data) % 64, 0u);
  EXPECT_EQ(table.buffers[2].kind, TENON_BUFFER_ARENA);
  EXPECT_EQ(table.buffers[2].bytes, 64);
  EXPECT_EQ(table.buffers[2].offset, 0);
  EXPECT_EQ(table.buffers[2].first_step, 0);
  EXPECT_EQ(table.buffers[2].last_step, 1);
  EXPECT_EQ(table.buffers[4].kind, TENON_BUFFER_OUTPUT);
  EXPECT_EQ(table.buffers[4].offset, -1);
  EXPECT_EQ(table.buffer_bytes, nullptr);
  EXPECT_EQ(table.arena_bytes, 64);
  EXPECT_EQ(table.scratch_bytes, 0);
  EXPECT_EQ(table.scratch_size, nullptr);
  EXPECT_EQ(table.step_extents, nullptr);

  EXPECT_EQ(table.num_prepare_steps, 0);
  ASSERT_EQ(table.num_steps, 2);
  EXPECT_STREQ(table.steps[0].name, "graph.add");
  EXPECT_EQ(table.steps[0].kind, TENON_STEP_KERNEL);
  EXPECT_EQ(table.steps[0].extent, 16);
  EXPECT_EQ(table.steps[0].grain, 4);
  EXPECT_EQ(table.steps[0].site, nullptr);
  float x[16], t[16], y[16], two = 2;
  for (int i = 0; i < 16; ++i)
    x[i] = float(i);
  void *data[] = {x, const_cast<void *>(table.buffers[1].data), t, &two, y};
  runStep(table, 0, nullptr, data, 16);
  runStep(table, 1, nullptr, data, 16);
  for (int i = 0; i < 16; ++i)
    EXPECT_EQ(y[i], 2 * (float(i) + 1));
}

TEST(Tables, ImagesAndLaunches) {
  LoweredProgram programs[] = {makeTwoStepsOnGpu(SymInt::symbol("n")),
                               makeTwoSteps(SymInt::symbol("n"))};
  LoadedTables loaded(programs);
  ASSERT_TRUE(loaded.table);
  const tenon_program &gpu = *loaded.tables[0], &cpu = *loaded.tables[1];
  EXPECT_EQ(loaded.tables[2], nullptr);
  EXPECT_EQ(gpu.device, TENON_PROGRAM_CUDA);
  ASSERT_EQ(gpu.num_images, 3);
  EXPECT_STREQ(gpu.images[0].arch, "sm_80");
  EXPECT_EQ(gpu.images[0].kind, TENON_IMAGE_CUBIN);
  EXPECT_EQ(gpu.images[0].bytes,
            static_cast<int64_t>(programs[0].images[0].bytes.size()));
  EXPECT_EQ(std::memcmp(gpu.images[0].data, programs[0].images[0].bytes.data(),
                        gpu.images[0].bytes),
            0);
  EXPECT_EQ(gpu.images[1].kind, TENON_IMAGE_PTX);
  EXPECT_EQ(gpu.images[1].bytes, gpu.images[0].bytes - 1);
  EXPECT_EQ(static_cast<const char *>(gpu.images[1].data)[gpu.images[1].bytes],
            0);
  EXPECT_EQ(gpu.steps[0].kernel, nullptr);
  ASSERT_TRUE(gpu.steps[1].launch);
  EXPECT_STREQ(gpu.steps[1].launch->kernel, "twice_through_workspace");
  EXPECT_EQ(gpu.steps[1].launch->block_threads, 8);
  EXPECT_EQ(gpu.steps[1].launch->shared_bytes, 64);
  int64_t symbols[] = {21}, out[5];
  gpu.step_extents(symbols, out);
  EXPECT_EQ(out[0], 3);
  gpu.scratch_size(symbols, out);
  EXPECT_EQ(out[0], 84);

  EXPECT_EQ(cpu.device, TENON_PROGRAM_CPU);
  EXPECT_EQ(cpu.num_images, 0);
  EXPECT_TRUE(cpu.steps[0].kernel);
  EXPECT_EQ(cpu.steps[0].launch, nullptr);
  cpu.step_extents(symbols, out);
  EXPECT_EQ(out[0], 21);
  // What is the same is there once.
  EXPECT_EQ(gpu.manifest, cpu.manifest);
  EXPECT_EQ(gpu.buffers[3].data, cpu.buffers[3].data);

  auto manifest = artifact::parseManifest(gpu.manifest);
  ASSERT_TRUE(manifest.ok()) << manifest.error();
  EXPECT_EQ(manifest->target, "cuda:sm_80,sm_90");
  ASSERT_EQ(manifest->targets.size(), 2u);
  EXPECT_EQ(manifest->targetOn(TENON_DEVICE_CPU), "cpu:x86-64-v3");
  EXPECT_EQ(manifest->targetOn(TENON_DEVICE_CUDA), "cuda:sm_80,sm_90");
  llvm::StringRef text = gpu.manifest;
  EXPECT_NE(text.find("\"backend\": \"cuda\""), llvm::StringRef::npos)
      << text.str();
}

TEST(Tables, ManifestIsRead) {
  LoweredProgram program = makeTwoSteps(SymInt::symbol("n"));
  LoadedTables loaded(program);
  ASSERT_TRUE(loaded.table);
  auto manifest = artifact::parseManifest(loaded.table->manifest);
  ASSERT_TRUE(manifest.ok()) << manifest.error();
  EXPECT_EQ(manifest->name, "two_steps");
  EXPECT_EQ(manifest->target, "cpu:x86-64-v3");
  ASSERT_EQ(manifest->inputs.size(), 1u);
  EXPECT_EQ(manifest->inputs[0].formatType(), "f32 n");
  ASSERT_EQ(manifest->outputs.size(), 1u);
  EXPECT_EQ(manifest->symbols, std::vector<std::string>{"n"});
}

TEST(Tables, DynamicSizes) {
  SymInt n = SymInt::symbol("n"), m = SymInt::symbol("m");
  LoweredProgram program = makeTwoSteps(n);
  program.symbols = {"n", "m"};
  // Every operation that sizes are made of.
  SymInt sizes[] = {n * m - SymInt(7),
                    (n - m).floorDiv(SymInt(3)),
                    SymInt::max(n, m * SymInt(2)),
                    SymInt::min(n, m),
                    n.mod(m),
                    n.ceilDiv(SymInt(4)) * n * n};
  for (const SymInt &size : sizes) {
    Buffer buffer;
    buffer.bytes = size;
    program.buffers.push_back(buffer);
  }
  program.scratchBytes = n * SymInt(8);
  LoadedTables loaded(program);
  ASSERT_TRUE(loaded.table);
  const tenon_program &table = *loaded.table;
  ASSERT_EQ(table.num_symbols, 2);
  EXPECT_STREQ(table.symbol_names[1], "m");
  EXPECT_EQ(table.inputs[0].shape[0], -1);
  EXPECT_EQ(table.arena_bytes, -1);
  EXPECT_EQ(table.buffers[2].bytes, -1);
  EXPECT_EQ(table.buffers[2].offset, -1);
  EXPECT_EQ(table.scratch_bytes, -1);
  EXPECT_EQ(table.steps[0].extent, -1);
  ASSERT_TRUE(table.buffer_bytes && table.scratch_size && table.step_extents);
  int64_t out[11];
  const std::pair<int64_t, int64_t> cases[] = {
      {5, 9}, {9, 5}, {1, 1}, {0, 4}, {1000, 3}};
  for (const auto &values : cases) {
    int64_t a = values.first, b = values.second;
    int64_t symbols[] = {a, b};
    table.buffer_bytes(symbols, out);
    EXPECT_EQ(out[0], 4 * a);
    EXPECT_EQ(out[1], 4);
    auto assignment = [&](llvm::StringRef name) -> std::optional<int64_t> {
      return name == "n" ? a : b;
    };
    for (int i = 0; i < 6; ++i)
      EXPECT_EQ(out[5 + i], sizes[i].evaluate(assignment)) << sizes[i].str();
    table.scratch_size(symbols, out);
    EXPECT_EQ(out[0], 8 * a);
    table.step_extents(symbols, out);
    EXPECT_EQ(out[1], a);
  }
  // Overflow and division by zero give a size that nothing can have.
  int64_t huge[] = {int64_t(1) << 40, 0};
  table.buffer_bytes(huge, out);
  EXPECT_EQ(out[5 + 4], INT64_MAX);
  EXPECT_EQ(out[5 + 5], INT64_MAX);
}

TEST(Tables, LibraryCall) {
  SymInt n = SymInt::symbol("n");
  LoweredProgram program = makeTwoSteps(n);
  mlir::Type f32 = mlir::Float32Type::get(&getContext());
  Step step;
  step.name = "graph.conv";
  step.kind = StepKind::Library;
  step.buffers = {0, 3, 4};
  step.site.kind = SiteKind::Conv;
  step.site.operands = {{f32, {n, 3, 8, 8}, {0, 2, 3, 1}},
                        {f32, {6, 3, 3, 3}, {}},
                        {f32, {n * SymInt(2), 6, 8, 8}, {}}};
  step.site.posts = {{PostKind::Clip, 0.5f, 6.0f}};
  step.site.strides = {1, 2};
  step.site.dilations = {3, 4};
  step.site.padsBegin = {5, 6};
  step.site.padsEnd = {7, 8};
  step.site.groups = 9;
  step.site.constantWeight = true;
  program.steps.push_back(step);
  LoadedTables loaded(program);
  ASSERT_TRUE(loaded.table);
  const tenon_step &read = loaded.table->steps[2];
  EXPECT_EQ(read.kind, TENON_STEP_LIBRARY);
  EXPECT_EQ(read.kernel, nullptr);
  ASSERT_TRUE(read.site);
  const tenon_site &site = *read.site;
  EXPECT_EQ(site.library, TENON_LIBRARY_ONEDNN);
  EXPECT_EQ(site.kind, TENON_SITE_CONV);
  ASSERT_EQ(site.num_operands, 3);
  EXPECT_EQ(site.operands[0].rank, 4);
  EXPECT_EQ(site.operands[0].shape[0], -1);
  EXPECT_EQ(site.operands[0].order[3], 1);
  EXPECT_EQ(site.operands[1].order, nullptr);
  EXPECT_EQ(site.operands[1].dtype.code, TENON_DL_FLOAT);
  EXPECT_EQ(site.operands[2].shape[0], INT64_MIN);
  EXPECT_EQ(site.operands[2].shape[1], 6);
  EXPECT_EQ(site.has_bias, 0);
  ASSERT_EQ(site.num_posts, 1);
  EXPECT_EQ(site.posts[0].kind, TENON_POST_CLIP);
  EXPECT_EQ(site.posts[0].alpha, 0.5f);
  EXPECT_EQ(site.posts[0].beta, 6.0f);
  EXPECT_EQ(site.num_spatial, 2);
  EXPECT_EQ(site.strides[1], 2);
  EXPECT_EQ(site.dilations[0], 3);
  EXPECT_EQ(site.pads_begin[1], 6);
  EXPECT_EQ(site.pads_end[0], 7);
  EXPECT_EQ(site.groups, 9);
  EXPECT_EQ(site.constant_weight, 1);
  ASSERT_TRUE(site.sizes);
  int64_t symbols[] = {21}, size = 0;
  site.sizes(symbols, &size);
  EXPECT_EQ(size, 42);
}

TEST(Tables, LibraryCallOfAPoolAndOfANorm) {
  LoweredProgram program = makeTwoSteps(4);
  mlir::Type f32 = mlir::Float32Type::get(&getContext());
  Step step;
  step.name = "call";
  step.kind = StepKind::Library;
  step.buffers = {0, 4};
  step.site.kind = SiteKind::AvgPoolPadded;
  step.site.operands = {{f32, {1, 3, 8, 8}, {}}, {f32, {1, 3, 4, 2}, {}}};
  step.site.window = {2, 3};
  step.site.alpha = 1, step.site.beta = 2, step.site.k = 3;
  step.site.epsilon = 4;
  program.steps.push_back(step);
  LoadedTables loaded(program);
  ASSERT_TRUE(loaded.table);
  const tenon_site &site = *loaded.table->steps[2].site;
  EXPECT_EQ(site.kind, TENON_SITE_AVG_POOL_PADDED);
  EXPECT_EQ(site.window[0], 2);
  EXPECT_EQ(site.window[1], 3);
  EXPECT_EQ(site.alpha, 1);
  EXPECT_EQ(site.beta, 2);
  EXPECT_EQ(site.k, 3);
  EXPECT_EQ(site.epsilon, 4);
}

static std::string
emitAndExpectError(llvm::MutableArrayRef<LoweredProgram> programs) {
  TestFolder folder;
  std::string message;
  mlir::ScopedDiagnosticHandler handler(&getContext(),
                                        [&](mlir::Diagnostic &diagnostic) {
                                          message = diagnostic.str();
                                          return mlir::success();
                                        });
  EmitOptions options;
  options.target = llvm::cantFail(parseTarget("cpu:x86-64-v3"));
  EXPECT_TRUE(failed(emitObjectFile(programs, options, folder / "m.o")));
  EXPECT_EQ(readText(folder / "m.o"), "");
  EXPECT_EQ(readText(folder / "m.h"), "");
  return message;
}

static std::string emitAndExpectError(LoweredProgram program) {
  return emitAndExpectError(llvm::MutableArrayRef<LoweredProgram>(program));
}

TEST(Tables, BadLaunchesAreRefused) {
  LoweredProgram program = makeTwoStepsOnGpu(16);
  program.steps[0].blockThreads = 0;
  EXPECT_EQ(emitAndExpectError(std::move(program)),
            "step 'graph.add': expected blocks of 1 to 1024 threads, but got "
            "0");
  program = makeTwoStepsOnGpu(16);
  program.steps[0].sharedBytes = -1;
  EXPECT_EQ(emitAndExpectError(std::move(program)),
            "step 'graph.add': a block can't have -1 bytes of shared memory");
  program = makeTwoStepsOnGpu(16);
  program.images.clear();
  EXPECT_EQ(emitAndExpectError(std::move(program)),
            "step 'graph.add': its kernel is in no image for a GPU");
}

TEST(Tables, ProgramsThatDifferAreRefused) {
  LoweredProgram twice[] = {makeTwoSteps(16), makeTwoSteps(16)};
  EXPECT_EQ(emitAndExpectError(twice),
            "an artifact has at most one program for the CPU");
  LoweredProgram sizes[] = {makeTwoSteps(16), makeTwoStepsOnGpu(24)};
  EXPECT_EQ(emitAndExpectError(sizes),
            "targets of one artifact: input 'x' is not the same for all");
  LoweredProgram donated[] = {makeTwoSteps(16), makeTwoStepsOnGpu(16)};
  donated[1].donations = {0};
  EXPECT_EQ(emitAndExpectError(donated),
            "targets of one artifact: donations are not the same for all");
  LoweredProgram params[] = {makeTwoSteps(16), makeTwoStepsOnGpu(16)};
  params[0].params = {{"w", params[0].inputs[0].type}};
  params[1].params = {{"w", mlir::RankedTensorType::get(
                                {3}, mlir::Float32Type::get(&getContext()))}};
  EXPECT_EQ(emitAndExpectError(params),
            "targets of one artifact: parameter 'w' is not the same for all");
}

TEST(Tables, BadProgramsAreRefused) {
  LoweredProgram program = makeTwoSteps(16);
  program.buffers[2].bytes = SymInt::symbol("q");
  EXPECT_EQ(emitAndExpectError(std::move(program)),
            "buffer_bytes: dimension symbol 'q' is not bound by the model's "
            "inputs");
  program = makeTwoSteps(16);
  program.buffers[2].bytes = SymInt::unknown();
  EXPECT_EQ(emitAndExpectError(std::move(program)),
            "buffer 2 has an unknown size");
  program = makeTwoSteps(16);
  program.steps[1].kernel = "none";
  EXPECT_EQ(emitAndExpectError(std::move(program)),
            "step 'graph.scale': kernel 'none' is not defined");
  program = makeTwoSteps(16);
  program.steps[1].buffers[0] = 99;
  EXPECT_EQ(emitAndExpectError(std::move(program)),
            "step 'graph.scale' names buffer 99 of 5");
  program = makeTwoSteps(16);
  program.buffers[1].bytes = 8;
  EXPECT_EQ(emitAndExpectError(std::move(program)),
            "buffer 1: expected 8 bytes, but its constant holds 4");
}
