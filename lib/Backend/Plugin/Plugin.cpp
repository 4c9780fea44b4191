//===- Plugin.cpp - opening plug-ins --------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Backend/Plugin.h"
#include "tenon/Artifact/InputFiles.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

#include <dlfcn.h>

using namespace mlir;
using namespace tenon;
using namespace tenon::backend;

/// Returns why the table can't be used; empty if it can.
static std::string findFault(const tenon_backend *table) {
  if (!table)
    return "expected tenon_backend_get to return a tenon_backend, but got null";
  if (table->abi_version != TENON_BACKEND_ABI_VERSION)
    return "expected the backend ABI version " +
           std::to_string(TENON_BACKEND_ABI_VERSION) + ", but got " +
           std::to_string(table->abi_version);
  if (table->struct_size < sizeof(tenon_backend))
    return "expected a tenon_backend of " +
           std::to_string(sizeof(tenon_backend)) + " bytes, but got " +
           std::to_string(table->struct_size);
  if (!table->name || !table->version || !table->patterns || !table->run)
    return "expected a name, a version, patterns and a function 'run', but one "
           "of them is null";
  StringRef name = table->name;
  if (name.empty() || !llvm::all_of(name, [](char c) {
        return llvm::isLower(c) || llvm::isDigit(c) || c == '_' || c == '-';
      }))
    return ("expected a name of lower-case letters, digits, '_' and '-', but "
            "got '" +
            name + "'")
        .str();
  return "";
}

llvm::Expected<std::unique_ptr<PluginBackend>>
PluginBackend::load(MLIRContext *context, StringRef path) {
  // A name without a slash would be searched for in the system's folders.
  std::string file = path.contains('/') ? path.str() : "./" + path.str();
  auto fail = [&](const Twine &what) {
    return llvm::createStringError("backend '" + path + "': " + what);
  };
  // Opening a pipe would wait for a writer.
  if (llvm::sys::fs::exists(file) && !llvm::sys::fs::is_regular_file(file))
    return fail("can't be loaded: expected a regular file");
  artifact::noteInput(file);
  void *library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *reason = ::dlerror();
    return fail(Twine("can't be loaded: ") +
                (reason ? reason : "unknown reason"));
  }
  // The library stays open: threads that it started live until the process
  // ends.
  auto get = reinterpret_cast<const tenon_backend *(*)()>(
      ::dlsym(library, "tenon_backend_get"));
  if (!get)
    return fail("expected the library to export tenon_backend_get");
  const tenon_backend *table = get();
  if (std::string fault = findFault(table); !fault.empty())
    return fail(fault);
  llvm::Expected<PluginPatterns> patterns =
      PluginPatterns::parse(context, table->patterns);
  if (!patterns)
    return fail(llvm::toString(patterns.takeError()));
  return std::unique_ptr<PluginBackend>(
      new PluginBackend(*table, path, std::move(*patterns)));
}

std::string PluginBackend::getAbsence() const {
  const char *reason = table.absence ? table.absence() : nullptr;
  return reason ? reason : "";
}

std::string PluginBackend::getVersion() const {
  const char *version = table.version();
  return version ? version : "";
}
