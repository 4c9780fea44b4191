//===- ArithmeticTest.cpp - numbers of all types --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestKernel.h"

#include "llvm/ADT/APFloat.h"

#include <cmath>
#include <random>

using namespace tenon::emulate;
using llvm::APFloat;

namespace {
/// Runs `body`, which computes %y of type `result` from %a and %b, on each
/// pair of elements.
template <typename A, typename R>
std::vector<R> apply(const std::string &type, const std::string &result,
                     const std::string &body, const std::vector<A> &a,
                     const std::vector<A> &b, std::string *error = nullptr) {
  std::string ptr = "!llvm.ptr";
  TestKernel kernel(
      "(%pa: !llvm.ptr, %pb: !llvm.ptr, %py: !llvm.ptr) kernel {\n"
      "%t = gpu.thread_id x\n%i = arith.index_cast %t : index to i64\n"
      "%qa = llvm.getelementptr %pa[%i] : (!llvm.ptr, i64) -> !llvm.ptr, " +
      type +
      "\n%qb = llvm.getelementptr %pb[%i] : (!llvm.ptr, i64) -> !llvm.ptr, " +
      type +
      "\n%qy = llvm.getelementptr %py[%i] : (!llvm.ptr, i64) -> !llvm.ptr, " +
      result + "\n%a = llvm.load %qa : !llvm.ptr -> " + type +
      "\n%b = llvm.load %qb : !llvm.ptr -> " + type + "\n" + body +
      "\nllvm.store %y, %qy : " + result + ", !llvm.ptr\ngpu.return\n}");
  Pointer pa = kernel.allocate<A>("a", llvm::ArrayRef(a));
  Pointer pb = kernel.allocate<A>("b", llvm::ArrayRef(b));
  Pointer py = kernel.allocate<R>("y", a.size());
  std::string text = kernel.launch(1, a.size(), {pa, pb, py});
  if (error)
    *error = text;
  else
    EXPECT_EQ(text, "");
  return kernel.read<R>(py);
}

APFloat makeFloat(const llvm::fltSemantics &semantics, uint16_t bits) {
  return APFloat(semantics, llvm::APInt(16, bits));
}
} // namespace

TEST(Arithmetic, ShortFloatsRoundAsAPFloatDoes) {
  std::mt19937 random(7);
  for (bool isHalf : {true, false}) {
    const auto &semantics = isHalf ? APFloat::IEEEhalf() : APFloat::BFloat();
    std::string type = isHalf ? "f16" : "bf16";
    for (std::string op : {"addf", "subf", "mulf", "divf"}) {
      for (int round = 0; round < 8; ++round) {
        std::vector<uint16_t> a(1024), b(1024);
        for (int i = 0; i < 1024; ++i) {
          a[i] = random();
          // Many pairs of like magnitude, and many of any.
          b[i] = round % 2 ? random() : a[i] ^ (random() & 0x83ff);
        }
        std::vector<uint16_t> y = apply<uint16_t, uint16_t>(
            type, type, "%y = arith." + op + " %a, %b : " + type, a, b);
        for (int i = 0; i < 1024; ++i) {
          APFloat expected = makeFloat(semantics, a[i]);
          APFloat right = makeFloat(semantics, b[i]);
          auto mode = APFloat::rmNearestTiesToEven;
          if (op == "addf")
            expected.add(right, mode);
          else if (op == "subf")
            expected.subtract(right, mode);
          else if (op == "mulf")
            expected.multiply(right, mode);
          else
            expected.divide(right, mode);
          if (expected.isNaN())
            EXPECT_TRUE(makeFloat(semantics, y[i]).isNaN());
          else
            ASSERT_EQ(y[i], expected.bitcastToAPInt().getZExtValue())
                << type << " " << op << " " << a[i] << " " << b[i];
        }
      }
    }
  }
}

TEST(Arithmetic, ConversionsRoundAsAPFloatDoes) {
  std::mt19937_64 random(3);
  for (bool isHalf : {true, false}) {
    const auto &semantics = isHalf ? APFloat::IEEEhalf() : APFloat::BFloat();
    std::string type = isHalf ? "f16" : "bf16";
    std::vector<double> a(1024), zero(1024);
    for (double &number : a)
      number = std::ldexp(static_cast<double>(random() >> 11),
                          static_cast<int>(random() % 44) - 80);
    // Ties, and what lies next to them.
    a[0] = 1 + std::ldexp(1.0, -11), a[1] = a[0] + std::ldexp(1.0, -40);
    a[2] = 65520, a[3] = std::nextafter(65520.0, 0), a[4] = -1e300;
    std::vector<uint16_t> y = apply<double, uint16_t>(
        "f64", type, "%y = arith.truncf %a : f64 to " + type, a, zero);
    for (int i = 0; i < 1024; ++i) {
      APFloat expected(a[i]);
      bool inexact;
      expected.convert(semantics, APFloat::rmNearestTiesToEven, &inexact);
      ASSERT_EQ(y[i], expected.bitcastToAPInt().getZExtValue()) << a[i];
    }
    std::vector<double> back = apply<uint16_t, double>(
        type, "f64", "%y = arith.extf %a : " + type + " to f64", y, y);
    for (int i = 0; i < 1024; ++i)
      EXPECT_EQ(back[i], [&] {
        APFloat wide = makeFloat(semantics, y[i]);
        bool inexact;
        wide.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                     &inexact);
        return wide.convertToDouble();
      }());
  }
}

