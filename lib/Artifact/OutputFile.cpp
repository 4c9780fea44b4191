//===- OutputFile.cpp - files that are written atomically -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/OutputFile.h"
#include "tenon/Artifact/InputFiles.h"

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace tenon::artifact {

static Error writeError(const std::string &path) {
  // The data is in a mapped file, which no longer has this page.
  if (errno == EFAULT)
    return makeError(
        "can't write '", path,
        "': the file with its data was truncated while it was read");
  return makeError("can't write '", path, "': ", std::strerror(errno));
}

/// Resolves the links of a path; the file need not exist.
static Expected<std::string> followLinks(const std::string &given) {
  std::string path = given;
  for (int i = 0; i < 40; ++i) {
    char target[PATH_MAX];
    ssize_t length = ::readlink(path.c_str(), target, sizeof target);
    if (length < 0)
      return path;
    std::string text(target, static_cast<size_t>(length));
    size_t slash = path.rfind('/');
    path = text[0] == '/' || slash == std::string::npos
               ? text
               : path.substr(0, slash + 1) + text;
  }
  errno = ELOOP;
  return writeError(given);
}

/// Returns N of /dev/fd/N and its aliases; negative if the path is not a
/// descriptor.
static int getDescriptor(const std::string &path) {
  static constexpr std::pair<const char *, int> streams[] = {
      {"/dev/stdin", 0}, {"/dev/stdout", 1}, {"/dev/stderr", 2}};
  for (const auto &[name, number] : streams)
    if (path == name)
      return number;
  for (const char *folder : {"/dev/fd/", "/proc/self/fd/"}) {
    size_t length = std::strlen(folder);
    if (path.size() > length && path.size() < length + 7 &&
        path.compare(0, length, folder) == 0 &&
        path.find_first_not_of("0123456789", length) == std::string::npos)
      return std::atoi(path.c_str() + length);
  }
  return -1;
}

bool isWrittenInPlace(const std::string &path) {
  struct stat status;
  return getDescriptor(path) >= 0 ||
         (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) &&
          !S_ISDIR(status.st_mode));
}

static Expected<int> openInPlace(const std::string &path) {
  int number = getDescriptor(path);
  // Opening a pipe without a reader must be an error instead of blocking.
  int descriptor =
      number >= 0 ? ::fcntl(number, F_DUPFD_CLOEXEC, 3)
                  : ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0)
    return writeError(path);
  if (number < 0)
    ::fcntl(descriptor, F_SETFL,
            ::fcntl(descriptor, F_GETFL) & ~static_cast<int>(O_NONBLOCK));
  return descriptor;
}

std::string getFolderOf(const std::string &path) {
  Expected<std::string> real = followLinks(path);
  const std::string &name = real ? *real : path;
  size_t slash = name.rfind('/');
  return slash == std::string::npos ? "" : name.substr(0, slash + 1);
}

/// Checks that the program has not read the file.
static Status checkNoInput(const std::string &path) {
  if (std::string input = findInput(path); !input.empty())
    return makeError("can't write '", path, "': it would replace the input '",
                     input, "'");
  return Status::success();
}

/// Checks that a file may replace `path`.
static Status checkReplaceable(const std::string &path) {
  struct stat status;
  if (path.empty() || path.back() == '/')
    return makeError("can't write '", path, "': expected the name of a file");
  if (::stat(path.c_str(), &status) != 0) {
    if (errno == ENOENT)
      return Status::success();
    return writeError(path);
  }
  if (S_ISDIR(status.st_mode))
    return makeError("can't write '", path, "': is a directory");
  if (::access(path.c_str(), W_OK) != 0)
    return writeError(path);
  return checkNoInput(path);
}

//===----------------------------------------------------------------------===//
// PendingFile and OutputFile
//===----------------------------------------------------------------------===//

Expected<PendingFile> PendingFile::create(const std::string &path) {
  if (Status status = checkReplaceable(path); !status)
    return status.takeError();
  // Renaming would replace a device by a file.
  if (isWrittenInPlace(path))
    return makeError("can't write '", path, "': is not a regular file");
  std::string parent = getFolderOf(path);
  Expected<TemporaryFolder> folder = TemporaryFolder::create(parent);
  if (!folder)
    return makeError("can't write '", path, "': ", folder.error());
  return PendingFile(path, std::move(*folder));
}

