//===- Plugin.cpp - plug-ins, opened at run time ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plugin.h"

#include "Process.h"

#include <cstdlib>
#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tenon::artifact;

namespace tenon::runtime {

/// Returns the nonempty entries of a colon-separated list.
static std::vector<std::string> readList(const char *variable) {
  std::vector<std::string> entries;
  const char *text = std::getenv(variable);
  std::string entry;
  for (; text; ++text) {
    if (*text && *text != ':') {
      entry += *text;
      continue;
    }
    if (!entry.empty())
      entries.push_back(std::move(entry));
    entry.clear();
    if (!*text)
      break;
  }
  return entries;
}

/// Returns the files that may be the plug-in, the most likely first.
static std::vector<std::string> listCandidates(const std::string &file,
                                               const std::string &folder) {
  std::vector<std::string> candidates;
  for (const std::string &path : readList("TENON_BACKENDS"))
    if (path.substr(path.rfind('/') + 1) == file)
      // A name without a slash would be searched for in the system's folders.
      candidates.push_back(path == file ? "./" + path : path);
  std::vector<std::string> folders = readList("TENON_BACKEND_PATH");
  folders.push_back(folder);
  for (std::string &entry : readList("TENON_BACKEND_INSTALL"))
    folders.push_back(std::move(entry));
  for (const std::string &entry : folders)
    if (!entry.empty())
      candidates.push_back(entry + "/" + file);
  return candidates;
}

static Expected<void *> openLibrary(const tenon_plugin_call &call,
                                    const std::string &folder) {
  std::string looked;
  for (const std::string &path : listCandidates(call.file, folder)) {
    looked += (looked.empty() ? "" : ", ") + path;
    // Opening a pipe would wait for a writer.
    struct stat status;
    if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode))
      continue;
    if (void *library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL))
      return library;
    const char *reason = ::dlerror();
    return makeError("cannot load the backend '", call.backend,
                     "': ", reason ? reason : "unknown reason");
  }
  if (void *library = ::dlopen(call.file, RTLD_NOW | RTLD_LOCAL))
    return library;
  return makeError("cannot find the backend '", call.backend, "': there is no ",
                   looked, ", nor a library of the name '", call.file,
                   "'; TENON_BACKEND_PATH names folders to look in");
}

Expected<const tenon_backend *> openPlugin(const tenon_plugin_call &call,
                                           const std::string &folder) {
  if (Status status = checkMayOpenLibraries(
          concat("the backend '", call.backend, "'"),
          concat("compile the model with --without=", call.backend));
      !status)
    return status.takeError();
  Expected<void *> library = openLibrary(call, folder);
  if (!library)
    return library.takeError();
  auto fail = [&](const auto &...what) {
    return makeError("cannot use the backend '", call.backend, "': '",
                     call.file, "' ", concat(what...));
  };
  auto get = reinterpret_cast<const tenon_backend *(*)()>(
      ::dlsym(*library, "tenon_backend_get"));
  if (!get)
    return fail("does not export tenon_backend_get");
  const tenon_backend *backend = get();
  if (!backend)
    return fail("returns no tenon_backend");
  if (backend->abi_version != TENON_BACKEND_ABI_VERSION)
    return fail("has the backend ABI version ", backend->abi_version,
                ", but this runtime has ", TENON_BACKEND_ABI_VERSION);
  if (backend->struct_size < sizeof(tenon_backend) || !backend->name ||
      !backend->patterns || !backend->version || !backend->run)
    return fail("is incomplete");
  if (std::string_view(backend->name) != call.backend)
    return fail("contains the backend '", backend->name, "'");
  if (tenon_plugin_hash(backend->patterns) != call.patterns_hash)
    return fail("has patterns that differ from those that the model was "
                "compiled with; compile the model again");
  if (!backend->version()) {
    const char *reason = backend->absence ? backend->absence() : nullptr;
    return fail("does not find the library behind it on this machine",
                reason ? ": " : "", reason ? reason : "");
  }
  return backend;
}

} // namespace tenon::runtime
