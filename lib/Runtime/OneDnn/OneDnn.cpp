//===- OneDnn.cpp - oneDNN, loaded at run time --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OneDnn.h"

#include "../Process.h"

#include <dlfcn.h>
#include <memory>
#include <mutex>
#include <new>

using namespace tenon::artifact;

namespace tenon::runtime {

namespace {
struct Loaded {
  OneDnn functions;
  std::string error;

  Loaded() {
    if (Status status = checkMayOpenLibraries(
            "oneDNN", "compile the model with --without=onednn");
        !status) {
      error = status.error();
      return;
    }
    // The library is never closed: its threads and code caches live until the
    // process ends.
    void *library = ::dlopen("libdnnl.so.2", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      const char *reason = ::dlerror();
      error =
          concat("cannot load oneDNN 2: ", reason ? reason : "unknown reason",
                 " (Debian's package libdnnl2 has it)");
      return;
    }
#define X(name)                                                                \
  functions.name = reinterpret_cast<decltype(functions.name)>(                 \
      ::dlsym(library, "dnnl_" #name));                                        \
  if (!functions.name)                                                         \
    error = "cannot use libdnnl.so.2: it has no dnnl_" #name;
    TENON_ONEDNN_FUNCTIONS(X)
#undef X
    if (error.empty() && functions.version()->major != 2)
      error = concat("cannot use libdnnl.so.2: expected version 2, but got ",
                     functions.version()->major);
    if (error.empty() && functions.get_primitive_cache_capacity(
                             &functions.cacheCapacity) != dnnl_success)
      error = "cannot use libdnnl.so.2: its primitive cache can't be queried";
  }
};
} // namespace

Expected<const OneDnn *> OneDnn::get() {
  // A failure is not cached: a resource that was exhausted (descriptors,
  // memory) may be available the next time.
  static std::mutex mutex;
  // Never deleted, because instances may run until the process ends.
  static const Loaded *kept = nullptr;
  std::lock_guard<std::mutex> lock(mutex);
  if (!kept) {
    auto loaded = std::make_unique<const Loaded>();
    if (!loaded->error.empty())
      return makeError(loaded->error);
    kept = loaded.release();
  }
  return &kept->functions;
}

Status OneDnn::createPrimitive(dnnl_primitive_t *primitive,
                               const_dnnl_primitive_desc_t descriptor) const {
  std::string failure;
  try {
    dnnl_status_t status = primitive_create(primitive, descriptor);
    if (status == dnnl_success)
      return Status::success();
    failure = oneDnnStatusText(status);
  } catch (const std::bad_alloc &) {
    failure = "out of memory";
  } catch (const std::exception &error) {
    failure = error.what();
  }
  // Primitives that are in use are not affected.
  if (set_primitive_cache_capacity(0) == dnnl_success)
    set_primitive_cache_capacity(cacheCapacity);
  return makeError(failure);
}

const char *oneDnnStatusText(dnnl_status_t status) {
  switch (status) {
  case dnnl_success:
    return "success";
  case dnnl_out_of_memory:
    return "out of memory";
  case dnnl_invalid_arguments:
    return "invalid arguments";
  case dnnl_unimplemented:
    return "not supported by oneDNN on this processor";
  case dnnl_runtime_error:
    return "run-time error";
  default:
    return "unknown failure";
  }
}

} // namespace tenon::runtime
