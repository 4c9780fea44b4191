//===- FileWork.h - the work for the rules of a file ------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PROVE_FILEWORK_H
#define TENON_PROVE_FILEWORK_H

#include "tenon/Dialect/Rule/IR/Rule.h"
#include "tenon/ProofKernel/Solver.h"

#include <map>
#include <mutex>

namespace tenon::prove {

/// Why a rule is neither proved nor checked after those before it in its file
/// took more than getMostFileWork, nor a condition judged.
inline constexpr llvm::StringLiteral fileWorkSpent =
    "what is before it in the file took all the work that a file may take";

/// The work for the rules of each file, in the unit of Solver::getWork. If it
/// is added in the order of the rules, it does not depend on threads after
/// which rule it is spent. May be used by several threads.
class FileWork {
public:
  explicit FileWork(uint64_t rlimit = defaultRlimit)
      : most(getMostFileWork(rlimit)) {}

  /// Whether the rules of `rule`'s file took all that they may.
  bool isSpent(rule::RuleOp rule) const {
    std::lock_guard<std::mutex> lock(mutex);
    auto it = done.find(rule->getParentOp());
    return it != done.end() && it->second > most;
  }
  void add(rule::RuleOp rule, uint64_t work) {
    std::lock_guard<std::mutex> lock(mutex);
    done[rule->getParentOp()] += work;
  }

private:
  uint64_t most;
  mutable std::mutex mutex;
  std::map<mlir::Operation *, uint64_t> done; // by the file's module
};

} // namespace tenon::prove

#endif // TENON_PROVE_FILEWORK_H
