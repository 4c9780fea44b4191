//===- TrainFlags.cpp - options of training -------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TrainFlags.h"

#include "tenon/Support/JsonFile.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace tenon;
using artifact::makeError;
using artifact::OptionTable;
using artifact::Status;
using llvm::StringRef;

template <typename T> static OptionTable::Choices<T> listChoices() {
  OptionTable::Choices<T> choices;
  for (T value : getAll(T()))
    choices.emplace_back(getName(value).str(), value);
  return choices;
}

static Status parseReal(std::string_view value, double &out) {
  if (StringRef(value).getAsDouble(out))
    return makeError("expected a number, but got '", value, "'");
  return Status::success();
}

/// A value in JSON, as an option of a command line has it.
static std::optional<std::string> getText(const llvm::json::Value &value) {
  if (std::optional<StringRef> text = value.getAsString())
    return text->str();
  if (value.kind() == llvm::json::Value::Number)
    return llvm::formatv("{0}", value).str();
  return std::nullopt;
}

/// Options from a file: {"schema_version": 1, "loss": ..., "learning-rate":
/// 0.1, "freeze": ["a*", "b"]}. An array is an option that is repeated.
static Status readOptions(const std::string &path, const TrainFlags &flags) {
  llvm::Expected<llvm::json::Object> object = readJsonFile(path);
  if (!object)
    return makeError(llvm::toString(object.takeError()));
  if (!object->get("loss"))
    return makeError("'", path, "': expected a member 'loss'");
  // In one order, for errors.
  std::map<std::string, const llvm::json::Value *> members;
  for (const auto &[key, value] : *object)
    if (key.str() != "schema_version")
      members[key.str()] = &value;
  for (const auto &[name, value] : members) {
    auto action = flags.actions.find(name);
    if (action == flags.actions.end())
      return makeError("'", path, "': unknown member '", name, "'");
    llvm::ArrayRef<llvm::json::Value> parts = *value;
    if (const llvm::json::Array *array = value->getAsArray())
      parts = llvm::ArrayRef(array->data(), array->size());
    for (const llvm::json::Value &part : parts) {
      std::optional<std::string> text = getText(part);
      if (!text)
        return makeError("'", path, "': member '", name,
                         "': expected a number, a text, or an array of texts");
      if (Status status = action->second(*text); !status)
        return makeError("'", path, "': member '", name, "': ", status.error());
    }
  }
  return Status::success();
}

void addTrainFlags(OptionTable &table, TrainFlags &flags) {
  differentiate::GraphTrainOptions &options = flags.options;
  OptionTable::Action chooseLoss = [&options](std::string_view value) {
    return OptionTable::choose(value, listChoices<differentiate::Loss>(),
                               options.loss);
  };
  flags.actions["loss"] = chooseLoss;
  table.add("--train", [&flags, chooseLoss](std::string_view value) {
    flags.isOn = true;
    return StringRef(value).ends_with(".json")
               ? readOptions(std::string(value), flags)
               : chooseLoss(value);
  });
  // An option that has no effect without --train.
  auto add = [&](const std::string &name, auto parse) {
    flags.actions[name] = parse;
    table.add("--train-" + name, [&flags, name, parse](std::string_view value) {
      if (flags.first.empty())
        flags.first = "--train-" + name;
      return parse(value);
    });
  };
  auto addReal = [&](const std::string &name, double &out) {
    add(name, [&out](std::string_view text) { return parseReal(text, out); });
  };
  auto addInteger = [&](const std::string &name, int64_t &out, int64_t least) {
    add(name, [&out, least](std::string_view text) {
      return OptionTable::parseNumber<int64_t>(text, least, INT64_MAX, out);
    });
  };
  auto addPattern = [&](const std::string &name, auto &out) {
    add(name, [&out](std::string_view text) -> Status {
      if (text.empty())
        return makeError("expected a pattern of names");
      out.emplace_back(text);
      return Status::success();
    });
  };
  add("optimizer", [&options](std::string_view value) {
    return OptionTable::choose(value, listChoices<differentiate::Optimizer>(),
                               options.optimizer);
  });
  add("schedule", [&options](std::string_view value) {
    return OptionTable::choose(value, listChoices<differentiate::Schedule>(),
                               options.schedule);
  });
  add("of", [&options](std::string_view value) {
    options.of = value;
    return Status::success();
  });
  addInteger("class-axis", options.classAxis, INT64_MIN);
  addReal("learning-rate", options.learningRate);
  addReal("momentum", options.momentum);
  addReal("beta1", options.beta1);
  addReal("beta2", options.beta2);
  addReal("epsilon", options.epsilon);
  addReal("weight-decay", options.weightDecay);
  addReal("clip", options.clip);
  addReal("batch-norm-momentum", options.batchNormMomentum);
  addInteger("accumulate", options.accumulate, 1);
  add("loss-scale", [&flags](std::string_view text) {
    flags.hasLossScale = true;
    return parseReal(text, flags.options.lossScale);
  });
  addInteger("loss-scale-growth", options.lossScaleGrowth, 1);
  add("seed", [&options](std::string_view text) {
    return OptionTable::parseNumber<uint64_t>(text, 0, UINT64_MAX,
                                              options.seed);
  });
  OptionTable::Action setRecompute =
      [&flags](std::string_view value) -> Status {
    if (!differentiate::checkRecompute(value).empty())
      return makeError("expected none, sqrt or a number of bytes, but got '",
                       value, "'");
    flags.options.recompute = value;
    return Status::success();
  };
  flags.actions["recompute"] = setRecompute;
  table.add("--recompute", [&flags, setRecompute](std::string_view value) {
    if (flags.first.empty())
      flags.first = "--recompute";
    return setRecompute(value);
  });
  addInteger("warmup", options.warmup, 0);
  addInteger("steps", options.steps, 0);
  addPattern("no-decay", options.noDecay);
  addPattern("freeze", options.freeze);
  addPattern("include", options.include);
  table.addSwitch("--train-list", [&flags]() -> Status {
    flags.lists = true;
    if (flags.first.empty())
      flags.first = "--train-list";
    return Status::success();
  });
}

std::string checkTrainFlags(const TrainFlags &flags) {
  if (!flags.isOn)
    return flags.first.empty() ? ""
                               : flags.first + ": expected --train=LOSS, too";
  std::string wrong = checkTrainOptions(flags.options);
  return wrong.empty() ? "" : "--train-" + wrong;
}
