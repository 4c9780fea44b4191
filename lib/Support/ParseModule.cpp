//===- ParseModule.cpp - reading .mlir files ------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Support/ParseModule.h"

#include "NestingScanner.h"
#include "tenon/Artifact/InputFiles.h"
#include "tenon/Artifact/Safetensors.h"
#include "tenon/Artifact/TemporaryFolder.h"
#include "tenon/Support/File.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace tenon;

static bool isBytecodeBuffer(const llvm::MemoryBuffer &buffer) {
  return isBytecode(buffer.getMemBufferRef());
}

LogicalResult tenon::checkNesting(const llvm::MemoryBuffer &buffer,
                                  MLIRContext *context, StringRef splitMarker) {
  if (isBytecodeBuffer(buffer))
    return success();
  StringRef text = buffer.getBuffer();
  NestingScanner scanner(text, splitMarker);
  const char *problem = scanner.run();
  if (!problem)
    return success();
  StringRef before = text.take_front(scanner.position);
  size_t newline = before.rfind('\n');
  unsigned column =
      newline == StringRef::npos ? before.size() : before.size() - newline - 1;
  emitError(FileLineColLoc::get(context, buffer.getBufferIdentifier(),
                                before.count('\n') + 1, column + 1))
      << problem;
  return failure();
}

//===----------------------------------------------------------------------===//
// Bytecode
//===----------------------------------------------------------------------===//

namespace {
/// Measures the depth of attributes and types, each once, without recursion.
class DepthMeter {
public:
  unsigned measure(Attribute attribute) {
    return attribute ? measure(attribute.getAsOpaquePointer(), attribute) : 0;
  }
  unsigned measure(Type type) {
    return type ? measure(type.getAsOpaquePointer(), type) : 0;
  }
  /// Whether a location in them names a file that must not be opened.
  bool hasSpecialFile = false;

private:
  using Element = llvm::PointerUnion<Attribute, Type>;
  struct Visit {
    const void *key;
    SmallVector<Element> parts;
    unsigned depth = 1;
  };
  template <typename T> static SmallVector<Element> getParts(T value) {
    SmallVector<Element> parts;
    value.walkImmediateSubElements(
        [&](Attribute part) { parts.push_back(part); },
        [&](Type part) { parts.push_back(part); });
    return parts;
  }
  void checkLocation(Element element) {
    auto attribute = dyn_cast_if_present<Attribute>(element);
    if (auto file = dyn_cast_if_present<FileLineColRange>(attribute))
      hasSpecialFile |= files.insert(file.getFilename()).second &&
                        isSpecialFile(file.getFilename());
  }
  template <typename T> unsigned measure(const void *key, T value) {
    auto known = depths.find(key);
    if (known != depths.end())
      return known->second;
    std::vector<Visit> stack;
    stack.push_back({key, getParts(value)});
    checkLocation(value);
    for (;;) {
      Visit &top = stack.back();
      if (top.parts.empty()) {
        unsigned depth = depths[top.key] = top.depth;
        stack.pop_back();
        if (stack.empty())
          return depth;
        stack.back().depth = std::max(stack.back().depth, depth + 1);
        continue;
      }
      Element part = top.parts.pop_back_val();
      checkLocation(part);
      const void *partKey = part.getOpaqueValue();
      if (part.isNull())
        continue;
      if (auto attribute = dyn_cast<Attribute>(part))
        partKey = attribute.getAsOpaquePointer();
      else
        partKey = cast<Type>(part).getAsOpaquePointer();
      // For an attribute that refers to itself, only its other contents count.
      auto [entry, isNew] = depths.try_emplace(partKey, 0);
      if (!isNew) {
        top.depth = std::max(top.depth, entry->second + 1);
        continue;
      }
      if (auto attribute = dyn_cast<Attribute>(part))
        stack.push_back({partKey, getParts(attribute)});
      else
        stack.push_back({partKey, getParts(cast<Type>(part))});
    }
  }

  llvm::DenseMap<const void *, unsigned> depths;
  llvm::DenseSet<StringAttr> files;
};
} // namespace

