//===- Workspace.cpp - a folder for what is compiled and measured ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Workspace.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Signals.h"

using namespace llvm;

/// What may be in the folder when a signal ends the program.
static constexpr StringLiteral files[] = {
    "model.mlirbc", "model.safetensors", "placed.mlirbc", "placed.safetensors",
    "model.so",     "model.h",           "trace.json",    "errors.txt"};

Expected<Workspace> Workspace::create() {
  SmallString<128> folder;
  if (std::error_code code =
          sys::fs::createUniqueDirectory("tenon-profile", folder))
    return createStringError("can't create a temporary folder: " +
                             code.message());
  Workspace workspace(folder.str().str());
  for (StringRef name : files)
    sys::RemoveFileOnSignal(workspace.path(name));
  return std::move(workspace);
}

Workspace::~Workspace() {
  if (folder.empty())
    return;
  sys::fs::remove_directories(folder);
  for (StringRef name : files)
    sys::DontRemoveFileOnSignal(path(name));
}
