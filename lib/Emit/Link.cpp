//===- Link.cpp - linking by the system's linker --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Link.h"
#include "Thunks.h"
#include "tenon/Artifact/OutputFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ObjCopy/ConfigManager.h"
#include "llvm/ObjCopy/ObjCopy.h"
#include "llvm/Object/Binary.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <unistd.h>

using namespace tenon::emit;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

llvm::Expected<std::string> tenon::emit::findRuntimeLibrary() {
  // Any address inside this program will do.
  std::string program = fs::getMainExecutable(
      nullptr, reinterpret_cast<void *>(&findRuntimeLibrary));
  // Tools are in bin; unit tests are in test/unit/bin of a build tree.
  llvm::StringRef root = path::parent_path(path::parent_path(program));
  if (root.ends_with("/test/unit"))
    root = path::parent_path(path::parent_path(root));
  std::string tried;
  for (llvm::StringRef lib : {"lib", "lib/x86_64-linux-gnu", "lib64"}) {
    llvm::SmallString<256> candidate(root);
    path::append(candidate, lib, "libTenonRuntime.a");
    if (fs::exists(candidate))
      return candidate.str().str();
    tried += (tried.empty() ? "" : ", ") + candidate.str().str();
  }
  return llvm::createStringError("libTenonRuntime.a is missing; looked for " +
                                 tried);
}

/// Returns the first compiler driver that is installed.
static llvm::Expected<std::string> findLinkerDriver() {
  for (llvm::StringRef name : {"clang-22", "clang", "cc", "gcc"})
    if (llvm::ErrorOr<std::string> found = llvm::sys::findProgramByName(name))
      return *found;
  return llvm::createStringError("no linker: expected clang-22, clang, cc or "
                                 "gcc in PATH");
}

/// Runs a program (by posix_spawn); on failure, returns its messages. `log` is
/// a file for them.
static llvm::Error run(llvm::ArrayRef<std::string> command,
                       const std::string &log) {
  llvm::SmallVector<llvm::StringRef> args(command.begin(), command.end());
  std::optional<llvm::StringRef> redirects[] = {
      llvm::StringRef(""), llvm::StringRef(log), llvm::StringRef(log)};
  // If a signal ends lld, its symbolizer would leave files behind.
  llvm::SmallVector<llvm::StringRef> environment = {
      "LLVM_DISABLE_SYMBOLIZATION=1"};
  for (char **variable = environ; *variable; ++variable)
    environment.push_back(*variable);
  std::string message;
  int status = llvm::sys::ExecuteAndWait(
      command.front(), args, llvm::ArrayRef<llvm::StringRef>(environment),
      redirects, 0, 0, &message);
  if (status == 0)
    return llvm::Error::success();
  auto output = llvm::MemoryBuffer::getFile(log);
  std::string text = output ? (*output)->getBuffer().rtrim().str() : "";
  // The linker maps its output, and so crashes if the disk is full.
  bool isFull = llvm::StringRef(text).contains("Bus error");
  return llvm::createStringError("linker '" + command.front() +
                                 "' failed with status " + llvm::Twine(status) +
                                 (message.empty() ? "" : " (" + message + ")") +
                                 (isFull ? " (the disk may be full)" : "") +
                                 (text.empty() ? "" : ":\n" + text));
}

llvm::Error tenon::emit::linkSharedLibrary(llvm::ArrayRef<std::string> objects,
                                           llvm::StringRef runtimeLibrary,
                                           llvm::StringRef symbolPrefix,
                                           llvm::StringRef output) {
  if (!fs::exists(runtimeLibrary))
    return llvm::createStringError("runtime library '" + runtimeLibrary +
                                   "' does not exist");
  llvm::Expected<std::string> driver = findLinkerDriver();
  if (!driver)
    return driver.takeError();

  std::string script = output.str() + ".map";
  std::string text = "{\n  global:\n";
  for (const std::string &name : getExports(symbolPrefix))
    text += "    " + name + ";\n";
  if (symbolPrefix != "tenon")
    text += "    tenon_symbol_prefix;\n";
  text += "  local: *;\n};\n";
  if (auto status = artifact::writeFile(script, text.data(), text.size());
      !status)
    return llvm::createStringError(status.error());

  std::vector<std::string> command = {*driver, "-shared", "-o", output.str()};
  if (llvm::sys::findProgramByName("ld.lld"))
    // Identical functions are merged.
    command.insert(command.end(), {"-fuse-ld=lld", "-Wl,--icf=safe"});
  llvm::append_range(command, objects);
  command.push_back(runtimeLibrary.str());
  for (llvm::StringRef flag :
       {"-Wl,--build-id=none", "-Wl,--strip-all", "-Wl,--gc-sections",
        "-Wl,--hash-style=gnu", "-Wl,-Bsymbolic", "-Wl,-z,defs", "-Wl,-z,relro",
        "-Wl,-z,now", "-Wl,--as-needed"})
    command.push_back(flag.str());
  // Not by -Wl, which splits a path at commas.
  command.push_back("-Xlinker");
  command.push_back("--version-script=" + script);
  // Libraries that the runtime needs; see lib/Runtime/CMakeLists.txt.
  for (llvm::StringRef library :
       {"-lgomp", "-lstdc++", "-lm", "-ldl", "-lpthread"})
    command.push_back(library.str());
  return run(command, output.str() + ".log");
}

/// Makes an object's hidden symbols local to it, so that several objects with
/// kernels of the same names can be linked into one program.
static llvm::Error localizeHidden(llvm::StringRef from, llvm::StringRef to) {
  llvm::Expected<llvm::object::OwningBinary<llvm::object::Binary>> object =
      llvm::object::createBinary(from);
  if (!object)
    return object.takeError();
  llvm::objcopy::ConfigManager config;
  config.Common.InputFilename = from;
  config.Common.OutputFilename = to;
  config.ELF.LocalizeHidden = true;
  llvm::SmallString<0> bytes;
  llvm::raw_svector_ostream os(bytes);
  if (llvm::Error error = llvm::objcopy::executeObjcopyOnBinary(
          config, *object->getBinary(), os))
    return error;
  if (auto status =
          tenon::artifact::writeFile(to.str(), bytes.data(), bytes.size());
      !status)
    return llvm::createStringError(status.error());
  return llvm::Error::success();
}

llvm::Error tenon::emit::linkObjects(llvm::ArrayRef<std::string> objects,
                                     llvm::StringRef output) {
  if (objects.size() == 1)
    return localizeHidden(objects.front(), output);
  llvm::Expected<std::string> driver = findLinkerDriver();
  if (!driver)
    return driver.takeError();
  std::string joined = output.str() + ".joined.o";
  std::vector<std::string> command = {*driver, "-r", "-nostdlib", "-o", joined};
  llvm::append_range(command, objects);
  if (llvm::Error error = run(command, output.str() + ".log"))
    return error;
  return localizeHidden(joined, output);
}
