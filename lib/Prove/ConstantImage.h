//===- ConstantImage.h - constants that were moved --------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PROVE_CONSTANTIMAGE_H
#define TENON_LIB_PROVE_CONSTANTIMAGE_H

#include "Equation.h"

#include <optional>

namespace tenon::prove {

/// How the elements of a constant are those of another one, in another order of
/// axes: folding moves constants. The elements are compared.
std::optional<Image> getConstantImage(mlir::Value original, mlir::Value value);

} // namespace tenon::prove

#endif // TENON_LIB_PROVE_CONSTANTIMAGE_H
