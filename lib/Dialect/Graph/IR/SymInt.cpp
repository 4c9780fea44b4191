//===- SymInt.cpp - integers over named dimension symbols -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/IR/SymInt.h"
#include "tenon/Dialect/Graph/IR/SizeFacts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <limits>

using namespace tenon::graph;

bool SymInt::Monomial::operator<(const Monomial &other) const {
  return std::lexicographical_compare(atoms.begin(), atoms.end(),
                                      other.atoms.begin(), other.atoms.end(),
                                      [](const AtomRef &a, const AtomRef &b) {
                                        return a != b && a->text < b->text;
                                      });
}

bool SymInt::Monomial::operator==(const Monomial &other) const {
  return atoms.size() == other.atoms.size() &&
         std::equal(atoms.begin(), atoms.end(), other.atoms.begin(),
                    [](const AtomRef &a, const AtomRef &b) {
                      return a == b || a->text == b->text;
                    });
}

/// The minimum of int64_t has no negative value. It counts as out of range, so
/// that no operation on coefficients traps.
static constexpr int64_t outOfRange = std::numeric_limits<int64_t>::min();
/// Polynomials with more terms are not sizes. Without a limit, a product of n
/// sums would take 2^n steps.
static constexpr size_t maxTerms = 4096;

SymInt::SymInt(int64_t value) {
  if (value == outOfRange)
    unknownFlag = true;
  else if (value != 0)
    terms.emplace_back(Monomial{}, value);
}

SymInt SymInt::unknown() {
  SymInt result;
  result.unknownFlag = true;
  return result;
}

SymInt SymInt::ofAtom(AtomRef atom) {
  SymInt result;
  result.terms.emplace_back(Monomial{{std::move(atom)}}, 1);
  return result;
}

SymInt SymInt::symbol(llvm::StringRef name) {
  auto atom = std::make_shared<Atom>();
  atom->kind = AtomKind::Symbol;
  atom->name = name.str();
  atom->text = name.str();
  return ofAtom(std::move(atom));
}

SymInt SymInt::atom(AtomKind kind, SymInt lhs, SymInt rhs) {
  auto atom = std::make_shared<Atom>();
  atom->kind = kind;
  std::string left = lhs.str(), right = rhs.str();
  switch (kind) {
  case AtomKind::FloorDiv:
    atom->text = "((" + left + ") floordiv (" + right + "))";
    break;
  case AtomKind::Max:
  case AtomKind::Min:
    // The operation is commutative: use one order, so that equal values have
    // equal text.
    if (right < left) {
      std::swap(left, right);
      std::swap(lhs, rhs);
    }
    atom->text =
        (kind == AtomKind::Max ? "max(" : "min(") + left + ", " + right + ")";
    break;
  case AtomKind::Symbol:
    llvm_unreachable("symbols are built from their name");
  }
  atom->kind = kind;
  atom->lhs = std::make_shared<SymInt>(std::move(lhs));
  atom->rhs = std::make_shared<SymInt>(std::move(rhs));
  return ofAtom(std::move(atom));
}

void SymInt::add(const Monomial &monomial, int64_t coefficient) {
  if (coefficient == 0)
    return;
  auto it = llvm::lower_bound(
      terms, monomial,
      [](const auto &term, const Monomial &m) { return term.first < m; });
  if (it == terms.end() || !(it->first == monomial)) {
    terms.insert(it, {monomial, coefficient});
    return;
  }
  // Sizes beyond 2^63 are invalid: they become unknown, which equals nothing.
  if (llvm::AddOverflow(it->second, coefficient, it->second) ||
      it->second == outOfRange)
    unknownFlag = true;
  if (it->second == 0)
    terms.erase(it);
}

int64_t SymInt::getConstantTerm() const {
  // The empty product comes first.
  return terms.empty() || !terms.front().first.atoms.empty()
             ? 0
             : terms.front().second;
}

bool SymInt::isConstant() const { return getConstant().has_value(); }

std::optional<int64_t> SymInt::getConstant() const {
  if (unknownFlag)
    return std::nullopt;
  if (terms.empty())
    return 0;
  if (terms.size() == 1 && terms.begin()->first.atoms.empty())
    return terms.begin()->second;
  return std::nullopt;
}

std::optional<llvm::StringRef> SymInt::getSymbol() const {
  if (unknownFlag || terms.size() != 1 || terms.begin()->second != 1)
    return std::nullopt;
  const Monomial &monomial = terms.begin()->first;
  if (monomial.atoms.size() != 1 ||
      monomial.atoms.front()->kind != AtomKind::Symbol)
    return std::nullopt;
  return llvm::StringRef(monomial.atoms.front()->name);
}

