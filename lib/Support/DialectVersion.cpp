//===- DialectVersion.cpp - the version of Tenon's dialects ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Support/DialectVersion.h"

using namespace mlir;
using namespace tenon;

std::string tenon::getVersionError(uint64_t found) {
  return "expected version " + std::to_string(kDialectVersion) +
         " of Tenon's dialects, but got version " + std::to_string(found) +
         "; compile the model again with this version of Tenon";
}

void VersionedBytecode::writeVersion(DialectBytecodeWriter &writer) const {
  writer.writeVarInt(kDialectVersion);
}

std::unique_ptr<DialectVersion>
VersionedBytecode::readVersion(DialectBytecodeReader &reader) const {
  uint64_t version;
  if (failed(reader.readVarInt(version)))
    return nullptr;
  if (version != kDialectVersion) {
    reader.emitError() << getVersionError(version);
    return nullptr;
  }
  struct Version final : DialectVersion {};
  return std::make_unique<Version>();
}
