//===- ScalarFn.cpp - facts about scalar functions ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/IR/ScalarFn.h"
#include "tenon/Dialect/Graph/IR/ScalarValue.h"

using namespace tenon::graph;

namespace {
// The names that the table's columns use.
using Interval = ScalarInterval;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr Interval Reals(-kInfinity, kInfinity);
constexpr Interval NotNegative(0, kInfinity);
constexpr Interval Partial(kNan, kNan);
constexpr bool Same = false, Predicate = true;

constexpr ScalarFacts facts[] = {
#define SCALAR_FN(NAME, TEXT, ARITY, TYPES, RESULT, COST, ULPS, PARITY, TREND, \
                  DOMAIN, RANGE, OP, DEVICE, ...)                              \
  {TEXT,                                                                       \
   ARITY,                                                                      \
   ScalarFacts::TYPES,                                                         \
   RESULT,                                                                     \
   ScalarCost::COST,                                                           \
   ULPS,                                                                       \
   ScalarParity::PARITY,                                                       \
   ScalarTrend::TREND,                                                         \
   DOMAIN,                                                                     \
   RANGE,                                                                      \
   DEVICE},
#include "tenon/Dialect/Graph/IR/ScalarFn.def"
};
} // namespace

const ScalarFacts &tenon::graph::getFacts(ScalarFn fn) {
  return facts[static_cast<unsigned>(fn)];
}

llvm::StringRef tenon::graph::stringify(ScalarFn fn) {
  return getFacts(fn).name;
}

unsigned tenon::graph::arity(ScalarFn fn) { return getFacts(fn).arity; }

double tenon::graph::evaluate(ScalarFn fn, double x,
                              [[maybe_unused]] double y) {
  switch (fn) {
#define SCALAR_FN(NAME, TEXT, ARITY, TYPES, RESULT, COST, ULPS, PARITY, TREND, \
                  DOMAIN, RANGE, OP, DEVICE, VALUE, ...)                       \
  case ScalarFn::NAME:                                                         \
    return VALUE;
#include "tenon/Dialect/Graph/IR/ScalarFn.def"
  }
  llvm_unreachable("unknown function");
}
