//===- CheckExtraction.cpp - validation of an extraction ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/EGraph/Extract.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <cstdio>

using namespace tenon::egraph;

/// The maximum relative difference of sums of the same costs in another order.
static constexpr double sumTolerance = 1e-9;

std::string tenon::egraph::checkExtraction(const ExtractionProblem &problem,
                                           const Extraction &extraction) {
  auto text = [](const char *kind, unsigned number) {
    return kind + (" " + std::to_string(number));
  };
  if (extraction.provider.size() != problem.numClasses)
    return "expected " + text("a provider for each of", problem.numClasses) +
           " classes, but got " + std::to_string(extraction.provider.size());

  // Every need must be satisfied by an earlier node.
  std::vector<char> placed(problem.nodes.size()), used(problem.nodes.size());
  std::vector<char> needed(problem.numClasses);
  auto missing = [&](unsigned c) -> std::string {
    int n = extraction.provider[c];
    if (n < 0 || unsigned(n) >= problem.nodes.size())
      return text("class", c) + " is needed, but nothing gives it";
    if (!llvm::is_contained(problem.nodes[n].outputs, c))
      return text("node", n) + " does not give " + text("class", c);
    if (!placed[n])
      return text("node", n) + " comes too late or not at all for " +
             text("class", c);
    used[n] = needed[c] = true;
    return "";
  };
  double cost = 0;
  for (unsigned n : extraction.nodes) {
    if (n >= problem.nodes.size())
      return text("node", n) + " does not exist";
    for (unsigned c : problem.nodes[n].inputs)
      if (std::string error = missing(c); !error.empty())
        return error;
    if (placed[n])
      return text("node", n) + " is chosen twice";
    placed[n] = true;
    cost += problem.nodes[n].cost;
  }
  for (unsigned c : problem.roots)
    if (std::string error = missing(c); !error.empty())
      return error;

  for (unsigned n : extraction.nodes)
    if (!used[n])
      return text("node", n) + " is chosen, but not needed";
  for (unsigned c = 0; c < problem.numClasses; ++c)
    if (!needed[c] && extraction.provider[c] != -1)
      return text("class", c) + " is given, but not needed";
  if (!(std::abs(cost - extraction.cost) <= sumTolerance * cost)) {
    char error[80];
    std::snprintf(error, sizeof(error),
                  "expected a cost of %.12g, but got %.12g", cost,
                  extraction.cost);
    return error;
  }
  return "";
}
