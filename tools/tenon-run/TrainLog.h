//===- TrainLog.h - what training tells ---------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_RUN_TRAINLOG_H
#define TENON_TOOLS_TENON_RUN_TRAINLOG_H

#include "tenon/Artifact/Status.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tenon::run {

/// One step, or one evaluation after a step. Steps are counted from 1.
struct TrainRecord {
  int64_t step = 0;
  bool isEvaluation = false;
  double loss = 0;
  double milliseconds = 0; // of train_step, or of all calls of evaluate
};

/// The records of a training: as JSON lines while it runs, and as a page.
class TrainLog {
public:
  TrainLog() = default;
  TrainLog(const TrainLog &) = delete;
  TrainLog &operator=(const TrainLog &) = delete;
  ~TrainLog();

  /// Opens the file of lines, unless `path` is empty. Training that goes on
  /// after `step` keeps the file's records up to that one.
  artifact::Status open(const std::string &path, int64_t step);
  artifact::Status add(const TrainRecord &record);
  /// Writes what is not written yet.
  artifact::Status flush();

  const std::vector<TrainRecord> &getRecords() const { return records; }
  /// A page with the curves, which needs no other files.
  std::string renderHtml(const std::string &title) const;

private:
  artifact::Status readRecords(const std::string &path, int64_t last);

  std::string path, pending; // lines that are not written yet
  int file = -1;
  double written = 0; // when lines were written, in milliseconds
  std::vector<TrainRecord> records;
};

} // namespace tenon::run

#endif // TENON_TOOLS_TENON_RUN_TRAINLOG_H
