//===- Target.h - LLVM's view of a CPU ------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_EMIT_TARGET_H
#define TENON_EMIT_TARGET_H

#include "tenon/Dialect/Kernel/IR/Kernel.h"

#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace tenon::emit {

/// LLVM's name of the processor whose timings are used.
llvm::StringRef getTuneCpu(kernel::CpuAttr cpu);

/// LLVM's options beside those of the level: "+a,+b".
std::string getFeatures(kernel::CpuAttr cpu);

/// Creates LLVM's code generator for the CPU, for position-independent code.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(kernel::CpuAttr cpu, FpMode fp);

} // namespace tenon::emit

#endif // TENON_EMIT_TARGET_H
