//===- AccessAlgebra.h - joins and compositions of accesses ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DIALECT_GRAPH_ANALYSIS_ACCESSALGEBRA_H
#define TENON_LIB_DIALECT_GRAPH_ANALYSIS_ACCESSALGEBRA_H

#include "tenon/Dialect/Graph/Analysis/AxisFlow.h"

namespace tenon::graph {

/// The least access that covers both.
AxisAccess joinAccesses(const AxisAccess &a, const AxisAccess &b);

/// The access to an input whose `inner` access gives the elements of a value of
/// which `outer` is needed.
AxisAccess composeAccesses(const AxisAccess &outer, const AxisAccess &inner);

} // namespace tenon::graph

#endif // TENON_LIB_DIALECT_GRAPH_ANALYSIS_ACCESSALGEBRA_H
