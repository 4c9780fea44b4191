//===- OpProposals.h - operands and attributes that fit an op -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_GENERATE_OPPROPOSALS_H
#define TENON_LIB_GENERATE_OPPROPOSALS_H

#include "tenon/Generate/GraphGenerator.h"

namespace tenon::generate {

inline int64_t rankOf(mlir::Value value) {
  return graph::getShape(value).size();
}
inline mlir::Type elementOf(mlir::Value value) {
  return mlir::getElementTypeOrSelf(value.getType());
}
inline std::optional<int64_t> sizeOf(mlir::Value value, int64_t axis) {
  return graph::getShape(value)[axis].getConstant();
}

/// Appends the ways to add ops that compute, that move data, and that are
/// composites.
void listPrimitives(std::vector<GraphGenerator::Kind> &kinds);
void listMovements(std::vector<GraphGenerator::Kind> &kinds);
void listComposites(std::vector<GraphGenerator::Kind> &kinds);

} // namespace tenon::generate

#endif // TENON_LIB_GENERATE_OPPROPOSALS_H
