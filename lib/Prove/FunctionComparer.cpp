//===- FunctionComparer.cpp - equal values of two functions ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionComparer.h"
#include "AlignOps.h"
#include "tenon/Dialect/Graph/IR/Graph.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::prove;

/// The most ops that compute a result of a function whose equation is to be
/// refuted.
static constexpr size_t maxRefutedOps = 256;

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

std::optional<FunctionComparer::Place>
FunctionComparer::getPlace(Value value) const {
  unsigned number = numbers.get(value);
  if (number < endOfBefore)
    return Place{number, {}};
  auto found = images.find(number);
  return found == images.end() ? std::nullopt : std::optional(found->second);
}

bool FunctionComparer::isPlacedAs(Value value, Value original) const {
  std::optional<Place> place = getPlace(value);
  unsigned number = numbers.get(original);
  return (place && place->number == number && place->perm.empty()) ||
         equal.count({number, numbers.get(value)});
}

void FunctionComparer::setPlace(Value value, Value original, const Perm &perm) {
  unsigned number = numbers.get(original), own = numbers.get(value);
  if (own < endOfBefore) {
    // Two values of the original function are equal.
    equal.insert({number, own});
    return;
  }
  images[own] = {number, perm};
  placed.try_emplace(number, value);
  if (perm.empty())
    numbers.set(value, number);
}

/// Permutations by which `value` may be the image of `original`, the most
/// probable one first.
SmallVector<Perm> FunctionComparer::listPerms(Value original, Value value) {
  SmallVector<Perm> perms;
  auto from = cast<RankedTensorType>(original.getType());
  auto to = cast<RankedTensorType>(value.getType());
  graph::Shape source = graph::getShape(from), target = graph::getShape(to);
  size_t rank = source.size();
  if (from.getElementType() != to.getElementType() || rank != target.size())
    return perms;
  auto add = [&](Perm perm) {
    if (perm.size() != rank)
      return;
    for (size_t axis = 0; axis < rank; ++axis)
      if (source[perm[axis]] != target[axis])
        return;
    if (llvm::is_sorted(perm))
      perm.clear();
    if (!llvm::is_contained(perms, perm))
      perms.push_back(std::move(perm));
  };
  Perm identity = llvm::to_vector<4>(llvm::seq<int64_t>(0, rank));
  // An op mostly keeps the order of axes of what it reads.
  if (Operation *op = value.getDefiningOp())
    for (Value operand : op->getOperands())
      if (std::optional<Place> place = getPlace(operand);
          place && !place->perm.empty())
        add(place->perm);
  add(identity);
  // The orders of axes of convolutions and pools.
  if (rank > 2) {
    Perm last = identity, first = identity;
    std::rotate(last.begin() + 1, last.begin() + 2, last.end());
    std::rotate(first.begin() + 1, first.end() - 1, first.end());
    add(last);
    add(first);
  }
  return perms;
}

//===----------------------------------------------------------------------===//
// Proofs
//===----------------------------------------------------------------------===//

void FunctionComparer::count(const EquationProof &proof) {
  ++(proof.floatClass == rule::Exact ? report.exact : report.reals);
}

void FunctionComparer::reportOpen(const Failed &failure) {
  Operation *op = failure.before.getDefiningOp();
  report.open.push_back(
      {before.name, op ? op->getName().getStringRef().str() : "an input",
       failure.before.getLoc(), failure.reason, /*isRefuted=*/false});
  setPlace(failure.after, failure.before, failure.perm);
}

EquationProof FunctionComparer::proveEqual(Value original, Value value,
                                           const Perm &perm,
                                           Equation &largest) {
  EquationProof proof;
  std::optional<Equation> balanced = getBalancedEquation(original, value, perm);
  if (balanced) {
    largest = *balanced;
    proof = prover.prove(*balanced, facts);
    // With fewer ops, the leaves may be even more.
    if (proof.isProved || proof.isFalse)
      return proof;
  }
  Equation least = getEquation(original, value, perm, {});
  if (!balanced)
    largest = least;
  if (least.source.isTooLarge || least.target.isTooLarge) {
    proof.reason = "too many ops differ";
    return proof;
  }
  bool isOther = !balanced ||
                 balanced->source.ops.size() != least.source.ops.size() ||
                 balanced->target.ops.size() != least.target.ops.size();
  if (!isOther)
    return proof;
  EquationProof other = prover.prove(least, facts);
  // What is false of more values is no reason.
  return balanced && other.isFalse ? proof : other;
}

bool FunctionComparer::tryPlace(Value original, Value value, const Perm &perm,
                                bool isRequired) {
  if (!isRequired && llvm::any_of(failed, [&](const Failed &one) {
        return one.before == original && one.after == value && one.perm == perm;
      }))
    return false;
  Equation equation;
  EquationProof proof = proveEqual(original, value, perm, equation);
  // What failed before may be the part of this equation that is not proved: the
  // rest should be proved by itself.
  for (size_t number = 0; !proof.isProved && number < failed.size();) {
    Failed one = failed[number];
    Operation *from = one.before.getDefiningOp(),
              *to = one.after.getDefiningOp();
    if (!from || !to || one.after == value || getPlace(one.after) ||
        !equation.source.contains(from) || !equation.target.contains(to)) {
      ++number;
      continue;
    }
    failed.erase(failed.begin() + number);
    reportOpen(one);
    proof = proveEqual(original, value, perm, equation);
  }
  if (proof.isProved)
    count(proof);
  else if (isRequired)
    reportOpen({original, value, perm, proof.reason});
  else if (!proof.isFalse)
    failed.push_back({original, value, perm, proof.reason});
  if (proof.isProved)
    setPlace(value, original, perm);
  return proof.isProved || isRequired;
}

