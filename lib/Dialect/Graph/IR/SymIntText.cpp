//===- SymIntText.cpp - printing and parsing of sizes ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/IR/SymInt.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tenon::graph;

void SymInt::print(llvm::raw_ostream &os) const {
  if (unknownFlag) {
    os << '?';
    return;
  }
  if (terms.empty()) {
    os << 0;
    return;
  }
  // Print the constant term, which is first in the order, last.
  bool first = true;
  auto printTerm = [&](const Monomial &monomial, int64_t coefficient) {
    bool negative = coefficient < 0;
    uint64_t magnitude =
        negative ? -static_cast<uint64_t>(coefficient) : coefficient;
    if (first)
      os << (negative ? "-" : "");
    else
      os << (negative ? " - " : " + ");
    first = false;
    bool needsStar = false;
    if (magnitude != 1 || monomial.atoms.empty()) {
      os << magnitude;
      needsStar = true;
    }
    for (const AtomRef &atom : monomial.atoms) {
      os << (needsStar ? " * " : "") << atom->text;
      needsStar = true;
    }
  };
  for (const auto &[monomial, coefficient] : terms)
    if (!monomial.atoms.empty())
      printTerm(monomial, coefficient);
  if (int64_t constant = getConstantTerm())
    printTerm(Monomial{}, constant);
}

std::string SymInt::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os);
  return text;
}

namespace {
/// Parses sums of products of atoms by recursive descent.
class Reader {
public:
  explicit Reader(llvm::StringRef text) : rest(text) {}

  std::optional<SymInt> readAll() {
    std::optional<SymInt> value = readSum();
    if (value && rest.trim().empty())
      return value;
    return std::nullopt;
  }

private:
  bool take(llvm::StringRef token) {
    rest = rest.ltrim();
    return rest.consume_front(token);
  }

  std::optional<SymInt> readSum() {
    if (++depth > 100)
      return std::nullopt;
    std::optional<SymInt> sum = readProduct();
    while (sum) {
      bool plus = take("+");
      if (!plus && !take("-"))
        break;
      std::optional<SymInt> next = readProduct();
      if (!next)
        return std::nullopt;
      sum = plus ? *sum + *next : *sum - *next;
    }
    --depth;
    return sum;
  }

  std::optional<SymInt> readProduct() {
    std::optional<SymInt> product = readPrimary();
    while (product) {
      enum { Mul, Floor, Ceil, Mod } op;
      if (take("*"))
        op = Mul;
      else if (take("floordiv"))
        op = Floor;
      else if (take("ceildiv"))
        op = Ceil;
      else if (take("mod"))
        op = Mod;
      else
        break;
      std::optional<SymInt> next = readPrimary();
      if (!next)
        return std::nullopt;
      product = op == Mul     ? *product * *next
                : op == Floor ? product->floorDiv(*next)
                : op == Ceil  ? product->ceilDiv(*next)
                              : product->mod(*next);
    }
    return product;
  }

  std::optional<SymInt> readPair(SymInt (*combine)(const SymInt &,
                                                   const SymInt &)) {
    std::optional<SymInt> a = readSum();
    if (!a || !take(","))
      return std::nullopt;
    std::optional<SymInt> b = readSum();
    if (!b || !take(")"))
      return std::nullopt;
    return combine(*a, *b);
  }

  std::optional<SymInt> readPrimary() {
    rest = rest.ltrim();
    if (rest.empty())
      return std::nullopt;
    if (take("-")) {
      if (++depth > 100)
        return std::nullopt;
      std::optional<SymInt> value = readPrimary();
      --depth;
      return value ? std::optional<SymInt>(-*value) : std::nullopt;
    }
    if (take("?"))
      return SymInt::unknown();
    if (take("(")) {
      std::optional<SymInt> value = readSum();
      return value && take(")") ? value : std::nullopt;
    }
    if (llvm::isDigit(rest.front())) {
      int64_t value;
      if (rest.consumeInteger(10, value))
        return std::nullopt;
      return SymInt(value);
    }
    llvm::StringRef name = rest.take_while([](char c) {
      return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$';
    });
    if (name.empty())
      return std::nullopt;
    rest = rest.drop_front(name.size());
    if (name == "max" && take("("))
      return readPair(SymInt::max);
    if (name == "min" && take("("))
      return readPair(SymInt::min);
    return SymInt::symbol(name);
  }

  llvm::StringRef rest;
  unsigned depth = 0;
};
} // namespace

std::optional<SymInt> SymInt::parse(llvm::StringRef text) {
  return Reader(text).readAll();
}
