//===- ABI.cpp - the C functions of an artifact -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/ABI.h"

#include "OwnFile.h"
#include "tenon/Artifact/Program.h"
#include "tenon/Runtime/Model.h"

#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <pthread.h>

using namespace tenon;

/// Emitted by the compiler into the same library.
extern "C" __attribute__((visibility("hidden")))
const tenon_program *const tenon_the_programs[];

#define TENON_EXPORT extern "C" __attribute__((visibility("default")))

/// What callers have is a pointer to a structure without members.
static runtime::Model *get(tenon_model *model) {
  return reinterpret_cast<runtime::Model *>(model);
}

// An array: a string would need a destructor at the end of each thread, when
// the artifact may be unloaded already.
static thread_local char lastError[4096];

static int32_t fail(const std::string &message) {
  std::snprintf(lastError, sizeof lastError, "%s", message.c_str());
  return 1;
}

static int32_t report(const artifact::Status &status) {
  return status ? 0 : fail(status.error());
}

namespace {
/// While an object lives, the thread is not cancelled: a call is done or not
/// done, and cancellation would unwind through `guard`.
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

/// Runs `function`; no exception leaves the C functions. What may still throw
/// is the standard library for want of memory.
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

/// The weights beside this library; empty when no program names them. Those
/// that have parameters share one file.
static std::string defaultParamsPath() {
  const char *file = nullptr;
  for (int i = 0; tenon_the_programs[i] && !file; ++i)
    file = tenon_the_programs[i]->params_file;
  return file ? runtime::getOwnFolder() + "/" + file : "";
}

TENON_EXPORT uint32_t tenon_abi_version(void) {
  return tenon_the_programs[0]->abi_version;
}

TENON_EXPORT const char *tenon_manifest(void) {
  return tenon_the_programs[0]->manifest;
}

TENON_EXPORT int32_t tenon_load(const tenon_options *options,
                                tenon_model **model) {
  return guard([&] {
    if (!model)
      return fail("the pointer to the model is null");
    *model = nullptr;
    tenon_options defaults = {};
    auto loaded = runtime::Model::load(
        tenon_the_programs, options ? *options : defaults, defaultParamsPath());
    if (!loaded)
      return fail(loaded.error());
    *model = reinterpret_cast<tenon_model *>(loaded->release());
    return 0;
  });
}

TENON_EXPORT int32_t tenon_infer_shapes(tenon_model *model,
                                        const tenon_tensor *inputs,
                                        size_t num_inputs,
                                        tenon_tensor *outputs,
                                        size_t num_outputs) {
  return guard([&] {
    if (!model)
      return fail("the model is null");
    return report(
        get(model)->inferShapes(inputs, num_inputs, outputs, num_outputs));
  });
}

TENON_EXPORT int32_t tenon_run(tenon_model *model, const tenon_tensor *inputs,
                               size_t num_inputs, tenon_tensor *outputs,
                               size_t num_outputs) {
  return guard([&] {
    if (!model)
      return fail("the model is null");
    return report(get(model)->run(inputs, num_inputs, outputs, num_outputs));
  });
}

TENON_EXPORT const char *tenon_trace_json(tenon_model *model) {
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

TENON_EXPORT uint64_t tenon_memory_bytes(tenon_model *model) {
  return model ? get(model)->memoryBytes() : 0;
}

TENON_EXPORT void tenon_unload(tenon_model *model) {
  CancelDelay delay;
  runtime::Model::unload(std::unique_ptr<runtime::Model>(get(model)));
}

TENON_EXPORT const char *tenon_last_error(void) { return lastError; }
