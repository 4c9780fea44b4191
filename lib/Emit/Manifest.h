//===- Manifest.h - the manifest and the header of an artifact ------------===//
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

/// Returns the manifest as JSON text: the members that artifact::parseManifest
/// reads, and additional facts that the compiler knows (docs/formats.md has an
/// example).
std::string getManifest(llvm::ArrayRef<ProgramView> programs,
                        kernel::TargetAttr target, const EmitOptions &options,
                        llvm::StringRef name, llvm::StringRef paramsFile);

/// Returns the text of an artifact's C header: the ABI, and comments with the
/// targets, the inputs and outputs of the entries, and the states.
std::string getHeader(llvm::ArrayRef<ProgramView> programs,
                      const EmitOptions &options);

} // namespace tenon::emit

#endif // TENON_LIB_EMIT_MANIFEST_H
