//===- PipelineTrace.cpp - which rank ran which task when -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PipelineModel.h"

#include "tenon/Artifact/Json.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

using namespace tenon::artifact;

namespace tenon::runtime {

namespace {
/// As processes exchange it. Without a kind, it is the overhead of a rank, from
/// `begin` to `end`, over all of its tasks. Times are of a clock that all
/// processes of a machine share.
struct Record {
  int64_t rank, stage, firstSample, samples, begin, end; // nanoseconds
  char kind[24];
};
} // namespace

static std::vector<Record> listRecords(RankRunner &runner) {
  std::vector<Record> records;
  for (const TaskEvent &event : runner.getEvents()) {
    const tenon_rank_step &step = *event.step;
    Record record = {
        runner.getRank(), step.stage, step.begin, step.end - step.begin,
        event.begin,      event.end,  {}};
    const char *kind = step.kind == TENON_RANK_ALL_REDUCE ? "sum"
                       : step.label && *step.label        ? step.label
                                                          : "task";
    std::strncpy(record.kind, kind, sizeof record.kind - 1);
    records.push_back(record);
  }
  records.push_back({runner.getRank(), 0, 0, 0, 0, runner.getOverhead(), {}});
  return records;
}

/// The records of all processes come to the first one.
Status PipelineModel::collectTrace(std::vector<char> &records) {
  uint64_t bytes = records.size();
  if (mpi->getRank() > 0) {
    if (Status status = transfer(0, /*isSend=*/true, &bytes, sizeof bytes);
        !status)
      return status;
    return transfer(0, /*isSend=*/true, records.data(), bytes);
  }
  for (int peer = 1; peer < mpi->getSize(); ++peer) {
    if (Status status = transfer(peer, /*isSend=*/false, &bytes, sizeof bytes);
        !status)
      return status;
    size_t before = records.size();
    records.resize(before + bytes);
    if (Status status =
            transfer(peer, /*isSend=*/false, records.data() + before, bytes);
        !status)
      return status;
  }
  return Status::success();
}

const char *PipelineModel::traceJson() {
  if (!tracing)
    return nullptr;
  std::vector<char> bytes;
  for (const std::unique_ptr<RankRunner> &runner : runners) {
    std::vector<Record> own = listRecords(*runner);
    const char *data = reinterpret_cast<const char *>(own.data());
    bytes.insert(bytes.end(), data, data + own.size() * sizeof(Record));
  }
  if (mpi && !collectTrace(bytes))
    return nullptr;
  std::vector<Record> records(bytes.size() / sizeof(Record));
  if (!records.empty())
    std::memcpy(records.data(), bytes.data(), bytes.size());
  int64_t origin = INT64_MAX, overhead = 0, numTasks = 0;
  for (const Record &record : records) {
    bool isTask = record.kind[0] != 0;
    if (isTask)
      origin = std::min(origin, record.begin);
    else
      overhead += record.end;
    numTasks += isTask;
  }
  double perTask = static_cast<double>(overhead) /
                   static_cast<double>(std::max<int64_t>(numTasks, 1));
  traceText = concat("{\"displayTimeUnit\": \"ns\", \"schema_version\": 1, "
                     "\"dropped\": 0, \"overhead_us_per_task\": ",
                     formatJsonNumber(perTask / 1000), ", \"traceEvents\": [");
  const char *separator = "\n";
  for (const Record &record : records) {
    if (record.kind[0] == 0)
      continue;
    char times[96];
    std::snprintf(times, sizeof times, "\"ts\": %.3f, \"dur\": %.3f",
                  static_cast<double>(record.begin - origin) / 1000,
                  static_cast<double>(record.end - record.begin) / 1000);
    traceText += concat(
        separator,
        "{\"name\": ", quoteJson(concat(record.kind, " ", record.firstSample)),
        ", \"cat\": \"task\", \"ph\": \"X\", \"pid\": ", record.rank,
        ", \"tid\": 0, ", times, ", \"args\": {\"stage\": ", record.stage,
        ", \"kind\": ", quoteJson(record.kind),
        ", \"first_sample\": ", record.firstSample,
        ", \"samples\": ", record.samples, "}}");
    separator = ",\n";
  }
  traceText += "\n]}\n";
  return traceText.c_str();
}

} // namespace tenon::runtime
