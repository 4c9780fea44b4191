//===- TablesTest.cpp - emitted tables read as C structures ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoadedTables.h"
#include "tenon/Artifact/Manifest.h"
#include "tenon/Artifact/RuntimeFunctions.h"

#include "llvm/Support/JSON.h"
#include "gtest/gtest.h"

using namespace tenon;
using namespace tenon::emit;
using namespace tenon::emit::test;
using graph::SymInt;

/// Runs the kernel of a step, on data by the number of the buffer.
static void runStep(const tenon_program &table, int step,
                    const int64_t *symbols, llvm::ArrayRef<void *> data,
                    int64_t hi) {
  llvm::SmallVector<void *> pointers;
  for (int i = 0; i < table.steps[step].num_buffers; ++i)
    pointers.push_back(data[table.steps[step].buffers[i]]);
  table.steps[step].kernel(symbols, pointers.data(), nullptr, 0, hi);
}
TEST(Tables, StaticProgram) {
  LoadedTables loaded(makeTwoSteps(16));
  ASSERT_TRUE(loaded.table);
  EXPECT_EQ(loaded.artifact->abi_version, unsigned(TENON_ABI_VERSION));
  EXPECT_EQ(loaded.artifact->params_file, nullptr);
  EXPECT_EQ(loaded.tables[1], nullptr);
  const tenon_program &table = *loaded.table;
  EXPECT_EQ(table.cpu_features,
            unsigned(TENON_CPU_X86_64_V2 | TENON_CPU_X86_64_V3));
  EXPECT_STREQ(table.name, "two_steps");
  EXPECT_EQ(table.num_params, 0);
  EXPECT_EQ(table.num_states, 0);
  ASSERT_EQ(table.num_entries, 1);
  const tenon_entry &entry = table.entries[0];
  EXPECT_STREQ(entry.name, "main");
  EXPECT_EQ(entry.num_symbols, 0);
  ASSERT_EQ(entry.num_inputs, 1);
  EXPECT_STREQ(entry.inputs[0].name, "x");
  EXPECT_EQ(entry.inputs[0].dtype.code, TENON_DL_FLOAT);
  EXPECT_EQ(entry.inputs[0].dtype.bits, 32);
  EXPECT_EQ(entry.inputs[0].dtype.lanes, 1);
  EXPECT_EQ(entry.inputs[0].rank, 1);
  EXPECT_EQ(entry.inputs[0].shape[0], 16);
  ASSERT_EQ(entry.num_outputs, 1);
  EXPECT_STREQ(entry.outputs[0].name, "y");
  int64_t dims[2] = {};
  entry.dims(nullptr, dims);
  EXPECT_EQ(dims[0], 16);
  EXPECT_EQ(dims[1], 16);
  EXPECT_EQ(entry.donations[0], -1);
  EXPECT_EQ(entry.num_conditions, 0);
  EXPECT_EQ(entry.condition_values, nullptr);

  // Shared buffers come first.
  ASSERT_EQ(table.num_buffers, 5);
  EXPECT_EQ(entry.first_buffer, 2);
  EXPECT_EQ(entry.end_buffer, 5);
  EXPECT_EQ(table.buffers[0].kind, TENON_BUFFER_CONSTANT);
  EXPECT_EQ(*static_cast<const float *>(table.buffers[0].data), 1.0f);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(table.buffers[0].data) % 64, 0u);
  EXPECT_EQ(table.buffers[2].kind, TENON_BUFFER_INPUT);
  EXPECT_EQ(table.buffers[2].data, nullptr);
  EXPECT_EQ(table.buffers[3].kind, TENON_BUFFER_ARENA);
  EXPECT_EQ(table.buffers[3].bytes, 64);
  EXPECT_EQ(table.buffers[3].offset, 0);
  EXPECT_EQ(table.buffers[3].first_step, 0);
  EXPECT_EQ(table.buffers[3].last_step, 1);
  EXPECT_EQ(table.buffers[3].value, nullptr);
  EXPECT_EQ(table.buffers[4].kind, TENON_BUFFER_OUTPUT);
  EXPECT_EQ(table.buffers[4].offset, -1);
  EXPECT_EQ(entry.buffer_bytes, nullptr);
  EXPECT_EQ(entry.arena_bytes, 64);
  EXPECT_EQ(entry.scratch_bytes, 0);
  EXPECT_EQ(entry.scratch_size, nullptr);
  EXPECT_EQ(entry.step_extents, nullptr);

  EXPECT_EQ(table.prepare.first_step, 0);
  EXPECT_EQ(table.prepare.end_step, 0);
  EXPECT_EQ(table.prepare.arena_bytes, 0);
  ASSERT_EQ(table.num_steps, 2);
  EXPECT_EQ(entry.first_step, 0);
  EXPECT_EQ(entry.end_step, 2);
  EXPECT_STREQ(table.steps[0].name, "graph.add");
  EXPECT_EQ(table.steps[0].kind, TENON_STEP_KERNEL);
  EXPECT_EQ(table.steps[0].extent, 16);
  EXPECT_EQ(table.steps[0].grain, 4);
  EXPECT_EQ(table.steps[0].call, nullptr);
  float x[16], t[16], y[16], two = 2;
  for (int i = 0; i < 16; ++i)
    x[i] = float(i);
  void *data[] = {const_cast<void *>(table.buffers[0].data), &two, x, t, y};
  runStep(table, 0, nullptr, data, 16);
  runStep(table, 1, nullptr, data, 16);
  for (int i = 0; i < 16; ++i)
    EXPECT_EQ(y[i], 2 * (float(i) + 1));
}

