//===- OptionTableTest.cpp - rows of options ------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/Compare.h"
#include "tenon/Artifact/RunFlags.h"

#include <gtest/gtest.h>

using namespace tenon::artifact;

namespace {
/// A table with a row of each kind, and what it has read.
struct Line {
  Line() {
    table.addSwitch("--quiet", quiet);
    table.addText("-o", output, "the name of a file");
    table.addTexts("--without", without, "a name");
    table.addNumber("--threads", threads, 1u, 1024u);
    table.addChoice<int>("--kind", kind, {{"a", 1}, {"b", 2}, {"c", 3}});
    table.addOptional("--emulate", [this](std::string_view value) {
      emulate = value.empty() ? "f32" : std::string(value);
      return Status::success();
    });
    addParams(table, params, seed);
    table.addNumber("--rtol", tolerance.relative, 0.0, kInfinity);
    table.addNumber("--atol", tolerance.absolute, 0.0, kInfinity);
    table.addNumber<int64_t>("--budget", budget, 0, 9);
    table.addNumber("--gain", gain, -100.0, 100.0);
    table.addNumber("--any", any, -kInfinity, kInfinity);
  }

  /// Returns the error, or an empty text.
  std::string parse(std::vector<std::string> arguments) {
    std::vector<char *> argv = {nullptr};
    for (std::string &argument : arguments)
      argv.push_back(argument.data());
    Status status = table.parse(static_cast<int>(argv.size()), argv.data(),
                                [this](std::string_view operand) {
                                  operands.emplace_back(operand);
                                  return Status::success();
                                });
    return status ? "" : status.error();
  }

  OptionTable table;
  bool quiet = false;
  std::string output, emulate, params;
  std::vector<std::string> without, operands;
  unsigned threads = 0;
  int kind = 0;
  std::optional<uint64_t> seed;
  Tolerance tolerance;
  std::optional<int64_t> budget;
  double gain = 2, any = 0;
};
} // namespace

TEST(OptionTable, ReadsBothForms) {
  Line line;
  EXPECT_EQ(line.parse({"m", "--quiet", "-o", "-", "--threads=4", "--without",
                        "x", "--without=y=z", "--kind=b", "-", "--emulate",
                        "--params=random:7", "--rtol", "1e-3", "--", "--kind"}),
            "");
  EXPECT_TRUE(line.quiet);
  EXPECT_EQ(line.output, "-");
  EXPECT_EQ(line.threads, 4u);
  EXPECT_EQ(line.without, (std::vector<std::string>{"x", "y=z"}));
  EXPECT_EQ(line.kind, 2);
  EXPECT_EQ(line.emulate, "f32");
  EXPECT_EQ(line.seed, 7u);
  EXPECT_EQ(line.tolerance.relative, 1e-3);
  EXPECT_EQ(line.operands, (std::vector<std::string>{"m", "-", "--kind"}));
}

TEST(OptionTable, RefusesByName) {
  auto errorOf = [](std::vector<std::string> arguments) {
    return Line().parse(std::move(arguments));
  };
  EXPECT_EQ(errorOf({"--loud"}), "unknown option '--loud'");
  EXPECT_EQ(errorOf({"--quiet=1"}), "unknown option '--quiet=1'");
  EXPECT_EQ(errorOf({"--threads"}), "--threads: expected a value");
  for (const char *value : {"0", "1025", "-1", "4x", "", " 4", "4294967297"})
    EXPECT_EQ(errorOf({"--threads", value}),
              concat("--threads: expected a number from 1 to 1024, but got '",
                     value, "'"));
  EXPECT_EQ(errorOf({"--kind=d"}), "--kind: expected a, b or c, but got 'd'");
  EXPECT_EQ(errorOf({"-o="}), "-o: expected the name of a file");
  for (const char *value : {"", "@", "random:", "random:-1", "7"})
    EXPECT_NE(errorOf({"--params", value}), "") << value;
  for (const char *value : {"-1", "nan", "inf", "", " 1", "1x"})
    EXPECT_EQ(errorOf({"--atol", value}),
              concat("--atol: expected a number of at least 0, but got '",
                     value, "'"));
}

