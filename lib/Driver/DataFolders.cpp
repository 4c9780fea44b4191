//===- DataFolders.cpp - the files that come with Tenon -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Driver/DataFolders.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cstdlib>

using namespace llvm;

/// The folder in which bin/PROGRAM lies.
static std::string findPrefix() {
  std::string program = sys::fs::getMainExecutable(
      nullptr, reinterpret_cast<void *>(&tenon::findRulesFolder));
  return sys::path::parent_path(sys::path::parent_path(program)).str();
}

/// `file` tells the folder from others of that name.
static std::string findFolder(StringRef name, StringRef file) {
  std::string prefix = findPrefix();
  SmallString<256> installed(prefix);
  sys::path::append(installed, "share", "tenon", name);
  if (sys::fs::is_directory(installed))
    return installed.str().str();
  // build/bin/PROGRAM in the source tree.
  SmallString<256> source(sys::path::parent_path(prefix));
  sys::path::append(source, name, file);
  if (sys::fs::exists(source))
    return sys::path::parent_path(source).str();
  return "";
}

std::string tenon::findCacheFolder() {
  // Relative paths are invalid by the XDG Base Directory Specification.
  const char *named = std::getenv("XDG_CACHE_HOME");
  SmallString<128> folder(named ? named : "");
  if (!sys::path::is_absolute(folder)) {
    folder.clear();
    if (!sys::path::home_directory(folder))
      return "";
    sys::path::append(folder, ".cache");
  }
  sys::path::append(folder, "tenon");
  return folder.str().str();
}

std::string tenon::findRulesFolder() {
  return findFolder("rules", "axioms.mlir");
}

std::string tenon::findRulesArchive() {
  SmallString<256> path(findPrefix());
  sys::path::append(path, "share", "tenon", "rules.archive");
  return sys::fs::exists(path) ? path.str().str() : "";
}

std::string tenon::findProfilesFolder() {
  return findFolder("profiles", "README.md");
}
