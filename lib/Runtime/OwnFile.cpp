//===- OwnFile.cpp - the file that this code is in -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OwnFile.h"

#include <climits>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <mutex>
#include <unistd.h>

namespace tenon::runtime {

// Not a string: it has to outlive static objects that use the artifact.
static char ownFile[PATH_MAX];

static void findOwnFile() {
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  if (*ownFile)
    return;
  Dl_info info;
  link_map *map = nullptr;
  if (!::dladdr1(reinterpret_cast<void *>(&findOwnFile), &info,
                 reinterpret_cast<void **>(&map), RTLD_DL_LINKMAP))
    return;
  char path[PATH_MAX];
  // The program itself has no name there.
  bool isProgram = !map || !map->l_name || !*map->l_name;
  ssize_t length =
      isProgram ? ::readlink("/proc/self/exe", path, sizeof path - 1) : -1;
  if (length > 0) {
    path[length] = '\0';
    std::memcpy(ownFile, path, static_cast<size_t>(length) + 1);
    return;
  }
  const char *name = isProgram ? info.dli_fname : map->l_name;
  if (!name || !*name)
    return;
  char folder[PATH_MAX] = "";
  if (*name != '/' && !::getcwd(folder, sizeof folder))
    return;
  int written = std::snprintf(path, sizeof path, "%s%s%s", folder,
                              *folder ? "/" : "", name);
  if (written > 0 && static_cast<size_t>(written) < sizeof path)
    std::memcpy(ownFile, path, static_cast<size_t>(written) + 1);
}

__attribute__((constructor)) static void findEarly() { findOwnFile(); }

std::string getOwnFolder() {
  // A static object of a program may ask before the constructor above runs.
  findOwnFile();
  const char *slash = std::strrchr(ownFile, '/');
  if (!slash)
    return "";
  return slash == ownFile
             ? "/"
             : std::string(ownFile, static_cast<size_t>(slash - ownFile));
}

} // namespace tenon::runtime
