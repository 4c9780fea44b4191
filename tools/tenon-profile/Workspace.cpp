//===- Workspace.cpp - a folder for what is compiled and measured ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Workspace.h"

using namespace llvm;

Expected<Workspace> Workspace::create() {
  auto folder = tenon::artifact::TemporaryFolder::createForScratch();
  if (!folder)
    return createStringError("can't create a temporary folder: " +
                             folder.error());
  return Workspace(std::move(*folder));
}
