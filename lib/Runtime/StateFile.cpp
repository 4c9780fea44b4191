//===- StateFile.cpp - saved states ---------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// OutputFile is not used here, because it handles signals and so belongs to
// tools.
//
//===----------------------------------------------------------------------===//

#include "StateFile.h"

#include "tenon/Artifact/Json.h"
#include "tenon/Artifact/Safetensors.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tenon::artifact;

namespace tenon::runtime {

static std::string makeHeader(const std::vector<StateContent> &states) {
  std::string text = "{";
  size_t offset = 0;
  for (const StateContent &state : states) {
    const tenon_value &value = *state.value;
    text += concat(offset || text.size() > 1 ? "," : "", quoteJson(value.name),
                   ":{\"dtype\":\"", safetensorsName(*fromDLDType(value.dtype)),
                   "\",\"shape\":[");
    for (int32_t axis = 0; axis < value.rank; ++axis)
      text += concat(axis > 0 ? "," : "", value.shape[axis]);
    text += concat("],\"data_offsets\":[", offset, ",",
                   offset + state.data.size(), "]}");
    offset += state.data.size();
  }
  text += "}";
  text.resize((text.size() + 7) / 8 * 8, ' ');
  uint64_t length = text.size();
  std::string header(sizeof length, '\0');
  std::memcpy(header.data(), &length, sizeof length);
  return header + text;
}

static bool writeAll(int file, const char *data, size_t bytes) {
  while (bytes > 0) {
    ssize_t written = ::write(file, data, bytes);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    data += written;
    bytes -= static_cast<size_t>(written);
  }
  return true;
}

Status writeStateFile(const std::string &path,
                      const std::vector<StateContent> &states) {
  static std::atomic<unsigned> count{0};
  std::string temporary = concat(path, ".", ::getpid(), ".", ++count, ".tmp");
  auto fail = [&](int error) {
    return makeError("cannot write '", path, "': ", std::strerror(error));
  };
  struct stat present;
  bool exists = ::stat(path.c_str(), &present) == 0;
  if (exists && !S_ISREG(present.st_mode))
    return makeError("cannot write '", path, "': it is not a regular file");
  int file =
      ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0)
    return fail(errno);
  std::string header = makeHeader(states);
  errno = 0;
  bool good = writeAll(file, header.data(), header.size());
  for (const StateContent &state : states)
    good = good && writeAll(file, state.data.data(), state.data.size());
  if (exists)
    good = good && ::fchmod(file, present.st_mode & 07777) == 0;
  // The new content must be on the disk before the name is: else a power
  // failure could leave an empty file.
  good = good && ::fsync(file) == 0;
  int error = errno;
  if (::close(file) != 0 && good) {
    good = false;
    error = errno;
  }
  if (good && ::rename(temporary.c_str(), path.c_str()) != 0) {
    good = false;
    error = errno;
  }
  if (good)
    return Status::success();
  ::unlink(temporary.c_str());
  return fail(error ? error : EIO);
}

} // namespace tenon::runtime
