//===- SampleRule.h - both sides of a rule at a few elements ----*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PROVE_SAMPLERULE_H
#define TENON_LIB_PROVE_SAMPLERULE_H

#include "tenon/Dialect/Rule/IR/Rule.h"

#include <string>

namespace tenon::prove {

/// Computes a few elements of both sides in doubles, for drawn operands and for
/// drawn values of the symbols at which the conditions hold. Unlike `refute`,
/// this takes no longer if tensors are large. Returns the first difference as a
/// text; an empty one if there is none, or if nothing could be compared.
std::string sampleDifference(rule::RuleOp rule);

} // namespace tenon::prove

#endif // TENON_LIB_PROVE_SAMPLERULE_H
