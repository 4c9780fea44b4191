//===- FactsTest.cpp - operators evaluated at import ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelBuilder.h"

#include "Import/Onnx/Facts.h"

#include "gtest/gtest.h"

using namespace tenon;
using namespace tenon::onnx;
using artifact::DType;
using graph::SymInt;

namespace {
FactTensor vector(std::vector<int64_t> values, DType dtype = DType::I64) {
  FactTensor fact;
  fact.dtype = dtype;
  fact.shape = {static_cast<int64_t>(values.size())};
  fact.elements.assign(values.begin(), values.end());
  return fact;
}

/// The result as text, or "none".
std::string evaluate(const NodeProto &node,
                     std::vector<const FactTensor *> inputs) {
  auto results = evaluateFacts({node, 17, inputs});
  if (!results)
    return "none";
  std::string text;
  for (const FactTensor &result : *results) {
    text += text.empty() ? "[" : " [";
    for (const Fact &element : result.elements) {
      if (text.back() != '[')
        text += ", ";
      if (const SymInt *integer = element.getInteger())
        text += integer->str();
      else
        text += std::to_string(*element.getNumber());
    }
    text += "]";
  }
  return text;
}

NodeProto op(const char *name) {
  NodeProto node;
  node.set_op_type(name);
  node.add_output("y");
  return node;
}

TEST(Facts, Arithmetic) {
  FactTensor n = FactTensor::vector({SymInt::symbol("n"), SymInt(6)});
  FactTensor two = vector({2});
  EXPECT_EQ(evaluate(op("Mul"), {&n, &two}), "[2 * n, 12]");
  EXPECT_EQ(evaluate(op("Div"), {&n, &two}), "[((n) floordiv (2)), 3]");
  EXPECT_EQ(evaluate(op("Sub"), {&two, &n}), "[-n + 2, -4]");
  FactTensor minus = vector({-7}), zero = vector({0});
  EXPECT_EQ(evaluate(op("Div"), {&minus, &two}), "[-3]");
  EXPECT_EQ(evaluate(op("Mod"), {&minus, &two}), "[1]");
  EXPECT_EQ(evaluate(op("Div"), {&two, &zero}), "none");
}

TEST(Facts, ComparisonsOfSizesAreSizes) {
  FactTensor n = FactTensor::vector({SymInt::symbol("n")});
  FactTensor m = FactTensor::vector({SymInt::symbol("m")});
  FactTensor minus = vector({-1});
  EXPECT_EQ(evaluate(op("Equal"), {&n, &n}), "[1]");
  EXPECT_EQ(evaluate(op("Equal"), {&n, &m}),
            "[-min(1, max(-m + n, m - n)) + 1]");
  EXPECT_EQ(evaluate(op("Equal"), {&n, &minus}), "[0]");
  EXPECT_EQ(evaluate(op("Less"), {&minus, &n}), "[1]");
  EXPECT_EQ(evaluate(op("Less"), {&m, &n}), "[min(1, max(-m + n, 0))]");
}

TEST(Facts, WrappingIsLeftToTheGraph) {
  FactTensor big = vector({200}, DType::U8);
  EXPECT_EQ(evaluate(op("Add"), {&big, &big}), "none");
  FactTensor large = vector({INT32_MAX}, DType::I32);
  EXPECT_EQ(evaluate(op("Add"), {&large, &large}), "none");
}

TEST(Facts, Structure) {
  FactTensor x = vector({3, 4, 5, 6}), at = vector({-1, 0});
  EXPECT_EQ(evaluate(op("Gather"), {&x, &at}), "[6, 3]");
  FactTensor outside = vector({4});
  EXPECT_EQ(evaluate(op("Gather"), {&x, &outside}), "none");
  FactTensor start = vector({-3}), end = vector({INT64_MAX});
  EXPECT_EQ(evaluate(op("Slice"), {&x, &start, &end}), "[4, 5, 6]");
  EXPECT_EQ(evaluate(op("ReduceProd"), {&x}), "[360]");
  NodeProto split = op("Split");
  split.add_output("z");
  FactTensor sizes = vector({1, 3}), wrong = vector({1, 4});
  EXPECT_EQ(evaluate(split, {&x, &sizes}), "[3] [4, 5, 6]");
  EXPECT_EQ(evaluate(split, {&x, &wrong}), "none");
}
} // namespace
