//===- ComparerEquations.cpp - what has to be proved of two functions -----===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConstantImage.h"
#include "FunctionComparer.h"
#include "tenon/Dialect/Graph/IR/Graph.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::prove;

/// The most ops of one side of an equation.
static constexpr size_t maxOps = 64;

/// Whether the proof kernel can look into the op that computes a value.
static bool canOpen(Value value) {
  return !isInput(value) &&
         isa<IndexFormInterface, DecomposableInterface>(value.getDefiningOp());
}

unsigned FunctionComparer::getLeafNumber(Value leaf, bool isInSource) const {
  if (!isInSource)
    if (std::optional<Place> place = getPlace(leaf))
      return place->number;
  return numbers.get(leaf);
}

Image FunctionComparer::getImage(Value leaf, ArrayRef<Value> originals) const {
  if (std::optional<Place> place = getPlace(leaf))
    return {valueOf.lookup(place->number), place->perm, {}};
  for (Value original : originals)
    if (std::optional<Image> image = getConstantImage(original, leaf))
      return *image;
  // An input that only the new function has may be anything.
  return {leaf, {}, {}};
}

Equation FunctionComparer::getEquation(Value original, Value value,
                                       const Perm &perm,
                                       const OpenLeaves &open) const {
  Equation equation;
  equation.before = original;
  equation.after = value;
  equation.perm = perm;
  auto isTargetLeaf = [&](Value leaf) {
    std::optional<Place> place = getPlace(leaf);
    return place && !isSmallConstant(leaf) &&
           !open.target.contains(place->number);
  };
  auto isSourceLeaf = [&](Value leaf) {
    unsigned number = numbers.get(leaf);
    return placed.contains(number) && !isSmallConstant(leaf) &&
           !open.source.contains(number);
  };
  auto getLeaf = [](Value leaf) {
    Cone cone;
    cone.leaves.push_back(leaf);
    return cone;
  };
  equation.target = isTargetLeaf(value) ? getLeaf(value)
                                        : getCone(value, isTargetLeaf, maxOps);
  // The value itself may be what the other side reads.
  bool isRead = llvm::any_of(equation.target.leaves, [&](Value leaf) {
    return getLeafNumber(leaf, /*isInSource=*/false) == numbers.get(original);
  });
  equation.source = isRead && isSourceLeaf(original)
                        ? getLeaf(original)
                        : getCone(original, isSourceLeaf, maxOps);
  for (Value leaf : equation.source.leaves)
    equation.sourceLeaves.push_back(valueOf.lookup(numbers.get(leaf)));
  for (Value leaf : equation.target.leaves)
    equation.targetLeaves.push_back(getImage(leaf, equation.sourceLeaves));
  return equation;
}

std::optional<unsigned> FunctionComparer::findLoneLeaf(const Equation &equation,
                                                       bool &isInSource) const {
  llvm::DenseSet<unsigned> leaves[2];
  for (bool ofSource : {false, true})
    for (Value leaf : (ofSource ? equation.source : equation.target).leaves)
      leaves[ofSource].insert(getLeafNumber(leaf, ofSource));
  std::optional<unsigned> last;
  for (bool ofSource : {false, true})
    for (Value leaf : (ofSource ? equation.source : equation.target).leaves) {
      unsigned number = getLeafNumber(leaf, ofSource);
      if (leaves[!ofSource].contains(number) || !canOpen(leaf))
        continue;
      if (last && positionOf.lookup(*last) >= positionOf.lookup(number))
        continue;
      last = number;
      isInSource = ofSource;
    }
  return last;
}

std::optional<Equation>
FunctionComparer::getBalancedEquation(Value original, Value value,
                                      const Perm &perm) const {
  OpenLeaves open;
  for (size_t count = 0; count < maxOps; ++count) {
    Equation equation = getEquation(original, value, perm, open);
    if (equation.source.isTooLarge || equation.target.isTooLarge)
      return std::nullopt;
    bool isInSource = false;
    std::optional<unsigned> lone = findLoneLeaf(equation, isInSource);
    if (!lone)
      return equation;
    (isInSource ? open.source : open.target).insert(*lone);
  }
  return std::nullopt;
}
