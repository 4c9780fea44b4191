//===- OptionTableTest.cpp - rows of options ------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

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
    addTolerance(table, tolerance);
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
