//===- Link.h - linking by the system's linker ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_EMIT_LINK_H
#define TENON_LIB_EMIT_LINK_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace tenon::emit {

/// Returns the path of libTenonRuntime.a, which is in the folder `lib` beside
/// the folder of this program (in a build tree or an installation).
llvm::Expected<std::string> findRuntimeLibrary();

/// Links objects and the runtime into a shared library that exports only the C
/// ABI. The result does not depend on paths or times. `output` must be in a
/// temporary folder, where the linker's script and log are also written.
llvm::Error linkSharedLibrary(llvm::ArrayRef<std::string> objects,
                              llvm::StringRef runtimeLibrary,
                              llvm::StringRef symbolPrefix,
                              llvm::StringRef output);

/// Joins objects into one; `output` is as above.
llvm::Error linkObjects(llvm::ArrayRef<std::string> objects,
                        llvm::StringRef output);

} // namespace tenon::emit

#endif // TENON_LIB_EMIT_LINK_H
