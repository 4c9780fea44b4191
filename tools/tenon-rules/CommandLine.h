//===- CommandLine.h - arguments of tenon-rules ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_RULES_COMMANDLINE_H
#define TENON_TOOLS_RULES_COMMANDLINE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tenon::tools {

/// Reads the arguments of one command: its options, in any order, and the names
/// of files.
class CommandLine {
public:
  /// `help` is what `--help` prints; `expected`, what the files are.
  CommandLine(llvm::StringRef command, llvm::StringRef help,
              llvm::StringRef expected = "files of rules")
      : command(command), help(help), expected(expected) {}

  /// Declares an option without a value, or with a value (`--name VALUE` or
  /// `--name=VALUE`).
  void add(llvm::StringRef name, bool &into) { options[name.str()] = &into; }
  void add(llvm::StringRef name, std::string &into) {
    options[name.str()] = &into;
  }
  void add(llvm::StringRef name, uint64_t &into) {
    options[name.str()] = &into;
  }

  /// The exit status if there is nothing left to do: after `--help`, and after
  /// wrong usage, which is reported. At least one file is expected, or, if
  /// `expected` is empty, none.
  std::optional<int> parse(llvm::ArrayRef<const char *> arguments);
  /// Reports wrong usage. Returns the exit status for it, 2.
  int reject(const llvm::Twine &message) const;

  std::vector<std::string> files;

private:
  llvm::StringRef command, help, expected;
  std::map<std::string, std::variant<bool *, std::string *, uint64_t *>>
      options;
};

} // namespace tenon::tools

#endif // TENON_TOOLS_RULES_COMMANDLINE_H
