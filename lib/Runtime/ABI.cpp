//===- ABI.cpp - the C functions of an artifact -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/RuntimeFunctions.h"

#include "Options.h"
#include "Pool.h"
#include "WeightsStore.h"
#include "tenon/Runtime/Model.h"

#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <pthread.h>

using namespace tenon;
using artifact::Expected;

/// A tenon_model is opaque to callers.
static runtime::Model *get(tenon_model *model) {
  return reinterpret_cast<runtime::Model *>(model);
}

// An array, because a string would need a destructor at the end of each thread,
// when the artifact may already be unloaded.
static thread_local char lastError[4096];

static int32_t fail(const std::string &message) {
  std::snprintf(lastError, sizeof lastError, "%s", message.c_str());
  return 1;
}

static int32_t report(const artifact::Status &status) {
  return status ? 0 : fail(status.error());
}

namespace {
/// During the lifetime of an object, the thread is not cancelled: cancellation
/// would unwind through `guard` and leave a call half done.
class CancelDelay {
public:
  CancelDelay() { ::pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before); }
  ~CancelDelay() { ::pthread_setcancelstate(before, nullptr); }
  CancelDelay(const CancelDelay &) = delete;
  CancelDelay &operator=(const CancelDelay &) = delete;

private:
  int before = PTHREAD_CANCEL_ENABLE;
};
} // namespace

/// Runs `function` so that no exception leaves the C functions. Only the
/// standard library can still throw, when out of memory.
template <typename Function> static int32_t guard(Function function) {
  CancelDelay delay;
  try {
    return function();
  } catch (const std::bad_alloc &) {
    std::strcpy(lastError, "out of memory");
  } catch (const std::exception &error) {
    std::snprintf(lastError, sizeof lastError, "%s", error.what());
  } catch (...) {
    std::strcpy(lastError, "unknown exception");
  }
  return 1;
}

/// Reads options from a structure that may be shorter or longer than ours.
static Expected<tenon_load_options>
readLoadOptions(const tenon_load_options *options) {
  tenon_load_options read = {};
  if (options)
    if (artifact::Status status = runtime::readOptions(
            "tenon_load_options", options, sizeof read, &read);
        !status)
      return status.takeError();
  return read;
}

//===----------------------------------------------------------------------===//
// Functions of an artifact
//===----------------------------------------------------------------------===//

uint32_t tenon_runtime_abi_version(const tenon_artifact *artifact) {
  return artifact->abi_version;
}

const char *tenon_runtime_manifest(const tenon_artifact *artifact) {
  return artifact->manifest;
}

const tenon_artifact *tenon_runtime_tables(const tenon_artifact *artifact) {
  return artifact;
}

static int32_t load(const tenon_artifact *artifact,
                    const tenon_load_options *options, tenon_model **model) {
  if (!model)
    return fail("the pointer to the model is null");
  *model = nullptr;
  Expected<tenon_load_options> read = readLoadOptions(options);
  if (!read)
    return fail(read.error());
  auto loaded = runtime::Model::load(*artifact, *read);
  if (!loaded)
    return fail(loaded.error());
  *model = reinterpret_cast<tenon_model *>(loaded->release());
  return 0;
}

int32_t tenon_runtime_load(const tenon_artifact *artifact,
                           const tenon_options *options, tenon_model **model) {
  return guard([&] {
    tenon_load_options all = {};
    all.struct_size = sizeof all;
    if (options)
      all.options = *options;
    return load(artifact, &all, model);
  });
}

int32_t tenon_runtime_load_with(const tenon_artifact *artifact,
                                const tenon_load_options *options,
                                tenon_model **model) {
  return guard([&] { return load(artifact, options, model); });
}

int32_t tenon_runtime_plan_memory(const tenon_artifact *artifact,
                                  const tenon_load_options *options,
                                  int32_t rank, tenon_memory_plan *plan) {
  return guard([&] {
    if (!plan)
      return fail("the pointer to the plan is null");
    if (plan->struct_size != sizeof *plan)
      return fail(artifact::concat("tenon_memory_plan.struct_size: expected ",
                                   sizeof *plan, ", but got ",
                                   plan->struct_size));
    Expected<tenon_load_options> read = readLoadOptions(options);
    if (!read)
      return fail(read.error());
    *plan = {};
    plan->struct_size = sizeof *plan;
    return report(runtime::Model::planMemory(*artifact, *read, rank, *plan));
  });
}

//===----------------------------------------------------------------------===//
// Functions of an instance
//===----------------------------------------------------------------------===//

/// Calls `function` with the instance.
template <typename Function>
static int32_t withModel(tenon_model *model, Function function) {
  return guard([&] {
    return model ? report(function(*get(model))) : fail("the model is null");
  });
}

int32_t tenon_runtime_infer_entry_shapes(tenon_model *model, const char *entry,
                                         const tenon_tensor *inputs,
                                         size_t num_inputs,
                                         tenon_tensor *outputs,
                                         size_t num_outputs) {
  return withModel(model, [&](runtime::Model &instance) {
    return instance.inferShapes(entry, inputs, num_inputs, outputs,
                                num_outputs);
  });
}