TEST(Tables, EntriesAndStates) {
  LoadedTables loaded(makeTwoEntries());
  ASSERT_TRUE(loaded.table);
  EXPECT_STREQ(loaded.artifact->params_file, "m.safetensors");
  const tenon_program &table = *loaded.table;
  ASSERT_EQ(table.num_params, 1);
  EXPECT_STREQ(table.params[0].name, "w");
  ASSERT_EQ(table.num_states, 2);
  EXPECT_STREQ(table.states[0].value.name, "s");
  EXPECT_EQ(table.states[0].value.dtype.code, TENON_DL_FLOAT);
  EXPECT_EQ(table.states[0].value.shape[0], 1);
  ASSERT_TRUE(table.states[0].initial);
  EXPECT_EQ(*static_cast<const float *>(table.states[0].initial), 3.0f);
  EXPECT_STREQ(table.states[1].value.name, "z");
  EXPECT_EQ(table.states[1].value.dtype.bits, 64);
  EXPECT_EQ(table.states[1].initial, nullptr);

  // Those of all, of prepare, of the first, and of the second entry.
  const int kinds[] = {
      TENON_BUFFER_PARAM,    TENON_BUFFER_STATE,    TENON_BUFFER_STATE,
      TENON_BUFFER_CONSTANT, TENON_BUFFER_PREPARED, TENON_BUFFER_ARENA,
      TENON_BUFFER_INPUT,    TENON_BUFFER_ARENA,    TENON_BUFFER_OUTPUT,
      TENON_BUFFER_INPUT,    TENON_BUFFER_ARENA,    TENON_BUFFER_OUTPUT};
  ASSERT_EQ(table.num_buffers, 12);
  for (int i = 0; i < 12; ++i)
    EXPECT_EQ(table.buffers[i].kind, kinds[i]) << i;
  EXPECT_EQ(table.buffers[1].index, 0);
  EXPECT_EQ(table.buffers[2].index, 1);
  EXPECT_EQ(table.buffers[2].bytes, 16);
  EXPECT_EQ(table.buffers[9].index, 0);
  ASSERT_EQ(table.num_entries, 2);
  const tenon_entry &prepare = table.prepare, &step = table.entries[0],
                    &peek = table.entries[1];
  auto expectRanges = [](const tenon_entry &entry, int firstBuffer,
                         int endBuffer, int firstStep, int endStep) {
    EXPECT_EQ(entry.first_buffer, firstBuffer) << entry.name;
    EXPECT_EQ(entry.end_buffer, endBuffer) << entry.name;
    EXPECT_EQ(entry.first_step, firstStep) << entry.name;
    EXPECT_EQ(entry.end_step, endStep) << entry.name;
  };
  expectRanges(prepare, 5, 6, 0, 2);
  expectRanges(step, 6, 9, 2, 5);
  expectRanges(peek, 9, 12, 5, 7);
  EXPECT_EQ(table.num_steps, 7);
  EXPECT_EQ(table.steps[6].kind, TENON_STEP_COPY);
  EXPECT_EQ(table.steps[6].buffers[0], 10);
  EXPECT_EQ(table.steps[6].buffers[1], 11);

  // Steps are counted in the program.
  EXPECT_EQ(table.buffers[5].first_step, 0);
  EXPECT_EQ(table.buffers[5].last_step, 1);
  EXPECT_EQ(table.buffers[5].offset, 0);
  EXPECT_EQ(prepare.arena_bytes, 64);
  EXPECT_EQ(table.buffers[7].first_step, 2);
  EXPECT_EQ(table.buffers[7].last_step, 3);
  EXPECT_EQ(table.buffers[10].first_step, 5);
  EXPECT_EQ(table.buffers[10].last_step, 6);
  EXPECT_EQ(step.arena_bytes, -1);

  // The values that buffers hold.
  ASSERT_TRUE(table.buffers[7].value);
  EXPECT_STREQ(table.buffers[7].value->name, "m.mlir:2:3 graph.add");
  EXPECT_EQ(table.buffers[7].value->dtype.code, TENON_DL_FLOAT);
  ASSERT_EQ(table.buffers[7].value->rank, 1);
  EXPECT_EQ(table.buffers[7].value->shape[0], -1);
  EXPECT_EQ(table.buffers[10].value, nullptr);
  ASSERT_TRUE(table.buffers[11].value);
  EXPECT_STREQ(table.buffers[11].value->name, "m.mlir:7:3 graph.mul");
  EXPECT_EQ(table.buffers[11].value->shape[1], -2);

  // Symbols are an entry's own.
  EXPECT_STREQ(step.name, "step");
  ASSERT_EQ(step.num_symbols, 1);
  EXPECT_STREQ(step.symbol_names[0], "n");
  EXPECT_STREQ(peek.name, "peek");
  ASSERT_EQ(peek.num_symbols, 2);
  EXPECT_STREQ(peek.symbol_names[0], "m");
  EXPECT_STREQ(peek.symbol_names[1], "k");
  EXPECT_EQ(peek.inputs[0].shape[0], -1);
  EXPECT_EQ(peek.inputs[0].shape[1], -2);
  EXPECT_STREQ(peek.outputs[0].name, "z");
  int64_t symbols[] = {5, 7}, out[4] = {};
  step.dims(symbols, out);
  EXPECT_EQ(out[0], 5);
  EXPECT_EQ(out[1], 5);
  peek.dims(symbols, out);
  EXPECT_EQ(out[0], 5);
  EXPECT_EQ(out[1], 7);
  EXPECT_EQ(out[3], 7);
  ASSERT_TRUE(step.buffer_bytes && peek.buffer_bytes);
  step.buffer_bytes(symbols, out);
  EXPECT_EQ(out[1], 20);
  peek.buffer_bytes(symbols, out);
  EXPECT_EQ(out[1], 140);
  ASSERT_TRUE(step.step_extents && peek.step_extents);
  step.step_extents(symbols, out);
  EXPECT_EQ(out[0], 5);
  EXPECT_EQ(out[1], 1);
  EXPECT_EQ(out[2], 1);
  peek.step_extents(symbols, out);
  EXPECT_EQ(out[0], 35);
  EXPECT_EQ(step.scratch_bytes, 0);
  ASSERT_TRUE(peek.scratch_size);
  peek.scratch_size(symbols, out);
  EXPECT_EQ(out[0], 40);
  EXPECT_EQ(step.num_conditions, 0);
  ASSERT_EQ(peek.num_conditions, 1);
  EXPECT_STREQ(peek.conditions[0], "expected m of at least 2");
  peek.condition_values(symbols, out);
  EXPECT_EQ(out[0], 3);

  auto manifest = artifact::parseManifest(loaded.artifact->manifest);
  ASSERT_TRUE(manifest.ok()) << manifest.error();
  EXPECT_EQ(manifest->symbols, std::vector<std::string>{"n"});
}

