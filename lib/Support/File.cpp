//===- File.cpp - the files that tools read and write ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Support/File.h"
#include "tenon/Artifact/InputFiles.h"
#include "tenon/Artifact/OutputFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tenon;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static constexpr size_t maxFileBytes = (size_t(1) << 31) - 1;
static constexpr size_t maxStreamBytes = size_t(1) << 28;

static llvm::Error cannotOpen(StringRef path, const llvm::Twine &why) {
  return llvm::createStringError("can't open '" + path + "': " + why);
}

static std::string lastError() {
  if (errno == ENOENT)
    return "no such file";
  return std::error_code(errno, std::generic_category()).message();
}

namespace {
/// Closes a descriptor if this code opened it.
struct Descriptor {
  int number = -1;
  bool isOwn = true;
  ~Descriptor() {
    if (number >= 0 && isOwn)
      ::close(number);
  }
};
} // namespace

/// Returns the number of a descriptor that the caller opened, by its name;
/// nullopt for names of files.
static std::optional<int> getInherited(StringRef path) {
  if (path == "-" || path == "/dev/stdin")
    return 0;
  int number;
  if ((path.consume_front("/dev/fd/") ||
       path.consume_front("/proc/self/fd/")) &&
      !path.getAsInteger(10, number) && number >= 0)
    return number;
  return std::nullopt;
}

static StringRef describe(mode_t mode) {
  return S_ISDIR(mode)    ? "is a directory"
         : S_ISFIFO(mode) ? "is a pipe; expected a regular file, or - for "
                            "standard input"
         : S_ISSOCK(mode) ? "is a socket; expected a regular file"
                          : "is a device; expected a regular file";
}

/// Reads to the end; fails beyond `limit`.
static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readStream(int descriptor, StringRef path) {
  std::string bytes;
  for (size_t done = 0;;) {
    bytes.resize(std::max<size_t>(2 * done, 1 << 16));
    ssize_t count =
        ::read(descriptor, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return cannotOpen(path, lastError());
    done += static_cast<size_t>(count);
    if (done > maxStreamBytes)
      return cannotOpen(path, "expected at most " +
                                  llvm::Twine(maxStreamBytes) +
                                  " bytes from a pipe or device");
    if (count == 0) {
      bytes.resize(done);
      return llvm::MemoryBuffer::getMemBufferCopy(bytes, path == "-" ? "<stdin>"
                                                                     : path);
    }
  }
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
tenon::readInputFile(StringRef path) {
  Descriptor file;
  std::optional<int> inherited = getInherited(path);
  if (path.contains('\0'))
    return cannotOpen(path, "its name contains a null");
  // Do not block, so that a pipe is refused below instead of waited for.
  file.number =
      inherited ? *inherited
                : ::open(path.str().c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  file.isOwn = !inherited;
  struct stat status;
  if (file.number < 0 || ::fstat(file.number, &status) != 0)
    return cannotOpen(path, lastError());
  if (S_ISDIR(status.st_mode))
    return cannotOpen(path, describe(status.st_mode));
  if (inherited)
    return readStream(file.number, path);
  if (!S_ISREG(status.st_mode))
    return cannotOpen(path, describe(status.st_mode));
  artifact::noteInput(path.str());
  size_t size = static_cast<size_t>(status.st_size);
  if (size > maxFileBytes)
    return cannotOpen(path, "expected at most " + llvm::Twine(maxFileBytes) +
                                " bytes, but got " + llvm::Twine(size));
  // The file is read rather than mapped, because it may be truncated meanwhile.
  std::unique_ptr<llvm::WritableMemoryBuffer> buffer =
      llvm::WritableMemoryBuffer::getNewUninitMemBuffer(size, path);
  if (!buffer)
    return cannotOpen(path,
                      "out of memory: it has " + llvm::Twine(size) + " bytes");
  for (size_t done = 0; done < size;) {
    ssize_t count =
        ::read(file.number, buffer->getBufferStart() + done, size - done);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return cannotOpen(path, lastError());
    if (count == 0)
      return cannotOpen(path, "it was truncated while it was read");
    done += static_cast<size_t>(count);
  }
  return buffer;
}

llvm::Error tenon::writeOutputFile(StringRef path, StringRef text) {
  if (path != "-") {
    if (auto status = artifact::writeFile(path.str(), text.data(), text.size());
        !status)
      return llvm::createStringError(status.error());
    return llvm::Error::success();
  }
  llvm::outs() << text;
  llvm::outs().flush();
  if (std::error_code code = llvm::outs().error()) {
    llvm::outs().clear_error();
    return llvm::createStringError("can't write to standard output: " +
                                   code.message());
  }
  return llvm::Error::success();
}

/// Whether a real path lies in a folder.
static bool isInside(StringRef realFile, StringRef folder) {
  llvm::SmallString<128> realFolder;
  if (fs::real_path(folder.empty() ? "." : folder, realFolder))
    realFolder = folder;
  if (!realFolder.ends_with("/"))
    realFolder += "/";
  return realFile.starts_with(realFolder);
}

llvm::Expected<std::string>
tenon::findBesideModel(StringRef folder, StringRef name, StringRef what) {
  if (name.empty() || name.contains('\0') || path::is_absolute(name) ||
      llvm::is_contained(llvm::make_range(path::begin(name), path::end(name)),
                         ".."))
    return llvm::createStringError(what + " '" + name +
                                   "' is outside of the model's directory; "
                                   "expected a relative path without '..'");
  llvm::SmallString<128> file(folder);
  path::append(file, name);
  // A link must not lead out of the folder either, unless into one that the
  // user names, as a cache of models has them.
  llvm::SmallString<128> realFile;
  if (std::error_code code = fs::real_path(file, realFile)) {
    if (code == std::errc::no_such_file_or_directory)
      return file.str().str();
    return llvm::createStringError("can't open " + what + " '" + file +
                                   "': " + code.message());
  }
  std::optional<std::string> root =
      llvm::sys::Process::GetEnv("TENON_MODEL_ROOT");
  if (!isInside(realFile, folder) &&
      !(root && !root->empty() && isInside(realFile, *root)))
    return llvm::createStringError(
        what + " '" + name + "' is a link to a file outside of the model's " +
        "directory" +
        (root && !root->empty()
             ? " and of TENON_MODEL_ROOT, '" + *root + "'"
             : "; TENON_MODEL_ROOT names a folder into which links may lead"));
  artifact::noteInput(file.str().str());
  return file.str().str();
}
