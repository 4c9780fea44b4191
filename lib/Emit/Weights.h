//===- Weights.h - the parameters file of an artifact ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_EMIT_WEIGHTS_H
#define TENON_LIB_EMIT_WEIGHTS_H

#include "ProgramView.h"
#include "tenon/Emit/Emit.h"

#include "llvm/Support/Error.h"

namespace tenon::emit {

/// Writes the parameters of all programs, taken from `options.paramsSource`, to
/// the file `temporary`. Returns false if there is nothing to write, because
/// the programs have no parameters.
llvm::Expected<bool> writeWeights(llvm::ArrayRef<ProgramView> programs,
                                  const EmitOptions &options,
                                  const std::string &temporary);

} // namespace tenon::emit

#endif // TENON_LIB_EMIT_WEIGHTS_H
