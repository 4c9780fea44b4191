//===- Origin.h - texts that identify values ------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The origin of a value that a compiled model shows (tenon_observe) identifies
// it in the model, or in another artifact:
//
//   ORIGIN := [PLACE {"\t" PLACE} " "] OPNAME ["#" RESULT]
//
// The places are the leaves of the op's location: the name of a node in an ONNX
// file, or FILE:LINE:COLUMN. The file has no folder, since an artifact must not
// depend on folders. "#" RESULT is present only if the op has several results.
// An op that a rewrite made of others has the places of all of them. Op names
// have no spaces, so that a text can be parsed from its end.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_GRAPH_IR_ORIGIN_H
#define TENON_DIALECT_GRAPH_IR_ORIGIN_H

#include "mlir/IR/Value.h"

#include <string>
#include <vector>

namespace tenon::graph {

/// The leaves of `loc`, each once, in order. After 15 of them, "..." replaces
/// the rest. Control characters become '?'.
std::vector<std::string> getPlaces(mlir::Location loc);

/// The origin of a result in the syntax above.
std::string getOrigin(mlir::OpResult result);

} // namespace tenon::graph

#endif // TENON_DIALECT_GRAPH_IR_ORIGIN_H
