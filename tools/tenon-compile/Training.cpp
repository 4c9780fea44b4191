//===- Training.cpp - options of training ---------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Training.h"

#include "tenon/Support/JsonFile.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace tenon;
using artifact::makeError;
using artifact::OptionTable;
using artifact::Status;
using llvm::StringRef;

/// A value in JSON, as an option of a command line has it.
static std::optional<std::string> getText(const llvm::json::Value &value) {
  if (std::optional<StringRef> text = value.getAsString())
    return text->str();
  if (value.kind() == llvm::json::Value::Number)
    return llvm::formatv("{0}", value).str();
  return std::nullopt;
}

Status readTraining(const std::string &path, const OptionTable &table) {
  llvm::Expected<llvm::json::Object> object = readJsonFile(path);
  if (!object)
    return makeError(llvm::toString(object.takeError()));
  if (!object->getString("loss"))
    return makeError("'", path, "': expected a member 'loss', a text");
  // In one order, for errors.
  std::map<std::string, const llvm::json::Value *> members;
  for (const auto &[key, value] : *object)
    if (key.str() != "schema_version")
      members[key.str()] = &value;
  for (const auto &[name, value] : members) {
    llvm::ArrayRef<llvm::json::Value> parts = *value;
    if (const llvm::json::Array *array = value->getAsArray())
      parts = llvm::ArrayRef(array->data(), array->size());
    for (const llvm::json::Value &part : parts) {
      std::optional<std::string> text = getText(part);
      if (!text)
        return makeError("'", path, "': member '", name,
                         "': expected a number, a text, or an array of texts");
      if (Status status = table.set(name, *text); !status)
        return makeError("'", path, "': ", status.error());
    }
  }
  return Status::success();
}

std::string checkTraining(const CompileOptions &options) {
  if (options.trains) {
    std::string wrong = checkTrainOptions(options.training);
    if (wrong.empty())
      return "";
    auto [name, reason] = StringRef(wrong).split(": ");
    std::string flag = (name == "recompute" ? "--" : "--train-") + name.str();
    if (options.trainFile.empty() || options.given.count(flag))
      return flag + ": " + reason.str();
    return "--train: '" + options.trainFile + "': member '" + name.str() +
           "': " + reason.str();
  }
  for (StringRef name : options.given)
    if (name.starts_with("--train-") || name == "--recompute")
      return name.str() + ": expected --train=LOSS, too";
  return "";
}