SymInt SymInt::operator+(const SymInt &other) const {
  if (unknownFlag || other.unknownFlag)
    return unknown();
  SymInt result = *this;
  for (const auto &[monomial, coefficient] : other.terms)
    result.add(monomial, coefficient);
  return result.unknownFlag ? unknown() : result;
}

SymInt SymInt::operator-(const SymInt &other) const {
  if (unknownFlag || other.unknownFlag)
    return unknown();
  SymInt result = *this;
  // No coefficient is the minimum of int64_t.
  for (const auto &[monomial, coefficient] : other.terms)
    result.add(monomial, -coefficient);
  return result.unknownFlag ? unknown() : result;
}

SymInt SymInt::operator*(const SymInt &other) const {
  if (unknownFlag || other.unknownFlag ||
      terms.size() * other.terms.size() > maxTerms)
    return unknown();
  if (getConstant() == 1)
    return other;
  SymInt result;
  for (const auto &[left, a] : terms)
    for (const auto &[right, b] : other.terms) {
      Monomial product;
      std::merge(
          left.atoms.begin(), left.atoms.end(), right.atoms.begin(),
          right.atoms.end(), std::back_inserter(product.atoms),
          [](const AtomRef &x, const AtomRef &y) { return x->text < y->text; });
      int64_t coefficient;
      if (llvm::MulOverflow(a, b, coefficient) || coefficient == outOfRange)
        return unknown();
      result.add(product, coefficient);
    }
  return result.unknownFlag ? unknown() : result;
}

/// Divides one monomial by another if every atom of the divisor occurs in it.
static bool divideMonomial(const SymInt::Monomial &dividend,
                           const SymInt::Monomial &divisor,
                           SymInt::Monomial &quotient) {
  auto it = divisor.atoms.begin();
  for (const SymInt::AtomRef &atom : dividend.atoms) {
    if (it != divisor.atoms.end() && (*it)->text == atom->text)
      ++it;
    else
      quotient.atoms.push_back(atom);
  }
  return it == divisor.atoms.end();
}

SymInt SymInt::floorDiv(const SymInt &divisor) const {
  if (unknownFlag || divisor.unknownFlag || divisor.getConstant() == 0)
    return unknown();
  if (divisor.getConstant() == 1)
    return *this;
  if (std::optional<int64_t> a = getConstant()) {
    if (*a == 0)
      return SymInt(0);
    if (std::optional<int64_t> b = divisor.getConstant())
      return SymInt(llvm::divideFloorSigned(*a, *b));
  }
  // Terms that the divisor divides are moved out of the floordiv: floor((q*d +
  // r) / d) = q + floor(r / d) for every integer q.
  SymInt quotient, rest;
  if (divisor.terms.size() == 1) {
    const auto &[base, scale] = *divisor.terms.begin();
    for (const auto &[monomial, coefficient] : terms) {
      Monomial left;
      if (coefficient % scale == 0 && divideMonomial(monomial, base, left))
        quotient.add(left, coefficient / scale);
      else
        rest.add(monomial, coefficient);
    }
  } else if (*this == divisor) {
    return SymInt(1);
  } else {
    rest = *this;
  }
  if (rest.terms.empty())
    return quotient;
  // The multiple of the divisor in a constant is moved out as well, so that (n
  // + 5) / 2 and (n + 1) / 2 + 2 have one form.
  if (std::optional<int64_t> size = divisor.getConstant())
    if (int64_t constant = rest.getConstantTerm()) {
      int64_t whole = llvm::divideFloorSigned(constant, *size);
      quotient = quotient + SymInt(whole);
      rest = rest - SymInt(whole) * divisor;
    }
  if (rest.isConstant() && divisor.isConstant())
    return quotient + rest.floorDiv(divisor);
  return quotient + atom(AtomKind::FloorDiv, std::move(rest), divisor);
}

SymInt SymInt::ceilDiv(const SymInt &divisor) const {
  return -((-*this).floorDiv(divisor));
}

SymInt SymInt::mod(const SymInt &divisor) const {
  return *this - divisor * floorDiv(divisor);
}

SymInt SymInt::max(const SymInt &a, const SymInt &b) {
  if (a.unknownFlag || b.unknownFlag)
    return unknown();
  if (provablyAtLeast(a, b))
    return a;
  if (provablyAtLeast(b, a))
    return b;
  return simplify(atom(AtomKind::Max, a, b));
}

SymInt SymInt::min(const SymInt &a, const SymInt &b) {
  if (a.unknownFlag || b.unknownFlag)
    return unknown();
  if (provablyAtLeast(a, b))
    return b;
  if (provablyAtLeast(b, a))
    return a;
  return simplify(atom(AtomKind::Min, a, b));
}

