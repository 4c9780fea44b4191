//===- Workspace.h - a folder for what is compiled and measured -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_PROFILE_WORKSPACE_H
#define TENON_TOOLS_TENON_PROFILE_WORKSPACE_H

#include "tenon/Artifact/TemporaryFolder.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

/// A folder that goes with everything in it, also when the program is stopped.
class Workspace {
public:
  static llvm::Expected<Workspace> create();

  /// The path of a file in it.
  std::string path(llvm::StringRef name) const {
    return folder.getFile(name.str());
  }

private:
  explicit Workspace(tenon::artifact::TemporaryFolder folder)
      : folder(std::move(folder)) {}

  tenon::artifact::TemporaryFolder folder;
};

#endif // TENON_TOOLS_TENON_PROFILE_WORKSPACE_H