TEST(Arithmetic, FmaRoundsOnce) {
  std::mt19937 random(5);
  std::vector<float> a(1024), b(1024);
  for (int i = 0; i < 1024; ++i) {
    a[i] = std::ldexp(float(random()), -30);
    b[i] = std::ldexp(float(random()), -int(random() % 60));
  }
  std::vector<float> y =
      apply<float, float>("f32", "f32", "%y = math.fma %a, %b, %a : f32", a, b);
  for (int i = 0; i < 1024; ++i)
    ASSERT_EQ(y[i], std::fma(a[i], b[i], a[i])) << a[i] << " " << b[i];
}

TEST(Arithmetic, SmallIntegers) {
  std::vector<int8_t> a = {-128, 127, -1, 7, -7}, b = {-3, 100, 2, -2, 2};
  auto run = [&](const std::string &op) {
    return apply<int8_t, int8_t>("i8", "i8",
                                 "%y = arith." + op + " %a, %b : i8", a, b);
  };
  using Bytes = std::vector<int8_t>;
  EXPECT_EQ(run("addi"), (Bytes{125, -29, 1, 5, -5}));
  EXPECT_EQ(run("muli"), (Bytes{-128, -100, -2, -14, -14}));
  EXPECT_EQ(run("divsi"), (Bytes{42, 1, 0, -3, -3}));
  EXPECT_EQ(run("floordivsi"), (Bytes{42, 1, -1, -4, -4}));
  EXPECT_EQ(run("ceildivsi"), (Bytes{43, 2, 0, -3, -3}));
  EXPECT_EQ(run("remsi"), (Bytes{-2, 27, -1, 1, -1}));
  EXPECT_EQ(run("divui"), (Bytes{0, 1, 127, 0, 124}));
  EXPECT_EQ(run("maxsi"), (Bytes{-3, 127, 2, 7, 2}));
  EXPECT_EQ(run("minui"), (Bytes{-128, 100, 2, 7, 2}));
  std::string error;
  b[2] = 0;
  apply<int8_t, int8_t>("i8", "i8", "%y = arith.remui %a, %b : i8", a, b,
                        &error);
  expectPart(error, "undefined arithmetic: thread (2,0,0) of block (0,0,0) "
                    "divides by zero");
}

TEST(Arithmetic, IntegersAndFloats) {
  std::vector<float> a = {1.5f, -1.5f, 3e9f, NAN, -200}, b(5);
  EXPECT_EQ((apply<float, int8_t>("f32", "i8",
                                  "%y = arith.fptosi %a : f32 to i8", a, b)),
            (std::vector<int8_t>{1, -1, 127, 0, -128}));
  EXPECT_EQ((apply<float, uint32_t>("f32", "i32",
                                    "%y = arith.fptoui %a : f32 to i32", a, b)),
            (std::vector<uint32_t>{1, 0, 3000000000u, 0, 0}));
  std::vector<int64_t> wide = {-1, (int64_t(1) << 24) + 1, 5}, zero(3);
  EXPECT_EQ((apply<int64_t, float>(
                "i64", "f32", "%y = arith.sitofp %a : i64 to f32", wide, zero)),
            (std::vector<float>{-1, 1 << 24, 5}));
  EXPECT_EQ((apply<int64_t, float>(
                "i64", "f32", "%y = arith.uitofp %a : i64 to f32", wide, zero)),
            (std::vector<float>{18446744073709551616.0f, 1 << 24, 5}));
  EXPECT_EQ((apply<float, uint16_t>("f32", "i16",
                                    "%h = arith.truncf %a : f32 to bf16\n"
                                    "%y = arith.bitcast %h : bf16 to i16",
                                    {1.0f, -2.0f}, {0, 0})),
            (std::vector<uint16_t>{0x3f80, 0xc000}));
}

