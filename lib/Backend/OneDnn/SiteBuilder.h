//===- SiteBuilder.h - the oneDNN call for a region -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_BACKEND_ONEDNN_SITEBUILDER_H
#define TENON_LIB_BACKEND_ONEDNN_SITEBUILDER_H

#include "tenon/Backend/LibraryCall.h"
#include "tenon/Dialect/Kernel/IR/Kernel.h"

namespace tenon::backend {

/// Reads the region of a oneDNN kernel as one library call. Emits a diagnostic
/// if the region does not have a form that placement creates.
mlir::FailureOr<LibraryCall> buildSite(kernel::CallOp call);

} // namespace tenon::backend

#endif // TENON_LIB_BACKEND_ONEDNN_SITEBUILDER_H
