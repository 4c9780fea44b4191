//===- ParseModule.cpp - reading .mlir files ------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Support/ParseModule.h"
#include "tenon/Support/File.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace tenon;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

namespace {
/// Follows the brackets of a text, without understanding more of it.
class NestingScanner {
public:
  explicit NestingScanner(StringRef text) : text(text) {}

  /// What is wrong, which begins at `position`; null: nothing.
  const char *run();
  size_t position = 0;

private:
  struct Bracket {
    char close;
    unsigned operators;
  };
  char peek(size_t ahead = 1) const {
    return position + ahead < text.size() ? text[position + ahead] : '\0';
  }
  void skipLine() {
    position = std::min(text.find('\n', position), text.size());
  }
  void skipString();
  StringRef takeWord();
  void open(char close) { brackets.push_back({close, 0}); }
  void closeBracket(char bracket);
  void takeAlias();
  void endLine();
  const char *check();

  StringRef text;
  SmallVector<Bracket, 64> brackets;
  /// How deep what an alias stands for is nested.
  llvm::StringMap<unsigned> aliases;
  /// The files that locations name.
  llvm::StringSet<> locations;
  bool hasSpecialFile = false;
  /// The alias that is being defined; empty: none.
  StringRef defined;
  unsigned definedDepth = 0, usedDepth = 0;
  bool hasBody = false;
};
} // namespace

/// Whether a diagnostic in this file would have its reader wait or never end:
/// MLIR opens what locations name, to show the line.
static bool isSpecialFile(StringRef name) {
  llvm::sys::fs::file_status status;
  return !llvm::sys::fs::status(name, status) &&
         !llvm::sys::fs::is_regular_file(status) &&
         !llvm::sys::fs::is_directory(status);
}

void NestingScanner::skipString() {
  std::string value;
  while (++position < text.size() && text[position] != '"' &&
         text[position] != '\n') {
    char c = text[position];
    if (c == '\\' && llvm::isHexDigit(peek()) && llvm::isHexDigit(peek(2))) {
      c = static_cast<char>(llvm::hexFromNibbles(peek(), peek(2)));
      position += 2;
    } else if (c == '\\') {
      c = peek();
      ++position;
    }
    // Longer ones name no file; this is no place to copy constants.
    if (value.size() < 5000)
      value += c;
  }
  StringRef rest = text.substr(position + 1).ltrim();
  bool isLocation = rest.consume_front(":") && !rest.ltrim().empty() &&
                    llvm::isDigit(rest.ltrim().front());
  hasSpecialFile |=
      isLocation && locations.insert(value).second && isSpecialFile(value);
}

/// A word whose first character stands at the position, which then is that of
/// its last character.
StringRef NestingScanner::takeWord() {
  size_t end = position + 1;
  while (end < text.size() &&
         (llvm::isAlnum(text[end]) || StringRef("_$.").contains(text[end])))
    ++end;
  StringRef word = text.slice(position, end);
  position = end - 1;
  return word;
}

void NestingScanner::closeBracket(char bracket) {
  // A "<" may be a comparison, which nothing closes.
  if (bracket == '>') {
    if (!brackets.empty() && brackets.back().close == '>')
      brackets.pop_back();
    return;
  }
  for (size_t i = brackets.size(); i-- > 0;)
    if (brackets[i].close == bracket) {
      brackets.truncate(i);
      return;
    }
}

/// `#name` or `!name`: a definition or a use.
void NestingScanner::takeAlias() {
  StringRef name = takeWord();
  size_t after = text.find_first_not_of(" \t\r\n", position + 1);
  if (brackets.empty() && after != StringRef::npos && text[after] == '=' &&
      text.substr(after, 2) != "==") {
    endLine();
    position = after;
    defined = name;
    definedDepth = 1;
    hasBody = false;
    return;
  }
  auto known = aliases.find(name);
  if (known != aliases.end())
    usedDepth = known->second;
}

/// A definition ends with the line, outside of brackets.
void NestingScanner::endLine() {
  if (brackets.empty() && !defined.empty() && hasBody) {
    aliases[defined] = definedDepth;
    defined = "";
  }
  if (!brackets.empty() && brackets.back().close == '}')
    brackets.back().operators = 0;
}

