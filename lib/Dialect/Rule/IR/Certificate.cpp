//===- Certificate.cpp - reading and writing certificates as JSON ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Rule/IR/Certificate.h"
#include "tenon/Support/File.h"
#include "tenon/Support/Json.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

#include <mutex>

using namespace tenon::rule;
using tenon::graph::SymInt;
namespace json = llvm::json;

llvm::StringRef tenon::rule::stringify(Status status) {
  switch (status) {
  case Status::Proved:
    return "proved";
  case Status::Refuted:
    return "refuted";
  case Status::Unknown:
    return "unknown";
  case Status::Unsupported:
    return "unsupported";
  case Status::Error:
    return "error";
  }
  llvm_unreachable("unknown status");
}

static constexpr std::pair<FloatClass, llvm::StringLiteral> floatFlags[] = {
    {Reassociates, "reassociates"},
    {NeedsFinite, "needs-finite"},
    {ChangesRange, "changes-range"}};

static std::vector<std::string> getFloatFlags(unsigned floatClass) {
  std::vector<std::string> names;
  for (const auto &[flag, name] : floatFlags)
    if (floatClass & flag)
      names.push_back(name.str());
  return names;
}

mlir::OpPrintingFlags tenon::rule::getHashedPrinting() {
  return mlir::OpPrintingFlags()
      .enableDebugInfo(false)
      .printGenericOpForm(false)
      .elideLargeElementsAttrs(INT64_MAX)
      .printLargeElementsAttrWithHex(100)
      .printValueUsers(false)
      .printUniqueSSAIDs(false)
      .printNameLocAsPrefix(false)
      .skipRegions(false);
}

std::string tenon::rule::stringifyFloatClass(unsigned floatClass) {
  if (floatClass == Exact)
    return "exact";
  return llvm::join(getFloatFlags(floatClass), ", ");
}

std::string Counterexample::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "with ";
  if (symbols.empty())
    os << "these sizes";
  llvm::interleaveComma(symbols, os, [&](const auto &symbol) {
    os << symbol.first << " = " << symbol.second;
  });
  if (source.empty() && target.empty())
    return text;
  if (source.empty()) {
    os << ", the target is " << target;
    return text;
  }
  os << ", result " << result << " at [";
  llvm::interleaveComma(index, os);
  os << "] is " << source << " in the source, but " << target
     << " in the target";
  if (!operands.empty()) {
    os << ", where ";
    llvm::interleaveComma(operands, os, [&](const auto &operand) {
      os << '%' << operand.first << " = " << operand.second;
    });
  }
  return text;
}

unsigned Certificate::getFloatClass(llvm::ArrayRef<mlir::Type> types) const {
  unsigned result = floatClass;
  for (mlir::Type type : types) {
    if (!type.isF16() && !type.isBF16())
      continue;
    result |= Reassociates;
    if (rangeChanges.count(type.isF16() ? "f16" : "bf16"))
      result |= ChangesRange;
  }
  return result;
}

/// The SHA-256 of an object without its digest.
static std::string getDigest(const json::Value &object) {
  std::string text = llvm::formatv("{0}", object).str();
  std::array<uint8_t, 32> hash = llvm::SHA256::hash(llvm::ArrayRef<uint8_t>(
      reinterpret_cast<const uint8_t *>(text.data()), text.size()));
  return llvm::toHex(hash, /*LowerCase=*/true);
}

struct SizeList::State {
  std::once_flag parsed;
  std::vector<std::string> texts;
  std::vector<SymInt> sizes;
};

SizeList::SizeList(std::vector<SymInt> sizes) {
  if (sizes.empty())
    return;
  state = std::make_shared<State>();
  state->sizes = std::move(sizes);
}

SizeList SizeList::fromTexts(std::vector<std::string> texts) {
  SizeList list;
  if (texts.empty())
    return list;
  list.state = std::make_shared<State>();
  list.state->texts = std::move(texts);
  return list;
}

const std::vector<SymInt> &SizeList::get() const {
  static const std::vector<SymInt> none;
  if (!state)
    return none;
  std::call_once(state->parsed, [&] {
    for (const std::string &text : state->texts)
      state->sizes.push_back(SymInt::parse(text).value_or(SymInt::unknown()));
    state->texts.clear();
  });
  return state->sizes;
}

