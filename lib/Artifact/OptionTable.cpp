//===- OptionTable.cpp - the options of a command line -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/OptionTable.h"

#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace tenon::artifact {

void OptionTable::addSwitch(const std::string &name,
                            std::function<Status()> action) {
  rows[name] = {Value::None, [action = std::move(action)](std::string_view) {
                  return action();
                }};
}

void OptionTable::addSwitch(const std::string &name, bool &out) {
  addSwitch(name, [&out] {
    out = true;
    return Status::success();
  });
}

void OptionTable::addOptional(const std::string &name, Action action) {
  rows[name] = {Value::Optional, std::move(action)};
}

void OptionTable::add(const std::string &name, Action action) {
  rows[name] = {Value::Required, std::move(action)};
}

void OptionTable::addText(const std::string &name, std::string &out,
                          const std::string &expected) {
  add(name, [&out, expected](std::string_view value) -> Status {
    if (value.empty())
      return makeError("expected ", expected);
    out = value;
    return Status::success();
  });
}

bool OptionTable::readDouble(std::string_view value, double &number) {
  // strtod skips leading blanks, and stops at a null.
  std::string text(value);
  if (text.empty() || std::isspace(static_cast<unsigned char>(text[0])))
    return false;
  char *stop = nullptr;
  number = std::strtod(text.c_str(), &stop);
  return stop == text.c_str() + text.size();
}

Status OptionTable::set(const std::string &name, std::string_view value) const {
  auto row = rows.find(name);
  if (row == rows.end())
    return makeError("unknown member '", name, "'");
  Status status = row->second.action(value);
  if (!status)
    return makeError("member '", name, "': ", status.error());
  return status;
}

/// The name of a command's program.
static std::string getProgram(const Tool &tool) {
  std::string name = tool.name;
  return name.substr(0, name.find(' '));
}

int rejectUsage(const Tool &tool, const std::string &message) {
  std::fprintf(stderr, "%s: error: %s\nsee %s --help\n",
               getProgram(tool).c_str(), message.c_str(), tool.name);
  return 2;
}

std::optional<int> OptionTable::parseTool(const Tool &tool, int argc,
                                          char **argv, const Action &operand) {
  bool help = false, version = false;
  addSwitch("--help", help);
  addSwitch("-h", help);
  addSwitch("--version", version);
  if (Status status = parse(argc, argv, operand); !status)
    return rejectUsage(tool, status.error());
  if (!help && !version)
    return std::nullopt;
  if (help)
    std::fputs(tool.help, stdout);
  else
    std::printf("%s %s\n", getProgram(tool).c_str(), tool.version);
  if (std::fflush(stdout) == 0 && !std::ferror(stdout))
    return 0;
  std::fprintf(stderr, "%s: error: can't write to standard output: %s\n",
               getProgram(tool).c_str(), std::strerror(errno));
  return 1;
}

Status OptionTable::parse(int argc, char **argv, const Action &operand) {
  bool onlyOperands = false;
  for (int i = 1; i < argc; ++i) {
    std::string_view argument = argv[i];
    if (onlyOperands || argument.size() < 2 || argument[0] != '-') {
      if (Status status = operand(argument); !status)
        return status;
      continue;
    }
    if (argument == "--") {
      onlyOperands = true;
      continue;
    }
    size_t equals = argument.find('=');
    std::string_view name = argument.substr(0, equals);
    auto row = rows.find(name);
    bool isAttached = equals != argument.npos;
    if (row == rows.end() || (isAttached && row->second.value == Value::None))
      return makeError("unknown option '", argument, "'");
    std::string_view value;
    if (isAttached)
      value = argument.substr(equals + 1);
    else if (row->second.value == Value::Required && i + 1 == argc)
      return makeError(name, ": expected a value");
    else if (row->second.value == Value::Required)
      value = argv[++i];
    given.insert(row->first);
    if (Status status = row->second.action(value); !status)
      return makeError(name, ": ", status.error());
  }
  return Status::success();
}

std::string OptionTable::joinChoices(const std::vector<std::string> &names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  return text;
}

} // namespace tenon::artifact
