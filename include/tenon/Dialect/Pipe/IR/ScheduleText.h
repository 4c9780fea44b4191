//===- ScheduleText.h - tasks of pipe.schedule ------------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_PIPE_IR_SCHEDULETEXT_H
#define TENON_DIALECT_PIPE_IR_SCHEDULETEXT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace tenon::pipe {

/// A task of pipe.schedule, whose description has the syntax.
struct ScheduledTask {
  enum class Kind { Forward, Backward, BackwardInput, BackwardWeight, Update };
  Kind kind = Kind::Forward;
  int64_t microBatch = 0;
  /// The number of its stage among those of the ranks.
  unsigned stage = 0;
};

/// Returns nothing if a word is no task, which `wrong` is then.
std::optional<std::vector<ScheduledTask>> parseTasks(llvm::StringRef text,
                                                     llvm::StringRef &wrong);
std::string printTasks(llvm::ArrayRef<ScheduledTask> tasks);
std::string printTask(const ScheduledTask &task);

} // namespace tenon::pipe

#endif // TENON_DIALECT_PIPE_IR_SCHEDULETEXT_H
