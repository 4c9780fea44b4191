//===- CommandLine.cpp - arguments of tenon-rules -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"

#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace tenon::tools;

int CommandLine::reject(const Twine &message) const {
  errs() << "tenon-rules: error: " << message << "\nsee tenon-rules " << command
         << " --help\n";
  return 2;
}

std::optional<int> CommandLine::parse(ArrayRef<const char *> arguments) {
  bool onlyFiles = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    StringRef argument = arguments[i];
    if (onlyFiles || argument == "-" || !argument.starts_with("-")) {
      files.push_back(argument.str());
      continue;
    }
    if (argument == "--") {
      onlyFiles = true;
      continue;
    }
    if (argument == "--help" || argument == "-h") {
      outs() << help;
      return 0;
    }
    auto [name, value] = argument.split('=');
    bool hasValue = name.size() != argument.size();
    auto it = options.find(name.str());
    if (it == options.end())
      return reject("unknown option '" + argument + "'");
    if (bool **flag = std::get_if<bool *>(&it->second)) {
      if (hasValue)
        return reject(name + " takes no value");
      **flag = true;
      continue;
    }
    if (!hasValue) {
      if (i + 1 == arguments.size())
        return reject(name + " needs a value");
      value = arguments[++i];
    }
    if (value.empty())
      return reject(name + ": expected a value");
    if (std::string **text = std::get_if<std::string *>(&it->second))
      **text = value.str();
    else if (value.getAsInteger(10, *std::get<uint64_t *>(it->second)))
      return reject(name + ": expected a number, but got '" + value + "'");
  }
  if (expected.empty() && !files.empty())
    return reject("unexpected argument '" + files.front() + "'");
  if (files.empty() && !expected.empty())
    return reject("expected " + expected);
  return std::nullopt;
}
