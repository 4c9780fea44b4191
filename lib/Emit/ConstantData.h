//===- ConstantData.h - elements as bytes ---------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_EMIT_CONSTANTDATA_H
#define TENON_LIB_EMIT_CONSTANTDATA_H

#include "tenon/Artifact/DType.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Support/Error.h"

namespace tenon::emit {

/// Returns the artifact's element type for an MLIR type; nullopt for other
/// types.
std::optional<artifact::DType> getDType(mlir::Type elementType);

/// Returns the bytes of a constant in memory, row-major, one byte per bool.
llvm::Expected<std::string> getData(mlir::ElementsAttr data);

} // namespace tenon::emit

#endif // TENON_LIB_EMIT_CONSTANTDATA_H
