//===- RowWork.h - how long a row of a kernel takes -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_LOWER_ROWWORK_H
#define TENON_LIB_LOWER_ROWWORK_H

#include "tenon/Dialect/Kernel/Analysis/StagePlan.h"

namespace tenon::lower {

/// A number to compare sizes by, at least 1: dynamic sizes count as a typical
/// 128.
int64_t guessSize(const graph::SymInt &size);

/// Nanoseconds that one thread takes for a row, within a factor of two or so:
/// enough to tell whether rows are worth a second thread. Requires linear
/// loads.
double estimateRowTime(const kernel::StagePlan &plan);

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_ROWWORK_H
