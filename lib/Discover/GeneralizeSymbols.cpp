//===- GeneralizeSymbols.cpp - the symbols of a rule ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generalizer.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::discover;
using namespace tenon::graph;

/// A match binds symbols that are whole sizes of inputs or whole numbers of the
/// source. Where a number of the source is a sum with another symbol, such as
/// the sizes of a split, the number becomes the symbol, and the other one a
/// difference.
void Generalizer::bindSymbols() {
  std::set<std::string> whole;
  auto note = [&](const SymInt &size) {
    if (auto symbol = finish(size).getSymbol())
      whole.insert(symbol->str());
  };
  for (ValueId input : inputs)
    llvm::for_each(inputShapes[input], note);
  auto ops = terms.listOps(candidate.source);
  for (OpId op : ops)
    llvm::for_each(numbers[op], note);
  for (OpId op : ops)
    for (auto [place, number] : llvm::enumerate(numbers[op])) {
      SymInt sum = finish(number);
      for (const auto &[monomial, coefficient] : sum.getTerms()) {
        if (coefficient != 1 || monomial.atoms.size() != 1 ||
            monomial.atoms[0]->kind != SymInt::AtomKind::Symbol)
          continue;
        std::string name = monomial.atoms[0]->name;
        if (sum.getSymbol() || whole.count(name))
          continue;
        SymInt rest = sum - SymInt::symbol(name);
        std::string unknown =
            "w" + std::to_string(op) + "." + std::to_string(place);
        bound.emplace(name, SymInt::symbol(unknown) - rest);
        whole.insert(unknown);
        break;
      }
    }
}

SymInt Generalizer::finish(const SymInt &size) const {
  // One may stand in another.
  SymInt value = sizes.resolve(size);
  for (size_t step = 0; step <= bound.size(); ++step)
    value = value.substitute([&](StringRef name) -> std::optional<SymInt> {
      auto found = bound.find(name.str());
      return found == bound.end() ? std::nullopt
                                  : std::optional<SymInt>(found->second);
    });
  return value;
}

void Generalizer::nameSymbols() {
  std::set<std::string> used;
  for (const auto &[key, name] : shared)
    used.insert(name);
  auto give = [&](StringRef unknown, char letter) {
    if (!unknown.contains('.') || names.count(unknown.str()))
      return;
    std::string name(1, letter);
    for (unsigned next = 2; !used.insert(name).second; ++next)
      name = letter + std::to_string(next);
    names[unknown.str()] = name;
  };
  // Sizes that are a single symbol come first: their axis says what it means.
  for (bool alone : {true, false}) {
    for (ValueId input : inputs)
      for (auto [axis, size] : llvm::enumerate(inputShapes[input])) {
        SymInt value = finish(size);
        StringRef letters =
            terms.getLetters(input).take_back(inputShapes[input].size());
        char letter = axis < letters.size() ? letters[axis] : 'a';
        if (!alone || value.getSymbol())
          value.visitSymbols([&](StringRef name) { give(name, letter); });
      }
    for (const auto &[op, own] : numbers)
      for (const SymInt &number : own)
        finish(number).visitSymbols([&](StringRef name) { give(name, 'p'); });
  }
}

SymInt Generalizer::rename(const SymInt &size) const {
  return finish(size).substitute(
      [&](StringRef unknown) -> std::optional<SymInt> {
        auto found = names.find(unknown.str());
        if (found == names.end())
          return std::nullopt;
        return SymInt::symbol(found->second);
      });
}
