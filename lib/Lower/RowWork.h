//===- RowWork.h - estimated time of a row of a kernel --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_LOWER_ROWWORK_H
#define TENON_LIB_LOWER_ROWWORK_H

#include "tenon/Dialect/Kernel/Analysis/LoopPlan.h"

namespace tenon::lower {

/// Estimates the nanoseconds that one thread takes for a row, within a factor
/// of about two. This is accurate enough to decide whether rows are worth a
/// second thread. Requires linear loads.
double estimateRowTime(const kernel::LoopPlan &plan);

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_ROWWORK_H
