//===- Backends.h - which plug-ins a tool loads ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DRIVER_BACKENDS_H
#define TENON_DRIVER_BACKENDS_H

#include "mlir/Support/LLVM.h"

#include <string>
#include <vector>

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace tenon {

/// Adds plug-ins to the backends of a context: the files `paths`, those that
/// the environment variable TENON_BACKENDS lists between colons, and all of the
/// folder `../lib/tenon/backends` of the program. What can't be loaded is a
/// warning that names it, but for plug-ins of the folder whose library is not
/// on this machine. With TENON_BACKENDS=none, `paths` alone.
void loadBackends(mlir::MLIRContext &context,
                  const std::vector<std::string> &paths);

/// `../lib/tenon/backends` beside the `bin` of this program.
std::string getBackendsFolder();

} // namespace tenon

#endif // TENON_DRIVER_BACKENDS_H