TEST(Arithmetic, MaximumAndMinimum) {
  std::vector<float> a = {NAN, 1, -0.0f, 0.0f}, b = {1, NAN, 0.0f, -0.0f};
  auto run = [&](const std::string &op) {
    return apply<float, float>("f32", "f32",
                               "%y = arith." + op + " %a, %b : f32", a, b);
  };
  std::vector<float> most = run("maximumf"), least = run("minimumf");
  EXPECT_TRUE(std::isnan(most[0]) && std::isnan(most[1]));
  EXPECT_FALSE(std::signbit(most[2]) || std::signbit(most[3]));
  EXPECT_TRUE(std::signbit(least[2]) && std::signbit(least[3]));
  std::vector<float> number = run("maxnumf");
  EXPECT_EQ(number[0], 1);
  EXPECT_EQ(number[1], 1);
}

TEST(Arithmetic, Comparisons) {
  std::vector<float> a = {1, NAN, 2}, b = {1, 1, 1};
  auto run = [&](const std::string &predicate) {
    return apply<float, uint8_t>(
        "f32", "i1", "%y = arith.cmpf " + predicate + ", %a, %b : f32", a, b);
  };
  using Bits = std::vector<uint8_t>;
  EXPECT_EQ(run("oeq"), (Bits{1, 0, 0}));
  EXPECT_EQ(run("une"), (Bits{0, 1, 1}));
  EXPECT_EQ(run("ugt"), (Bits{0, 1, 1}));
  EXPECT_EQ(run("ole"), (Bits{1, 0, 0}));
  EXPECT_EQ(run("uno"), (Bits{0, 1, 0}));
}

TEST(Arithmetic, Math) {
  std::vector<float> a = {0.5f, 1, 2.5f}, b = {2, 3, 0.5f};
  auto run = [&](const std::string &op) {
    return apply<float, float>("f32", "f32", "%y = math." + op + " : f32", a,
                               b);
  };
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(run("exp %a")[i], std::exp(a[i]));
    EXPECT_EQ(run("erf %a")[i], std::erf(a[i]));
    EXPECT_EQ(run("powf %a, %b")[i], std::pow(a[i], b[i]));
    EXPECT_EQ(run("tanh %a")[i], std::tanh(a[i]));
    EXPECT_EQ(run("rsqrt %a")[i], 1 / std::sqrt(a[i]));
  }
  EXPECT_EQ(run("roundeven %a"), (std::vector<float>{0, 1, 2}));
  EXPECT_EQ(run("round %a"), (std::vector<float>{1, 1, 3}));
  EXPECT_EQ((apply<int32_t, int32_t>("i32", "i32", "%y = math.ctlz %a : i32",
                                     {1, 0, -1}, {0, 0, 0})),
            (std::vector<int32_t>{31, 32, 0}));
  EXPECT_EQ(
      (apply<int32_t, int32_t>("i32", "i32", "%y = math.ipowi %a, %b : i32",
                               {3, -1, 2}, {4, -3, -1})),
      (std::vector<int32_t>{81, -1, 0}));
}

TEST(Arithmetic, ExtendedProducts) {
  std::vector<int32_t> a = {-1, 1 << 30}, b = {-1, 8};
  EXPECT_EQ(
      (apply<int32_t, int32_t>(
          "i32", "i32", "%l, %y = arith.mulsi_extended %a, %b : i32", a, b)),
      (std::vector<int32_t>{0, 2}));
  EXPECT_EQ(
      (apply<int32_t, int32_t>(
          "i32", "i32", "%l, %y = arith.mului_extended %a, %b : i32", a, b)),
      (std::vector<int32_t>{-2, 2}));
  EXPECT_EQ(
      (apply<int32_t, uint8_t>(
          "i32", "i1", "%l, %y = arith.addui_extended %a, %b : i32, i1", a, b)),
      (std::vector<uint8_t>{1, 0}));
}

TEST(Arithmetic, Poison) {
  std::string error;
  std::vector<float> a = {1, 2}, b = {3, 4};
  // A poison value that is not selected is no error.
  EXPECT_EQ((apply<float, float>("f32", "f32",
                                 "%p = ub.poison : f32\n"
                                 "%s = arith.addf %p, %a : f32\n"
                                 "%c = arith.cmpf olt, %a, %b : f32\n"
                                 "%y = arith.select %c, %a, %s : f32",
                                 a, b)),
            a);
  apply<float, float>("f32", "f32",
                      "%p = ub.poison : f32\n"
                      "%s = arith.addf %p, %a : f32\n"
                      "%c = arith.cmpf ogt, %a, %b : f32\n"
                      "%y = arith.select %c, %a, %s : f32",
                      a, b, &error);
  expectPart(error, "uninitialized: thread (0,0,0) of block (0,0,0) uses an "
                    "undefined value (poison); in kernel @k at llvm.store");
  std::vector<int32_t> numbers = {1, 2}, counts = {31, 32};
  apply<int32_t, int32_t>("i32", "i32", "%y = arith.shli %a, %b : i32", numbers,
                          counts, &error);
  expectPart(error, "thread (1,0,0) of block (0,0,0) uses an undefined value");
}