TEST(OptionTable, ReadsNumbersAsTheCLocaleDoes) {
  double number = 0;
  for (auto [text, value] :
       {std::pair("+2", 2.), std::pair("0x1p-4", 0.0625),
        std::pair("1e-400", 0.), std::pair("-1.5", -1.5)}) {
    EXPECT_TRUE(OptionTable::parseNumber(text, -kInfinity, kInfinity, number));
    EXPECT_EQ(number, value) << text;
  }
  for (const char *text : {"1e", "1e400", " 1", "1 ", "+", "0x", "--1"})
    EXPECT_FALSE(OptionTable::parseNumber(text, -kInfinity, kInfinity, number))
        << text;
}

TEST(OptionTable, StatesTheEndThatWasReached) {
  auto errorOf = [](std::string_view text, const char *unit = "") {
    uint32_t number = 0;
    return OptionTable::parseNumber<uint32_t>(text, 0, UINT32_MAX, number, unit)
        .error();
  };
  EXPECT_EQ(errorOf("4294967296"), "expected a number from 0 to 4294967295, "
                                   "but got '4294967296'");
  EXPECT_EQ(errorOf("1G"), "expected a number of at least 0, but got '1G'");
  EXPECT_EQ(errorOf("1G", "bytes"),
            "expected a number of bytes, at least 0, but got '1G'");
  EXPECT_EQ(errorOf("4294967296", "bytes"),
            "expected a number of bytes from 0 to 4294967295, but got "
            "'4294967296'");
}

TEST(OptionTable, NumbersInRanges) {
  Line line;
  EXPECT_EQ(line.parse({}), "");
  EXPECT_FALSE(line.budget);
  EXPECT_EQ(line.parse({"--budget=0", "--gain=-100", "--any=-1e300"}), "");
  EXPECT_EQ(line.budget, 0);
  EXPECT_EQ(line.gain, -100);
  EXPECT_EQ(line.any, -1e300);
  EXPECT_EQ(line.parse({"--budget=10"}),
            "--budget: expected a number from 0 to 9, but got '10'");
  EXPECT_EQ(line.budget, 0);
  for (const char *value : {"-100.1", "101", "nan", "inf", "1 ", ""})
    EXPECT_EQ(line.parse({"--gain", value}),
              concat("--gain: expected a number from -100 to 100, but got '",
                     value, "'"));
  for (const char *value : {"nan", "-inf", "1e999", "one"})
    EXPECT_EQ(line.parse({"--any", value}),
              concat("--any: expected a number, but got '", value, "'"));
}

TEST(OptionTable, ValuesByName) {
  Line line;
  EXPECT_TRUE(line.table.set("--threads", "7"));
  EXPECT_EQ(line.threads, 7u);
  EXPECT_EQ(line.table.set("--threads", "0").error(),
            "member '--threads': expected a number from 1 to 1024, but got "
            "'0'");
  EXPECT_EQ(line.table.set("threads", "1").error(), "unknown member 'threads'");
}

TEST(OptionTable, Tools) {
  const Tool tool = {"tenon-x make", "1.2", "usage: tenon-x make\n"};
  auto run = [&](std::vector<std::string> arguments, std::string &out,
                 std::string &error) {
    Line line;
    std::vector<char *> argv = {nullptr};
    for (std::string &argument : arguments)
      argv.push_back(argument.data());
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    std::optional<int> status = line.table.parseTool(
        tool, static_cast<int>(argv.size()), argv.data(),
        [](std::string_view) { return Status::success(); });
    out = testing::internal::GetCapturedStdout();
    error = testing::internal::GetCapturedStderr();
    return status;
  };
  std::string out, error;
  EXPECT_EQ(run({"m", "--quiet"}, out, error), std::nullopt);
  EXPECT_EQ(out + error, "");
  for (const char *flag : {"--help", "-h"}) {
    EXPECT_EQ(run({flag}, out, error), 0);
    EXPECT_EQ(out, tool.help);
  }
  EXPECT_EQ(run({"--version"}, out, error), 0);
  EXPECT_EQ(out, "tenon-x 1.2\n");
  EXPECT_EQ(run({"--help", "--loud"}, out, error), 2);
  EXPECT_EQ(out, "");
  EXPECT_EQ(error, "tenon-x: error: unknown option '--loud'\n"
                   "see tenon-x make --help\n");
}
