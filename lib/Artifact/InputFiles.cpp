//===- InputFiles.cpp - files that a program has read --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/InputFiles.h"
#include "tenon/Artifact/TemporaryFolder.h"

#include <cstdlib>
#include <mutex>
#include <set>
#include <sys/stat.h>

namespace tenon::artifact {

namespace {
/// Files are identified by absolute names rather than inodes, because new files
/// reuse the inodes of removed ones.
struct Inputs {
  std::mutex mutex;
  std::set<std::string> paths, outputs;
};
} // namespace

static Inputs &getInputs() {
  static Inputs inputs;
  return inputs;
}

/// Resolves links; empty if the file does not exist.
static std::string getRealPath(const std::string &path) {
  char *real = ::realpath(path.c_str(), nullptr);
  std::string result = real ? real : "";
  std::free(real);
  return result;
}

void noteInput(const std::string &path) {
  std::string real = getRealPath(path);
  if (real.empty() || isTemporary(real))
    return;
  std::lock_guard<std::mutex> lock(getInputs().mutex);
  if (getInputs().outputs.count(real) == 0)
    getInputs().paths.insert(std::move(real));
}

void noteOutput(const std::string &path) {
  std::string real = getRealPath(path);
  std::lock_guard<std::mutex> lock(getInputs().mutex);
  if (!real.empty() && !isTemporary(real))
    getInputs().outputs.insert(std::move(real));
}

bool isOwnOutput(const std::string &path) {
  std::string real = getRealPath(path);
  std::lock_guard<std::mutex> lock(getInputs().mutex);
  return getInputs().outputs.count(real) != 0;
}

void releaseInput(const std::string &path) {
  std::string real = getRealPath(path);
  std::lock_guard<std::mutex> lock(getInputs().mutex);
  getInputs().paths.erase(real);
}

std::string findInput(const std::string &path) {
  struct stat file, input;
  if (::stat(path.c_str(), &file) != 0 || !S_ISREG(file.st_mode))
    return "";
  std::lock_guard<std::mutex> lock(getInputs().mutex);
  for (const std::string &name : getInputs().paths)
    if (::stat(name.c_str(), &input) == 0 && input.st_dev == file.st_dev &&
        input.st_ino == file.st_ino)
      return name;
  return "";
}

} // namespace tenon::artifact
