//===- File.cpp - reading files -------------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/File.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tenon::artifact {

static Error fileError(std::string_view what, const std::string &path) {
  return makeError(what, " '", path, "': ", std::strerror(errno));
}

/// Opens a regular file and returns its size in `size`.
static Expected<int> openRegular(const std::string &path, size_t &size) {
  // Do not block, so that a pipe is refused below instead of waited for.
  int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0)
    return fileError("cannot open", path);
  struct stat status;
  if (::fstat(descriptor, &status) != 0) {
    Error error = fileError("cannot read", path);
    ::close(descriptor);
    return error;
  }
  if (!S_ISREG(status.st_mode)) {
    ::close(descriptor);
    return makeError("cannot read '", path, "': expected a regular file, but ",
                     S_ISDIR(status.st_mode)    ? "it is a folder"
                     : S_ISFIFO(status.st_mode) ? "it is a pipe"
                     : S_ISSOCK(status.st_mode) ? "it is a socket"
                                                : "it is a device");
  }
  size = static_cast<size_t>(status.st_size);
  return descriptor;
}

Expected<MappedFile> MappedFile::open(const std::string &path) {
  MappedFile file;
  Expected<int> descriptor = openRegular(path, file.length);
  if (!descriptor)
    return descriptor.takeError();
  if (file.length > 0) {
    void *address =
        ::mmap(nullptr, file.length, PROT_READ, MAP_PRIVATE, *descriptor, 0);
    if (address == MAP_FAILED) {
      Error error = fileError("cannot map", path);
      ::close(*descriptor);
      file.length = 0;
      return error;
    }
    file.begin = static_cast<const uint8_t *>(address);
  }
  ::close(*descriptor);
  return file;
}

MappedFile::~MappedFile() {
  if (begin)
    ::munmap(const_cast<uint8_t *>(begin), length);
}

Expected<std::vector<uint8_t>> readFile(const std::string &path) {
  size_t size = 0;
  Expected<int> descriptor = openRegular(path, size);
  if (!descriptor)
    return descriptor.takeError();
  std::vector<uint8_t> bytes;
  try {
    bytes.resize(size);
  } catch (const std::bad_alloc &) {
    ::close(*descriptor);
    return makeError("out of memory: '", path, "' has ", size, " bytes");
  }
  size_t done = 0;
  while (done < size) {
    ssize_t count = ::read(*descriptor, bytes.data() + done, size - done);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0) {
      Error error = fileError("cannot read", path);
      ::close(*descriptor);
      return error;
    }
    if (count == 0) // the file was truncated meanwhile
      break;
    done += static_cast<size_t>(count);
  }
  ::close(*descriptor);
  bytes.resize(done);
  return bytes;
}

} // namespace tenon::artifact
