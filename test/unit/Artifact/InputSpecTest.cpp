//===- InputSpecTest.cpp - tests of inputs on a command line ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/InputSpec.h"

#include <gtest/gtest.h>

using namespace tenon::artifact;

TEST(InputSpec, Files) {
  Expected<InputSpec> spec = parseInputSpec("@a=@b.npy");
  ASSERT_TRUE(spec) << spec.error();
  EXPECT_EQ(spec->name, "");
  EXPECT_EQ(spec->path, "a=@b.npy");
  spec = parseInputSpec("x:0=y=@dir/f.pb");
  ASSERT_TRUE(spec) << spec.error();
  EXPECT_EQ(spec->name, "x:0=y");
  EXPECT_EQ(spec->path, "dir/f.pb");
}

TEST(InputSpec, Random) {
  Expected<InputSpec> spec = parseInputSpec("random:7");
  ASSERT_TRUE(spec) << spec.error();
  EXPECT_EQ(spec->seed, 7u);
  EXPECT_FALSE(spec->shape);
  EXPECT_FALSE(spec->distribution);

  spec = parseInputSpec("ids=random:3:1x128:int(0,30522)");
  ASSERT_TRUE(spec) << spec.error();
  EXPECT_EQ(spec->name, "ids");
  EXPECT_EQ(*spec->shape, (std::vector<int64_t>{1, 128}));
  EXPECT_EQ(spec->distribution->kind, Distribution::Int);
  EXPECT_EQ(spec->distribution->end, 30522);

  spec = parseInputSpec("random:3:uniform(-1.5,2e1)");
  ASSERT_TRUE(spec) << spec.error();
  EXPECT_EQ(spec->distribution->low, -1.5);
  EXPECT_EQ(spec->distribution->high, 20);
  EXPECT_TRUE(parseInputSpec("random:3:scalar:normal")->shape->empty());
}

TEST(InputSpec, Refuses) {
  auto errorOf = [](const char *text) { return parseInputSpec(text).error(); };
  EXPECT_EQ(errorOf(""),
            "expected [NAME=]@FILE or [NAME=]random:SEED, but got ''");
  EXPECT_EQ(errorOf("x"),
            "expected [NAME=]@FILE or [NAME=]random:SEED, but got 'x'");
  EXPECT_EQ(errorOf("@f.txt"),
            "expected a file named .pb or .npy, but got 'f.txt'");
  EXPECT_EQ(errorOf("random:"),
            "expected a seed of at least 0 after 'random:', but got ''");
  EXPECT_EQ(errorOf("random:-1"),
            "expected a seed of at least 0 after 'random:', but got '-1'");
  EXPECT_EQ(errorOf("random:1:2x"),
            "expected a shape such as 1x3x224x224, but got '2x'");
  EXPECT_EQ(errorOf("random:1:int(3,3)"),
            "expected int(a,b) with integers a < b, but got 'int(3,3)'");
  EXPECT_EQ(errorOf("random:1:uniform(1,nan)"),
            "expected uniform(a,b) with numbers a <= b, but got "
            "'uniform(1,nan)'");
  EXPECT_EQ(errorOf("random:1:gauss"),
            "expected normal, uniform(a,b) or int(a,b), but got 'gauss'");
  EXPECT_EQ(errorOf("random:1:normal:2x2"),
            "unexpected '2x2' after the distribution in 'random:1:normal:2x2'");
}

TEST(InputSpec, Assigns) {
  std::vector<InputSpec> specs = {*parseInputSpec("b=random:1"),
                                  *parseInputSpec("random:2")};
  auto assigned = assignSpecs(specs, {"a", "b", "c"}, "input");
  ASSERT_TRUE(assigned) << assigned.error();
  EXPECT_EQ((*assigned)[0]->seed, 2u);
  EXPECT_EQ((*assigned)[1]->seed, 1u);
  EXPECT_EQ((*assigned)[2], nullptr);
  EXPECT_EQ(assignSpecs(specs, {"a"}, "input").error(),
            "no input is named 'b': expected one of 'a'");
  EXPECT_EQ(assignSpecs(specs, {"b"}, "output").error(),
            "output 'b' is given twice");
  specs.erase(specs.begin());
  EXPECT_EQ(assignSpecs(specs, {}, "input").error(),
            "expected at most 0 inputs, but got 1");
}

TEST(InputSpec, Loads) {
  InputSpec spec = *parseInputSpec("random:2");
  auto tensor = loadInput(spec, "input 'x'", "x", DType::F32, {2, 3});
  ASSERT_TRUE(tensor) << tensor.error();
  EXPECT_EQ(tensor->shape, (std::vector<int64_t>{2, 3}));
  EXPECT_NE(tensor->get(0), 0);
  EXPECT_EQ(loadInput(spec, "input 'x'", "x", DType::F32, {2, -1}).error(),
            "input 'x' has the shape 2x?: expected a shape for its random "
            "values, as in random:2:1x3x224x224");
  EXPECT_EQ(loadInput(*parseInputSpec("random:2:normal"), "input 'x'", "x",
                      DType::I64, {2})
                .error(),
            "input 'x': element type i64 needs the distribution int(a,b)");
  EXPECT_EQ(loadInput(*parseInputSpec("@/nonexistent.npy"), "input 'x'", "x",
                      DType::I64, {2})
                .error(),
            "input 'x': cannot open '/nonexistent.npy': No such file or "
            "directory");
}

TEST(InputSpec, TensorFilesRoundTrip) {
  for (const char *ending : {".pb", ".npy"}) {
    std::string path = ::testing::TempDir() + "tenon-" +
                       std::to_string(::getpid()) + "-tensor" + ending;
    TensorData tensor = *TensorData::zeros(DType::F16, {2});
    tensor.set(1, 0.5);
    Status status = writeTensorFile(path, "x", tensor);
    ASSERT_TRUE(status) << status.error();
    auto back = readTensorFile(path);
    ASSERT_TRUE(back) << back.error();
    EXPECT_EQ(back->bytes, tensor.bytes);
    std::remove(path.c_str());
  }
}