const char *NestingScanner::check() {
  unsigned depth = brackets.size() + usedDepth;
  usedDepth = 0;
  if (!defined.empty())
    definedDepth = std::max(definedDepth, depth + 1);
  if (depth > maxNesting)
    return "expected at most 256 nested levels";
  if (hasSpecialFile)
    return "expected a location in a regular file";
  if (!brackets.empty() && brackets.back().operators > maxOperators)
    return "expected at most 4096 operators in one expression";
  return nullptr;
}

const char *NestingScanner::run() {
  for (; position < text.size(); ++position) {
    char c = text[position];
    auto countOperator = [&] {
      if (!brackets.empty())
        ++brackets.back().operators;
    };
    switch (c) {
    case ' ':
    case '\t':
    case '\r':
      continue;
    case '\n':
      endLine();
      continue;
    case '"':
      skipString();
      break;
    case '/':
      if (peek() != '/')
        break;
      // Where --split-input-file cuts.
      if (text.substr(position).starts_with("// -----"))
        brackets.clear();
      skipLine();
      --position;
      continue;
    case '(':
      open(')');
      break;
    case '[':
      open(']');
      break;
    case '{':
      open('}');
      break;
    case '<':
      if (peek() != '=')
        open('>');
      break;
    case ')':
    case ']':
    case '}':
      closeBracket(c);
      break;
    case '>':
      if (peek() != '=')
        closeBracket(c);
      break;
    case '-':
      if (peek() == '>')
        ++position;
      else
        countOperator();
      break;
    case '+':
    case '*':
      countOperator();
      break;
    case ',':
      if (!brackets.empty())
        brackets.back().operators = 0;
      break;
    case '#':
    case '!':
      if (llvm::isAlpha(peek()) || peek() == '_')
        takeAlias();
      break;
    default:
      if (llvm::isAlpha(c) || c == '_' || c == '%' || c == '@') {
        StringRef word = takeWord();
        if (word == "floordiv" || word == "ceildiv" || word == "mod")
          countOperator();
      }
    }
    hasBody |= c != '#' && c != '!' && c != '=';
    if (const char *problem = check())
      return problem;
    hasBody |= usedDepth > 0;
  }
  return nullptr;
}

static bool isBytecodeBuffer(const llvm::MemoryBuffer &buffer) {
  return isBytecode(buffer.getMemBufferRef());
}

LogicalResult tenon::checkNesting(const llvm::MemoryBuffer &buffer,
                                  MLIRContext *context) {
  if (isBytecodeBuffer(buffer))
    return success();
  StringRef text = buffer.getBuffer();
  NestingScanner scanner(text);
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
/// Measures attributes and types, each once, without recursion.
class DepthMeter {
public:
  unsigned measure(Attribute attribute) {
    return attribute ? measure(attribute.getAsOpaquePointer(), attribute) : 0;
  }
  unsigned measure(Type type) {
    return type ? measure(type.getAsOpaquePointer(), type) : 0;
  }
  /// Whether a location among them names a file that must not be opened.
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
      // One that refers to itself is left to what it contains.
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

/// Diagnostics are put at `file`, since an op's own location may be what is too
/// deep.
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

OwningOpRef<ModuleOp> tenon::parseModule(const llvm::SourceMgr &sources,
                                         MLIRContext *context) {
  const llvm::MemoryBuffer &buffer =
      *sources.getMemoryBuffer(sources.getMainFileID());
  if (failed(checkNesting(buffer, context)))
    return {};
  ParserConfig config(context, /*verifyAfterParse=*/false);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, config);
  if (!module)
    return {};
  if (isBytecodeBuffer(buffer) &&
      failed(checkNestingOf(
          *module,
          FileLineColLoc::get(context, buffer.getBufferIdentifier(), 0, 0)))) {
    // Destroying it is recursive, too.
    module.release();
    return {};
  }
  return failed(verify(*module)) ? OwningOpRef<ModuleOp>() : std::move(module);
}

FailureOr<std::string> tenon::findWeights(ModuleOp module, StringRef model,
                                          StringRef given, bool isOwn) {
  auto params = module->getAttrOfType<StringAttr>("graph.params");
  if (!given.empty() || !params)
    return given.str();
  StringRef folder = llvm::sys::path::parent_path(model);
  if (isOwn) {
    SmallString<256> file = params.getValue();
    if (llvm::sys::path::is_relative(file)) {
      file = folder;
      llvm::sys::path::append(file, params.getValue());
    }
    return file.str().str();
  }
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
  sources->AddNewSourceBuffer(std::move(*buffer), {});
  return parseModule(*sources, context);
}
