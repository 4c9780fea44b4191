//===- Registration.h - all dialects and passes ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DRIVER_REGISTRATION_H
#define TENON_DRIVER_REGISTRATION_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace tenon {

/// Tenon's dialects, and those of upstream that its passes read and write.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Tenon's passes and pipelines, and upstream passes that are of use beside
/// them (canonicalize, cse, ...).
void registerAllPasses();

} // namespace tenon

#endif // TENON_DRIVER_REGISTRATION_H
