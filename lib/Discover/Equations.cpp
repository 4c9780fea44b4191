//===- Equations.cpp - matching and rewriting of small graphs -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Discover/Equations.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace tenon::discover;
using tenon::graph::Shape;
using tenon::graph::SymInt;

static constexpr unsigned maxSteps = 64;

struct Equations::Match {
  /// The values that inputs of the pattern stand for.
  Renaming inputs;
  /// The ops that ops of the pattern stand for.
  SmallVector<std::pair<OpId, OpId>, 8> ops;
  llvm::StringMap<int64_t> symbols;
  const Generalized *statement = nullptr;

  std::optional<int64_t> evaluate(const SymInt &size) const {
    return size.evaluate([&](StringRef name) -> std::optional<int64_t> {
      auto found = symbols.find(name);
      if (found == symbols.end())
        return std::nullopt;
      return found->second;
    });
  }
};

/// The statement without its rule, which has one owner.
static std::shared_ptr<const Generalized> keep(const Generalized &statement) {
  auto kept = std::make_shared<Generalized>();
  kept->inputs = statement.inputs;
  kept->numbers = statement.numbers;
  kept->conditions = statement.conditions;
  return kept;
}

void Equations::add(const Candidate &candidate, const Generalized &statement) {
  std::shared_ptr<const Generalized> kept = keep(statement);
  ValueId a = candidate.source.front(), b = candidate.target.front();
  for (auto [from, to] : {std::pair(a, b), std::pair(b, a)}) {
    if (terms.isInput(from))
      continue;
    SmallVector<ValueId, 8> bound = terms.listInputs(from);
    if (llvm::all_of(terms.listInputs(to), [&](ValueId input) {
          return llvm::is_contained(bound, input);
        })) {
      Rewrite rewrite{from, to, kept, {}};
      for (ValueId operand : terms.getOp(from).operands)
        rewrite.operands.push_back(getFamily(operand));
      byRoot[*getFamily(from)].push_back(std::move(rewrite));
    }
  }
  normalForms.clear();
}

std::optional<unsigned> Equations::getFamily(ValueId value) const {
  if (terms.isInput(value))
    return std::nullopt;
  return terms.getChoice(terms.getOp(value)).family;
}

/// Most rewrites fail at an operand of the root.
bool Equations::mayMatch(const Rewrite &rewrite, ValueId value) const {
  return llvm::all_of(
      llvm::zip_equal(rewrite.operands, terms.getOp(value).operands),
      [&](auto pair) {
        auto [family, operand] = pair;
        return !family || family == getFamily(operand);
      });
}

bool Equations::match(ValueId pattern, ValueId subject, Match &match) const {
  if (terms.isInput(pattern)) {
    for (auto [input, value] : match.inputs)
      if (input == pattern)
        return value == subject;
    if (terms.getShape(pattern).size() != terms.getShape(subject).size())
      return false;
    match.inputs.push_back({pattern, subject});
    return true;
  }
  if (terms.isInput(subject) ||
      terms.getResult(pattern) != terms.getResult(subject))
    return false;
  OpId mine = terms.getOpId(pattern), its = terms.getOpId(subject);
  for (auto [op, other] : match.ops)
    if (op == mine)
      return other == its;
  const Terms::Op &a = terms.getOpAt(mine), &b = terms.getOpAt(its);
  if (terms.getChoice(a).family != terms.getChoice(b).family)
    return false;
  match.ops.push_back({mine, its});
  for (auto [x, y] : llvm::zip_equal(a.operands, b.operands))
    if (!this->match(x, y, match))
      return false;
  return true;
}

/// Symbols that stand alone are read off; everything else is checked.
bool Equations::bindSizes(const Generalized &statement, Match &match) const {
  SmallVector<std::pair<const SymInt *, int64_t>, 32> sizes;
  for (const auto &[input, shape] : statement.inputs)
    for (auto [from, value] : match.inputs)
      if (from == input)
        for (auto [size, number] : llvm::zip_equal(
                 shape,
                 ArrayRef(terms.getShape(value)).take_back(shape.size())))
          sizes.push_back({&size, number});
  for (auto [op, other] : match.ops)
    for (auto [size, number] :
         llvm::zip_equal(statement.numbers.at(op),
                         terms.getChoice(terms.getOpAt(other)).numbers))
      sizes.push_back({&size, number});
  for (auto [size, number] : sizes)
    if (auto symbol = size->getSymbol())
      match.symbols.try_emplace(*symbol, number);
  for (auto [size, number] : sizes)
    if (match.evaluate(*size) != number)
      return false;
  return llvm::all_of(statement.conditions, [&](const SymInt &condition) {
    std::optional<int64_t> value = match.evaluate(condition);
    return value && *value >= 0;
  });
}

