//===- RandomForms.h - random index forms -------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TEST_UNIT_INTERPRET_RANDOMFORMS_H
#define TENON_TEST_UNIT_INTERPRET_RANDOMFORMS_H

#include "tenon/Interpret/Interpreter.h"

#include <random>

namespace tenon::interpret {

/// A form and operands that it can be evaluated on.
struct FormCase {
  graph::IndexForm form;
  std::vector<Tensor> operands;
};

/// Well-typed, reads only elements that exist (where its conditions hold), and
/// takes at most some thousand steps.
FormCase makeRandomForm(std::mt19937_64 &random, mlir::MLIRContext *context);

} // namespace tenon::interpret

#endif // TENON_TEST_UNIT_INTERPRET_RANDOMFORMS_H
