//===- Enumerator.cpp - generation of small graphs ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Discover/Enumerator.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tenon::discover;

ArrayRef<ValueId> Enumerator::getRepresentatives(unsigned numOps) const {
  return numOps < levels.size() ? ArrayRef(levels[numOps])
                                : ArrayRef<ValueId>();
}

void Enumerator::addRepresentative(ValueId value) {
  unsigned numOps = terms.isInput(value) ? 0 : terms.getOp(value).numOps;
  if (levels.size() <= numOps)
    levels.resize(numOps + 1);
  levels[numOps].push_back(value);
  known.insert(value);
  if (numOps == 0)
    return;
  const Terms::Op &op = terms.getOp(value);
  std::array<OpId, Terms::maxOps> ops = op.ops;
  for (OpId part : ArrayRef(ops).take_front(numOps)) {
    ValueId first = terms.getOpAt(part).firstResult;
    ValueId canonical = *terms.substitute(first, terms.canonicalize(first));
    containing[canonical].push_back({value, first});
  }
}

bool Enumerator::isRepresentative(ValueId value) {
  return known.count(*terms.substitute(value, terms.canonicalize(value)));
}

bool Enumerator::isNormal(ValueId value) {
  if (terms.isInput(value))
    return true;
  auto found = normal.find(value);
  if (found != normal.end())
    return found->second;
  SmallVector<ValueId, 2> operands = terms.getOp(value).operands;
  bool result = llvm::all_of(
      operands, [&](ValueId operand) { return isNormal(operand); });
  if (result) {
    Terms::Mark mark = terms.mark();
    result = !equations.rewriteRoot(value) && !open.rewriteRoot(value);
    terms.rollBack(mark);
  }
  normal[value] = result;
  return result;
}

ValueId Enumerator::Generated::add(Terms &terms) const {
  ArrayRef<ValueId> all = ArrayRef(operands).take_front(numOperands);
  const std::vector<OpChoice> &choices =
      terms.choose(terms.getOpSet().getNames()[name], all);
  return terms.add(choices[choice], all)->firstResult + result;
}

void Enumerator::apply(unsigned name, ArrayRef<ValueId> operands) {
  for (auto [number, choice] : llvm::enumerate(
           terms.choose(terms.getOpSet().getNames()[name], operands))) {
    Terms::Mark mark = terms.mark();
    const Terms::Op *op = terms.add(choice, operands);
    if (!op)
      continue;
    for (unsigned result = 0; result < op->numResults; ++result) {
      ValueId value = op->firstResult + result;
      ++generated;
      if (equations.rewriteRoot(value)) {
        ++rewritten;
        continue;
      }
      if (open.rewriteRoot(value)) {
        ++leftOpen;
        continue;
      }
      Generated graph{static_cast<uint16_t>(name),
                      static_cast<uint16_t>(number),
                      {},
                      static_cast<uint8_t>(operands.size()),
                      static_cast<uint8_t>(result)};
      llvm::copy(operands, graph.operands.begin());
      (*visit)(graph, value);
      op = &terms.getOp(value);
    }
    terms.rollBack(mark);
  }
}

void Enumerator::rename(ValueId value, ArrayRef<ValueId> before,
                        const Renaming &fixed,
                        llvm::function_ref<void(ValueId)> use) {
  SmallVector<ValueId, 8> own = terms.listInputs(before),
                          its = terms.listInputs(value);
  SmallVector<unsigned, 4> next;
  for (ValueId input : own) {
    unsigned kind = terms.getKind(input);
    if (next.size() <= kind)
      next.resize(kind + 1);
    ++next[kind];
  }
  Renaming renaming;
  auto choose = [&](auto &choose, size_t place) -> void {
    if (place == its.size()) {
      if (std::optional<ValueId> renamed = terms.substitute(value, renaming))
        use(*renamed);
      return;
    }
    ValueId input = its[place];
    unsigned kind = terms.getKind(input);
    if (next.size() <= kind)
      next.resize(kind + 1);
    auto *decided = llvm::find_if(
        fixed, [&](const auto &pair) { return pair.first == input; });
    auto isTaken = [&](ValueId to) {
      return llvm::any_of(renaming,
                          [&](const auto &pair) { return pair.second == to; });
    };
    auto take = [&](ValueId to) {
      if (isTaken(to))
        return;
      renaming.push_back({input, to});
      choose(choose, place + 1);
      renaming.pop_back();
    };
    if (decided != fixed.end())
      return take(decided->second);
    for (ValueId to : own)
      if (terms.getKind(to) == kind)
        take(to);
    ValueId fresh = terms.getInput(kind, next[kind]++);
    take(fresh);
    --next[kind];
  };
  choose(choose, 0);
}

void Enumerator::visitPairs(unsigned name, ValueId first, unsigned numOps) {
  unsigned own = terms.isInput(first) ? 0 : terms.getOp(first).numOps;
  SmallVector<ValueId> seconds;
  for (ValueId second : getRepresentatives(numOps - own))
    rename(second, first, {}, [&](ValueId renamed) {
      // What shares ops has fewer than its parts together.
      if (terms.countOps({first, renamed}) == numOps && isNormal(renamed))
        seconds.push_back(renamed);
    });
  for (ValueId second : seconds)
    apply(name, {first, second});
}

