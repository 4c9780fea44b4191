//===- BatchParts.h - parts of a batch against the whole --------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_FUZZ_BATCHPARTS_H
#define TENON_TOOLS_TENON_FUZZ_BATCHPARTS_H

#include "tenon/Generate/BatchModels.h"

#include <string>

namespace tenon::fuzz {

/// What evaluations of a model for a batch and for its parts gave.
struct PartsResult {
  /// Numbers of samples at which the model for the whole has no result.
  unsigned invalid = 0;
  /// Cuts that were compared, and parts of no sample that have no result.
  unsigned cuts = 0, withoutEmpty = 0;
  /// The first difference; empty if there is none.
  std::string difference;
};

/// Evaluates a model for 1, 2 and 5 samples, and for the two parts of every cut
/// of them along `axes`, and a part anywhere. A part of no sample may have no
/// result; all others must have the elements that the result for the whole has
/// there, bit by bit.
PartsResult compareParts(const generate::BatchModel &model,
                         const graph::BatchAxes &axes, uint64_t seed);

} // namespace tenon::fuzz

#endif // TENON_TOOLS_TENON_FUZZ_BATCHPARTS_H
