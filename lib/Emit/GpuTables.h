//===- GpuTables.h - images and launches as constants -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_EMIT_GPUTABLES_H
#define TENON_LIB_EMIT_GPUTABLES_H

#include "TableBuilder.h"
#include "tenon/Dialect/Program/IR/Program.h"

namespace tenon::emit {

/// Returns a pointer to a tenon_gpu_launch.
llvm::Constant *addLaunch(TableBuilder &tables, program::LaunchOp step);

/// Returns a pointer to the tenon_gpu_image of each image; null if there are
/// none.
llvm::Constant *addImages(TableBuilder &tables,
                          llvm::ArrayRef<program::ImageAttr> images);

} // namespace tenon::emit

#endif // TENON_LIB_EMIT_GPUTABLES_H