/// All inputs of `pattern` with what they are in `subject`, which is the same
/// graph with other inputs.
static Renaming align(const Terms &terms, ValueId pattern, ValueId subject) {
  Renaming renaming;
  for (auto [from, to] :
       llvm::zip_equal(terms.listInputs(pattern), terms.listInputs(subject)))
    renaming.push_back({from, to});
  return renaming;
}

/// Whether graphs that share `part` with a graph of these ops may share just
/// `shared` ops with it: those of `part`, or those of others too.
static bool mayShare(const Terms &terms, ArrayRef<OpId> ops, OpId part,
                     unsigned shared) {
  auto listParts = [&](OpId id) {
    const Terms::Op &op = terms.getOpAt(id);
    return ArrayRef(op.ops).take_front(op.numOps);
  };
  ArrayRef<OpId> own = listParts(part);
  if (own.size() >= shared)
    return own.size() == shared;
  return llvm::any_of(ops, [&](OpId other) {
    ArrayRef<OpId> its = listParts(other);
    if (llvm::is_contained(own, other) || llvm::is_contained(its, part))
      return false;
    unsigned both = own.size() + llvm::count_if(its, [&](OpId id) {
                      return !llvm::is_contained(own, id);
                    });
    return both <= shared;
  });
}

void Enumerator::visitShared(unsigned name, ValueId first, unsigned numOps) {
  unsigned own = terms.getOp(first).numOps;
  std::array<OpId, Terms::maxOps> ops = terms.getOp(first).ops;
  sharedPairs.clear();
  SmallVector<ValueId> seconds;
  auto consider = [&](ValueId second) {
    if (sharedPairs.insert({first, second}).second &&
        terms.countOps({first, second}) == numOps && isNormal(second))
      seconds.push_back(second);
  };
  for (OpId id : ArrayRef(ops).take_front(own)) {
    ValueId part = terms.getOpAt(id).firstResult;
    if (own == numOps) {
      for (unsigned n = 0, e = terms.getOpAt(id).numResults; n < e; ++n)
        if (isRepresentative(part + n))
          consider(part + n);
      continue;
    }
    ValueId canonical = *terms.substitute(part, terms.canonicalize(part));
    auto found = containing.find(canonical);
    if (found == containing.end())
      continue;
    for (auto [second, its] : found->second) {
      unsigned others = terms.getOp(second).numOps;
      if (others > numOps || own + others <= numOps ||
          !mayShare(terms, ArrayRef(ops).take_front(own), id,
                    own + others - numOps))
        continue;
      rename(second, first, align(terms, its, part), consider);
    }
  }
  for (ValueId second : seconds)
    apply(name, {first, second});
}

/// Graphs that share ops become equal by a renaming of their inputs, so that
/// all renamings are tried. Few ops have three operands.
void Enumerator::visitTriples(unsigned name, ValueId first, unsigned numOps) {
  llvm::SetVector<std::pair<ValueId, ValueId>> rest;
  auto forEach = [&](ArrayRef<ValueId> before, unsigned least,
                     llvm::function_ref<void(ValueId)> use) {
    for (unsigned own = least; own <= numOps; ++own)
      for (ValueId value : getRepresentatives(own))
        rename(value, before, {}, [&](ValueId renamed) {
          if (isNormal(renamed))
            use(renamed);
        });
  };
  llvm::SetVector<ValueId> seconds;
  forEach(first, 0, [&](ValueId second) {
    if (terms.countOps({first, second}) <= numOps)
      seconds.insert(second);
  });
  for (ValueId second : seconds)
    forEach({first, second}, numOps - terms.countOps({first, second}),
            [&](ValueId third) {
              if (terms.countOps({first, second, third}) == numOps)
                rest.insert({second, third});
            });
  for (auto [second, third] : rest)
    apply(name, {first, second, third});
}

size_t Enumerator::begin(unsigned numOps) {
  numOperandOps = numOps - 1;
  normal.clear();
  size_t numParts = 0;
  for (unsigned own = 0; own <= numOperandOps; ++own)
    numParts += getRepresentatives(own).size();
  return numParts;
}

/// The graphs whose first operand is one of the representatives.
void Enumerator::enumerate(size_t part, Visit onGraph) {
  visit = &onGraph;
  unsigned own = 0;
  for (; part >= getRepresentatives(own).size(); ++own)
    part -= getRepresentatives(own).size();
  ValueId first = getRepresentatives(own)[part];
  const OpSet &set = terms.getOpSet();
  for (unsigned name = 0; name < set.getNames().size(); ++name) {
    unsigned numOperands = set.getNumOperands(set.getNames()[name]);
    if (numOperands == 1) {
      if (own == numOperandOps)
        apply(name, {first});
      continue;
    }
    if (numOperands == 3) {
      visitTriples(name, first, numOperandOps);
      continue;
    }
    visitPairs(name, first, numOperandOps);
    if (own > 0)
      visitShared(name, first, numOperandOps);
  }
}
