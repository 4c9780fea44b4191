//===- PendingFile.h - files that appear when all is well ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_EMIT_PENDINGFILE_H
#define TENON_LIB_EMIT_PENDINGFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace tenon::emit {

/// A file under a temporary name in its final folder. Without `commit`, it is
/// removed when this object goes (or the program is interrupted).
class PendingFile {
public:
  /// Creates the empty temporary file.
  static llvm::Expected<PendingFile> create(llvm::StringRef finalPath);
  PendingFile(PendingFile &&other) noexcept
      : finalPath(std::move(other.finalPath)),
        temporary(std::exchange(other.temporary, "")) {}
  PendingFile &operator=(PendingFile &&) = delete;
  ~PendingFile();

  /// Where the content goes; other programs may write it too.
  const std::string &getPath() const { return temporary; }
  llvm::Error write(llvm::StringRef content);
  /// Gives the file its final name; with the permissions of a new file, and
  /// `executable` if asked for.
  llvm::Error commit(bool executable = false);

private:
  PendingFile(std::string finalPath, std::string temporary)
      : finalPath(std::move(finalPath)), temporary(std::move(temporary)) {}

  std::string finalPath, temporary;
};

} // namespace tenon::emit

#endif // TENON_LIB_EMIT_PENDINGFILE_H
