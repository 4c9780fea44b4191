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

/// The work for the rules of each file. What is added in the order of the rules
/// decides, after which rule it is spent, so that this does not depend on
/// threads.
class FileWork {
public:
  /// Before threads work. Each file may take `most`
  /// (tenon/ProofKernel/Solver.h).
  void start(size_t numFiles, uint64_t most) {
    done = std::vector<std::atomic<uint64_t>>(numFiles);
    this->most = most;
  }
  /// By any thread.
  bool isSpent(size_t file) const { return done[file] > most; }
  /// By one thread.
  void add(size_t file, uint64_t work) { done[file] += work; }

private:
  std::vector<std::atomic<uint64_t>> done;
  uint64_t most = 0;
};

} // namespace tenon::tools

#endif // TENON_TOOLS_RULES_RULEWORKERS_H
