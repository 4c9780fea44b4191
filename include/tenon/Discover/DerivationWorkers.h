//===- DerivationWorkers.h - derivations by several threads ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most of the time of a discovery goes into e-graphs that show that a candidate
// follows from the rules that are known. Each thread has an MLIR context and a
// copy of the rules of its own. What is found does not depend on the number of
// threads.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DISCOVER_DERIVATIONWORKERS_H
#define TENON_DISCOVER_DERIVATIONWORKERS_H

#include "tenon/Discover/Derivations.h"

namespace tenon::discover {

class DerivationWorkers {
public:
  /// As many threads as there are processors.
  DerivationWorkers();
  ~DerivationWorkers();

  /// Adds the text of a rule, which is taken to hold, also with the leading
  /// axes that it states.
  void add(std::string rule) { rules.push_back(std::move(rule)); }
  size_t size() const { return rules.size(); }

  /// For the text of each rule, whether those that were added give it: they
  /// make its sides equal, or, if it has several results, lead from its source
  /// to its target.
  std::vector<bool> areDerived(llvm::ArrayRef<std::string> goals);
  /// Whether a rule that was added follows from the others, but those that
  /// `without` names, among them itself.
  bool isImplied(llvm::StringRef name, const std::set<std::string> &without);

private:
  struct Worker;
  std::vector<std::string> rules;
  std::vector<std::unique_ptr<Worker>> workers;
};

} // namespace tenon::discover

#endif // TENON_DISCOVER_DERIVATIONWORKERS_H
