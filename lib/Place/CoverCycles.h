//===- CoverCycles.h - chosen pieces that need each other -----------------===//
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

/// The options of a cover that lie on cycles, those that need each other
/// together (the strongly connected components of more than one option), each
/// list in the cover's order. Takes time linear in the graph.
std::vector<std::vector<unsigned>>
findTangles(const CoverProblem &problem, const std::vector<unsigned> &cover);

} // namespace tenon::place

#endif // TENON_LIB_PLACE_COVERCYCLES_H
