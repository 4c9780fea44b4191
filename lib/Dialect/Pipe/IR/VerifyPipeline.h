//===- VerifyPipeline.h - what holds of a pipeline --------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DIALECT_PIPE_IR_VERIFYPIPELINE_H
#define TENON_LIB_DIALECT_PIPE_IR_VERIFYPIPELINE_H

#include "tenon/Dialect/Pipe/IR/Pipe.h"

namespace tenon::pipe {

/// Checks how the stages of a program fit together: ranks, micro-batches, the
/// mesh and the schedules.
mlir::LogicalResult verifyPipeline(ProgramOp program);

} // namespace tenon::pipe

#endif // TENON_LIB_DIALECT_PIPE_IR_VERIFYPIPELINE_H