static json::Array printSizes(const SizeList &sizes) {
  json::Array texts;
  for (const SymInt &size : sizes.get())
    texts.push_back(size.str());
  return texts;
}

json::Value Certificate::toJSON() const {
  json::Object object{
      {"name", name},
      {"status", stringify(status)},
      {"statement", statement},
      {"solver", solver},
      {"rlimit", static_cast<int64_t>(rlimit)},
      {"obligations", obligations},
      {"conditions", json::Array(conditions)},
  };
  if (!reason.empty())
    object["reason"] = reason;
  if (status == Status::Proved) {
    object["kernel"] = kernel;
    object["meanings"] = meanings;
    object["witness"] = witness;
    object["hypotheses"] = printSizes(hypotheses);
    object["elements"] = elements;
    object["float"] = json::Array(getFloatFlags(floatClass));
    if (!rangeChanges.empty()) {
      json::Object changes;
      for (const auto &[type, text] : rangeChanges)
        changes[type] = text;
      object["range_change"] = std::move(changes);
    }
    if (!lifted.empty()) {
      json::Object lifts{{"operands", json::Array(lifted)},
                         {"proved", liftProved},
                         {"reason", liftReason}};
      if (liftProved) {
        lifts["symbol"] = liftSymbol;
        lifts["hypotheses"] = printSizes(liftHypotheses);
      }
      object["lifts"] = std::move(lifts);
    }
  }
  if (counterexample) {
    json::Object symbols, operands;
    for (const auto &[symbol, value] : counterexample->symbols)
      symbols[symbol] = value;
    for (const auto &[operand, value] : counterexample->operands)
      operands[operand] = value;
    object["counterexample"] =
        json::Object{{"symbols", std::move(symbols)},
                     {"operands", std::move(operands)},
                     {"result", counterexample->result},
                     {"index", json::Array(counterexample->index)},
                     {"source", counterexample->source},
                     {"target", counterexample->target},
                     {"text", counterexample->str()}};
  }
  json::Value value = std::move(object);
  if (status == Status::Proved)
    value.getAsObject()->try_emplace("digest", getDigest(value));
  return value;
}

static std::vector<std::string> getStrings(const json::Object &object,
                                           llvm::StringRef key) {
  std::vector<std::string> strings;
  if (const json::Array *array = object.getArray(key))
    for (const json::Value &value : *array)
      if (std::optional<llvm::StringRef> text = value.getAsString())
        strings.push_back(text->str());
  return strings;
}

std::optional<Certificate> Certificate::fromJSON(json::Value value) {
  json::Object *object = value.getAsObject();
  if (!object)
    return std::nullopt;
  std::string digest = object->getString("digest").value_or("").str();
  object->erase("digest");
  // The file was edited by hand.
  if (digest != getDigest(value))
    return std::nullopt;
  return fromUndigested(std::move(value));
}

/// Fails unless `key` is a list of texts.
static bool readSizes(const json::Object &object, llvm::StringRef key,
                      SizeList &sizes) {
  std::vector<std::string> texts = getStrings(object, key);
  const json::Array *list = object.getArray(key);
  if (!list || list->size() != texts.size())
    return false;
  sizes = SizeList::fromTexts(std::move(texts));
  return true;
}

