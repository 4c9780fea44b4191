//===- RuleLog.cpp - record of firings that can be replayed ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Optimize/RuleLog.h"
#include "Search.h"
#include "tenon/Support/File.h"
#include "tenon/Support/Json.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SHA256.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::optimize;
namespace json = llvm::json;

std::string OpRef::str() const {
  if (firing < 0)
    return "o" + std::to_string(index);
  return "f" + std::to_string(firing) + "." + std::to_string(index);
}

std::optional<OpRef> OpRef::parse(StringRef text) {
  OpRef ref;
  StringRef rest = text;
  if (rest.consume_front("o")) {
    if (rest.getAsInteger(10, ref.index))
      return std::nullopt;
  } else {
    auto [firing, index] = rest.split('.');
    if (!firing.consume_front("f") || firing.getAsInteger(10, ref.firing) ||
        ref.firing < 0 || index.getAsInteger(10, ref.index))
      return std::nullopt;
  }
  // An op has only one name, so "o01" is not valid.
  if (ref.str() != text)
    return std::nullopt;
  return ref;
}

/// Returns the constant with its data inlined, because the data are elsewhere
/// in the file, under a name that parsing may change.
static Attribute inlineData(DenseResourceElementsAttr constant) {
  AsmResourceBlob *blob = constant.getRawHandle().getBlob();
  bool splat = false;
  if (!blob || !DenseElementsAttr::isValidRawBuffer(constant.getType(),
                                                    blob->getData(), splat))
    return constant;
  return DenseElementsAttr::getFromRawBuffer(constant.getType(),
                                             blob->getData());
}

std::string optimize::getFunctionText(func::FuncOp function) {
  OwningOpRef<func::FuncOp> copy(function.clone());
  AttrTypeReplacer replacer;
  replacer.addReplacement(inlineData);
  replacer.recursivelyReplaceElementsIn(copy.get());
  for (NamedAttribute attribute :
       llvm::make_early_inc_range(copy->getOperation()->getDiscardableAttrs()))
    if (attribute.getName().strref().starts_with("rule."))
      copy->getOperation()->removeDiscardableAttr(attribute.getName());
  std::string text;
  llvm::raw_string_ostream os(text);
  copy->print(os, rule::getHashedPrinting().useLocalScope());
  return text;
}

std::string optimize::hashFunction(func::FuncOp function) {
  std::string text = getFunctionText(function);
  std::array<uint8_t, 32> hash = llvm::SHA256::hash(ArrayRef<uint8_t>(
      reinterpret_cast<const uint8_t *>(text.data()), text.size()));
  return llvm::toHex(hash, /*LowerCase=*/true);
}

unsigned optimize::getAllowedClass(FpMode fp) {
  switch (fp) {
  case FpMode::Strict:
    return rule::Exact;
  case FpMode::Reassociate:
    return rule::Reassociates;
  case FpMode::Finite:
    return rule::Reassociates | rule::NeedsFinite;
  }
  llvm_unreachable("unknown floating-point mode");
}