/// The names of the values in a list of a manifest.
static std::vector<std::string> getNames(const llvm::json::Object &from,
                                         llvm::StringRef list) {
  std::vector<std::string> names;
  if (const llvm::json::Array *values = from.getArray(list))
    for (const llvm::json::Value &value : *values)
      if (const llvm::json::Object *object = value.getAsObject())
        names.push_back(object->getString("name").value_or("?").str());
  return names;
}

TEST(Tables, ManifestNamesEntriesAndStates) {
  using Names = std::vector<std::string>;
  LoadedTables loaded(makeTwoEntries());
  ASSERT_TRUE(loaded.table);
  llvm::Expected<llvm::json::Value> json =
      llvm::json::parse(loaded.artifact->manifest);
  ASSERT_TRUE(bool(json)) << llvm::toString(json.takeError());
  const llvm::json::Object &manifest = *json->getAsObject();
  EXPECT_EQ(getNames(manifest, "inputs"), Names{"x"});
  EXPECT_EQ(getNames(manifest, "outputs"), Names{"y"});
  EXPECT_EQ(getNames(manifest, "parameters"), Names{"w"});
  EXPECT_EQ(getNames(manifest, "states"), (Names{"s", "z"}));
  EXPECT_EQ(getNames(manifest, "entries"), (Names{"step", "peek"}));
  // Steps of load, and of the first entry.
  EXPECT_EQ(
      getNames(manifest, "steps"),
      (Names{"graph.mul", "copy to p", "graph.add", "copy to y", "graph.add"}));
  const llvm::json::Array &entries = *manifest.getArray("entries");
  const llvm::json::Object &step = *entries[0].getAsObject();
  EXPECT_EQ(getNames(step, "inputs"), Names{"x"});
  EXPECT_EQ(getNames(step, "outputs"), Names{"y"});
  EXPECT_EQ(step.get("steps"), nullptr);
  const llvm::json::Object &peek = *entries[1].getAsObject();
  EXPECT_EQ(*peek.get("symbols"), llvm::json::Value({"m", "k"}));
  EXPECT_EQ(getNames(peek, "inputs"), Names{"x"});
  EXPECT_EQ(getNames(peek, "outputs"), Names{"z"});
  EXPECT_EQ(getNames(peek, "steps"), (Names{"graph.mul", "copy to z"}));
}

