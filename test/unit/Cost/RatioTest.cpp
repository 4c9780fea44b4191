//===- RatioTest.cpp - kernels predicted from others of their kind --------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Cost/CostDatabase.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace tenon::cost;

static std::string relu(int size) {
  return "cpu relu: f32[" + std::to_string(size) + "]; relu(0)";
}

static void add(CostDatabase &database, const std::string &key, double median,
                double roofline) {
  database.add(key, {median, median, median, 20, roofline});
}

TEST(Ratio, NoneOfTheKind) {
  CostDatabase database{Device()};
  EXPECT_FALSE(database.getRatio(relu(4), 1e-6));
  // Without a roofline there is nothing to compare with.
  add(database, relu(8), 2e-6, 0);
  EXPECT_FALSE(database.getRatio(relu(4), 1e-6));
  add(database, relu(8), 2e-6, 1e-6);
  EXPECT_FALSE(database.getRatio("cpu tanh: f32[4]; tanh(0)", 1e-6));
  EXPECT_FALSE(database.getRatio(relu(4), 0));
  EXPECT_TRUE(database.getRatio(relu(4), 1e-6));
}

TEST(Ratio, InterpolatesByTheLogarithm) {
  CostDatabase database{Device()};
  add(database, relu(100), 4e-6, 1e-6);   // 4
  add(database, relu(10000), 2e-4, 1e-4); // 2
  EXPECT_NEAR(*database.getRatio(relu(1000), 1e-5), 3, 1e-9);
  EXPECT_NEAR(*database.getRatio(relu(300), 1e-6 * std::pow(100, 0.25)), 3.5,
              1e-9);
  EXPECT_NEAR(*database.getRatio(relu(100), 1e-6), 4, 1e-9);
  // One between them is nearer than they are.
  add(database, relu(1000), 1e-5, 1e-5); // 1
  EXPECT_NEAR(*database.getRatio(relu(999), 1e-5), 1, 1e-9);
  EXPECT_NEAR(*database.getRatio(relu(300), std::sqrt(1e-11)), 2.5, 1e-9);
}

TEST(Ratio, ClampsOutside) {
  CostDatabase database{Device()};
  add(database, relu(100), 4e-6, 1e-6);
  add(database, relu(10000), 2e-4, 1e-4);
  EXPECT_NEAR(*database.getRatio(relu(1), 1e-9), 4, 1e-9);
  EXPECT_NEAR(*database.getRatio(relu(1000000), 1), 2, 1e-9);
}
