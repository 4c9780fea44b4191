//===- Range.h - rules that lose accuracy ---------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PROVE_RANGE_H
#define TENON_LIB_PROVE_RANGE_H

#include "tenon/Dialect/Rule/IR/Rule.h"

#include <optional>
#include <string>

namespace tenon::prove {

/// Whether the target of `rule`, whose sides are equal over the reals, has an
/// error of more than 100 times the source's at some small sizes, in the types
/// of its statement, on operands of up to 1e4 (1e2 where f16 stands in it) that
/// are uniform, of all magnitudes, or with a mean much larger than their
/// spread; if so, where.
///
/// The error of a side is the largest difference of a result's elements from
/// the source's in f64. The source's counts as at least what one rounding of
/// each operand and of the result would cause: operands are results of other
/// computations, and without this a sum that rounds nothing by luck would make
/// every regrouping of it a loss. A target that is not finite where the source
/// is has an error without bound. Elements at which the source itself is not
/// finite are left out.
std::optional<std::string> findRangeChange(rule::RuleOp rule);

} // namespace tenon::prove

#endif // TENON_LIB_PROVE_RANGE_H
