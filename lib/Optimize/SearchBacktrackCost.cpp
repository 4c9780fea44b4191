//===- SearchBacktrackCost.cpp - the cost of one graph --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SearchBacktrackCost.h"

#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::optimize::backtrack;
using cost::Work;

/// The values are those of KernelGraph.cpp.
static constexpr unsigned kMostTails = 6, kMostInlined = 12, kMostLevels = 5;
static constexpr double kLeast = 1e-12;
/// Sums in a different order differ in their last bits. Costs are rounded to
/// this unit, so that graphs of equal cost compare equal.
static constexpr double kUnit = 1e-15;

GraphCost::GraphCost(const cost::CostModel &costs, KindTable &kinds)
    : costs(costs), kinds(kinds),
      isolated(costs.getProfile().semantics == cost::Semantics::Isolated) {}

/// Returns the work of an op, which is cached for each kind except for the
/// bytes that it reads, because these depend on the graph.
Work GraphCost::getWork(const Node &node) {
  OpKind &kind = kinds[node.kind];
  std::pair<uint64_t, uint64_t> key;
  for (auto [i, operand] : llvm::enumerate(node.operands)) {
    bool seen = llvm::is_contained(
        ArrayRef<unsigned>(node.operands).take_front(i), operand);
    key.first |= uint64_t(infos[getValue(operand)].weight) << (i % 64);
    key.second |= uint64_t(seen) << (i % 64);
  }
  auto [it, fresh] = kind.works.try_emplace(key);
  if (fresh) {
    it->second = costs.getWork(node.op);
    if (kind.isLibraryRoot && infos[getValue(node.operands[1])].weight)
      it->second = costs.getLeastWork(node.op, it->second);
  }
  Work work = it->second;
  if (kind.isElementwise) {
    work.bytesRead = work.bytesWeights = 0;
    for (unsigned operand : node.operands)
      addRead(getValue(operand), work);
  } else if (kind.isLibraryRoot) {
    work.bytesRead = work.bytesWeights = 0;
    for (auto [operand, bytes] : llvm::zip(node.operands, kind.operandBytes))
      (infos[getValue(operand)].weight ? work.bytesWeights : work.bytesRead) +=
          bytes;
  }
  return work;
}

void GraphCost::addRead(unsigned value, Work &work) const {
  const Info &info = infos[value];
  (info.weight ? work.bytesWeights : work.bytesRead) += info.bytes;
}

unsigned GraphCost::getFirst(unsigned value) const {
  int giver = graph->givers[value];
  return giver < 0 ? value : graph->nodes[giver].firstResult;
}

/// Determines which values are weights, the bytes for reading them, and their
/// readers.
void GraphCost::prepare() {
  infos.assign(graph->givers.size(), Info());
  for (unsigned i = 0; i < graph->numArguments; ++i)
    infos[i].bytes = costs.getBytes(graph->getBlock().getArgument(i).getType());
  for (unsigned result : outline->results) {
    ++infos[getFirst(result)].uses;
    infos[getFirst(result)].kept = true;
    infos[result].needed = true;
  }
  for (unsigned number : outline->order) {
    const Node &node = graph->nodes[number];
    const OpKind &kind = kinds[node.kind];
    bool weight = true;
    for (unsigned operand : node.operands) {
      Info &read = infos[getFirst(getValue(operand))];
      weight &= read.weight;
      ++read.uses;
      read.reader = number;
      read.kept |= kind.isLibraryRoot || kind.isReference;
    }
    for (auto [i, bytes] : llvm::enumerate(kind.resultBytes)) {
      Info &info = infos[node.firstResult + i];
      info.weight = weight;
      // A broadcast is read at the size of its operand.
      info.bytes =
          kind.isBroadcast ? std::min(bytes, kind.operandBytes[0]) : bytes;
    }
  }
}

/// Returns true if a node that reads `chain` may run in the kernel that
/// computes it.
bool GraphCost::isTail(const Node &node, unsigned chain) const {
  const OpKind &kind = kinds[node.kind];
  if (!kind.isElementwise && !kind.isBatchNorm)
    return false;
  unsigned reads = 0;
  bool others = true, typed = false;
  for (auto [i, operand] : llvm::enumerate(node.operands)) {
    if (getValue(operand) == chain) {
      ++reads;
      typed = kind.hasResultType[i];
    } else {
      others &= infos[getValue(operand)].weight;
    }
  }
  if (reads != 1 || !typed)
    return false;
  if (kind.isBatchNorm)
    return getValue(node.operands[0]) == chain && others;
  return !isolated ||
         (node.operands.size() == 1 ? kind.isActivation : kind.isAdd && others);
}

