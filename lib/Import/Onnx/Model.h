//===- Model.h - parsing and checking of ONNX files -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_IMPORT_ONNX_MODEL_H
#define TENON_LIB_IMPORT_ONNX_MODEL_H

#include "onnx.pb.h"

#include "mlir/IR/Location.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringMap.h"

namespace tenon::onnx {

/// Parses a model; reports errors at `loc`.
mlir::LogicalResult parseModel(llvm::StringRef bytes, mlir::Location loc,
                               ModelProto &model);

/// Versions by domain; the standard domain is "".
using Opsets = llvm::StringMap<int64_t>;
mlir::FailureOr<Opsets> readOpsets(
    const google::protobuf::RepeatedPtrField<OperatorSetIdProto> &imports,
    mlir::Location loc);

/// "ai.onnx" is another name of the standard domain.
inline llvm::StringRef canonicalDomain(llvm::StringRef domain) {
  return domain == "ai.onnx" ? "" : domain;
}

using NodeList = google::protobuf::RepeatedPtrField<NodeProto>;

/// Returns the nodes in an order in which every value is defined before it is
/// used. Reports values that are defined twice, and cycles. `defined` has the
/// names of inputs and initializers.
mlir::FailureOr<llvm::SmallVector<const NodeProto *>>
sortNodes(const NodeList &nodes, llvm::ArrayRef<llvm::StringRef> defined,
          mlir::Location loc);

/// The name of a node in diagnostics: its name, or else its first output.
std::string nodeName(const NodeProto &node);

} // namespace tenon::onnx

#endif // TENON_LIB_IMPORT_ONNX_MODEL_H
