//===- CandidateProver.h - proofs that outlive an interruption ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_RULES_CANDIDATEPROVER_H
#define TENON_TOOLS_RULES_CANDIDATEPROVER_H

#include "tenon/Dialect/Rule/IR/Certificate.h"
#include "tenon/Discover/Discovery.h"

#include "llvm/Support/raw_ostream.h"

#include <memory>

namespace tenon::tools {

/// Proves rules by all processors, and keeps the certificates: in memory, and,
/// with a folder, in a file that is appended to, so that what is proved need
/// not be proved again after the process is killed.
class CandidateProver {
public:
  explicit CandidateProver(uint64_t rlimit) : rlimit(rlimit) {}

  /// Reads what an earlier run proved. A last line that was not written to its
  /// end is dropped, and so are certificates of other versions. False after an
  /// error, which is reported.
  bool resume(const std::string &folder);

  std::vector<std::pair<discover::Verdict, std::string>>
  prove(llvm::ArrayRef<std::string> rules);
  const rule::Certificate &get(const std::string &text) const {
    return certificates.at(text);
  }

private:
  void proveMissing(llvm::ArrayRef<std::string> rules);
  void append(const std::string &text, const rule::Certificate &certificate);

  uint64_t rlimit;
  std::map<std::string, rule::Certificate> certificates;
  std::unique_ptr<llvm::raw_fd_ostream> log;
};

} // namespace tenon::tools

#endif // TENON_TOOLS_RULES_CANDIDATEPROVER_H
