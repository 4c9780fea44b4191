//===- IlpExtraction.cpp - extraction by integer linear programs ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IlpProgram.h"

#include "tenon/EGraph/Extract.h"

#include "llvm/ADT/STLExtras.h"

using namespace tenon::egraph;

/// The number of rounds with only loop formulas. If a component has many
/// cycles, these are cut off one after the other, and levels are faster.
static constexpr unsigned roundsWithoutLevels = 3;

static Extraction solve(const ExtractionProblem &problem,
                        const ExtractionIndex &index, Extraction best,
                        const IlpOptions &options) {
  IlpProgram program(index, best.cost);
  program.cutPairs();
  uint64_t left = options.solverNodes;
  for (unsigned round = 0; round < options.rounds && left > 0; ++round) {
    if (round == roundsWithoutLevels)
      program.addLevels();
    IlpAnswer answer =
        solveIlp(program.getModel(), program.getValues(best), left);
    left -= std::min(left, answer.treeNodes);
    if (answer.values.empty())
      break;
    std::vector<int> provider = program.derive(answer.values);
    if (program.givesRoots(provider)) {
      std::optional<Extraction> choice = orderExtraction(problem, provider);
      if (choice && choice->cost < best.cost)
        best = std::move(*choice);
      best.optimal = answer.status == IlpAnswer::Optimal;
      break;
    }
    if (answer.status != IlpAnswer::Optimal)
      break;
    program.cutCycles(answer.values);
  }
  return best;
}

std::optional<Extraction>
tenon::egraph::extractIlp(const ExtractionProblem &problem,
                          const IlpOptions &options, const Extraction *start) {
  if (!hasIlpSolver())
    return std::nullopt;
  // A good start prunes the tree, and is the result if a limit is reached.
  std::optional<Extraction> first = extractGreedy(problem, {}, start);
  if (!first)
    return std::nullopt;
  if (first->cost == 0) {
    first->optimal = true;
    return first;
  }
  ExtractionIndex index(problem);
  size_t nodes = llvm::count_if(
      index.outputs, [](const auto &outputs) { return !outputs.empty(); });
  if (nodes > options.problemNodes)
    return first;
  return solve(problem, index, std::move(*first), options);
}