Expected<OutputFile> OutputFile::create(const std::string &path) {
  if (Status status = checkReplaceable(path); !status)
    return status.takeError();
  if (isWrittenInPlace(path)) {
    Expected<int> descriptor = openInPlace(path);
    if (!descriptor)
      return descriptor.takeError();
    return OutputFile(path, *descriptor);
  }
  Expected<PendingFile> pending = PendingFile::create(path);
  if (!pending)
    return pending.takeError();
  int descriptor = ::open(pending->getPath().c_str(),
                          O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0)
    return writeError(path);
  OutputFile file(path, descriptor);
  file.pending.emplace(std::move(*pending));
  return file;
}

OutputFile::OutputFile(OutputFile &&other) noexcept
    : path(std::move(other.path)), pending(std::move(other.pending)),
      descriptor(other.descriptor), written(other.written) {
  other.descriptor = -1;
}

OutputFile::~OutputFile() {
  if (descriptor >= 0)
    ::close(descriptor);
}

Status OutputFile::write(uint64_t position, const void *data, size_t bytes) {
  const char *next = static_cast<const char *>(data);
  if (!pending && position != written) {
    errno = ESPIPE;
    return writeError(path);
  }
  while (bytes > 0) {
    ssize_t count = pending ? ::pwrite(descriptor, next, bytes,
                                       static_cast<off_t>(position))
                            : ::write(descriptor, next, bytes);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return writeError(path);
    next += count;
    position += static_cast<uint64_t>(count);
    bytes -= static_cast<size_t>(count);
    written = position;
  }
  return Status::success();
}

Status OutputFile::commit() {
  int closing = descriptor;
  descriptor = -1;
  if (::close(closing) != 0)
    return writeError(path);
  return pending ? putInPlace({pending->finish()}) : Status::success();
}

Status writeFile(const std::string &path, const void *data, size_t bytes) {
  Expected<OutputFile> file = OutputFile::create(path);
  if (!file)
    return file.takeError();
  if (Status status = file->write(0, data, bytes); !status)
    return status;
  return file->commit();
}

//===----------------------------------------------------------------------===//
// Putting in place
//===----------------------------------------------------------------------===//

/// Returns the permissions of a new file of this process.
static mode_t getMode(bool executable) {
  mode_t mask = ::umask(077);
  ::umask(mask);
  return (executable ? 0777 : 0666) & ~mask;
}

