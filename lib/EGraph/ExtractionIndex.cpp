//===- ExtractionIndex.cpp - providers and readers of each class ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExtractionIndex.h"

#include "tenon/EGraph/Extract.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace tenon::egraph;

/// The maximum number of providers of one class among which dominated ones are
/// searched for, because the search is quadratic.
static constexpr size_t maxCompared = 256;

static ExtractionIndex::List sortedSet(llvm::ArrayRef<unsigned> values) {
  ExtractionIndex::List set(values.begin(), values.end());
  llvm::sort(set);
  set.erase(llvm::unique(set), set.end());
  return set;
}

ExtractionIndex::ExtractionIndex(const ExtractionProblem &problem)
    : inputs(problem.nodes.size()), outputs(problem.nodes.size()),
      costs(problem.nodes.size()), givers(problem.numClasses),
      readers(problem.numClasses), roots(sortedSet(problem.roots)),
      standIn(problem.nodes.size()) {
  for (unsigned n = 0; n < problem.nodes.size(); ++n) {
    const ExtractionNode &node = problem.nodes[n];
    standIn[n] = n;
    costs[n] = node.cost;
    if (!(node.cost >= 0) || std::isinf(node.cost))
      continue;
    inputs[n] = sortedSet(node.inputs);
    outputs[n] = sortedSet(node.outputs);
    llvm::erase_if(outputs[n], [&](unsigned c) {
      return llvm::binary_search(inputs[n], c);
    });
    if (outputs[n].empty()) {
      inputs[n].clear();
      continue;
    }
    for (unsigned c : outputs[n])
      givers[c].push_back(n);
    for (unsigned c : inputs[n])
      readers[c].push_back(n);
  }
  dropUnderivable();
  dropDominated();
  dropUnreachable();
}

void ExtractionIndex::drop(unsigned node) {
  for (unsigned c : outputs[node])
    llvm::erase(givers[c], node);
  for (unsigned c : inputs[node])
    llvm::erase(readers[c], node);
  outputs[node].clear();
  inputs[node].clear();
}

void ExtractionIndex::dropUnderivable() {
  std::vector<unsigned> missing(inputs.size());
  std::vector<char> derivable(givers.size());
  std::vector<unsigned> ready;
  for (unsigned n = 0; n < inputs.size(); ++n) {
    missing[n] = inputs[n].size();
    if (missing[n] == 0)
      ready.push_back(n);
  }
  while (!ready.empty()) {
    unsigned n = ready.back();
    ready.pop_back();
    for (unsigned c : outputs[n]) {
      if (derivable[c])
        continue;
      derivable[c] = true;
      for (unsigned reader : readers[c])
        if (--missing[reader] == 0)
          ready.push_back(reader);
    }
  }
  for (unsigned n = 0; n < inputs.size(); ++n)
    if (missing[n] != 0)
      drop(n);
  feasible = llvm::all_of(roots, [&](unsigned c) { return derivable[c]; });
}

void ExtractionIndex::dropDominated() {
  auto contains = [](const List &big, const List &small) {
    return std::includes(big.begin(), big.end(), small.begin(), small.end());
  };
  for (unsigned n = 0; n < outputs.size(); ++n) {
    if (outputs[n].empty() || givers[outputs[n][0]].size() > maxCompared)
      continue;
    for (unsigned other : givers[outputs[n][0]]) {
      if (other == n || costs[other] > costs[n] ||
          !contains(outputs[other], outputs[n]) ||
          !contains(inputs[n], inputs[other]))
        continue;
      // If two nodes are identical, the first is kept.
      if (other > n && costs[other] == costs[n] &&
          outputs[other] == outputs[n] && inputs[other] == inputs[n])
        continue;
      standIn[n] = other;
      drop(n);
      break;
    }
  }
  for (unsigned &other : standIn)
    while (standIn[other] != other)
      other = standIn[other];
}

void ExtractionIndex::dropUnreachable() {
  std::vector<char> seenClass(givers.size()), seenNode(inputs.size());
  List stack = roots;
  for (unsigned c : stack)
    seenClass[c] = true;
  while (!stack.empty())
    for (unsigned n : givers[stack.pop_back_val()]) {
      if (seenNode[n])
        continue;
      seenNode[n] = true;
      for (unsigned input : inputs[n])
        if (!seenClass[input]) {
          seenClass[input] = true;
          stack.push_back(input);
        }
    }
  for (unsigned n = 0; n < inputs.size(); ++n)
    if (!outputs[n].empty() && !seenNode[n])
      drop(n);
}

std::optional<std::vector<int>>
ExtractionIndex::translate(const ExtractionProblem &problem,
                           const Extraction &choice) const {
  if (!checkExtraction(problem, choice).empty())
    return std::nullopt;
  std::vector<int> provider = choice.provider;
  for (int &n : provider) {
    if (n == -1)
      continue;
    n = standIn[n];
    if (!std::isfinite(problem.nodes[n].cost))
      return std::nullopt;
  }
  return provider;
}

std::optional<Extraction>
tenon::egraph::orderExtraction(const ExtractionProblem &problem,
                               llvm::ArrayRef<int> provider) {
  enum : char { New, Open, Done };
  Extraction result;
  result.provider.assign(problem.numClasses, -1);
  std::vector<char> state(problem.nodes.size(), New);
  // The nodes that are being ordered, and how many inputs of each are done.
  std::vector<std::pair<unsigned, unsigned>> stack;
  auto enter = [&](unsigned c) {
    if (provider[c] < 0)
      return false;
    result.provider[c] = provider[c];
    unsigned n = provider[c];
    if (state[n] == Open)
      return false;
    if (state[n] == New) {
      state[n] = Open;
      stack.push_back({n, 0});
    }
    return true;
  };
  for (unsigned root : problem.roots) {
    if (!enter(root))
      return std::nullopt;
    while (!stack.empty()) {
      auto &[n, next] = stack.back();
      const ExtractionNode &node = problem.nodes[n];
      if (next < node.inputs.size()) {
        if (!enter(node.inputs[next++]))
          return std::nullopt;
        continue;
      }
      state[n] = Done;
      result.nodes.push_back(n);
      result.cost += node.cost;
      stack.pop_back();
    }
  }
  return result;
}
