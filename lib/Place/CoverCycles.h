//===- CoverCycles.h - cycles among chosen subgraphs ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PLACE_COVERCYCLES_H
#define TENON_LIB_PLACE_COVERCYCLES_H

#include "tenon/Place/Cover.h"

namespace tenon::place {

/// Returns the options of a cover that are on cycles, grouped into the strongly
/// connected components of more than one option, each in the cover's order.
/// Takes time linear in the size of the graph.
std::vector<std::vector<unsigned>>
findTangles(const CoverProblem &problem, const std::vector<unsigned> &cover);

} // namespace tenon::place

#endif // TENON_LIB_PLACE_COVERCYCLES_H