/// Fuses the ops that follow a library's kernel if they are the only readers.
/// If an op could follow two kernels, it belongs to the first.
void GraphCost::followChain(const Node &root) {
  unsigned value = root.firstResult;
  Work work = getWork(root);
  infos[value].inChain = true;
  for (unsigned step = 0; step < kMostTails; ++step) {
    if (infos[value].uses != 1 || infos[value].reader < 0)
      return;
    const Node &next = graph->nodes[infos[value].reader];
    Info &info = infos[next.firstResult];
    if (!isTail(next, value) || info.inChain)
      return;
    if (!kinds[next.kind].isBatchNorm)
      work.vectorFlops += getWork(next).vectorFlops;
    for (unsigned operand : next.operands)
      if (getValue(operand) != value) {
        addRead(getValue(operand), work);
        infos[getFirst(getValue(operand))].kept = true;
      }
    info.inChain = true;
    info.before = value;
    info.seconds = costs.estimate(work).seconds;
    value = next.firstResult;
  }
}

double GraphCost::getOwn(unsigned value) const {
  const Info &info = infos[value];
  return info.before < 0 ? info.seconds
                         : info.seconds - infos[info.before].seconds;
}

/// Returns the node that provides a value if readers may recompute it, or -1.
int GraphCost::getInlinable(unsigned value) const {
  int giver = graph->givers[value];
  if (giver < 0 || infos[value].weight)
    return -1;
  const OpKind &kind = kinds[graph->nodes[giver].kind];
  return kind.isElementwise || kind.isMovement ? giver : -1;
}

void GraphCost::readThrough(const Node &node, unsigned depth, Work &work) {
  for (unsigned operand : node.operands) {
    unsigned value = getValue(operand);
    int giver = depth < kMostLevels && inlined.size() < kMostInlined
                    ? getInlinable(value)
                    : -1;
    if (giver < 0) {
      if (inputs.insert(value))
        addRead(value, work);
      continue;
    }
    if (inlined.contains(giver))
      continue;
    work.vectorFlops += getWork(graph->nodes[giver]).vectorFlops;
    readThrough(graph->nodes[giver], depth + 1, work);
    inlined.insert(giver);
  }
}

/// Returns the seconds of a kernel that computes everything that may be inlined
/// into the node.
double GraphCost::getInlined(const Node &node) {
  inlined.clear();
  inputs.clear();
  Work work = getWork(node);
  work.bytesRead = work.bytesWeights = 0;
  readThrough(node, 0, work);
  return costs.estimate(work).seconds;
}

void GraphCost::need(const Node &node) {
  for (unsigned operand : node.operands)
    infos[getValue(operand)].needed = true;
}

/// Returns the seconds of the kernel of a chain up to this node, and marks its
/// inputs as needed.
double GraphCost::takeChain(const Node &node) {
  const Node *member = &node;
  unsigned value = node.firstResult;
  double seconds = infos[value].seconds;
  while (true) {
    int before = infos[value].before;
    for (unsigned operand : member->operands)
      if (static_cast<int>(getValue(operand)) != before)
        infos[getValue(operand)].needed = true;
    if (before < 0)
      return seconds + kLeast;
    value = before;
    member = &graph->nodes[graph->givers[value]];
  }
}

/// Returns the seconds of the kernel that computes a needed node, and marks its
/// inputs as needed.
double GraphCost::take(const Node &node) {
  const Info &info = infos[node.firstResult];
  const OpKind &kind = kinds[node.kind];
  if (!isolated && !info.weight && !kind.isLibraryRoot && !kind.isReference) {
    double together = getInlined(node);
    if (!inlined.empty()) {
      double saved = getOwn(node.firstResult);
      for (unsigned giver : inlined) {
        unsigned value = graph->nodes[giver].firstResult;
        const Info &one = infos[value];
        // Other readers may also recompute the value. If the value ends a
        // chain, inlining it would compute the chain twice.
        if (!one.kept)
          saved += getOwn(value) / one.uses;
        else if (one.before >= 0)
          saved -= infos[one.before].seconds;
      }
      if (together < saved) {
        for (unsigned value : inputs)
          infos[value].needed = true;
        return together + kLeast;
      }
    }
  }
  if (info.inChain)
    return takeChain(node);
  need(node);
  return info.seconds + kLeast;
}

double GraphCost::estimate(const Graph &ofGraph, const Outline &ofOutline) {
  graph = &ofGraph;
  outline = &ofOutline;
  prepare();
  for (unsigned number : outline->order) {
    const Node &node = graph->nodes[number];
    unsigned value = node.firstResult;
    if (infos[value].weight)
      continue;
    if (infos[value].before < 0)
      infos[value].seconds = costs.estimate(getWork(node)).seconds;
    if (kinds[node.kind].isLibraryRoot)
      followChain(node);
  }
  double seconds = graph->numArguments * kLeast;
  for (unsigned number : llvm::reverse(outline->order)) {
    const Node &node = graph->nodes[number];
    for (unsigned i = 0; i < node.op->getNumResults(); ++i)
      if (infos[node.firstResult + i].needed) {
        seconds += take(node);
        break;
      }
  }
  return std::round(seconds / kUnit) * kUnit;
}
