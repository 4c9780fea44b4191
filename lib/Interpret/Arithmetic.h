//===- Arithmetic.h - arithmetic on elements, by domain -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The meaning of every scalar function, shared by both evaluators.
//
// Field domain. Elements of floating-point types are residues modulo p = 2^61 -
// 1; add, sub, neg, mul, div and powers with small integer exponents are the
// field's operations. Infinities and NaN are values above p, which operations
// propagate. Max, min and comparisons follow a seeded pseudo-random total order
// (so that max and min are still commutative, associative and idempotent). All
// other functions are seeded pseudo-random functions of the arguments: the only
// guarantee is that equal arguments give equal results.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_INTERPRET_ARITHMETIC_H
#define TENON_LIB_INTERPRET_ARITHMETIC_H

#include "tenon/Dialect/Graph/IR/IndexForm.h"
#include "tenon/Interpret/Interpreter.h"

namespace tenon::interpret {

using graph::ReduceKind;
using graph::ScalarFn;

enum class Kind : uint8_t { F64, F32, F16, BF16, I64, I32, I8, UI8, I1 };

/// The kind of an element type of the graph dialect.
Kind kindOf(mlir::Type elementType);
inline bool isFloatKind(Kind kind) { return kind <= Kind::BF16; }
/// Whether `elementType` is an element type of the graph dialect.
bool isElementType(mlir::Type elementType);

/// The value of `kind` nearest to `value`, ties to even.
double roundTo(Kind kind, double value);
/// `value` modulo the range of integers of `kind`.
int64_t wrapTo(Kind kind, int64_t value);

namespace field {
constexpr uint64_t prime = (uint64_t(1) << 61) - 1;
constexpr uint64_t infinity = prime + 1;
constexpr uint64_t minusInfinity = prime + 2;
constexpr uint64_t nan = prime + 3;
uint64_t add(uint64_t a, uint64_t b);
uint64_t sub(uint64_t a, uint64_t b);
uint64_t mul(uint64_t a, uint64_t b);
/// The inverse of zero is NaN.
uint64_t inverse(uint64_t a);
uint64_t ofInteger(int64_t value);
/// The number as an exact fraction of the field.
uint64_t ofDouble(double value);
} // namespace field

class Arithmetic {
public:
  explicit Arithmetic(Domain domain) : domain(domain) {}
  Domain getDomain() const { return domain; }
  bool isField() const { return domain.kind == Domain::Kind::Field; }
  /// Whether results of operations on this type are rounded to it.
  bool rounds(Kind kind) const {
    return domain.kind == Domain::Kind::F32 && isFloatKind(kind) &&
           kind != Kind::F64;
  }

  /// Applies `fn` to operands of type `kind`; the result has that type or is
  /// i1.
  Cell apply(ScalarFn fn, Kind kind, Cell a, Cell b) const;
  Cell cast(Kind from, Kind to, Cell value) const;
  Cell constant(Kind kind, double number, int64_t integer) const;
  Cell fromIndex(Kind kind, int64_t index) const;
  /// The result of a reduction of no elements.
  Cell neutral(ReduceKind reduce, Kind kind) const;
  Cell combine(ReduceKind reduce, Kind kind, Cell accumulator,
               Cell value) const;

private:
  Cell applyField(ScalarFn fn, Cell a, Cell b) const;
  uint64_t opaque(uint64_t tag, uint64_t a, uint64_t b) const;
  uint64_t order(uint64_t value) const;

  Domain domain;
};

/// The function with which a reduction combines elements.
ScalarFn combiner(ReduceKind reduce, Kind kind);

} // namespace tenon::interpret

#endif // TENON_LIB_INTERPRET_ARITHMETIC_H
