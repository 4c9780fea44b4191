//===- ScalarFn.h - functions of elements ---------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions that index forms apply to elements, and the facts about them
// that ScalarFn.def states once for every room.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_GRAPH_IR_SCALARFN_H
#define TENON_DIALECT_GRAPH_IR_SCALARFN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <limits>

namespace tenon::graph {

class Expr;

/// Functions of elements. Integer types use wrapping two's-complement
/// arithmetic; Div of integers truncates towards zero, as ONNX's does.
enum class ScalarFn {
#define SCALAR_FN(NAME, ...) NAME,
#include "tenon/Dialect/Graph/IR/ScalarFn.def"
};

/// What one application costs.
enum class ScalarCost : uint8_t {
  Cheap,         // one instruction, no slower than loading the result
  Simple,        // one or a few instructions
  Division,      // a division or a square root
  Remainder,     // a remainder: a division, or a call for floats
  Exponential,   // a short polynomial in f32, a call in f64
  ErrorFunction, // a long polynomial in f32, a call in f64
  Call,          // a call of the math library
  Power          // a call that costs two others
};

/// f(-x) is -f(x), f(x) or neither.
enum class ScalarParity : uint8_t { Neither, Odd, Even };

/// Rising: f(x) <= f(y) for all x <= y of the domain; Falling: f(x) >= f(y).
enum class ScalarTrend : uint8_t { Mixed, Rising, Falling };

/// The real numbers from `low` to `high`; both are NaN for a set that is not an
/// interval.
struct ScalarInterval {
  double low, high;

  constexpr ScalarInterval(double low, double high) : low(low), high(high) {}
  bool contains(double x) const { return low <= x && x <= high; }
  /// Whether it has all real numbers.
  bool isReals() const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return low == -infinity && high == infinity;
  }
};

/// A row of ScalarFn.def, which documents the members.
struct ScalarFacts {
  /// Sets of element types, for `types`.
  enum : uint8_t {
    Float = 1,
    Integer = 2,
    Bool = 4,
    Number = Float | Integer,
    Bits = Integer | Bool,
    Any = Number | Bool
  };

  llvm::StringLiteral name;
  uint8_t arity;
  uint8_t types;
  /// Whether the result is an i1; it has the type of the operands otherwise.
  bool isPredicate;
  ScalarCost cost;
  double ulps;
  ScalarParity parity;
  ScalarTrend trend;
  ScalarInterval domain, range;
  /// Empty if there is none.
  llvm::StringLiteral deviceName;
};

const ScalarFacts &getFacts(ScalarFn fn);

llvm::StringRef stringify(ScalarFn fn);
/// Number of operands: 1 or 2.
unsigned arity(ScalarFn fn);

/// The value at floating-point numbers, without rounding to a narrower type. A
/// predicate gives 0 or 1; a function of bits has no value. `y` is ignored by
/// unary functions.
double evaluate(ScalarFn fn, double x, double y = 0);

/// The derivative with respect to operand number `operand`, given the operands,
/// which have a floating-point type, and the result. Null if the function is
/// not differentiable.
Expr getDerivative(ScalarFn fn, unsigned operand, llvm::ArrayRef<Expr> operands,
                   const Expr &result);

/// The formula by which generated code computes the function in f32 or f64;
/// null if the function is an operation or has code of its own.
Expr getFormula(ScalarFn fn, llvm::ArrayRef<Expr> operands);

} // namespace tenon::graph

#endif // TENON_DIALECT_GRAPH_IR_SCALARFN_H
