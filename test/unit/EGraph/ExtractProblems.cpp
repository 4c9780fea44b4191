//===- ExtractProblems.cpp - extraction problems for tests ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExtractProblems.h"

#include <random>

using namespace tenon::egraph;
using namespace tenon::egraph::test;

unsigned ProblemBuilder::add(llvm::ArrayRef<unsigned> outputs,
                             llvm::ArrayRef<unsigned> inputs,
                             double microseconds) {
  ExtractionNode node;
  node.outputs.assign(outputs.begin(), outputs.end());
  node.inputs.assign(inputs.begin(), inputs.end());
  node.cost = microseconds * 1e-6;
  problem.nodes.push_back(std::move(node));
  return problem.nodes.size() - 1;
}

unsigned ProblemBuilder::give(llvm::ArrayRef<unsigned> inputs,
                              double microseconds) {
  unsigned c = addClass();
  add({c}, inputs, microseconds);
  return c;
}

namespace {
/// std::uniform_int_distribution differs between libraries.
class Random {
public:
  explicit Random(unsigned seed) : engine(seed) {}
  unsigned below(unsigned bound) { return engine() % bound; }
  bool oneIn(unsigned count) { return below(count) == 0; }

private:
  std::mt19937 engine;
};

/// Grows a network block by block.
class Network {
public:
  explicit Network(unsigned seed) : random(seed) {}

  ExtractionProblem make(unsigned numNodes) {
    unsigned x = builder.give({}, 0);
    unsigned before = x;
    while (builder.problem.nodes.size() < numNodes) {
      unsigned y = addBlock(x);
      unsigned sum = builder.give({y, before}, 2);
      builder.add({sum}, {before, y}, 2.25);
      before = x;
      x = sum;
    }
    builder.problem.roots = {x};
    return std::move(builder.problem);
  }

private:
  /// A class that is the same as another up to a free view.
  unsigned addView(unsigned c) {
    unsigned view = builder.give({c}, 0);
    builder.add({c}, {view}, 0);
    return view;
  }

  /// Merges results next to each other, each by one kernel; the merged class,
  /// and the merged weight.
  void mergePairs(unsigned x, std::vector<unsigned> parts,
                  std::vector<unsigned> weights, double cost) {
    while (parts.size() > 1) {
      std::vector<unsigned> merged, mergedWeights;
      cost *= 1.25;
      for (size_t i = 0; i + 1 < parts.size(); i += 2) {
        unsigned weight = builder.give({weights[i], weights[i + 1]}, 0);
        unsigned m = builder.give({x, weight}, cost + random.below(5));
        builder.add({m}, {parts[i], parts[i + 1]}, 3);
        if (random.oneIn(2)) {
          builder.add({parts[i], parts[i + 1]}, {m}, 0.5);
        } else {
          builder.add({parts[i]}, {m}, 0.25);
          builder.add({parts[i + 1]}, {m}, 0.25);
        }
        merged.push_back(m);
        mergedWeights.push_back(weight);
      }
      parts = merged;
      weights = mergedWeights;
    }
  }

  unsigned addBlock(unsigned x) {
    const unsigned siblings = 1u << random.below(4);
    const double cost = 5 + random.below(20);
    std::vector<unsigned> parts, weights, results;
    unsigned view = addView(x);
    for (unsigned i = 0; i < siblings; ++i) {
      unsigned weight = builder.give({}, 0);
      unsigned y = builder.give({x, weight}, cost + random.below(8));
      if (random.oneIn(2))
        builder.add({y}, {view, weight}, cost + random.below(8));
      parts.push_back(y);
      weights.push_back(weight);
      unsigned activated = builder.give({y}, 2);
      builder.add({activated}, {x, weight}, cost + random.below(4) + 0.5);
      results.push_back(random.oneIn(3) ? addView(activated) : activated);
    }
    mergePairs(x, parts, weights, cost);
    mergePairs(x, results, weights, cost + 1);
    // A sum in either order of its terms.
    unsigned sum = results[0];
    for (unsigned i = 1; i < siblings; ++i) {
      unsigned next = builder.give({sum, results[i]}, 2);
      if (i + 1 < siblings) {
        unsigned right = builder.give({results[i], results[i + 1]}, 2);
        unsigned other = builder.give({sum, right}, 2);
        builder.add({other}, {next, results[i + 1]}, 2);
        sum = other;
        ++i;
        continue;
      }
      sum = next;
    }
    return sum;
  }

  Random random;
  ProblemBuilder builder;
};
} // namespace

ExtractionProblem tenon::egraph::test::makeSmallProblem(unsigned seed) {
  Random random(seed);
  ProblemBuilder builder;
  const unsigned classes = 3 + random.below(10);
  const unsigned nodes = classes + random.below(25 - classes);
  for (unsigned c = 0; c < classes; ++c)
    builder.addClass();
  for (unsigned n = 0; n < nodes; ++n) {
    llvm::SmallVector<unsigned> outputs, inputs;
    // Each class has a node of its own first.
    outputs.push_back(n < classes ? n : random.below(classes));
    while (random.oneIn(5))
      outputs.push_back(random.below(classes));
    // Mostly classes of lower numbers, so that most problems have a choice.
    unsigned numInputs = random.below(4);
    for (unsigned i = 0; i < numInputs; ++i) {
      unsigned bound = random.oneIn(4) ? classes : outputs[0];
      if (bound > 0)
        inputs.push_back(random.below(bound));
    }
    builder.add(outputs, inputs,
                random.oneIn(4) ? 0 : random.below(1000) / 8.0);
  }
  builder.problem.roots = {classes - 1};
  while (random.oneIn(2))
    builder.problem.roots.push_back(random.below(classes));
  return std::move(builder.problem);
}

ExtractionProblem tenon::egraph::test::makeNetwork(unsigned numNodes,
                                                   unsigned seed) {
  return Network(seed).make(numNodes);
}

ExtractionProblem tenon::egraph::test::makeCover(unsigned numClasses) {
  Random random(1);
  ProblemBuilder builder;
  for (unsigned c = 0; c < numClasses; ++c)
    builder.problem.roots.push_back(builder.addClass());
  for (unsigned n = 0; n < 2 * numClasses; ++n)
    builder.add(
        {n % numClasses, random.below(numClasses), random.below(numClasses)},
        {}, 10 + random.below(3));
  return std::move(builder.problem);
}
