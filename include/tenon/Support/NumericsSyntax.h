//===- NumericsSyntax.h - the words of numerics in attributes -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_SUPPORT_NUMERICSSYNTAX_H
#define TENON_SUPPORT_NUMERICSSYNTAX_H

#include "tenon/Support/Numerics.h"

#include "mlir/IR/OpImplementation.h"

namespace tenon {

/// Parses the name of a floating-point mode, a precision or a device, which is
/// a keyword; on failure, says which names were expected.
mlir::ParseResult parseWord(mlir::AsmParser &parser, FpMode &mode);
mlir::ParseResult parseWord(mlir::AsmParser &parser, Precision &precision);
mlir::ParseResult parseWord(mlir::AsmParser &parser, Device &device);

} // namespace tenon

namespace mlir {

/// For parameters of attributes.
template <> struct FieldParser<tenon::Device> {
  static FailureOr<tenon::Device> parse(AsmParser &parser) {
    tenon::Device device;
    if (tenon::parseWord(parser, device))
      return failure();
    return device;
  }
};

} // namespace mlir

#endif // TENON_SUPPORT_NUMERICSSYNTAX_H
