//===- DerivationWorkers.cpp - derivations by several threads -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Discover/DerivationWorkers.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

#include <atomic>
#include <thread>

using namespace mlir;
using namespace tenon;
using namespace tenon::discover;

/// Siblings merge in few steps, and rules with several results have many
/// matches.
static constexpr DerivationLimits ownLimits = {6, 1500, /*usesOwnOps=*/true};
static constexpr DerivationLimits siblingLimits = {3, 200, /*usesOwnOps=*/true};

struct DerivationWorkers::Worker {
  Worker() : context(MLIRContext::Threading::DISABLED), derivations(&context) {
    context.loadDialect<graph::GraphDialect, rule::RuleDialect>();
  }

  /// The rule of a text that was printed by this program.
  OwningOpRef<rule::RuleOp> parse(StringRef text) {
    auto module = parseSourceString<ModuleOp>(text, &context);
    assert(module && "what was stated is valid");
    auto rule = *module->getOps<rule::RuleOp>().begin();
    rule->remove();
    return rule;
  }
  /// Takes over the rules that were added since.
  void update(ArrayRef<std::string> rules) {
    for (const std::string &text : rules.drop_front(derivations.size()))
      derivations.add(parse(text), /*mayLift=*/true);
  }
  bool isDerived(rule::RuleOp goal, const std::set<std::string> &without) {
    return goal.getResultTypes().size() == 1
               ? derivations.derive(goal, ownLimits, without).has_value()
               : derivations.reaches(goal, siblingLimits, without);
  }

  MLIRContext context;
  Derivations derivations;
};

DerivationWorkers::DerivationWorkers() {
  unsigned count = std::max(std::thread::hardware_concurrency(), 1u);
  for (unsigned number = 0; number < count; ++number)
    workers.push_back(std::make_unique<Worker>());
}

DerivationWorkers::~DerivationWorkers() = default;

std::vector<bool> DerivationWorkers::areDerived(ArrayRef<std::string> goals) {
  // Threads may not write bits of one word.
  std::vector<char> found(goals.size());
  std::atomic<size_t> next{0};
  auto work = [&](Worker &worker) {
    worker.update(rules);
    for (size_t number; (number = next++) < goals.size();)
      found[number] = worker.isDerived(*worker.parse(goals[number]), {});
  };
  std::vector<std::thread> threads;
  for (size_t number = 1; number < std::min(workers.size(), goals.size());
       ++number)
    threads.emplace_back(work, std::ref(*workers[number]));
  work(*workers.front());
  for (std::thread &thread : threads)
    thread.join();
  return {found.begin(), found.end()};
}

bool DerivationWorkers::isImplied(StringRef name,
                                  const std::set<std::string> &without) {
  Worker &worker = *workers.front();
  worker.update(rules);
  return worker.isDerived(worker.derivations.find(name), without);
}
