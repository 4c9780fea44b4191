//===- Workspace.h - a folder for what is compiled and measured -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_PROFILE_WORKSPACE_H
#define TENON_TOOLS_TENON_PROFILE_WORKSPACE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

/// A folder that goes with everything in it, also when the program is stopped.
class Workspace {
public:
  static llvm::Expected<Workspace> create();
  Workspace(Workspace &&) = default;
  Workspace &operator=(Workspace &&) = delete;
  ~Workspace();

  /// The path of a file in it.
  std::string path(llvm::StringRef name) const {
    return folder + "/" + name.str();
  }

private:
  explicit Workspace(std::string folder) : folder(std::move(folder)) {}

  std::string folder;
};

#endif // TENON_TOOLS_TENON_PROFILE_WORKSPACE_H
