//===- Manifest.h - what an artifact says of itself ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_EMIT_MANIFEST_H
#define TENON_LIB_EMIT_MANIFEST_H

#include "ProgramView.h"
#include "tenon/Emit/Emit.h"

namespace tenon::emit {

/// The manifest as JSON text: the members that artifact::parseManifest reads,
/// and what the compiler knows beside them (docs/formats.md has an example).
std::string getManifest(llvm::ArrayRef<ProgramView> programs,
                        const EmitOptions &options, llvm::StringRef name,
                        llvm::StringRef paramsFile);

/// The text of the C header of an artifact: the ABI, and comments that state
/// the targets, the entries' inputs and outputs, and the states.
std::string getHeader(llvm::ArrayRef<ProgramView> programs,
                      const EmitOptions &options);

} // namespace tenon::emit

#endif // TENON_LIB_EMIT_MANIFEST_H
