//===- RewriteProver.h - proofs of what passes did --------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Translation validation: a pass is not proved, but what it did to one function
// is. Both versions are compared. Values that the same ops compute from equal
// operands are equal. Where the functions differ, the equality of two values is
// stated as a rule whose operands are values that are equal already, and is
// proved like any rule (docs/proofs.md).
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PROVE_REWRITEPROVER_H
#define TENON_PROVE_REWRITEPROVER_H

#include "tenon/Prove/FunctionSnapshot.h"
#include "tenon/Prove/RewriteReport.h"

#include <memory>

namespace tenon::prove {

class EquationProver;

struct RewriteProverOptions {
  /// The bound of one question to the solver, and of all, in its deterministic
  /// unit.
  uint64_t rlimit = 300'000, budget = 20'000'000;
};

/// Compares functions before and after passes, and collects what is proved.
class RewriteProver {
public:
  explicit RewriteProver(const RewriteProverOptions &options = {});
  ~RewriteProver();

  /// Proves that `after` computes what `before` does, and adds the result to
  /// the row of `pass`. Both are used up. They must be in one context. If the
  /// pass `mayRound`, a 16-bit type that only `after` has is read as f32, and
  /// constants as rounded to it.
  void compare(llvm::StringRef pass, FunctionSnapshot before,
               FunctionSnapshot after, bool mayRound = false);

  RewriteReport &getReport() { return report; }

private:
  std::unique_ptr<EquationProver> prover;
  RewriteReport report;
};

} // namespace tenon::prove

#endif // TENON_PROVE_REWRITEPROVER_H