void FunctionComparer::refute() {
  auto never = [](Value) { return false; };
  for (const auto &[key, original] : before.outputs)
    for (const auto &[other, value] : after.outputs) {
      if (key != other || original.getType() != value.getType())
        continue;
      Equation equation;
      equation.before = original;
      equation.after = value;
      equation.source = getCone(original, never, maxRefutedOps);
      equation.target = getCone(value, never, maxRefutedOps);
      if (equation.source.isTooLarge || equation.target.isTooLarge)
        continue;
      for (Value leaf : equation.source.leaves)
        equation.sourceLeaves.push_back(valueOf.lookup(numbers.get(leaf)));
      for (Value leaf : equation.target.leaves)
        equation.targetLeaves.push_back(getImage(leaf, equation.sourceLeaves));
      std::string difference = prover.refute(equation, facts);
      if (difference.empty())
        continue;
      Operation *op = original.getDefiningOp();
      report.open.push_back(
          {before.name, op ? op->getName().getStringRef().str() : "an input",
           original.getLoc(), key + " differs: " + difference,
           /*isRefuted=*/true});
      return;
    }
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

void FunctionComparer::numberBefore() {
  Block &block = before.function->getBody().front();
  unsigned position = 0;
  auto add = [&](Value value) {
    unsigned number = numbers.get(value);
    if (valueOf.try_emplace(number, value).second)
      positionOf[number] = position;
    ++position;
  };
  for (auto [key, argument] : llvm::zip(before.inputs, block.getArguments())) {
    numbers.addInput(argument, key);
    add(argument);
  }
  for (Operation &op : block.without_terminator()) {
    numbers.addOp(&op);
    llvm::for_each(op.getResults(), add);
  }
  endOfBefore = numbers.getNext();
}

bool FunctionComparer::placeOperands(Operation *partner, Operation *op) {
  for (auto [original, value] :
       llvm::zip(partner->getOperands(), op->getOperands()))
    if (original.getType() != value.getType())
      return false;
  bool areAllPlaced = true;
  for (auto [original, value] :
       llvm::zip(partner->getOperands(), op->getOperands()))
    areAllPlaced &= isPlacedAs(value, original) ||
                    tryPlace(original, value, {}, /*isRequired=*/false);
  return areAllPlaced;
}

void FunctionComparer::placeResults(Operation *partner, Operation *op) {
  if (partner->getNumResults() != op->getNumResults())
    return;
  for (auto [original, value] :
       llvm::zip(partner->getResults(), op->getResults()))
    for (const Perm &perm : listPerms(original, value))
      if (tryPlace(original, value, perm, /*isRequired=*/false))
        break;
}

void FunctionComparer::visit(Operation *op) {
  numbers.addOp(op);
  bool areAllPlaced = true;
  for (Value result : op->getResults()) {
    // It may be equal to another new value, which was placed.
    if (std::optional<Place> place = getPlace(result)) {
      placed.try_emplace(place->number, result);
      if (place->perm.empty())
        numbers.set(result, place->number);
    } else {
      areAllPlaced = false;
    }
  }
  Operation *partner = partners.lookup(op);
  if (areAllPlaced || !partner)
    return;
  // Operands may have changed their order.
  auto getNumber = [&](Value value) { return numbers.get(value); };
  if (!areSameOperation(partner, op) ||
      std::is_permutation(
          llvm::map_iterator(op->operand_begin(), getNumber),
          llvm::map_iterator(op->operand_end(), getNumber),
          llvm::map_iterator(partner->operand_begin(), getNumber)) ||
      !placeOperands(partner, op))
    return placeResults(partner, op);
  for (auto [original, value] :
       llvm::zip(partner->getResults(), op->getResults()))
    setPlace(value, original, {});
}

void FunctionComparer::visitOutputs() {
  auto find = [](const FunctionSnapshot &snapshot, StringRef key) {
    for (const auto &[other, value] : snapshot.outputs)
      if (other == key)
        return value;
    return Value();
  };
  auto add = [&](std::string reason) {
    report.open.push_back({before.name, "func.return",
                           before.function->getLoc(), std::move(reason),
                           /*isRefuted=*/false});
  };
  for (const auto &[key, original] : before.outputs) {
    Value value = find(after, key);
    if (!value)
      add(key + " is not computed any more");
    else if (value.getType() != original.getType())
      add(key + " has another type");
    else if (!isPlacedAs(value, original))
      tryPlace(original, value, {}, /*isRequired=*/true);
  }
  for (const auto &[key, value] : after.outputs)
    if (!find(before, key))
      add(key + " was not computed before");
}

void FunctionComparer::run() {
  for (const FunctionSnapshot *snapshot : {&before, &after})
    if (!snapshot->problem.empty()) {
      report.open.push_back({snapshot->name, "func.func",
                             snapshot->function.get().getLoc(),
                             snapshot->problem, /*isRefuted=*/false});
      return;
    }
  size_t count = report.open.size();
  unsigned proved = report.exact + report.reals;
  numberBefore();
  facts = graph::collectSizeConditions(*before.function);
  partners = alignOps(before, after);
  Block &block = after.function->getBody().front();
  for (auto [key, argument] : llvm::zip(after.inputs, block.getArguments())) {
    numbers.addInput(argument, key);
    if (std::optional<Place> place = getPlace(argument))
      placed.try_emplace(place->number, argument);
  }
  for (Operation &op : block.without_terminator())
    visit(&op);
  visitOutputs();
  if (report.open.size() > count)
    refute();
  else if (report.exact + report.reals == proved)
    ++report.same;
}
