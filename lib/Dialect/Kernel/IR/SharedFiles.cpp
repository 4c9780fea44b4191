//===- SharedFiles.cpp - what a context has read from files ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Kernel/IR/SharedFiles.h"
#include "tenon/Dialect/Kernel/IR/Kernel.h"

#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace tenon::kernel;

SharedFiles &SharedFiles::get(MLIRContext *context) {
  auto *dialect = context->getOrLoadDialect<KernelDialect>();
  // Dialects return their interfaces as const, but this one is a mutable table
  // that its context owns.
  return const_cast<SharedFiles &>(
      *dialect->getRegisteredInterface<SharedFiles>());
}

std::string SharedFiles::getPlace(StringRef key, ArrayRef<std::string> paths) {
  std::string place = key.str();
  for (StringRef path : paths)
    place += ("\n" + path).str();
  return place;
}

/// Adds the name of a file, and what changes if another one takes its place or
/// it is written.
static void addState(StringRef path, std::string &state) {
  llvm::sys::fs::file_status status;
  state += path;
  if (llvm::sys::fs::status(path, status))
    return;
  llvm::sys::fs::UniqueID id = status.getUniqueID();
  for (uint64_t part :
       {id.getDevice(), id.getFile(), status.getSize(),
        static_cast<uint64_t>(
            status.getLastModificationTime().time_since_epoch().count())})
    state += " " + std::to_string(part);
  state += '\n';
}

std::string SharedFiles::getState(ArrayRef<std::string> paths) {
  std::string state;
  for (const std::string &path : paths) {
    addState(path, state);
    std::error_code code;
    SmallVector<std::string> files;
    for (llvm::sys::fs::directory_iterator it(path, code), end;
         it != end && !code; it.increment(code))
      files.push_back(it->path());
    llvm::sort(files);
    for (StringRef file : files)
      addState(file, state);
  }
  return state;
}

std::shared_ptr<const void> SharedFiles::find(StringRef place,
                                              StringRef state) {
  std::lock_guard<std::mutex> lock(mutex);
  auto it = objects.find(place);
  if (it == objects.end() || it->second.first != state)
    return nullptr;
  return it->second.second;
}

void SharedFiles::keep(StringRef place, StringRef state,
                       std::shared_ptr<const void> object) {
  std::lock_guard<std::mutex> lock(mutex);
  objects[place] = {state.str(), std::move(object)};
}
