//===- Passes.h - conversion of other dialects to graph -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_IMPORT_PASSES_H
#define TENON_IMPORT_PASSES_H

#include "mlir/Pass/Pass.h"

#include <memory>

namespace tenon::import {

#define GEN_PASS_DECL
#include "tenon/Import/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "tenon/Import/Passes.h.inc"

} // namespace tenon::import

#endif // TENON_IMPORT_PASSES_H
