//===- ScheduleText.cpp - tasks of pipe.schedule --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Pipe/IR/ScheduleText.h"

#include "llvm/ADT/SmallVector.h"

using namespace tenon::pipe;
using llvm::StringRef;

/// The letters of the kinds, in their order.
static constexpr StringRef kLetters = "FBIWU";

static std::optional<ScheduledTask> parseTask(StringRef word) {
  ScheduledTask task;
  size_t kind = kLetters.find(word.front());
  if (kind == StringRef::npos)
    return std::nullopt;
  task.kind = static_cast<ScheduledTask::Kind>(kind);
  auto [number, stage] = word.drop_front().split('/');
  if (word.contains('/') && stage.getAsInteger(10, task.stage))
    return std::nullopt;
  if (task.kind == ScheduledTask::Kind::Update)
    return number.empty() ? std::optional(task) : std::nullopt;
  if (number.getAsInteger(10, task.microBatch) || task.microBatch < 0)
    return std::nullopt;
  return task;
}

std::optional<std::vector<ScheduledTask>>
tenon::pipe::parseTasks(StringRef text, StringRef &wrong) {
  std::vector<ScheduledTask> tasks;
  llvm::SmallVector<StringRef> words;
  text.split(words, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef word : words) {
    std::optional<ScheduledTask> task = parseTask(word);
    if (!task) {
      wrong = word;
      return std::nullopt;
    }
    tasks.push_back(*task);
  }
  return tasks;
}

std::string tenon::pipe::printTask(const ScheduledTask &task) {
  std::string text(1, kLetters[static_cast<size_t>(task.kind)]);
  if (task.kind != ScheduledTask::Kind::Update)
    text += std::to_string(task.microBatch);
  if (task.stage > 0)
    text += "/" + std::to_string(task.stage);
  return text;
}

std::string tenon::pipe::printTasks(llvm::ArrayRef<ScheduledTask> tasks) {
  std::string text;
  for (const ScheduledTask &task : tasks)
    text += (text.empty() ? "" : " ") + printTask(task);
  return text;
}
