//===- LoadedTables.cpp - emitted tables in this process ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoadedTables.h"
#include "tenon/Emit/Emit.h"

#include "llvm/Support/raw_ostream.h"

#include <dlfcn.h>

using namespace tenon;
using namespace tenon::emit;
using namespace tenon::emit::test;

/// In place of the runtime; the manifest's function gives away the tables.
static const char runtimeText[] = R"(
#include "tenon/Artifact/RuntimeFunctions.h"
const char *called;
const void *first, *last;
const void *tenon_runtime_cuda;
#define OF_ARTIFACT(RESULT, NAME, PARAMETERS, RUNTIME_PARAMETERS, ARGUMENTS) \
  RESULT tenon_runtime_##NAME RUNTIME_PARAMETERS {                           \
    called = #NAME;                                                          \
    first = artifact;                                                        \
    return (RESULT)0;                                                        \
  }
#define OF_INSTANCE(RESULT, NAME, PARAMETERS, ARGUMENTS) \
  RESULT tenon_runtime_##NAME PARAMETERS {               \
    called = #NAME;                                      \
    return (RESULT)0;                                    \
  }
#define tenon_runtime_manifest unused_manifest
#define tenon_runtime_plan_entry unused_plan_entry
TENON_RUNTIME_FUNCTIONS(OF_ARTIFACT, OF_INSTANCE)
#undef tenon_runtime_manifest
#undef tenon_runtime_plan_entry
const char *tenon_runtime_manifest(const tenon_artifact *artifact) {
  return (const char *)artifact;
}
int32_t tenon_runtime_plan_entry(tenon_model *model, const char *entry,
                                 const tenon_tensor *inputs,
                                 size_t num_inputs) {
  first = model;
  last = inputs;
  return (int32_t)num_inputs;
}
)";

LoadedTables::LoadedTables(llvm::ArrayRef<std::string> targets,
                           const std::string &prefix) {
  EmitOptions options;
  options.toolVersion = "tenon-compile test";
  options.symbolPrefix = prefix;
  mlir::OwningOpRef<mlir::ModuleOp> module = parse(targets);
  if (!module || failed(emitObjectFile(*module, options, folder / "m.o")))
    return;
  std::error_code code;
  llvm::raw_fd_ostream(folder / "runtime.c", code) << runtimeText;
  if (run(TENON_TEST_CC,
          {"-shared", "-fPIC", std::string("-I") + TENON_TEST_INCLUDE,
           std::string("-I") + TENON_TEST_GENERATED, "-o",
           folder / "m.so", folder / "runtime.c", folder / "m.o"}) != 0)
    return;
  library = dlopen((folder / "m.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  auto get = reinterpret_cast<const char *(*)()>(find(prefix + "_manifest"));
  if (!get)
    return;
  artifact = reinterpret_cast<const tenon_artifact *>(get());
  tables = artifact->programs;
  table = tables[0];
}

void *LoadedTables::find(const std::string &name) const {
  return library ? dlsym(library, name.c_str()) : nullptr;
}
