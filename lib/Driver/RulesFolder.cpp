//===- RulesFolder.cpp - where Tenon's own rules are ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Driver/RulesFolder.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

std::string tenon::findRulesFolder() {
  std::string program = sys::fs::getMainExecutable(
      nullptr, reinterpret_cast<void *>(&tenon::findRulesFolder));
  StringRef prefix = sys::path::parent_path(sys::path::parent_path(program));
  SmallString<256> installed(prefix);
  sys::path::append(installed, "share", "tenon", "rules");
  if (sys::fs::is_directory(installed))
    return installed.str().str();
  // build/bin/PROGRAM in the source tree.
  SmallString<256> source(sys::path::parent_path(prefix));
  sys::path::append(source, "rules", "axioms.mlir");
  if (sys::fs::exists(source))
    return sys::path::parent_path(source).str();
  return "";
}
