//===- OutputFile.h - files that appear as a whole ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a tool writes is written in a temporary folder beside its final place
// and renamed when it is complete. A name that is a link stands for what it
// points to, which is replaced. Devices, pipes and descriptors
// (/dev/stdout, /dev/fd/N) are written in place.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_ARTIFACT_OUTPUTFILE_H
#define TENON_ARTIFACT_OUTPUTFILE_H

#include "tenon/Artifact/Status.h"
#include "tenon/Artifact/TemporaryFolder.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tenon::artifact {

/// A complete file under a temporary name, in the file system of its final one.
struct FinishedFile {
  std::string temporary, path;
  bool executable = false;
};

/// Gives all files their names, in this order, or none of them; with the
/// permissions that new files have.
Status putInPlace(const std::vector<FinishedFile> &files);

/// A temporary name for a file that others write, or that is put in place with
/// others.
class PendingFile {
public:
  /// `path` is a regular file or does not exist yet.
  static Expected<PendingFile> create(const std::string &path);

  /// Where the content goes; nothing is there yet.
  std::string getPath() const { return folder.getFile("file"); }
  FinishedFile finish(bool executable = false) const {
    return {getPath(), path, executable};
  }

private:
  PendingFile(std::string path, TemporaryFolder folder)
      : path(std::move(path)), folder(std::move(folder)) {}

  std::string path;
  TemporaryFolder folder;
};

/// A file that comes into being as a whole: without `commit`, nothing changes.
class OutputFile {
public:
  static Expected<OutputFile> create(const std::string &path);

  OutputFile(OutputFile &&other) noexcept;
  OutputFile &operator=(OutputFile &&) = delete;
  ~OutputFile();

  /// Writes at a position of its own; the rest of the file is unchanged. What
  /// is written in place must come in order.
  Status write(uint64_t position, const void *data, size_t bytes);
  Status commit();

private:
  OutputFile(std::string path, int descriptor)
      : path(std::move(path)), descriptor(descriptor) {}

  std::string path;
  /// None: the file is written in place.
  std::optional<PendingFile> pending;
  int descriptor;
  uint64_t written = 0;
};

/// Writes a whole file through OutputFile.
Status writeFile(const std::string &path, const void *data, size_t bytes);

/// The folder that a file lies in, after links: where its temporary folder has
/// to be.
std::string getFolderOf(const std::string &path);

/// Whether `path` is a device, a pipe or a descriptor, which is written in
/// place.
bool isWrittenInPlace(const std::string &path);

/// A file that a command is going to write.
struct PlannedOutput {
  /// What names it on the command line, as "-o"; for a companion what names
  /// the file whose name it shares.
  std::string option;
  std::string path;
  /// Its name follows from another's: it is replaced only if it is empty or
  /// Tenon wrote it.
  bool isCompanion = false;
};

/// To be called before the work and, where a model names further files, after
/// reading it. Fails if an output cannot be written (its folder is missing, it
/// is a folder, it may not be written), if two outputs are one file, if an
/// output is the same file as one of `inputs` (by inode; those that do not
/// exist are passed over), or, unless `force`, if a companion would replace
/// a file that Tenon did not write.
Status checkOutputs(const std::vector<PlannedOutput> &outputs,
                    const std::vector<std::string> &inputs, bool force);

/// Makes a folder for files whose names the command line does not give, if it
/// is not there yet. Fails if it holds files and was not made by this function,
/// unless `force`.
Status prepareOutputFolder(const std::string &path, bool force);

/// The key in `__metadata__` that marks weights as written by Tenon.
constexpr char safetensorsMark[] = "tenon";
/// How external data of ONNX models begin that Tenon wrote.
constexpr char externalDataMark[] = "Tenon: external data of a model\n";
/// How the header of an artifact begins.
constexpr char headerMark[] = "/* Written by tenon-";

} // namespace tenon::artifact

#endif // TENON_ARTIFACT_OUTPUTFILE_H
