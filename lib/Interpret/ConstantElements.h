//===- ConstantElements.h - constant elements of a module -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_INTERPRET_CONSTANTELEMENTS_H
#define TENON_LIB_INTERPRET_CONSTANTELEMENTS_H

#include "tenon/Interpret/Interpreter.h"

#include "mlir/IR/BuiltinAttributes.h"

namespace tenon::interpret {

/// Evaluates the elements of `op`'s attribute in `domain`; errors are reported
/// at `op`.
mlir::FailureOr<Tensor> evaluateConstant(mlir::Operation *op,
                                         mlir::ElementsAttr elements,
                                         Domain domain);

/// Reports that there is no memory for a tensor of `type`.
mlir::FailureOr<Tensor> outOfMemory(mlir::Operation *op, mlir::Type type);

} // namespace tenon::interpret

#endif // TENON_LIB_INTERPRET_CONSTANTELEMENTS_H
