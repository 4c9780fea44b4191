//===- Weights.h - the file of parameters beside an artifact ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_EMIT_WEIGHTS_H
#define TENON_LIB_EMIT_WEIGHTS_H

#include "tenon/Emit/Emit.h"

#include "llvm/Support/Error.h"

namespace tenon::emit {

/// Writes what any of the programs has of parameters, out of
/// `options.paramsSource`, to the file `name`. Does nothing when there are none
/// or no source is given.
llvm::Error writeWeights(llvm::ArrayRef<lower::LoweredProgram> programs,
                         const EmitOptions &options, const std::string &name);

} // namespace tenon::emit

#endif // TENON_LIB_EMIT_WEIGHTS_H