bool SymInt::operator==(const SymInt &other) const {
  if (unknownFlag || other.unknownFlag || terms.size() != other.terms.size())
    return false;
  return std::equal(terms.begin(), terms.end(), other.terms.begin(),
                    [](const auto &a, const auto &b) {
                      return a.second == b.second && a.first == b.first;
                    });
}

bool SymInt::provablyDiffers(const SymInt &other) const {
  return provablyUnequal(*this, other);
}

/// The least value of an atom, given the least value of every symbol.
static std::optional<int64_t> atomLowerBound(const SymInt::Atom &atom,
                                             int64_t least) {
  using Kind = SymInt::AtomKind;
  if (atom.kind == Kind::Symbol)
    return least;
  std::optional<int64_t> left = atom.lhs->lowerBound(least);
  std::optional<int64_t> right = atom.rhs->lowerBound(least);
  switch (atom.kind) {
  case Kind::FloorDiv:
    if (left && *left >= 0 && right && *right > 0)
      return 0;
    return std::nullopt;
  case Kind::Max:
    if (left && right)
      return std::max(*left, *right);
    return left ? left : right;
  case Kind::Min:
    if (left && right)
      return std::min(*left, *right);
    return std::nullopt;
  case Kind::Symbol:
    break;
  }
  return std::nullopt;
}

std::optional<int64_t> SymInt::lowerBound(int64_t least) const {
  if (unknownFlag)
    return std::nullopt;
  int64_t bound = 0;
  for (const auto &[monomial, coefficient] : terms) {
    int64_t term = 1;
    // A product of non-negative atoms is smallest if each atom is smallest. A
    // negative coefficient would need an upper bound, which symbols don't have.
    if (!monomial.atoms.empty() && coefficient < 0)
      return std::nullopt;
    for (const AtomRef &atom : monomial.atoms) {
      std::optional<int64_t> low = atomLowerBound(*atom, least);
      if (!low || *low < 0 || llvm::MulOverflow(term, *low, term))
        return std::nullopt;
    }
    if (llvm::MulOverflow(term, coefficient, term) ||
        llvm::AddOverflow(bound, term, bound))
      return std::nullopt;
  }
  return bound;
}

std::optional<int64_t> SymInt::evaluate(Assignment values) const {
  if (unknownFlag)
    return std::nullopt;
  int64_t sum = 0;
  for (const auto &[monomial, coefficient] : terms) {
    int64_t term = coefficient;
    for (const AtomRef &atom : monomial.atoms) {
      std::optional<int64_t> value;
      if (atom->kind == AtomKind::Symbol) {
        value = values(atom->name);
      } else {
        std::optional<int64_t> a = atom->lhs->evaluate(values);
        std::optional<int64_t> b = atom->rhs->evaluate(values);
        if (!a || !b)
          return std::nullopt;
        if (atom->kind == AtomKind::Max)
          value = std::max(*a, *b);
        else if (atom->kind == AtomKind::Min)
          value = std::min(*a, *b);
        else if (*b != 0 && *a != outOfRange)
          value = llvm::divideFloorSigned(*a, *b);
      }
      if (!value || llvm::MulOverflow(term, *value, term))
        return std::nullopt;
    }
    if (llvm::AddOverflow(sum, term, sum))
      return std::nullopt;
  }
  return sum;
}

SymInt SymInt::substitute(
    llvm::function_ref<std::optional<SymInt>(llvm::StringRef)> replace) const {
  if (unknownFlag)
    return unknown();
  SymInt sum;
  for (const auto &[monomial, coefficient] : terms) {
    SymInt term(coefficient);
    for (const AtomRef &atom : monomial.atoms) {
      if (atom->kind == AtomKind::Symbol) {
        std::optional<SymInt> value = replace(atom->name);
        term = term * (value ? *value : ofAtom(atom));
        continue;
      }
      SymInt a = atom->lhs->substitute(replace);
      SymInt b = atom->rhs->substitute(replace);
      term = term * (atom->kind == AtomKind::Max   ? max(a, b)
                     : atom->kind == AtomKind::Min ? min(a, b)
                                                   : a.floorDiv(b));
    }
    sum = sum + term;
  }
  return sum;
}

void SymInt::visitSymbols(
    llvm::function_ref<void(llvm::StringRef)> visit) const {
  for (const auto &[monomial, coefficient] : terms)
    for (const AtomRef &atom : monomial.atoms) {
      if (atom->kind == AtomKind::Symbol) {
        visit(atom->name);
        continue;
      }
      atom->lhs->visitSymbols(visit);
      atom->rhs->visitSymbols(visit);
    }
}
