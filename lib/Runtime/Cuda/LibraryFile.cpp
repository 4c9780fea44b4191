//===- LibraryFile.cpp - finding and opening a CUDA library ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LibraryFile.h"

#include <cstdlib>
#include <dlfcn.h>
#include <unistd.h>

using namespace tenon::artifact;

namespace tenon::runtime::cuda {

/// Returns the folders of toolkits, which the loader may not search.
static std::vector<std::string> listToolkitFolders() {
  std::vector<std::string> folders;
  auto add = [&](const std::string &root) {
    folders.push_back(root + "/lib64");
    folders.push_back(root + "/lib/x86_64-linux-gnu");
  };
  if (const char *root = std::getenv("CUDAToolkit_ROOT"); root && *root)
    add(root);
  add("/usr/local/cuda");
  return folders;
}

Status openLibrary(const LibraryNames &names, const StartLibrary &start) {
  std::vector<std::string> files = names.files, paths;
  const char *named = std::getenv(names.variable);
  bool isNamed = named && *named;
  if (isNamed)
    paths = files = {named};
  else
    for (const std::string &file : files) {
      paths.push_back(file);
      for (const std::string &folder : listToolkitFolders())
        if (std::string path = folder + "/" + file;
            ::access(path.c_str(), F_OK) == 0)
          paths.push_back(std::move(path));
    }

  std::string unopened, unstarted;
  for (const std::string &path : paths) {
    // A library that does not start stays open: it may have started threads.
    void *library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      const char *reason = ::dlerror();
      if (unopened.empty())
        unopened = reason ? reason : "unknown reason";
      continue;
    }
    Status status = start(library, path);
    if (status)
      return status;
    if (unstarted.empty())
      unstarted = status.error();
  }
  if (!unstarted.empty())
    return makeError(unstarted);
  std::string tried = files[0];
  if (files.size() > 1)
    tried = concat("neither ", files[0], " nor ", files[1]);
  return makeError("this artifact calls ", names.name, ", but ", tried,
                   files.size() > 1 ? " can be opened: " : " can't be opened: ",
                   unopened, "; install it, ",
                   isNamed ? std::string()
                           : concat("name its file in ", names.variable, ", "),
                   "or ", names.otherwise);
}

} // namespace tenon::runtime::cuda