/// Diagnostics are located at `file`, since an op's own location may be nested
/// too deeply.
static LogicalResult checkNestingOf(ModuleOp module, Location file) {
  DepthMeter meter;
  SmallVector<std::pair<Operation *, unsigned>> work = {{module, 1}};
  while (!work.empty()) {
    auto [op, depth] = work.pop_back_val();
    unsigned deepest = std::max(depth, meter.measure(op->getAttrDictionary()));
    deepest = std::max(deepest, meter.measure(Attribute(op->getLoc())));
    for (Type type : op->getResultTypes())
      deepest = std::max(deepest, meter.measure(type));
    if (meter.hasSpecialFile)
      return emitError(file) << "operation '" << op->getName()
                             << "': expected a location in a regular file";
    for (Region &region : op->getRegions())
      for (Block &inner : region) {
        for (BlockArgument argument : inner.getArguments())
          deepest = std::max({deepest, meter.measure(argument.getType()),
                              meter.measure(Attribute(argument.getLoc()))});
        for (Operation &child : inner)
          work.push_back({&child, depth + 1});
      }
    if (deepest > maxNesting)
      return emitError(file)
             << "operation '" << op->getName() << "' has " << deepest
             << " nested levels; expected at most " << maxNesting;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// Returns whether reading the bytecode ends, with success or failure: MLIR's
/// reader trusts some of its input. A child process tries it first, and reports
/// when it is done.
static bool isReadable(const llvm::SourceMgr &sources, MLIRContext *context) {
  constexpr unsigned mostSeconds = 60;
  int ends[2];
  // If no child can be started, the reader is trusted.
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return true;
  pid_t child = ::fork();
  if (child == 0) {
    for (int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGALRM})
      std::signal(signal, SIG_DFL);
    rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    ::alarm(mostSeconds);
    if (int null = ::open("/dev/null", O_WRONLY | O_CLOEXEC); null >= 0) {
      ::dup2(null, STDOUT_FILENO);
      ::dup2(null, STDERR_FILENO);
    }
    ScopedDiagnosticHandler silent(context,
                                   [](Diagnostic &) { return success(); });
    ParserConfig config(context, /*verifyAfterParse=*/false);
    parseSourceFile<ModuleOp>(sources, config).release();
    ::_exit(::write(ends[1], "", 1) == 1 ? 0 : 1);
  }
  ::close(ends[1]);
  char done;
  ssize_t count = 1;
  while (child > 0 && (count = ::read(ends[0], &done, 1)) < 0 &&
         errno == EINTR) {
  }
  ::close(ends[0]);
  // If the caller ignores SIGCHLD, there is no child to wait for.
  while (child > 0 && ::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  return count == 1;
}

OwningOpRef<ModuleOp> tenon::parseModule(const llvm::SourceMgr &sources,
                                         MLIRContext *context) {
  const llvm::MemoryBuffer &buffer =
      *sources.getMemoryBuffer(sources.getMainFileID());
  if (failed(checkNesting(buffer, context)))
    return {};
  // A stack overflow in this scope is caused by the input.
  artifact::InputScope reading;
  ParserConfig config(context, /*verifyAfterParse=*/false);
  const bool isBytecode = isBytecodeBuffer(buffer);
  auto fail = [&](const char *what) {
    emitError(FileLineColLoc::get(context, buffer.getBufferIdentifier(), 0, 0))
        << what;
    return OwningOpRef<ModuleOp>();
  };
  if (isBytecode && !isReadable(sources, context))
    return fail("expected valid bytecode, but it can't be read to its end");
  bool isSilent = true;
  OwningOpRef<ModuleOp> module;
  {
    ScopedDiagnosticHandler handler(context, [&](Diagnostic &) {
      isSilent = false;
      return failure(); // passes it on to the next handler
    });
    module = parseSourceFile<ModuleOp>(sources, config);
  }
  if (!module)
    return isSilent ? fail("expected a module that can be read")
                    : OwningOpRef<ModuleOp>();
  if (isBytecode &&
      failed(checkNestingOf(
          *module,
          FileLineColLoc::get(context, buffer.getBufferIdentifier(), 0, 0)))) {
    // Destroying the module is recursive, too, so it is leaked.
    module.release();
    return {};
  }
  return failed(verify(*module)) ? OwningOpRef<ModuleOp>() : std::move(module);
}

FailureOr<std::string> tenon::findWeights(ModuleOp module, StringRef model,
                                          StringRef given) {
  auto params = module->getAttrOfType<StringAttr>("graph.params");
  if (!given.empty()) {
    artifact::noteInput(given.str());
    // Also if the model turns out to need no weights.
    if (auto file = artifact::SafetensorsFile::open(given.str()); !file)
      return module.emitError() << "--params: " << file.error();
  }
  if (!given.empty() || !params)
    return given.str();
  StringRef folder = llvm::sys::path::parent_path(model);
  llvm::Expected<std::string> file =
      findBesideModel(folder, params.getValue(), "graph.params");
  if (!file)
    return module.emitError() << llvm::toString(file.takeError())
                              << ", or --params to name the weights";
  return *file;
}

OwningOpRef<ModuleOp> tenon::parseModuleFile(StringRef path,
                                             MLIRContext *context,
                                             llvm::SourceMgr *sources) {
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> buffer =
      readInputFile(path);
  if (!buffer) {
    emitError(UnknownLoc::get(context)) << llvm::toString(buffer.takeError());
    return {};
  }
  llvm::SourceMgr own;
  if (!sources)
    sources = &own;
  // Diagnostics show the line of a location only from this text, not from other
  // files.
  sources->setVirtualFileSystem(
      llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>());
  sources->AddNewSourceBuffer(std::move(*buffer), {});
  OwningOpRef<ModuleOp> module = parseModule(*sources, context);
  // The weights are part of the model, whether they are read or not.
  if (module)
    if (auto params = (*module)->getAttrOfType<StringAttr>("graph.params")) {
      SmallString<256> file(llvm::sys::path::parent_path(path));
      llvm::sys::path::append(file, params.getValue());
      artifact::noteInput(file.str().str());
    }
  return module;
}