Status putInPlace(const std::vector<FinishedFile> &files) {
  struct Change {
    std::string path, kept; // kept: the previous file, if any
  };
  std::vector<Change> changes;
  SignalDelay delay;
  Status result;
  for (const FinishedFile &file : files) {
    Expected<std::string> path = followLinks(file.path);
    if (!path)
      return path.takeError();
    // The file may have been read since the first check.
    if (result = checkNoInput(*path); !result)
      break;
    Change change{*path, file.temporary + ".before"};
    struct stat status;
    // Link the old file under a second name, so that it can be restored.
    if (::lstat(path->c_str(), &status) != 0 ||
        ::link(path->c_str(), change.kept.c_str()) != 0)
      change.kept.clear();
    if (::chmod(file.temporary.c_str(), getMode(file.executable)) != 0 ||
        ::rename(file.temporary.c_str(), path->c_str()) != 0) {
      result = writeError(file.path);
      break;
    }
    changes.push_back(std::move(change));
  }
  if (!result)
    for (size_t i = changes.size(); i-- > 0;) {
      if (changes[i].kept.empty())
        ::unlink(changes[i].path.c_str());
      else
        ::rename(changes[i].kept.c_str(), changes[i].path.c_str());
    }
  else
    for (const Change &change : changes)
      noteOutput(change.path);
  return result;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// Reads the first bytes of a file, at most `limit`.
static std::string readStart(const std::string &path, size_t limit) {
  std::string text;
  int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    return text;
  text.resize(limit);
  size_t done = 0;
  for (ssize_t count; done < limit; done += static_cast<size_t>(count))
    if ((count = ::read(file, text.data() + done, limit - done)) <= 0)
      break;
  ::close(file);
  text.resize(done);
  return text;
}

static bool startsWith(const std::string &text, std::string_view with) {
  return text.compare(0, with.size(), with) == 0;
}

/// Returns whether a file carries one of Tenon's marks.
static bool isWrittenByTenon(const std::string &path, uint64_t size) {
  std::string start = readStart(path, 4096);
  if (startsWith(start, headerMark) || startsWith(start, externalDataMark) ||
      startsWith(start, certificateMark))
    return true;
  // The mark is the first member of the header, which follows its length.
  if (start.size() > 8 &&
      startsWith(start.substr(8),
                 concat("{\"__metadata__\":{\"", safetensorsMark, "\":")))
    return true;
  if (!startsWith(start, "\x7f"
                         "ELF") ||
      size > uint64_t(1) << 32)
    return false;
  return readStart(path, size).find("tenon_manifest") != std::string::npos;
}

static bool isSameFile(const struct stat &a, const struct stat &b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/// Returns whether two names, which need not exist, denote the same file.
static bool isSameName(const std::string &a, const std::string &b) {
  struct stat ofA, ofB;
  bool hasA = ::stat(a.c_str(), &ofA) == 0, hasB = ::stat(b.c_str(), &ofB) == 0;
  if (hasA || hasB)
    return hasA && hasB && S_ISREG(ofA.st_mode) && isSameFile(ofA, ofB);
  auto fileName = [](const std::string &path) {
    return path.substr(path.rfind('/') + 1);
  };
  Expected<std::string> realA = followLinks(a), realB = followLinks(b);
  if (!realA || !realB || fileName(*realA) != fileName(*realB))
    return false;
  auto folder = [](const std::string &path) {
    std::string name = getFolderOf(path);
    return name.empty() ? std::string(".") : name;
  };
  return ::stat(folder(a).c_str(), &ofA) == 0 &&
         ::stat(folder(b).c_str(), &ofB) == 0 && isSameFile(ofA, ofB);
}

Status checkOutputs(const std::vector<PlannedOutput> &outputs,
                    const std::vector<std::string> &inputs, bool force) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    const PlannedOutput &output = outputs[i];
    if (Status status = checkReplaceable(output.path); !status)
      return status;
    for (size_t j = 0; j < i; ++j)
      if (isSameName(outputs[j].path, output.path))
        return makeError(output.option, ": '", output.path,
                         "' is also the output of ", outputs[j].option);
    std::string folder = getFolderOf(output.path);
    struct stat status;
    if (folder.empty())
      folder = ".";
    if (::stat(folder.c_str(), &status) != 0 ||
        (!isWrittenInPlace(output.path) &&
         ::access(folder.c_str(), W_OK | X_OK) != 0))
      return writeError(output.path);
    if (::stat(output.path.c_str(), &status) != 0 || !S_ISREG(status.st_mode))
      continue;
    for (const std::string &input : inputs) {
      struct stat read;
      if (::stat(input.c_str(), &read) == 0 && isSameFile(status, read))
        return makeError(output.option, ": '", output.path,
                         "' would replace the input '", input, "'");
    }
    if (output.isCompanion && !force && status.st_size > 0 &&
        !isWrittenByTenon(output.path, static_cast<uint64_t>(status.st_size)))
      return makeError(
          output.option, ": '", output.path,
          "' exists and was not written by Tenon; expected another name, or "
          "--force to replace it");
  }
  return Status::success();
}

Status prepareOutputFolder(const std::string &path, bool force) {
  std::error_code code;
  std::filesystem::create_directories(path, code);
  if (!code && !std::filesystem::is_directory(path, code) && !code)
    code = std::make_error_code(std::errc::not_a_directory);
  bool isEmpty = !code && std::filesystem::is_empty(path, code);
  if (code)
    return makeError("can't create folder '", path, "': ", code.message());
  std::string mark = path + "/.tenon-folder";
  if (!isEmpty && !force && ::access(mark.c_str(), F_OK) != 0)
    return makeError("folder '", path,
                     "' holds files that Tenon did not write; expected a "
                     "folder that is empty or does not exist yet");
  return writeFile(mark, "", 0);
}

} // namespace tenon::artifact
