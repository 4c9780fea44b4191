//===- PendingFile.cpp - files that appear when all is well --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PendingFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

using namespace tenon::emit;
namespace fs = llvm::sys::fs;

static llvm::Error cannotWrite(llvm::StringRef path, std::error_code code) {
  return llvm::createStringError("can't write '" + path +
                                 "': " + code.message());
}

llvm::Expected<PendingFile> PendingFile::create(llvm::StringRef finalPath) {
  if (fs::is_directory(finalPath))
    return llvm::createStringError("can't write '" + finalPath +
                                   "': is a directory");
  // Renaming would put a file in the place of a device.
  if (fs::exists(finalPath) && !fs::is_regular_file(finalPath))
    return llvm::createStringError("can't write '" + finalPath +
                                   "': is not a regular file");
  llvm::SmallString<256> temporary;
  int descriptor;
  if (std::error_code code = fs::createUniqueFile(finalPath + ".tmp-%%%%%%%%",
                                                  descriptor, temporary))
    return cannotWrite(finalPath, code);
  fs::file_t file = descriptor;
  fs::closeFile(file);
  llvm::sys::RemoveFileOnSignal(temporary);
  return PendingFile(finalPath.str(), temporary.str().str());
}

PendingFile::~PendingFile() {
  if (temporary.empty())
    return;
  fs::remove(temporary);
  llvm::sys::DontRemoveFileOnSignal(temporary);
}

llvm::Error PendingFile::write(llvm::StringRef content) {
  std::error_code code;
  llvm::raw_fd_ostream os(temporary, code);
  if (!code) {
    os << content;
    os.close();
    code = os.error();
    os.clear_error();
  }
  return code ? cannotWrite(finalPath, code) : llvm::Error::success();
}

llvm::Error PendingFile::commit(bool executable) {
  // Temporary files are private; what remains is as the user's mask says.
  unsigned mask = fs::getUmask();
  unsigned permissions = (executable ? 0777 : 0666) & ~mask;
  std::error_code code =
      fs::setPermissions(temporary, static_cast<fs::perms>(permissions));
  if (!code)
    code = fs::rename(temporary, finalPath);
  if (code)
    return cannotWrite(finalPath, code);
  llvm::sys::DontRemoveFileOnSignal(temporary);
  temporary.clear();
  return llvm::Error::success();
}