TEST(Tables, ImagesAndLaunches) {
  SymInt n = SymInt::symbol("n");
  LoadedTables loaded({makeTwoStepsOnGpu(n), makeTwoSteps(n)});
  ASSERT_TRUE(loaded.table);
  const tenon_program &gpu = *loaded.tables[0], &cpu = *loaded.tables[1];
  EXPECT_EQ(loaded.tables[2], nullptr);
  EXPECT_EQ(gpu.device, TENON_PROGRAM_CUDA);
  llvm::StringRef image = "add_one 4\ntwice_through_workspace 4\n\n";
  ASSERT_EQ(gpu.num_images, 3);
  EXPECT_STREQ(gpu.images[0].arch, "sm_80");
  EXPECT_EQ(gpu.images[0].kind, TENON_IMAGE_CUBIN);
  EXPECT_EQ(llvm::StringRef(static_cast<const char *>(gpu.images[0].data),
                            gpu.images[0].bytes),
            image);
  EXPECT_EQ(gpu.images[1].kind, TENON_IMAGE_PTX);
  EXPECT_EQ(gpu.images[1].bytes, gpu.images[0].bytes - 1);
  EXPECT_EQ(static_cast<const char *>(gpu.images[1].data)[gpu.images[1].bytes],
            0);
  EXPECT_STREQ(gpu.images[2].arch, "sm_90");
  EXPECT_EQ(gpu.steps[0].kernel, nullptr);
  ASSERT_TRUE(gpu.steps[1].launch);
  EXPECT_STREQ(gpu.steps[1].launch->kernel, "twice_through_workspace");
  EXPECT_EQ(gpu.steps[1].launch->block_threads, 8);
  EXPECT_EQ(gpu.steps[1].launch->shared_bytes, 64);
  int64_t symbols[] = {21}, out[5];
  gpu.entries[0].step_extents(symbols, out);
  EXPECT_EQ(out[0], 3);
  gpu.entries[0].scratch_size(symbols, out);
  EXPECT_EQ(out[0], 84);

  EXPECT_EQ(cpu.device, TENON_PROGRAM_CPU);
  EXPECT_EQ(cpu.num_images, 0);
  EXPECT_TRUE(cpu.steps[0].kernel);
  EXPECT_EQ(cpu.steps[0].launch, nullptr);
  cpu.entries[0].step_extents(symbols, out);
  EXPECT_EQ(out[0], 21);
  // Equal entries are stored once.
  EXPECT_EQ(gpu.buffers[1].data, cpu.buffers[1].data);

  auto manifest = artifact::parseManifest(loaded.artifact->manifest);
  ASSERT_TRUE(manifest.ok()) << manifest.error();
  EXPECT_EQ(manifest->target, "cuda:sm_80,sm_90");
  ASSERT_EQ(manifest->targets.size(), 2u);
  EXPECT_EQ(manifest->targetOn(TENON_DEVICE_CPU), "cpu:x86-64-v3");
  EXPECT_EQ(manifest->targetOn(TENON_DEVICE_CUDA), "cuda:sm_80,sm_90");
  llvm::StringRef text = loaded.artifact->manifest;
  EXPECT_NE(text.find("\"backend\": \"cuda\""), llvm::StringRef::npos)
      << text.str();
}

