//===- LoopKernels.cpp - instructions over lanes ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopProgram.h"
#include "tenon/Dialect/Graph/IR/ScalarValue.h"

#include <cmath>
#include <cstring>

using namespace tenon::graph;
using namespace tenon::interpret;

// Sums and products are rounded separately, as in the naive evaluator.
#pragma clang fp contract(off)

template <typename Fn>
static void mapNumbers(Cell *dst, const Cell *a, const Cell *b, int64_t lanes,
                       Fn fn) {
  for (int64_t lane = 0; lane < lanes; ++lane)
    dst[lane].number = fn(a[lane].number, b[lane].number);
}

template <typename Fn>
static void mapIntegers(Cell *dst, const Cell *a, const Cell *b, int64_t lanes,
                        Fn fn) {
  for (int64_t lane = 0; lane < lanes; ++lane)
    dst[lane].integer = fn(a[lane].integer, b[lane].integer);
}

static void roundLanes(Kind kind, Cell *dst, int64_t lanes) {
  if (kind == Kind::F32) {
    for (int64_t lane = 0; lane < lanes; ++lane)
      dst[lane].number = static_cast<float>(dst[lane].number);
    return;
  }
  for (int64_t lane = 0; lane < lanes; ++lane)
    dst[lane].number = roundTo(kind, dst[lane].number);
}

/// A loop for every function, so that its switch stands outside.
static void applyNumbers(ScalarFn fn, Cell *dst, const Cell *a, const Cell *b,
                         int64_t lanes) {
  switch (fn) {
#define SCALAR_FN(NAME, TEXT, ARITY, TYPES, RESULT, COST, ULPS, PARITY, TREND, \
                  DOMAIN, RANGE, OP, DEVICE, VALUE, ...)                       \
  case ScalarFn::NAME:                                                         \
    return mapNumbers(                                                         \
        dst, a, ARITY == 1 ? a : b, lanes,                                     \
        [](double x, [[maybe_unused]] double y) -> double { return VALUE; });
#include "tenon/Dialect/Graph/IR/ScalarFn.def"
  }
}

void loops::applyLanes(const Arithmetic &arithmetic, ScalarFn fn, Kind kind,
                       Cell *dst, const Cell *a, const Cell *b, int64_t lanes) {
  if (isFloatKind(kind) && !arithmetic.isField() && !getFacts(fn).isPredicate) {
    applyNumbers(fn, dst, a, b, lanes);
    if (arithmetic.rounds(kind))
      roundLanes(kind, dst, lanes);
    return;
  }
  for (int64_t lane = 0; lane < lanes; ++lane)
    dst[lane] = arithmetic.apply(fn, kind, a[lane], b[lane]);
}

void loops::castLanes(const Arithmetic &arithmetic, Kind from, Kind to,
                      Cell *dst, const Cell *a, int64_t lanes) {
  for (int64_t lane = 0; lane < lanes; ++lane)
    dst[lane] = arithmetic.cast(from, to, a[lane]);
}

void loops::accumulateLanes(const Arithmetic &arithmetic, ScalarFn fn,
                            Kind kind, Cell *dst, const Cell *a,
                            const Cell *mask, int64_t lanes) {
  if (!mask)
    return applyLanes(arithmetic, fn, kind, dst, dst, a, lanes);
  if (isFloatKind(kind) && !arithmetic.isField() && !arithmetic.rounds(kind)) {
    switch (fn) {
    case ScalarFn::Add:
      for (int64_t lane = 0; lane < lanes; ++lane)
        dst[lane].number = mask[lane].integer
                               ? dst[lane].number + a[lane].number
                               : dst[lane].number;
      return;
    case ScalarFn::Max:
      for (int64_t lane = 0; lane < lanes; ++lane)
        dst[lane].number = mask[lane].integer ? scalar::larger(dst[lane].number,
                                                               a[lane].number)
                                              : dst[lane].number;
      return;
    default:
      break;
    }
  }
  for (int64_t lane = 0; lane < lanes; ++lane)
    if (mask[lane].integer)
      dst[lane] = arithmetic.apply(fn, kind, dst[lane], a[lane]);
}

static int64_t floorDivide(int64_t a, int64_t b) {
  if (b == 0)
    return 0;
  int64_t quotient = a / b;
  return quotient - ((a % b != 0) & ((a < 0) != (b < 0)));
}

void loops::indexLanes(Opcode opcode, Cell *dst, const Cell *a, const Cell *b,
                       int64_t lanes) {
  auto map = [&](auto fn) { mapIntegers(dst, a, b, lanes, fn); };
  switch (opcode) {
  case Opcode::FloorDiv:
    return map(floorDivide);
  case Opcode::Mod:
    return map([](int64_t x, int64_t y) { return x - floorDivide(x, y) * y; });
  case Opcode::Min:
    return map([](int64_t x, int64_t y) { return x < y ? x : y; });
  case Opcode::Max:
    return map([](int64_t x, int64_t y) { return x < y ? y : x; });
  case Opcode::Less:
    return map([](int64_t x, int64_t y) { return int64_t(x < y); });
  case Opcode::LessEqual:
    return map([](int64_t x, int64_t y) { return int64_t(x <= y); });
  case Opcode::Equal:
    return map([](int64_t x, int64_t y) { return int64_t(x == y); });
  case Opcode::And:
    return map([](int64_t x, int64_t y) { return x & y; });
  case Opcode::Or:
    return map([](int64_t x, int64_t y) { return x | y; });
  case Opcode::Not:
    return map([](int64_t x, int64_t) { return x ^ 1; });
  default:
    llvm_unreachable("not an instruction on indices");
  }
}

void loops::selectLanes(Cell *dst, const Cell *condition, const Cell *then,
                        const Cell *otherwise, int64_t lanes) {
  for (int64_t lane = 0; lane < lanes; ++lane)
    dst[lane].integer =
        condition[lane].integer ? then[lane].integer : otherwise[lane].integer;
}

void loops::linearLanes(Cell *dst, int64_t constant,
                        llvm::ArrayRef<std::pair<const Cell *, int64_t>> terms,
                        int64_t lanes) {
  if (terms.empty()) {
    for (int64_t lane = 0; lane < lanes; ++lane)
      dst[lane].integer = constant;
    return;
  }
  for (size_t number = 0; number < terms.size(); ++number) {
    const Cell *term = terms[number].first;
    int64_t factor = terms[number].second;
    if (number == 0) {
      for (int64_t lane = 0; lane < lanes; ++lane)
        dst[lane].integer = constant + factor * term[lane].integer;
      continue;
    }
    for (int64_t lane = 0; lane < lanes; ++lane)
      dst[lane].integer += factor * term[lane].integer;
  }
}

void loops::gatherLanes(Cell *dst, const Cell *base, const Cell *offsets,
                        int64_t lanes) {
  for (int64_t lane = 0; lane < lanes; ++lane)
    dst[lane] = base[offsets[lane].integer];
}

void loops::stridedLanes(Cell *dst, const Cell *base, int64_t stride,
                         int64_t lanes) {
  if (stride == 1) {
    std::memcpy(dst, base, lanes * sizeof(Cell));
    return;
  }
  for (int64_t lane = 0; lane < lanes; ++lane)
    dst[lane] = base[lane * stride];
}
