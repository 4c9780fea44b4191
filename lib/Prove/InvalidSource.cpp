//===- InvalidSource.cpp - sizes at which a source means nothing ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InvalidSource.h"
#include "Instances.h"

#include <set>

using namespace mlir;
using namespace tenon;
using namespace tenon::prove;

static constexpr unsigned trials = 60;

std::optional<rule::Counterexample>
prove::findInvalidSource(rule::RuleOp rule) {
  Instances instances(rule);
  std::set<Instances::Values> tried;
  for (unsigned trial = 0; trial < trials; ++trial) {
    // A condition that is missing is mostly about 0.
    if (!instances.draw(0, trial < trials / 2 ? 2 : 6) ||
        !tried.insert(instances.getValues()).second)
      continue;
    auto inputs =
        instances.makeInputs([](interpret::Cell &cell) { cell.number = 1; });
    if (failed(inputs) ||
        succeeded(instances.evaluate(rule.getSource(), *inputs, {})))
      continue;
    rule::Counterexample found;
    for (const std::string &symbol : instances.getSymbols())
      found.symbols.emplace_back(symbol, instances.getValues().at(symbol));
    found.source = "not valid (" + instances.problem + ")";
    return found;
  }
  return std::nullopt;
}
