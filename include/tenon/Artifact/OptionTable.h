//===- OptionTable.h - the options of a command line ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_ARTIFACT_OPTIONTABLE_H
#define TENON_ARTIFACT_OPTIONTABLE_H

#include "tenon/Artifact/Status.h"

#include <charconv>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tenon::artifact {

/// The options of a tool, a row each: the name with its dashes, and what
/// becomes of the value. Values that are not allowed are reported as
/// "--name: expected X, but got 'value'".
class OptionTable {
public:
  /// Takes the value of an option; fails with a message without the name.
  using Action = std::function<Status(std::string_view value)>;

  /// Names with what they stand for.
  template <typename T> using Choices = std::vector<std::pair<std::string, T>>;

  /// Adds an option without a value.
  void addSwitch(const std::string &name, std::function<Status()> action);
  void addSwitch(const std::string &name, bool &out);
  /// Adds an option that may have a value, as `--name=value`; otherwise the
  /// value is empty.
  void addOptional(const std::string &name, Action action);
  /// Adds an option with a value: `--name=value` or `--name value`.
  void add(const std::string &name, Action action);
  /// Sets a text that is not empty. `expected` is what to expect otherwise.
  void addText(const std::string &name, std::string &out,
               const std::string &expected = "a value");
  /// Appends a text that is not empty. The option may be repeated.
  void addTexts(const std::string &name, std::vector<std::string> &out,
                const std::string &expected);
  /// Sets a decimal integer of this range.
  template <typename T>
  void addNumber(const std::string &name, T &out, T least, T most) {
    add(name, [&out, least, most](std::string_view value) {
      return parseNumber(value, least, most, out);
    });
  }
  /// Sets one of several values, which have names.
  template <typename T>
  void addChoice(const std::string &name, T &out, Choices<T> choices) {
    add(name, [&out, choices](std::string_view value) -> Status {
      return choose(value, choices, out);
    });
  }

  /// Reads the arguments after the program's name, in their order. Those that
  /// do not begin with a dash, a single dash, and all after "--" are operands.
  /// If an option that may not be repeated is given again, the last value
  /// counts. Fails at the first argument that is wrong.
  Status parse(int argc, char **argv, const Action &operand);

  /// The names of the options that `parse` found.
  const std::set<std::string, std::less<>> &getGiven() const { return given; }

  /// Sets `out` to a decimal integer of this range, or fails.
  template <typename T>
  static Status parseNumber(std::string_view value, T least, T most, T &out) {
    T number{};
    const char *end = value.data() + value.size();
    auto [stop, code] = std::from_chars(value.data(), end, number);
    if (code != std::errc() || stop != end || number < least || number > most)
      return makeError("expected a number from ", least, " to ", most,
                       ", but got '", value, "'");
    out = number;
    return Status::success();
  }
  /// Sets `out` to the choice with the name `value`, or fails.
  template <typename T>
  static Status choose(std::string_view value, const Choices<T> &choices,
                       T &out) {
    std::vector<std::string> names;
    for (const auto &[name, choice] : choices) {
      if (name == value) {
        out = choice;
        return Status::success();
      }
      names.push_back(name);
    }
    return makeError("expected ", joinChoices(names), ", but got '", value,
                     "'");
  }
  /// "a, b or c".
  static std::string joinChoices(const std::vector<std::string> &names);

private:
  enum class Value { None, Optional, Required };
  struct Row {
    Value value = Value::None;
    Action action;
  };
  std::map<std::string, Row, std::less<>> rows;
  std::set<std::string, std::less<>> given;
};

} // namespace tenon::artifact

#endif // TENON_ARTIFACT_OPTIONTABLE_H
