//===- SortedRuns.cpp - more records than memory holds, in order ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Discover/SortedRuns.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace tenon::discover;

/// A run begins with its size, and a record with its key and its size.
static constexpr size_t runHeader = sizeof(uint64_t);
static constexpr size_t recordHeader = sizeof(uint64_t) + sizeof(uint32_t);

std::error_code RunWriter::add(RunRecord record) {
  size_t begin = collected.size();
  collected += record.bytes;
  entries.push_back({record.key, begin, collected.size()});
  bool isFull = collected.size() + entries.size() * sizeof(Entry) > maxBytes;
  return isFull ? finish() : std::error_code();
}

std::error_code RunWriter::finish() {
  if (entries.empty())
    return {};
  auto bytes = [&](const Entry &entry) {
    return StringRef(collected).slice(entry.begin, entry.end);
  };
  llvm::sort(entries, [&](const Entry &a, const Entry &b) {
    return a.key != b.key ? a.key < b.key : bytes(a) < bytes(b);
  });
  raw_fd_ostream os(file, /*shouldClose=*/false);
  auto write = [&](auto number) {
    char text[sizeof(number)];
    support::endian::write(text, number, endianness::native);
    os.write(text, sizeof(text));
  };
  write(
      static_cast<uint64_t>(collected.size() + entries.size() * recordHeader));
  for (const Entry &entry : entries) {
    write(entry.key);
    write(static_cast<uint32_t>(entry.end - entry.begin));
    os << bytes(entry);
  }
  os.flush();
  std::error_code error = os.error();
  os.clear_error();
  collected.clear();
  entries.clear();
  return error;
}

std::optional<RunReader::Cursor> RunReader::begin(StringRef run) {
  if (run.size() < recordHeader)
    return std::nullopt;
  uint64_t key =
      support::endian::read<uint64_t, endianness::native>(run.data());
  uint32_t size = support::endian::read<uint32_t, endianness::native>(
      run.data() + sizeof(key));
  run = run.drop_front(recordHeader);
  return Cursor{{key, run.take_front(size)}, run.drop_front(size)};
}

std::error_code RunReader::add(int file) {
  sys::fs::file_status status;
  if (std::error_code error = sys::fs::status(file, status))
    return error;
  auto buffer = MemoryBuffer::getOpenFile(file, "records", status.getSize(),
                                          /*RequiresNullTerminator=*/false);
  if (!buffer)
    return buffer.getError();
  StringRef rest = (*buffer)->getBuffer();
  while (!rest.empty()) {
    uint64_t size = 0;
    if (rest.size() >= runHeader)
      size = support::endian::read<uint64_t, endianness::native>(rest.data());
    if (size == 0 || size > rest.size() - runHeader)
      return std::make_error_code(std::errc::io_error);
    rest = rest.drop_front(runHeader);
    if (auto cursor = begin(rest.take_front(size)))
      cursors.push(*cursor);
    rest = rest.drop_front(size);
  }
  buffers.push_back(std::move(*buffer));
  return {};
}

std::optional<RunRecord> RunReader::next() {
  if (cursors.empty())
    return std::nullopt;
  Cursor first = cursors.top();
  cursors.pop();
  if (auto cursor = begin(first.rest))
    cursors.push(*cursor);
  return first.record;
}
