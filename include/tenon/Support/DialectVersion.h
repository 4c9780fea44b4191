//===- DialectVersion.h - the version of Tenon's dialects -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_SUPPORT_DIALECTVERSION_H
#define TENON_SUPPORT_DIALECTVERSION_H

#include "mlir/Bytecode/BytecodeImplementation.h"

namespace tenon {

/// The version of all dialects together, in bytecode and in `#graph.version`. It
/// is raised by a change after which older modules do not mean the same, or
/// can't be read; the modules of test/Golden are then those of the new version.
inline constexpr uint64_t kDialectVersion = 1;

/// Writes the version into bytecode, and refuses other ones.
class VersionedBytecode : public mlir::BytecodeDialectInterface {
public:
  explicit VersionedBytecode(mlir::Dialect *dialect)
      : BytecodeDialectInterface(dialect) {}

  void writeVersion(mlir::DialectBytecodeWriter &writer) const override;
  std::unique_ptr<mlir::DialectVersion>
  readVersion(mlir::DialectBytecodeReader &reader) const override;
};

/// "expected version 1 of Tenon's dialects, but got version N".
std::string getVersionError(uint64_t found);

} // namespace tenon

#endif // TENON_SUPPORT_DIALECTVERSION_H
