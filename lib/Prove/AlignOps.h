//===- AlignOps.h - which ops of two functions correspond -------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PROVE_ALIGNOPS_H
#define TENON_LIB_PROVE_ALIGNOPS_H

#include "tenon/Prove/FunctionSnapshot.h"

namespace tenon::prove {

/// For ops of `after`, the ops of `before` that they probably come from: the
/// same op of the module, one of the same name and location, or one that is
/// alike and at the same place among those. This is a guess, by which values
/// are chosen whose equality is then proved.
llvm::DenseMap<mlir::Operation *, mlir::Operation *>
alignOps(const FunctionSnapshot &before, const FunctionSnapshot &after);

} // namespace tenon::prove

#endif // TENON_LIB_PROVE_ALIGNOPS_H
