//===- Backends.cpp - which plug-ins a tool loads -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Driver/Backends.h"
#include "tenon/Backend/Plugin.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

#include <cstdlib>

using namespace mlir;
using namespace tenon;
namespace fs = llvm::sys::fs;

std::string tenon::getBackendsFolder() {
  std::string program = fs::getMainExecutable(
      nullptr, reinterpret_cast<void *>(&tenon::getBackendsFolder));
  SmallString<256> folder(
      llvm::sys::path::parent_path(llvm::sys::path::parent_path(program)));
  llvm::sys::path::append(folder, "lib", "tenon", "backends");
  return folder.str().str();
}

/// In the order of their names, which decides the order of the backends.
static std::vector<std::string> listPlugins(const std::string &folder) {
  std::vector<std::string> files;
  std::error_code code;
  for (fs::directory_iterator it(folder, code), end; it != end && !code;
       it.increment(code))
    if (llvm::sys::path::extension(it->path()) == ".so")
      files.push_back(it->path());
  llvm::sort(files);
  return files;
}

static std::string describeAbsence(const backend::PluginBackend &backend) {
  std::string reason = backend.getAbsence();
  return ("backend '" + backend.getPath() +
          "': the library behind it is not on this machine" +
          (reason.empty() ? "" : ": ") + reason)
      .str();
}

void tenon::loadBackends(MLIRContext &context,
                         const std::vector<std::string> &paths) {
  // Without a handler, only errors would be seen.
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  auto &registry = backend::BackendRegistry::get(&context);
  llvm::StringSet<> seen; // one file may be named twice
  auto load = [&](const std::string &path, bool isWanted) -> llvm::Error {
    SmallString<256> real;
    if (!fs::real_path(path, real) && !seen.insert(real).second)
      return llvm::Error::success();
    auto backend = backend::PluginBackend::load(&context, path);
    if (!backend)
      return backend.takeError();
    // Tenon comes with plug-ins for libraries that may not be there.
    if ((*backend)->getVersion().empty())
      return isWanted ? llvm::createStringError(describeAbsence(**backend))
                      : llvm::Error::success();
    if (llvm::Error error = registry.add(std::move(*backend)))
      return llvm::createStringError("backend '" + path +
                                     "': " + llvm::toString(std::move(error)));
    return llvm::Error::success();
  };
  auto warn = [&](llvm::Error error) {
    if (error)
      emitWarning(UnknownLoc::get(&context))
          << llvm::toString(std::move(error)) << "; continuing without it";
  };
  for (const std::string &path : paths)
    warn(load(path, /*isWanted=*/true));
  const char *variable = std::getenv("TENON_BACKENDS");
  StringRef listed = variable ? variable : "";
  if (listed == "none")
    return;
  SmallVector<StringRef> entries;
  listed.split(entries, ':', -1, /*KeepEmpty=*/false);
  for (StringRef path : entries)
    warn(load(path.str(), /*isWanted=*/true));
  for (const std::string &path : listPlugins(getBackendsFolder()))
    warn(load(path, /*isWanted=*/false));
}
