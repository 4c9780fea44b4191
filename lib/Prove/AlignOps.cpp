//===- AlignOps.cpp - which ops of two functions correspond ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AlignOps.h"
#include "tenon/Dialect/Graph/IR/Graph.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::prove;

/// The most pairs of ops that an alignment compares.
static constexpr size_t maxPairs = 16'000'000;

/// Equal for equal operations.
static std::string getSignature(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << op->getName().getAsOpaquePointer() << ' ' << op->getNumOperands() << ' '
     << op->getPropertiesAsAttribute().getAsOpaquePointer();
  for (Type type : op->getResultTypes())
    os << ' ' << type.getAsOpaquePointer();
  return text;
}

/// Equal for ops of one name whose results differ at most in the order of their
/// axes.
static std::string getOutline(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << op->getName();
  for (Value result : op->getResults()) {
    SmallVector<std::string> sizes;
    for (const graph::SymInt &size : graph::getShape(result))
      sizes.push_back(size.str());
    llvm::sort(sizes);
    os << " [" << llvm::join(sizes, ", ") << ']';
  }
  return text;
}

namespace {
class Aligner {
public:
  Aligner(const FunctionSnapshot &before, const FunctionSnapshot &after)
      : before(before), after(after) {
    listOpen();
  }

  llvm::DenseMap<Operation *, Operation *> run();

private:
  void listOpen();
  void pairByOrigin();
  void pairByLocation();
  void pairInOrder(std::string (*getKey)(Operation *));
  void pair(Operation *from, Operation *to) {
    partners[to] = from;
    taken.insert(from);
  }

  const FunctionSnapshot &before, &after;
  llvm::DenseMap<Operation *, Operation *> partners;
  llvm::DenseSet<Operation *> taken;
  /// Ops without a partner, in order.
  SmallVector<Operation *> openBefore, openAfter;
};
} // namespace

void Aligner::listOpen() {
  auto list = [&](const FunctionSnapshot &snapshot, auto isPaired) {
    SmallVector<Operation *> open;
    for (Operation &op : snapshot.function.get().getBody().front())
      if (!op.hasTrait<OpTrait::ConstantLike>() && !isPaired(&op))
        open.push_back(&op);
    return open;
  };
  openBefore = list(before, [&](Operation *op) { return taken.contains(op); });
  openAfter = list(after, [&](Operation *op) { return partners.contains(op); });
}

/// The first location of those that were fused.
static Location getFirst(Location loc) {
  while (auto fused = dyn_cast<FusedLoc>(loc)) {
    if (fused.getLocations().empty())
      break;
    loc = fused.getLocations().front();
  }
  return loc;
}

void Aligner::pairByOrigin() {
  llvm::DenseMap<const void *, Operation *> byOrigin;
  for (Operation *op : openBefore)
    if (const void *origin = before.origins.lookup(op))
      byOrigin[origin] = op;
  for (Operation *op : openAfter) {
    Operation *from = byOrigin.lookup(after.origins.lookup(op));
    // The memory of an erased op may be that of a new one.
    if (from && from->getName() == op->getName() &&
        getFirst(from->getLoc()) == getFirst(op->getLoc()) &&
        from->getNumOperands() == op->getNumOperands() &&
        from->getNumResults() == op->getNumResults())
      pair(from, op);
  }
}

void Aligner::pairByLocation() {
  using Key = std::pair<const void *, const void *>;
  llvm::MapVector<Key,
                  std::pair<SmallVector<Operation *>, SmallVector<Operation *>>>
      groups;
  auto getKey = [](Operation *op) {
    return Key(op->getName().getAsOpaquePointer(),
               getFirst(op->getLoc()).getAsOpaquePointer());
  };
  for (Operation *op : openBefore)
    groups[getKey(op)].first.push_back(op);
  for (Operation *op : openAfter)
    groups[getKey(op)].second.push_back(op);
  for (auto &[key, group] : groups)
    if (group.first.size() == group.second.size() &&
        !isa<UnknownLoc>(getFirst(group.first.front()->getLoc())))
      for (auto [from, to] : llvm::zip(group.first, group.second))
        pair(from, to);
}

/// Pairs a longest common subsequence of the keys of what is open.
void Aligner::pairInOrder(std::string (*getKey)(Operation *)) {
  listOpen();
  size_t rows = openBefore.size(), columns = openAfter.size();
  if (rows == 0 || columns == 0 || rows > maxPairs / columns)
    return;
  llvm::StringMap<unsigned> ids;
  auto getIds = [&](ArrayRef<Operation *> ops) {
    SmallVector<unsigned> result;
    for (Operation *op : ops)
      result.push_back(ids.try_emplace(getKey(op), ids.size()).first->second);
    return result;
  };
  SmallVector<unsigned> left = getIds(openBefore), right = getIds(openAfter);
  // lengths[r][c]: of the longest one of the ops from r and from c on.
  std::vector<unsigned> lengths((rows + 1) * (columns + 1), 0);
  auto at = [&](size_t row, size_t column) -> unsigned & {
    return lengths[row * (columns + 1) + column];
  };
  for (size_t row = rows; row-- > 0;)
    for (size_t column = columns; column-- > 0;)
      at(row, column) =
          left[row] == right[column]
              ? at(row + 1, column + 1) + 1
              : std::max(at(row + 1, column), at(row, column + 1));
  for (size_t row = 0, column = 0; row < rows && column < columns;) {
    if (left[row] == right[column])
      pair(openBefore[row++], openAfter[column++]);
    else if (at(row + 1, column) >= at(row, column + 1))
      ++row;
    else
      ++column;
  }
}

llvm::DenseMap<Operation *, Operation *> Aligner::run() {
  pairByOrigin();
  listOpen();
  pairByLocation();
  pairInOrder(getSignature);
  pairInOrder(getOutline);
  return std::move(partners);
}

llvm::DenseMap<Operation *, Operation *>
prove::alignOps(const FunctionSnapshot &before, const FunctionSnapshot &after) {
  return Aligner(before, after).run();
}
