//===- Magnitudes.h - how large elements may be -----------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether an intermediate of the target may overflow or underflow where no
// intermediate of the source does. This is asked for two kinds of operands:
//
//  - Each element is 0 or of a magnitude from 1/R to R, where R is 10^4 (f16:
//    10^2), and a sum has at most 2^20 elements. Then each intermediate must be
//    inside the range of its type. What a function such as exp gives counts as
//    an operand: both sides compute it of the same argument (ErrorForm.h).
//  - All operands are multiplied by one number. Then no intermediate may grow
//  or
//    shrink by a power of it by which none of the source does.
//
// A result of the target is a result of the source, and so is not asked.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PROOFKERNEL_MAGNITUDES_H
#define TENON_LIB_PROOFKERNEL_MAGNITUDES_H

#include "tenon/ProofKernel/ElementSigns.h"

namespace tenon::prove {

/// Returns what may leave the range in the target, or an empty string. The
/// forms are those of the results of each side.
std::string findRangeLoss(llvm::ArrayRef<graph::IndexForm> source,
                          llvm::ArrayRef<graph::IndexForm> target,
                          const OperandSigns &signs);

} // namespace tenon::prove

#endif // TENON_LIB_PROOFKERNEL_MAGNITUDES_H
