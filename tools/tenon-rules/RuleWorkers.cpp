//===- RuleWorkers.cpp - work on rules by several threads -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuleWorkers.h"

#include "tenon/Driver/Registration.h"

#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::tools;

RuleWorkers::RuleWorkers(ArrayRef<RuleFile> files, std::vector<Item> given,
                         Work work)
    : files(files), items(std::move(given)), onRule(std::move(work)),
      done(items.size()) {
  size_t count = std::min<size_t>(
      std::max(std::thread::hardware_concurrency(), 1u), items.size());
  for (size_t number = 0; number < count; ++number)
    threads.emplace_back([this] { this->work(); });
}

RuleWorkers::~RuleWorkers() {
  next = items.size();
  for (std::thread &thread : threads)
    thread.join();
}

void RuleWorkers::wait(size_t item) {
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [&] { return done[item]; });
}

void RuleWorkers::work() {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  // Every problem of a file was reported when it was read.
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) {});
  OwningOpRef<ModuleOp> module;
  std::optional<size_t> file;
  SmallVector<rule::RuleOp> rules;
  for (size_t item; (item = next++) < items.size();) {
    if (file != items[item].file) {
      file = items[item].file;
      module = parseSourceString<ModuleOp>(files[*file].text, &context,
                                           files[*file].path);
      rules = llvm::to_vector(module->getOps<rule::RuleOp>());
    }
    onRule(rules[items[item].rule], item);
    {
      std::lock_guard<std::mutex> lock(mutex);
      done[item] = true;
    }
    changed.notify_all();
  }
}
