//===- Origin.h - texts that say what a value is -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value that a compiled model shows (tenon_observe) is recognized in the
// model, or in another artifact, by where it came from:
//
//   ORIGIN := [PLACE {"\t" PLACE} " "] OPNAME ["#" RESULT]
//
// The places are the leaves of the op's location: the name that an ONNX file
// has for a node, or FILE:LINE:COLUMN, the file without its folder, since an
// artifact does not depend on folders. "#" RESULT is there only if the op has
// several results. An op that a rewrite made of others has the places of them
// all. Names of ops have no spaces, so that a text is read from its end.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_GRAPH_IR_ORIGIN_H
#define TENON_DIALECT_GRAPH_IR_ORIGIN_H

#include "mlir/IR/Value.h"

#include <string>
#include <vector>

namespace tenon::graph {

/// The leaves of `loc`, each once, in order. After 15 of them, "..." stands
/// for the rest. Control characters become '?'.
std::vector<std::string> getPlaces(mlir::Location loc);

/// The origin of a result, as above.
std::string getOrigin(mlir::OpResult result);

} // namespace tenon::graph

#endif // TENON_DIALECT_GRAPH_IR_ORIGIN_H
