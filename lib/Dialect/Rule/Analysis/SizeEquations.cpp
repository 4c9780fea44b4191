//===- SizeEquations.cpp - equations of sizes and their origins -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Rule/Analysis/SizeEquations.h"

using namespace mlir;
using namespace tenon::graph;
using namespace tenon::rule;

LogicalResult SizeEquations::makeEqual(const SymInt &a, const SymInt &b,
                                       EmitError emitError,
                                       bool allowDifferences) {
  switch (unifier.makeEqual(a, b, allowDifferences)) {
  case SizeUnifier::Result::Solved:
    return success();
  case SizeUnifier::Result::Waits:
    waiting.push_back({a, b, std::move(emitError)});
    return success();
  case SizeUnifier::Result::Contradiction:
    return emitError() << "sizes " << unifier.resolve(a).str() << " and "
                       << unifier.resolve(b).str()
                       << " have to be equal, but always differ";
  case SizeUnifier::Result::TooLarge:
    return emitError() << "the sizes become too large to be written";
  }
  llvm_unreachable("all results are handled");
}

/// Retries until no waiting equation can be solved.
LogicalResult SizeEquations::retryWaiting() {
  size_t before;
  do {
    std::vector<Equation> again = std::move(waiting);
    waiting.clear();
    before = again.size();
    for (const Equation &equation : again)
      if (failed(makeEqual(equation.a, equation.b, equation.emitError)))
        return failure();
  } while (waiting.size() < before && !waiting.empty());
  return success();
}

LogicalResult SizeEquations::equateWindows(size_t number, bool &found) {
  Equation equation = waiting[number];
  SymInt difference = unifier.resolve(equation.a - equation.b);
  std::vector<SymInt> outputs;
  for (const Window &window : windows)
    outputs.push_back(unifier.resolve(window.output));
  for (size_t one = 0; one < windows.size(); ++one)
    for (size_t other = 0; other < windows.size(); ++other) {
      if (outputs[one] - outputs[other] != difference ||
          windows[one].stride != windows[other].stride ||
          windows[one].pads != windows[other].pads)
        continue;
      found = true;
      waiting.erase(waiting.begin() + number);
      if (failed(makeEqual(windows[one].input, windows[other].input,
                           equation.emitError)))
        return failure();
      return makeEqual(windows[one].kernel, windows[other].kernel,
                       equation.emitError);
    }
  return success();
}

LogicalResult SizeEquations::settleWaiting() {
  if (failed(retryWaiting()))
    return failure();
  while (!waiting.empty()) {
    bool progress = false;
    size_t count = waiting.size();
    for (size_t number = 0; number < count && !progress; ++number)
      if (failed(equateWindows(number, progress)))
        return failure();
    for (size_t number = 0; number < count && !progress; ++number) {
      Equation equation = waiting.front();
      waiting.erase(waiting.begin());
      if (failed(makeEqual(equation.a, equation.b, equation.emitError,
                           /*allowDifferences=*/true)))
        return failure();
      progress = waiting.size() < count;
    }
    if (!progress) {
      const Equation &equation = waiting.front();
      return equation.emitError()
             << "sizes " << unifier.resolve(equation.a).str() << " and "
             << unifier.resolve(equation.b).str()
             << " have to be equal, but no equation implies it";
    }
    if (failed(retryWaiting()))
      return failure();
  }
  return success();
}
