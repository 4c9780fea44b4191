//===- BatchTally.h - verdicts of cuts against the truth --------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_FUZZ_BATCHTALLY_H
#define TENON_TOOLS_TENON_FUZZ_BATCHTALLY_H

#include "tenon/Generate/BatchModels.h"

#include <map>
#include <string>

namespace tenon::fuzz {

/// Counts what the analysis said of models, and what is true of them.
class BatchTally {
public:
  /// `isRight`: whether the parts, along the axes that the analysis found or
  /// else those that the model's author meant, are as the whole. `refusal`:
  /// why the analysis refused the model, if it did.
  void add(const generate::BatchModel &model, bool isAccepted, bool isRight,
           llvm::StringRef refusal);
  void print() const;
  /// Models without tricks whose parts are not as the whole: either a step does
  /// not do what it says, or the analysis was wrong.
  unsigned getBroken() const { return broken; }

private:
  /// Models that do with each sample the same.
  struct Share {
    unsigned models = 0, refused = 0;
  };

  unsigned right = 0, wrong = 0, couplingRefused = 0, unclear = 0, broken = 0;
  Share independent;
  std::map<std::string, Share> byKind, byStep;
  std::map<std::string, unsigned> refusals;
};

} // namespace tenon::fuzz

#endif // TENON_TOOLS_TENON_FUZZ_BATCHTALLY_H
