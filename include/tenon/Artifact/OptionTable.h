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
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tenon::artifact {

/// The end of a range of numbers that has none.
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The name of a tool, or of a command of one, and its texts.
struct Tool {
  const char *name; // "tenon-run", "tenon-rules prove"
  const char *version;
  const char *help;
};

/// Says on standard error why a command line is wrong. Returns the exit status
/// for it, 2.
int rejectUsage(const Tool &tool, const std::string &message);

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
  /// Appends a text that is not empty to a list of texts. The option may be
  /// repeated.
  template <typename List>
  void addTexts(const std::string &name, List &out,
                const std::string &expected) {
    add(name, [&out, expected](std::string_view value) -> Status {
      if (value.empty())
        return makeError("expected ", expected);
      out.emplace_back(value);
      return Status::success();
    });
  }
  /// Sets a decimal number of this range. `unit` is "bytes" and so on, for
  /// errors.
  template <typename T>
  void addNumber(const std::string &name, T &out, T least, T most,
                 const char *unit = "") {
    add(name, [&out, least, most, unit](std::string_view value) {
      return parseNumber(value, least, most, out, unit);
    });
  }
  template <typename T>
  void addNumber(const std::string &name, std::optional<T> &out, T least,
                 T most, const char *unit = "") {
    add(name, [&out, least, most, unit](std::string_view value) {
      T number{};
      Status status = parseNumber(value, least, most, number, unit);
      if (status)
        out = number;
      return status;
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
  /// The same with --help, -h and --version. Returns the exit status if there
  /// is nothing left to do: after these, and after wrong usage.
  std::optional<int> parseTool(const Tool &tool, int argc, char **argv,
                               const Action &operand);
  /// Gives an option its value. Fails with "unknown member" if there is none of
  /// this name.
  Status set(const std::string &name, std::string_view value) const;

  /// The names of the options that `parse` found.
  const std::set<std::string, std::less<>> &getGiven() const { return given; }

  /// Sets `out` to a decimal number of this range, or fails. The range may be
  /// that of the type; of floats, it may be infinite, but a number is finite.
  template <typename T>
  static Status parseNumber(std::string_view value, T least, T most, T &out,
                            std::string_view unit = "") {
    using Limits = std::numeric_limits<T>;
    T number{};
    bool isTooLarge = false;
    bool isNumber = readNumber(value, number, isTooLarge);
    // A NaN is outside of every range.
    if (isNumber && number >= least && number <= most &&
        number <= Limits::max() && number >= Limits::lowest()) {
      out = number;
      return Status::success();
    }
    std::string of = unit.empty() ? "" : " of " + std::string(unit);
    // The end of a type is stated only where it was reached.
    if (most < Limits::max() || isTooLarge)
      return makeError("expected a number", of, " from ", least, " to ", most,
                       ", but got '", value, "'");
    if (least > Limits::lowest() || least == T(0))
      return makeError("expected a number", of, unit.empty() ? " of" : ",",
                       " at least ", least, ", but got '", value, "'");
    return makeError("expected a number", of, ", but got '", value, "'");
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
  /// Reads a number of the C locale, or, of an integer, decimal digits;
  /// `isTooLarge`: the type has no such integer.
  template <typename T>
  static bool readNumber(std::string_view value, T &number, bool &isTooLarge) {
    if constexpr (std::is_floating_point_v<T>) {
      return readDouble(value, number);
    } else {
      const char *end = value.data() + value.size();
      auto [stop, code] = std::from_chars(value.data(), end, number);
      isTooLarge = code == std::errc::result_out_of_range && stop == end;
      return code == std::errc() && stop == end;
    }
  }
  static bool readDouble(std::string_view value, double &number);

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
