//===- SortedRuns.h - more records than memory holds, in order --*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An external merge sort: records are collected up to a limit, written to a
// file as a sorted run, and read as one sequence from the runs of all files.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DISCOVER_SORTEDRUNS_H
#define TENON_DISCOVER_SORTEDRUNS_H

#include "llvm/Support/MemoryBuffer.h"

#include <optional>
#include <queue>
#include <string>
#include <tuple>
#include <vector>

namespace tenon::discover {

/// Records are ordered by their keys, and those of one key by their bytes.
struct RunRecord {
  uint64_t key;
  llvm::StringRef bytes;
};

class RunWriter {
public:
  /// Writes to an open file, and collects up to `maxBytes` before it does.
  RunWriter(int file, size_t maxBytes) : file(file), maxBytes(maxBytes) {}

  /// Both return the error of the file, which is 0 if all is well.
  std::error_code add(RunRecord record);
  /// Writes what was collected, as a run.
  std::error_code finish();

private:
  int file;
  size_t maxBytes;
  /// The bytes of all records, and where those of each begin and end.
  std::string collected;
  struct Entry {
    uint64_t key;
    size_t begin, end;
  };
  std::vector<Entry> entries;
};

class RunReader {
public:
  /// Takes all runs of an open file, which is mapped. Returns the error of the
  /// file; a file that no writer finished is one.
  std::error_code add(int file);
  /// The next record of all runs. Its bytes last as long as the reader.
  std::optional<RunRecord> next();

private:
  struct Cursor {
    RunRecord record;
    llvm::StringRef rest;
    /// The queue's first is the one that no other comes before.
    bool operator<(const Cursor &other) const {
      return std::tie(other.record.key, other.record.bytes) <
             std::tie(record.key, record.bytes);
    }
  };
  static std::optional<Cursor> begin(llvm::StringRef run);

  std::vector<std::unique_ptr<llvm::MemoryBuffer>> buffers;
  std::priority_queue<Cursor> cursors;
};

} // namespace tenon::discover

#endif // TENON_DISCOVER_SORTEDRUNS_H