int32_t tenon_runtime_infer_shapes(tenon_model *model,
                                   const tenon_tensor *inputs,
                                   size_t num_inputs, tenon_tensor *outputs,
                                   size_t num_outputs) {
  return tenon_runtime_infer_entry_shapes(model, nullptr, inputs, num_inputs,
                                          outputs, num_outputs);
}

int32_t tenon_runtime_run_entry(tenon_model *model, const char *entry,
                                const tenon_tensor *inputs, size_t num_inputs,
                                tenon_tensor *outputs, size_t num_outputs) {
  return withModel(model, [&](runtime::Model &instance) {
    return instance.run(entry, inputs, num_inputs, outputs, num_outputs);
  });
}

int32_t tenon_runtime_run(tenon_model *model, const tenon_tensor *inputs,
                          size_t num_inputs, tenon_tensor *outputs,
                          size_t num_outputs) {
  return tenon_runtime_run_entry(model, nullptr, inputs, num_inputs, outputs,
                                 num_outputs);
}

int32_t tenon_runtime_plan_entry(tenon_model *model, const char *entry,
                                 const tenon_tensor *inputs,
                                 size_t num_inputs) {
  return withModel(model, [&](runtime::Model &instance) {
    return instance.plan(entry, inputs, num_inputs);
  });
}

int32_t tenon_runtime_run_on_stream(tenon_model *model, const char *entry,
                                    const tenon_tensor *inputs,
                                    size_t num_inputs, tenon_tensor *outputs,
                                    size_t num_outputs, void *stream) {
  return withModel(model, [&](runtime::Model &instance) {
    return instance.runOnStream(entry, inputs, num_inputs, outputs, num_outputs,
                                stream);
  });
}

int32_t tenon_runtime_finish(tenon_model *model) {
  return withModel(model,
                   [&](runtime::Model &instance) { return instance.finish(); });
}

int32_t tenon_runtime_get_state(tenon_model *model, const char *name,
                                const tenon_tensor *tensor) {
  return withModel(model, [&](runtime::Model &instance) {
    return instance.getState(name, tensor);
  });
}

int32_t tenon_runtime_set_state(tenon_model *model, const char *name,
                                const tenon_tensor *tensor) {
  return withModel(model, [&](runtime::Model &instance) {
    return instance.setState(name, tensor);
  });
}

int32_t tenon_runtime_reset_states(tenon_model *model) {
  return withModel(
      model, [&](runtime::Model &instance) { return instance.resetStates(); });
}

int32_t tenon_runtime_save_states(tenon_model *model, const char *path) {
  return withModel(model, [&](runtime::Model &instance) {
    return instance.saveStates(path);
  });
}

int32_t tenon_runtime_restore_states(tenon_model *model, const char *path) {
  return withModel(model, [&](runtime::Model &instance) {
    return instance.restoreStates(path);
  });
}

int32_t tenon_runtime_observe(tenon_model *model, tenon_observer observer,
                              void *context) {
  return withModel(model, [&](runtime::Model &instance) {
    return instance.observe(observer, context);
  });
}

const char *tenon_runtime_trace_json(tenon_model *model) {
  const char *text = nullptr;
  guard([&] {
    if (!model)
      return fail("the model is null");
    artifact::Expected<const char *> json = get(model)->traceJson();
    if (!json)
      return fail(json.error());
    text = *json;
    return 0;
  });
  return text;
}

uint64_t tenon_runtime_memory_bytes(tenon_model *model) {
  return model ? get(model)->memoryBytes() : 0;
}

const char *tenon_runtime_target(tenon_model *model) {
  return model ? get(model)->target() : nullptr;
}

void tenon_runtime_unload(tenon_model *model) {
  CancelDelay delay;
  runtime::Model::unload(std::unique_ptr<runtime::Model>(get(model)));
}

const char *tenon_runtime_last_error(void) { return lastError; }

//===----------------------------------------------------------------------===//
// Resources that instances share
//===----------------------------------------------------------------------===//

int32_t tenon_runtime_create_pool(int32_t threads, tenon_executor **pool) {
  return guard([&] {
    if (!pool)
      return fail("the pointer to the pool is null");
    *pool = nullptr;
    Expected<runtime::Pool *> made = runtime::Pool::create(threads);
    if (!made)
      return fail(made.error());
    *pool = (*made)->getExecutor();
    return 0;
  });
}

void tenon_runtime_free_pool(tenon_executor *pool) {
  CancelDelay delay;
  // The pool may belong to another copy of the runtime.
  if (pool)
    pool->release(pool->context);
}

int32_t tenon_runtime_open_weights(const tenon_weights_options *options,
                                   tenon_weights **weights) {
  return guard([&] {
    if (!weights)
      return fail("the pointer to the weights is null");
    *weights = nullptr;
    if (!options)
      return fail("the options of the weights are null");
    runtime::LibraryWork work;
    tenon_weights_options read = {};
    if (artifact::Status status = runtime::readOptions(
            "tenon_weights_options", options, sizeof read, &read);
        !status)
      return report(status);
    Expected<runtime::WeightsStore *> opened =
        runtime::WeightsStore::open(read);
    if (!opened)
      return fail(opened.error());
    *weights = *opened;
    return 0;
  });
}

void tenon_runtime_close_weights(tenon_weights *weights) {
  CancelDelay delay;
  runtime::LibraryWork work;
  if (weights)
    weights->table->release(weights);
}