TEST(Tables, ManifestIsRead) {
  LoadedTables loaded(makeTwoSteps(SymInt::symbol("n")));
  ASSERT_TRUE(loaded.table);
  auto manifest = artifact::parseManifest(loaded.artifact->manifest);
  ASSERT_TRUE(manifest.ok()) << manifest.error();
  EXPECT_EQ(manifest->name, "two_steps");
  EXPECT_EQ(manifest->target, "cpu:x86-64-v3");
  ASSERT_EQ(manifest->inputs.size(), 1u);
  EXPECT_EQ(manifest->inputs[0].formatType(), "f32 n");
  ASSERT_EQ(manifest->outputs.size(), 1u);
  EXPECT_EQ(manifest->symbols, std::vector<std::string>{"n"});
}

#define ADD_NAME_OF_ARTIFACT(RESULT, NAME, PARAMETERS, RUNTIME, ARGUMENTS)     \
  #NAME,
#define ADD_NAME(RESULT, NAME, PARAMETERS, ARGUMENTS) #NAME,

TEST(Tables, ThunksHaveTheirPrefix) {
  LoadedTables loaded(makeTwoSteps(16), "mine");
  ASSERT_TRUE(loaded.table);
  for (const char *name :
       {TENON_RUNTIME_FUNCTIONS(ADD_NAME_OF_ARTIFACT, ADD_NAME)}) {
    EXPECT_TRUE(loaded.find(std::string("mine_") + name)) << name;
    EXPECT_FALSE(loaded.find(std::string("tenon_") + name)) << name;
  }
  auto &called = *static_cast<const char **>(loaded.find("called"));
  auto &first = *static_cast<const void **>(loaded.find("first"));
  auto &last = *static_cast<const void **>(loaded.find("last"));
  // The artifact is put before the arguments.
  tenon_model *model = nullptr;
  auto load = reinterpret_cast<decltype(&tenon_load)>(loaded.find("mine_load"));
  EXPECT_EQ(load(nullptr, &model), 0);
  EXPECT_STREQ(called, "load");
  EXPECT_EQ(first, loaded.artifact);
  // Those of an instance pass on what they are given, and what they get.
  model = reinterpret_cast<tenon_model *>(&model);
  tenon_tensor input = {};
  auto plan = reinterpret_cast<decltype(&tenon_plan_entry)>(
      loaded.find("mine_plan_entry"));
  EXPECT_EQ(plan(model, "main", &input, 1), 1);
  EXPECT_EQ(first, model);
  EXPECT_EQ(last, &input);
  reinterpret_cast<decltype(&tenon_unload)>(loaded.find("mine_unload"))(model);
  EXPECT_STREQ(called, "unload");
}

