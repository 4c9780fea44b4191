//===- SeriesParallel.cpp - series-parallel decomposition -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Parallelize/SeriesParallel.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace tenon::parallelize;

namespace {
class Decomposer {
public:
  explicit Decomposer(const OperatorGraph &graph) : graph(graph) {
    for (const Operator &op : graph) {
      ancestors.emplace_back(graph.size());
      for (unsigned operand : op.operands) {
        ancestors.back() |= ancestors[operand];
        ancestors.back().set(operand);
      }
    }
  }

  SeriesParallel decompose(std::vector<unsigned> operators,
                           bool mayBeParallel = true);

private:
  /// The sets of operators that edges between these connect.
  std::vector<std::vector<unsigned>>
  getComponents(const std::vector<unsigned> &operators) const;
  /// Whether all operators before `place` are ancestors of all from it on.
  bool isCut(const std::vector<unsigned> &operators, size_t place) const;

  const OperatorGraph &graph;
  std::vector<llvm::BitVector> ancestors;
};
} // namespace

std::vector<std::vector<unsigned>>
Decomposer::getComponents(const std::vector<unsigned> &operators) const {
  llvm::EquivalenceClasses<unsigned> classes;
  for (unsigned op : operators)
    classes.insert(op);
  for (unsigned op : operators)
    for (unsigned operand : graph[op].operands)
      if (llvm::is_contained(operators, operand))
        classes.unionSets(op, operand);
  std::map<unsigned, size_t> numbers;
  std::vector<std::vector<unsigned>> components;
  for (unsigned op : operators) {
    auto [it, isNew] =
        numbers.try_emplace(classes.getLeaderValue(op), components.size());
    if (isNew)
      components.emplace_back();
    components[it->second].push_back(op);
  }
  return components;
}

bool Decomposer::isCut(const std::vector<unsigned> &operators,
                       size_t place) const {
  llvm::BitVector before(graph.size());
  for (size_t n = 0; n < place; ++n)
    before.set(operators[n]);
  return std::all_of(operators.begin() + place, operators.end(),
                     [&](unsigned op) {
                       // All of `before` are ancestors.
                       return !before.test(ancestors[op]);
                     });
}

SeriesParallel Decomposer::decompose(std::vector<unsigned> operators,
                                     bool mayBeParallel) {
  SeriesParallel result;
  result.operators = operators;
  if (operators.size() == 1)
    return result;
  if (mayBeParallel) {
    std::vector<std::vector<unsigned>> components = getComponents(operators);
    if (components.size() > 1) {
      result.kind = SeriesParallel::Kind::Parallel;
      for (std::vector<unsigned> &component : components)
        result.parts.push_back(decompose(std::move(component), false));
      return result;
    }
  }
  result.kind = SeriesParallel::Kind::Series;
  std::vector<unsigned> part;
  for (size_t place = 0; place < operators.size(); ++place) {
    if (place > 0 && isCut(operators, place)) {
      result.parts.push_back(decompose(std::move(part)));
      part.clear();
    }
    part.push_back(operators[place]);
  }
  if (part.size() < operators.size()) {
    result.parts.push_back(decompose(std::move(part)));
    return result;
  }
  result.isExact = false;
  for (unsigned op : operators)
    result.parts.push_back(decompose({op}));
  return result;
}

SeriesParallel tenon::parallelize::decompose(const OperatorGraph &graph) {
  std::vector<unsigned> all;
  for (unsigned op = 0; op < graph.size(); ++op)
    all.push_back(op);
  return Decomposer(graph).decompose(std::move(all));
}

double tenon::parallelize::getSecondsPerSample(
    const OperatorGraph &graph, const std::vector<unsigned> &operators) {
  double seconds = 0;
  for (unsigned op : operators)
    seconds += graph[op].forward.perSample + graph[op].backwardInput.perSample +
               graph[op].backwardWeight.perSample;
  return seconds;
}

/// Makes `part` a part of the series `branch`, first or last.
static void addToSeries(SeriesParallel &branch, SeriesParallel part,
                        bool isFirst) {
  if (branch.kind != SeriesParallel::Kind::Series) {
    SeriesParallel series;
    series.kind = SeriesParallel::Kind::Series;
    series.operators = branch.operators;
    series.parts.push_back(std::move(branch));
    branch = std::move(series);
  }
  llvm::append_range(branch.operators, part.operators);
  llvm::sort(branch.operators);
  branch.parts.insert(isFirst ? branch.parts.begin() : branch.parts.end(),
                      std::move(part));
}

SeriesParallel tenon::parallelize::absorbSmallParts(const OperatorGraph &graph,
                                                    const SeriesParallel &tree,
                                                    double seconds) {
  SeriesParallel result = tree;
  result.parts.clear();
  for (const SeriesParallel &part : tree.parts)
    result.parts.push_back(absorbSmallParts(graph, part, seconds));
  if (tree.kind != SeriesParallel::Kind::Series || !tree.isExact)
    return result;
  std::vector<SeriesParallel> &parts = result.parts;
  for (size_t number = 0; number < parts.size();) {
    auto isParallel = [&](size_t other) {
      return other < parts.size() &&
             parts[other].kind == SeriesParallel::Kind::Parallel;
    };
    bool intoLast = number > 0 && isParallel(number - 1);
    bool isSmall =
        !isParallel(number) &&
        getSecondsPerSample(graph, parts[number].operators) < seconds;
    if (!isSmall || (!intoLast && !isParallel(number + 1))) {
      ++number;
      continue;
    }
    SeriesParallel &target = parts[intoLast ? number - 1 : number + 1];
    // Into different branches: one stage that is both before and behind a
    // branch would not be convex.
    SeriesParallel &branch =
        intoLast ? target.parts.back() : target.parts.front();
    llvm::append_range(target.operators, parts[number].operators);
    llvm::sort(target.operators);
    addToSeries(branch, std::move(parts[number]), !intoLast);
    parts.erase(parts.begin() + number);
  }
  if (parts.size() > 1)
    return result;
  SeriesParallel only = std::move(parts.front());
  return only;
}
