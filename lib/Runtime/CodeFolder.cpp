//===- CodeFolder.cpp - the folder of loaded code -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeFolder.h"

#include <climits>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <mutex>
#include <unistd.h>

namespace tenon::runtime {

// Not a string, because it must outlive static objects that use the artifact.
static char thisFile[PATH_MAX];

/// Writes the name of the file that contains `address`, up to PATH_MAX bytes;
/// empty if it is not known.
static void findFile(const void *address, char *file) {
  *file = '\0';
  Dl_info info;
  link_map *map = nullptr;
  if (!::dladdr1(address, &info, reinterpret_cast<void **>(&map),
                 RTLD_DL_LINKMAP))
    return;
  char path[PATH_MAX];
  // The main program has no name in the link map.
  bool isProgram = !map || !map->l_name || !*map->l_name;
  ssize_t length =
      isProgram ? ::readlink("/proc/self/exe", path, sizeof path - 1) : -1;
  if (length > 0) {
    path[length] = '\0';
    std::memcpy(file, path, static_cast<size_t>(length) + 1);
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
    std::memcpy(file, path, static_cast<size_t>(written) + 1);
}

static void findThisFile() {
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  if (!*thisFile)
    findFile(reinterpret_cast<const void *>(&findThisFile), thisFile);
}

__attribute__((constructor)) static void findEarly() { findThisFile(); }

/// Returns the base address of the library that contains an address; null if
/// not known.
static const void *findLibrary(const void *address) {
  Dl_info info;
  return ::dladdr(address, &info) ? info.dli_fbase : nullptr;
}

std::string getFolderOf(const void *address) {
  // A static object of a program may call this before the constructor above
  // runs.
  findThisFile();
  char other[PATH_MAX];
  const char *file = thisFile;
  if (findLibrary(address) !=
      findLibrary(reinterpret_cast<const void *>(&findThisFile))) {
    findFile(address, other);
    file = other;
  }
  const char *slash = std::strrchr(file, '/');
  if (!slash)
    return "";
  return slash == file ? "/"
                       : std::string(file, static_cast<size_t>(slash - file));
}

} // namespace tenon::runtime
