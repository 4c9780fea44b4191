//===- RewriteProver.cpp - proofs of what passes did ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Prove/RewriteProver.h"
#include "EraseRounding.h"
#include "FunctionComparer.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::prove;

RewriteProver::RewriteProver(const RewriteProverOptions &options)
    : prover(std::make_unique<EquationProver>(options.rlimit, options.budget)) {
}

RewriteProver::~RewriteProver() = default;

void RewriteProver::compare(llvm::StringRef pass, FunctionSnapshot before,
                            FunctionSnapshot after, bool mayRound) {
  PassReport &row = report.getPass(pass);
  ++row.changed;
  FloatType half = mayRound ? findNewHalf(before, after) : FloatType();
  if (half)
    for (FunctionSnapshot *snapshot : {&before, &after})
      eraseRounding(*snapshot, half);
  PassReport own;
  FunctionComparer(before, after, *prover, own).run();
  row.add(own, /*isRounding=*/static_cast<bool>(half));
  report.distinct = prover->getNumDistinct();
}
