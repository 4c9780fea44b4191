//===- SymInt.h - integers over named dimension symbols -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A SymInt is a polynomial with integer coefficients over dimension symbols and
// the atoms floordiv, max and min. It is kept in a normal form, so that
// equality of polynomials is equality of values. Tensor sizes and symbolic
// integer parameters of ops in rules are SymInts.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_GRAPH_IR_SYMINT_H
#define TENON_DIALECT_GRAPH_IR_SYMINT_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace tenon::graph {

class SymInt {
public:
  /// A factor of a monomial: a symbol, or an operation that a polynomial can't
  /// express.
  enum class AtomKind { Symbol, FloorDiv, Max, Min };
  struct Atom;
  using AtomRef = std::shared_ptr<const Atom>;

  SymInt(int64_t value = 0);
  static SymInt symbol(llvm::StringRef name);
  /// An unknown size: equal to nothing, not even itself.
  static SymInt unknown();
  /// Parses the form that `print` writes; nullopt if `text` is not in this
  /// form.
  static std::optional<SymInt> parse(llvm::StringRef text);

  bool isUnknown() const { return unknownFlag; }
  bool isConstant() const;
  std::optional<int64_t> getConstant() const;
  /// The symbol's name, if the value is a single symbol.
  std::optional<llvm::StringRef> getSymbol() const;

  SymInt operator+(const SymInt &other) const;
  SymInt operator-(const SymInt &other) const;
  SymInt operator*(const SymInt &other) const;
  SymInt operator-() const { return SymInt(0) - *this; }
  /// Rounds towards negative infinity; the divisor must not be the constant 0.
  SymInt floorDiv(const SymInt &divisor) const;
  SymInt ceilDiv(const SymInt &divisor) const;
  /// The remainder of floorDiv, which has the divisor's sign.
  SymInt mod(const SymInt &divisor) const;
  static SymInt max(const SymInt &a, const SymInt &b);
  static SymInt min(const SymInt &a, const SymInt &b);

  /// Whether the values are equal for all symbols, as far as the normal form
  /// shows; never true of an unknown size.
  bool operator==(const SymInt &other) const;
  bool operator!=(const SymInt &other) const { return !(*this == other); }
  /// Whether the values differ for all symbols (each symbol at least 0).
  bool provablyDiffers(const SymInt &other) const;
  /// A bound that holds whenever every symbol is at least `least`.
  std::optional<int64_t> lowerBound(int64_t least = 0) const;

  /// The value under an assignment; nullopt if a symbol has no value, on
  /// division by zero, and for unknown sizes.
  using Assignment =
      llvm::function_ref<std::optional<int64_t>(llvm::StringRef)>;
  std::optional<int64_t> evaluate(Assignment values) const;
  /// Replaces symbols; those for which `replace` returns nullopt are kept.
  SymInt substitute(
      llvm::function_ref<std::optional<SymInt>(llvm::StringRef)> replace) const;
  /// Calls `visit` for every symbol, in order, including repetitions.
  void visitSymbols(llvm::function_ref<void(llvm::StringRef)> visit) const;

  std::string str() const;
  void print(llvm::raw_ostream &os) const;

  /// Sorted atoms; the empty product is the constant term. Ordered by text, so
  /// that iteration does not depend on addresses.
  struct Monomial {
    std::vector<AtomRef> atoms;
    bool operator<(const Monomial &other) const;
    bool operator==(const Monomial &other) const;
  };
  /// Monomials with their coefficients.
  using Terms = llvm::SmallVector<std::pair<Monomial, int64_t>, 1>;
  /// The normal form: sorted by monomial, each once, no coefficient zero.
  const Terms &getTerms() const { return terms; }

private:
  static SymInt atom(AtomKind kind, SymInt lhs, SymInt rhs);
  static SymInt ofAtom(AtomRef atom);
  void add(const Monomial &monomial, int64_t coefficient);
  int64_t getConstantTerm() const;

  // Most sizes are one number or one symbol: the first term stands in the
  // object, so that a number takes no memory of its own.
  Terms terms;
  bool unknownFlag = false;
};

struct SymInt::Atom {
  AtomKind kind;
  std::string name;                       // symbols only
  std::shared_ptr<const SymInt> lhs, rhs; // for other kinds
  std::string text;                       // canonical, decides the order
};

inline llvm::raw_ostream &operator<<(llvm::raw_ostream &os,
                                     const SymInt &value) {
  value.print(os);
  return os;
}

/// The sizes of a tensor, outermost first.
using Shape = llvm::SmallVector<SymInt, 0>;

} // namespace tenon::graph

#endif // TENON_DIALECT_GRAPH_IR_SYMINT_H
