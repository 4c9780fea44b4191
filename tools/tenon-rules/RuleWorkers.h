//===- RuleWorkers.h - work on rules by several threads -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_RULES_RULEWORKERS_H
#define TENON_TOOLS_RULES_RULEWORKERS_H

#include "RuleFiles.h"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace tenon::tools {

/// Does independent work on many rules, by as many threads as there are
/// processors. Each has an MLIR context of its own: what is uniqued in one, and
/// the handlers of its diagnostics, is not shared.
class RuleWorkers {
public:
  /// A rule by the numbers of its file and of itself in that file.
  struct Item {
    size_t file, rule;
  };
  /// Called by several threads at a time, once per item. The rule lives in the
  /// thread's context; its result must not.
  using Work = std::function<void(rule::RuleOp rule, size_t item)>;

  /// Starts the threads. `files` were read without errors, and outlive them.
  RuleWorkers(llvm::ArrayRef<RuleFile> files, std::vector<Item> items,
              Work work);
  /// Lets every thread end its item, and begins no other.
  ~RuleWorkers();

  /// Waits for one item. They are begun in their order.
  void wait(size_t item);

private:
  void work();

  llvm::ArrayRef<RuleFile> files;
  std::vector<Item> items;
  Work onRule;
  std::atomic<size_t> next{0};
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<bool> done;
  std::vector<std::thread> threads;
};

} // namespace tenon::tools

#endif // TENON_TOOLS_RULES_RULEWORKERS_H