std::optional<Certificate> Certificate::fromUndigested(json::Value value) {
  json::Object *object = value.getAsObject();
  if (!object)
    return std::nullopt;
  Certificate certificate;
  auto getText = [&](llvm::StringRef key, std::string &into) {
    if (std::optional<llvm::StringRef> text = object->getString(key))
      into = text->str();
  };
  std::string status;
  getText("name", certificate.name);
  getText("status", status);
  getText("reason", certificate.reason);
  getText("statement", certificate.statement);
  getText("solver", certificate.solver);
  getText("elements", certificate.elements);
  getText("meanings", certificate.meanings);
  certificate.kernel = object->getInteger("kernel").value_or(0);
  if (json::Value *witness = object->get("witness"))
    certificate.witness = std::move(*witness);
  certificate.rlimit = object->getInteger("rlimit").value_or(0);
  certificate.obligations = object->getInteger("obligations").value_or(0);
  certificate.conditions = getStrings(*object, "conditions");
  const json::Array *flags = object->getArray("float");
  std::vector<std::string> flagNames = getStrings(*object, "float");
  // Unknown values must not count as exact, or as valid for integers.
  if (!flags || flags->size() != flagNames.size() ||
      (certificate.elements != "any" && certificate.elements != "ring" &&
       certificate.elements != "real"))
    return std::nullopt;
  for (const std::string &name : flagNames) {
    unsigned known = certificate.floatClass;
    for (const auto &[flag, text] : floatFlags)
      if (text == name)
        certificate.floatClass |= flag;
    if (known == certificate.floatClass)
      return std::nullopt;
  }
  if (const json::Object *changes = object->getObject("range_change"))
    for (const auto &[type, text] : *changes)
      certificate.rangeChanges[type.str()] =
          text.getAsString().value_or("").str();
  // The flag is set if and only if there is a description of the inputs.
  if (((certificate.floatClass & ChangesRange) != 0) !=
      (certificate.rangeChanges.count("f32") != 0))
    return std::nullopt;
  if (!readSizes(*object, "hypotheses", certificate.hypotheses))
    return std::nullopt;
  if (const json::Object *lifts = object->getObject("lifts")) {
    certificate.lifted = getStrings(*lifts, "operands");
    certificate.liftProved = lifts->getBoolean("proved").value_or(false);
    if (certificate.liftProved) {
      std::optional<llvm::StringRef> symbol = lifts->getString("symbol");
      if (!symbol ||
          !readSizes(*lifts, "hypotheses", certificate.liftHypotheses))
        return std::nullopt;
      certificate.liftSymbol = symbol->str();
    }
    if (std::optional<llvm::StringRef> text = lifts->getString("reason"))
      certificate.liftReason = text->str();
  }
  // Only proofs are kept: all other results are computed again.
  if (status != stringify(Status::Proved) || certificate.statement.size() != 64)
    return std::nullopt;
  certificate.status = Status::Proved;
  return certificate;
}

std::string tenon::rule::getCertificatePath(llvm::StringRef rulePath) {
  llvm::SmallString<128> path(rulePath);
  llvm::sys::path::replace_extension(path, "proved.json");
  return path.str().str();
}

llvm::Expected<llvm::StringMap<Certificate>>
tenon::rule::readCertificates(llvm::StringRef path) {
  llvm::StringMap<Certificate> certificates;
  if (!llvm::sys::fs::exists(path))
    return certificates;
  auto buffer = readInputFile(path);
  if (!buffer)
    return buffer.takeError();
  llvm::Expected<json::Value> value = tenon::parseJson((*buffer)->getBuffer());
  if (!value)
    return llvm::joinErrors(
        llvm::createStringError("'%s' is not JSON", path.str().c_str()),
        value.takeError());
  json::Object *object = value->getAsObject();
  json::Array *list = object ? object->getArray("certificates") : nullptr;
  if (!list)
    return llvm::createStringError(
        "'%s': expected an object with a list 'certificates'",
        path.str().c_str());
  // Ignore certificates of another version.
  if (object->getInteger("schema_version") != Certificate::version)
    return certificates;
  for (json::Value &entry : *list)
    if (std::optional<Certificate> certificate =
            Certificate::fromJSON(std::move(entry))) {
      std::string statement = certificate->statement;
      certificates[statement] = std::move(*certificate);
    }
  return certificates;
}

llvm::Error
tenon::rule::writeCertificates(llvm::StringRef path,
                               llvm::ArrayRef<Certificate> certificates) {
  json::Array list;
  for (const Certificate &certificate : certificates)
    if (certificate.status == Status::Proved)
      list.push_back(certificate.toJSON());
  std::string text =
      llvm::formatv("{0:2}\n", json::Value(json::Object{
                                   {"schema_version", Certificate::version},
                                   {"certificates", std::move(list)}}))
          .str();
  return writeOutputFile(path, text);
}
