//===- Manifest.h - what an artifact says of itself ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_EMIT_MANIFEST_H
#define TENON_LIB_EMIT_MANIFEST_H

#include "StoragePlan.h"
#include "tenon/Emit/Emit.h"

namespace tenon::emit {

/// The manifest as JSON text: the members that artifact::parseManifest reads,
/// and what the compiler knows beside them (docs/formats.md has an example).
/// `storage` has an entry for each program.
std::string getManifest(llvm::ArrayRef<lower::LoweredProgram> programs,
                        llvm::ArrayRef<StoragePlan> storage,
                        const EmitOptions &options, llvm::StringRef paramsFile);

/// The text of the C header of an artifact: the ABI, and comments that state
/// the targets, and the model's inputs and outputs.
std::string getHeader(llvm::ArrayRef<lower::LoweredProgram> programs,
                      const EmitOptions &options);

} // namespace tenon::emit

#endif // TENON_LIB_EMIT_MANIFEST_H
