//===- SizeSystem.h - constraints on sizes without max and min ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A conjunction of polynomial constraints over the symbols and quotients.
// Presburger arithmetic decides it after every product of variables has been
// replaced by a new variable.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DIALECT_GRAPH_IR_SIZESYSTEM_H
#define TENON_LIB_DIALECT_GRAPH_IR_SIZESYSTEM_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tenon::graph {

/// The variables of a product in ascending order; empty for the constant term.
using SizeProduct = std::vector<unsigned>;

/// A sum of products with coefficients, none of them 0.
class SizePolynomial {
public:
  SizePolynomial() = default;
  explicit SizePolynomial(int64_t value);
  static SizePolynomial variable(unsigned number);

  const std::map<SizeProduct, int64_t> &getTerms() const { return terms; }
  std::optional<int64_t> getConstant() const;

  /// Returns nullopt if a coefficient, the degree or the number of terms
  /// exceeds what a SizeSystem handles.
  static std::optional<SizePolynomial>
  add(const SizePolynomial &a, const SizePolynomial &b, int64_t factorOfB = 1);
  static std::optional<SizePolynomial> multiply(const SizePolynomial &a,
                                                const SizePolynomial &b);
  bool operator<(const SizePolynomial &other) const {
    return terms < other.terms;
  }

private:
  bool accumulate(const SizeProduct &product, int64_t coefficient);
  std::map<SizeProduct, int64_t> terms;
};

class SizeSystem {
public:
  /// The variable of a symbol, which is at least 0.
  unsigned symbol(const std::string &name);
  /// The variable for floor(dividend / divisor).
  unsigned quotient(const SizePolynomial &dividend,
                    const SizePolynomial &divisor);

  /// Whether no integer assignment makes every one of `notNegative` at least 0
  /// and `zero`, if given, 0. Returns false if there is one, or if this was not
  /// decided.
  bool isEmpty(std::vector<SizePolynomial> notNegative,
               const SizePolynomial *zero = nullptr) const;

private:
  struct Quotient {
    unsigned number;
    SizePolynomial dividend, divisor;
  };
  void addQuotients(std::vector<SizePolynomial> &notNegative) const;
  bool isKnownNotNegative(const SizePolynomial &value) const;

  unsigned numVariables = 0;
  std::map<std::string, unsigned> symbols;
  std::map<std::pair<SizePolynomial, SizePolynomial>, unsigned> numbers;
  /// In the order of their numbers: a quotient follows the quotients that it
  /// uses.
  std::vector<Quotient> quotients;
  /// Whether the variable is at least 0, by number.
  std::vector<bool> isNotNegative;
};

} // namespace tenon::graph

#endif // TENON_LIB_DIALECT_GRAPH_IR_SIZESYSTEM_H