#undef ADD_NAME_OF_ARTIFACT
#undef ADD_NAME

TEST(Tables, DynamicSizes) {
  SymInt n = SymInt::symbol("n"), m = SymInt::symbol("m");
  std::string text = substitute(makeTwoSteps(n), "symbols [\"n\"]",
                                "symbols [\"n\", \"m\"] scratch(8 * n)");
  // Every operation that sizes are made of.
  SymInt sizes[] = {n * m - SymInt(7),
                    (n - m).floorDiv(SymInt(3)),
                    SymInt::max(n, m * SymInt(2)),
                    SymInt::min(n, m),
                    n.mod(m),
                    n.ceilDiv(SymInt(4)) * n * n};
  std::string buffers;
  for (const SymInt &size : sizes)
    buffers += "    %b" + std::to_string(buffers.size()) +
               " = program.arena : tensor<?xi8, #graph.dims<" + size.str() +
               ">> live 0 to 0\n";
  buffers += "    %m = program.input \"m\" : tensor<?xi8, #graph.dims<m>>\n";
  LoadedTables loaded(
      substitute(text, "    program.run", buffers + "    program.run"));
  ASSERT_TRUE(loaded.table);
  const tenon_program &table = *loaded.table;
  const tenon_entry &entry = table.entries[0];
  ASSERT_EQ(entry.num_symbols, 2);
  EXPECT_STREQ(entry.symbol_names[1], "m");
  EXPECT_EQ(entry.inputs[0].shape[0], -1);
  EXPECT_EQ(entry.arena_bytes, -1);
  EXPECT_EQ(table.buffers[3].bytes, -1);
  EXPECT_EQ(table.buffers[3].offset, -1);
  EXPECT_EQ(entry.scratch_bytes, -1);
  EXPECT_EQ(table.steps[0].extent, -1);
  ASSERT_TRUE(entry.buffer_bytes && entry.scratch_size && entry.step_extents);
  int64_t out[10];
  const std::pair<int64_t, int64_t> cases[] = {
      {5, 9}, {9, 5}, {1, 1}, {0, 4}, {1000, 3}};
  for (const auto &values : cases) {
    int64_t a = values.first, b = values.second;
    int64_t symbols[] = {a, b};
    entry.buffer_bytes(symbols, out);
    EXPECT_EQ(out[0], 4 * a);
    auto assignment = [&](llvm::StringRef name) -> std::optional<int64_t> {
      return name == "n" ? a : b;
    };
    for (int i = 0; i < 6; ++i)
      EXPECT_EQ(out[3 + i], sizes[i].evaluate(assignment)) << sizes[i].str();
    entry.scratch_size(symbols, out);
    EXPECT_EQ(out[0], 8 * a);
    entry.step_extents(symbols, out);
    EXPECT_EQ(out[1], a);
  }
  // Overflow and division by zero give a size that nothing can have.
  int64_t huge[] = {int64_t(1) << 40, 0};
  entry.buffer_bytes(huge, out);
  EXPECT_EQ(out[3 + 4], INT64_MAX);
  EXPECT_EQ(out[3 + 5], INT64_MAX);
}
