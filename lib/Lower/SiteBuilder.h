//===- SiteBuilder.h - the library call that a region stands for ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_LOWER_SITEBUILDER_H
#define TENON_LIB_LOWER_SITEBUILDER_H

#include "tenon/Dialect/Kernel/IR/Kernel.h"
#include "tenon/Lower/LoweredProgram.h"

namespace tenon::lower {

struct BuiltSite {
  Site site;
  /// For each operand of the site but the result: the kernel's input.
  llvm::SmallVector<unsigned> inputs;
};

/// Reads the region of a oneDNN kernel as one library call. Emits a diagnostic
/// where the region is not of the form that placement makes.
mlir::FailureOr<BuiltSite> buildSite(kernel::CallOp call);

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_SITEBUILDER_H