SmallVector<Type> optimize::getFloatElements(func::FuncOp function) {
  llvm::SetVector<Type> found;
  function.walk([&](Operation *op) {
    for (TypeRange types :
         {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
      for (Type type : types)
        if (Type element = getElementTypeOrSelf(type); isa<FloatType>(element))
          found.insert(element);
  });
  return found.takeVector();
}

FunctionLog optimize::describeUnchanged(func::FuncOp function) {
  FunctionLog log;
  log.function = function.getName().str();
  log.input = log.result = hashFunction(function);
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return log;
  Block &block = function.getBody().front();
  unsigned count = std::distance(block.begin(), block.end()) - 1;
  for (unsigned index = 0; index < count; ++index)
    log.ops.push_back({-1, index});
  return log;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static json::Array toStrings(ArrayRef<OpRef> refs) {
  json::Array array;
  for (const OpRef &ref : refs)
    array.push_back(ref.str());
  return array;
}

json::Value RuleLog::toJSON() const {
  json::Array written;
  for (const FunctionLog &function : functions) {
    json::Array firings;
    for (const LoggedFiring &firing : function.firings) {
      json::Object symbols;
      for (const auto &[name, value] : firing.symbols)
        symbols[name] = value;
      firings.push_back(json::Object{{"rule", firing.rule},
                                     {"statement", firing.statement},
                                     {"ops", toStrings(firing.ops)},
                                     {"symbols", std::move(symbols)},
                                     {"leading_axes", firing.leadingAxes},
                                     {"conditions", firing.conditions}});
    }
    written.push_back(json::Object{{"function", function.function},
                                   {"input", function.input},
                                   {"result", function.result},
                                   {"firings", std::move(firings)},
                                   {"ops", toStrings(function.ops)}});
  }
  return json::Object{{"schema_version", 1},
                      {"kind", "tenon-rule-log"},
                      {"fp", getName(fp)},
                      {"functions", std::move(written)}};
}

static bool fromJSON(const json::Value &value, OpRef &ref, json::Path path) {
  std::optional<StringRef> text = value.getAsString();
  std::optional<OpRef> parsed = text ? OpRef::parse(*text) : std::nullopt;
  if (!parsed) {
    path.report("expected an op, \"o<number>\" or \"f<firing>.<number>\"");
    return false;
  }
  ref = *parsed;
  return true;
}

namespace tenon::optimize {
static bool fromJSON(const json::Value &value, LoggedFiring &firing,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  int64_t leadingAxes = 0;
  if (!map || !map.map("rule", firing.rule) ||
      !map.map("statement", firing.statement) ||
      !map.map("symbols", firing.symbols) ||
      !map.map("leading_axes", leadingAxes) ||
      !map.map("conditions", firing.conditions))
    return false;
  if (!llvm::isUInt<32>(leadingAxes)) {
    path.field("leading_axes").report("expected a number of axes");
    return false;
  }
  firing.leadingAxes = leadingAxes;
  const json::Array *ops = value.getAsObject()->getArray("ops");
  if (!ops) {
    path.field("ops").report("expected an array");
    return false;
  }
  for (auto [number, entry] : llvm::enumerate(*ops))
    if (!::fromJSON(entry, firing.ops.emplace_back(),
                    path.field("ops").index(number)))
      return false;
  return true;
}

static bool fromJSON(const json::Value &value, FunctionLog &log,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  if (!map || !map.map("function", log.function) ||
      !map.map("input", log.input) || !map.map("result", log.result) ||
      !map.map("firings", log.firings))
    return false;
  const json::Array *ops = value.getAsObject()->getArray("ops");
  if (!ops) {
    path.field("ops").report("expected an array");
    return false;
  }
  for (auto [number, entry] : llvm::enumerate(*ops))
    if (!::fromJSON(entry, log.ops.emplace_back(),
                    path.field("ops").index(number)))
      return false;
  return true;
}
} // namespace tenon::optimize

llvm::Expected<RuleLog> RuleLog::fromJSON(const json::Value &value) {
  json::Path::Root root("log");
  json::Path path = root;
  RuleLog log;
  int64_t version = 0;
  std::string kind, fp;
  json::ObjectMapper map(value, path);
  if (!map || !map.map("schema_version", version) || !map.map("kind", kind) ||
      !map.map("fp", fp) || !map.map("functions", log.functions))
    return root.getError();
  if (kind != "tenon-rule-log")
    return llvm::createStringError("log.kind: expected \"tenon-rule-log\", but "
                                   "got \"" +
                                   kind + "\"");
  if (version != 1)
    return llvm::createStringError("log.schema_version: expected 1, but got " +
                                   std::to_string(version));
  std::optional<FpMode> mode = parseFpMode(fp);
  if (!mode)
    return llvm::createStringError("log.fp: expected " + kFpModes +
                                   ", but got '" + fp + "'");
  log.fp = *mode;
  return log;
}

llvm::Expected<RuleLog> RuleLog::read(StringRef path) {
  auto buffer = readInputFile(path);
  if (!buffer)
    return buffer.takeError();
  llvm::Expected<json::Value> value = parseJson((*buffer)->getBuffer());
  if (!value)
    return llvm::createStringError("'" + path.str() + "' is not JSON: " +
                                   llvm::toString(value.takeError()));
  llvm::Expected<RuleLog> log = fromJSON(*value);
  if (!log)
    return llvm::createStringError("'" + path.str() +
                                   "': " + llvm::toString(log.takeError()));
  return log;
}
