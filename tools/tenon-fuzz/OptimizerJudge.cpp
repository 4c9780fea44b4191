//===- OptimizerJudge.cpp - rewritten graphs against their originals ------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OptimizerJudge.h"
#include "RandomInputs.h"

#include "mlir/IR/Verifier.h"
#include "llvm/Support/FormatVariadic.h"

#include <random>

using namespace mlir;
using namespace tenon;
using namespace tenon::fuzz;

static func::FuncOp mainOf(ModuleOp module) {
  return module.lookupSymbol<func::FuncOp>("main");
}

OptimizerJudge::OptimizerJudge(const optimize::RuleSet &rules,
                               const cost::CostModel &costs,
                               optimize::OptimizeOptions given)
    : rules(rules), costs(costs), options(std::move(given)) {
  options.extraction = optimize::Extractor::Greedy;
  options.candidates = 4;
  // Costlier ones are taken, too.
  options.leastGain = -1e9;
}

/// The error of replaying the log.
std::string
OptimizerJudge::checkReplay(func::FuncOp before,
                            const optimize::FunctionLog &log) const {
  OwningOpRef<func::FuncOp> copy(before.clone());
  std::string diagnostic;
  ScopedDiagnosticHandler handler(before.getContext(), [&](Diagnostic &text) {
    diagnostic += text.str() + "\n";
    return success();
  });
  if (failed(optimize::replay(copy.get(), log, options.fp, rules)))
    return "replay fails: " + shorten(diagnostic);
  if (optimize::hashFunction(copy.get()) != log.result)
    return "replay gives another graph";
  return "";
}

Rewriting OptimizerJudge::judge(ModuleOp module, uint64_t seed) const {
  Rewriting rewriting;
  rewriting.after = module.clone();
  func::FuncOp before = mainOf(module), after = mainOf(*rewriting.after);
  std::string diagnostic;
  ScopedDiagnosticHandler handler(module.getContext(), [&](Diagnostic &text) {
    diagnostic += text.str() + "\n";
    return success();
  });
  // Any of the candidates, not the cheapest.
  std::mt19937_64 random(seed);
  optimize::Scorer scorer = [&](ArrayRef<func::FuncOp> functions) {
    std::vector<std::optional<optimize::Score>> scores(functions.size());
    for (std::optional<optimize::Score> &score : scores)
      score.emplace().seconds = 1 + random() % 1000;
    return scores;
  };
  optimize::OptimizeOptions seeded = options;
  seeded.costSeed = seed;
  FailureOr<optimize::OptimizeResult> result =
      optimize::optimizeFunction(after, rules, costs, seeded, scorer);
  if (failed(result)) {
    rewriting.problem = "the optimizer fails: " + shorten(diagnostic);
    return rewriting;
  }
  rewriting.result = std::move(*result);
  if (!rewriting.result.changed) {
    rewriting.refusal = rewriting.result.notes.back();
    return rewriting;
  }
  if (failed(verify(*rewriting.after))) {
    rewriting.problem = "the result is not valid: " + shorten(diagnostic);
    return rewriting;
  }
  rewriting.problem = checkReplay(before, rewriting.result.log);
  // Other sizes, too, if sizes are inputs.
  for (uint64_t draw = 0; draw < (isDynamic(before) ? 2 : 1); ++draw) {
    if (!rewriting.problem.empty())
      break;
    CompareOptions how;
    how.seed = seed + 7 * draw;
    how.bitForBit = options.fp == FpMode::Strict;
    how.finite = options.fp == FpMode::Finite;
    compareFunctions(before, after, how, rewriting.comparison);
    rewriting.problem = rewriting.comparison.difference;
  }
  return rewriting;
}

std::string OptimizerJudge::formatLog(const Rewriting &rewriting) const {
  return llvm::formatv("{0:2}\n",
                       optimize::getLog(rewriting.result, options).toJSON())
      .str();
}