std::optional<ValueId> Equations::instantiate(ValueId pattern, Match &match) {
  if (terms.isInput(pattern)) {
    for (auto [input, value] : match.inputs)
      if (input == pattern)
        return value;
    return std::nullopt;
  }
  OpId id = terms.getOpId(pattern);
  OpChoice choice = terms.getChoice(terms.getOpAt(id));
  for (auto [number, size] :
       llvm::zip_equal(choice.numbers, match.statement->numbers.at(id))) {
    std::optional<int64_t> value = match.evaluate(size);
    if (!value)
      return std::nullopt;
    number = *value;
  }
  SmallVector<ValueId, 2> operands = terms.getOpAt(id).operands;
  for (ValueId &operand : operands) {
    std::optional<ValueId> value = instantiate(operand, match);
    if (!value)
      return std::nullopt;
    operand = *value;
  }
  const Terms::Op *op = terms.add(choice, operands);
  if (!op)
    return std::nullopt;
  return op->firstResult + terms.getResult(pattern);
}

std::optional<ValueId> Equations::rewriteRoot(ValueId value) {
  if (terms.isInput(value))
    return std::nullopt;
  auto found = byRoot.find(terms.getChoice(terms.getOp(value)).family);
  if (found == byRoot.end())
    return std::nullopt;
  for (const Rewrite &rewrite : found->second) {
    if (!mayMatch(rewrite, value))
      continue;
    Match matched;
    matched.statement = rewrite.statement.get();
    if (!match(rewrite.from, value, matched) ||
        !bindSizes(*rewrite.statement, matched))
      continue;
    std::optional<ValueId> to = instantiate(rewrite.to, matched);
    if (to && terms.compare(*to, value) < 0 &&
        terms.getShapeId(*to) == terms.getShapeId(value))
      return to;
  }
  return std::nullopt;
}

// A rewrite of a part may make the whole larger, where the part was shared:
// steps are bounded.
ValueId Equations::normalizeOperands(ValueId value) {
  unsigned result = terms.getResult(value);
  uint32_t choice = terms.getOp(value).choice;
  SmallVector<ValueId, 2> operands = terms.getOp(value).operands;
  for (ValueId &operand : operands)
    operand = normalize(operand);
  const Terms::Op *op = terms.add(choice, operands);
  return op ? op->firstResult + result : value;
}

ValueId Equations::normalize(ValueId value) {
  if (forgotten != terms.getNumRollBacks()) {
    forgotten = terms.getNumRollBacks();
    normalForms.clear();
  }
  auto known = normalForms.find(value);
  if (known != normalForms.end())
    return known->second;
  ValueId normal = value;
  for (unsigned steps = 0; steps < maxSteps && !terms.isInput(normal);
       ++steps) {
    normal = normalizeOperands(normal);
    std::optional<ValueId> less = rewriteRoot(normal);
    if (!less)
      break;
    normal = *less;
  }
  normalForms[value] = normal;
  return normal;
}

void Equations::addSiblings(const Candidate &candidate,
                            const Generalized &statement) {
  siblings.push_back({candidate, keep(statement)});
}

bool Equations::followsFromSiblings(const Candidate &candidate) {
  for (const Siblings &rule : siblings) {
    if (rule.candidate.source.size() != candidate.source.size())
      continue;
    Match matched;
    matched.statement = rule.statement.get();
    bool matches = llvm::all_of(
        llvm::zip_equal(rule.candidate.source, candidate.source),
        [&](auto pair) {
          return match(std::get<0>(pair), std::get<1>(pair), matched);
        });
    if (!matches || !bindSizes(*rule.statement, matched))
      continue;
    bool leads = llvm::all_of(
        llvm::zip_equal(rule.candidate.target, candidate.target),
        [&](auto pair) {
          std::optional<ValueId> made = instantiate(std::get<0>(pair), matched);
          return made && normalizeOperands(*made) == std::get<1>(pair);
        });
    if (leads)
      return true;
  }
  return false;
}
