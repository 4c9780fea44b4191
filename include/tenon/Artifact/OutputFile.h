//===- OutputFile.h - files that are written atomically -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tools write a file in a temporary folder beside its final path and rename it
// when it is complete. If the path is a symbolic link, the file that it points
// to is replaced. Devices, pipes and descriptors (/dev/stdout, /dev/fd/N) are
// written in place.
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

/// A complete file under a temporary name, in the file system of its final
/// path.
struct FinishedFile {
  std::string temporary, path;
  bool executable = false;
};

/// Renames all files to their final paths, in this order, or none of them. They
/// get the permissions of new files.
Status putInPlace(const std::vector<FinishedFile> &files);

/// A temporary name for a file that other code writes, or that is put in place
/// together with others.
class PendingFile {
public:
  /// `path` must be a regular file or not exist yet.
  static Expected<PendingFile> create(const std::string &path);

  /// The path to write the content to; no file exists there yet.
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

/// A file that appears only when it is complete: without `commit`, nothing
/// changes.
class OutputFile {
public:
  static Expected<OutputFile> create(const std::string &path);

  OutputFile(OutputFile &&other) noexcept;
  OutputFile &operator=(OutputFile &&) = delete;
  ~OutputFile();

  /// Writes at the given position; the rest of the file is unchanged. A file
  /// that is written in place must be written in order.
  Status write(uint64_t position, const void *data, size_t bytes);
  Status commit();

private:
  OutputFile(std::string path, int descriptor)
      : path(std::move(path)), descriptor(descriptor) {}

  std::string path;
  /// Empty if the file is written in place.
  std::optional<PendingFile> pending;
  int descriptor;
  uint64_t written = 0;
};

/// Writes a whole file through OutputFile.
Status writeFile(const std::string &path, const void *data, size_t bytes);

/// Returns the folder of a file after resolving links; its temporary folder
/// must be there.
std::string getFolderOf(const std::string &path);

/// Returns whether `path` is a device, a pipe or a descriptor, which is written
/// in place.
bool isWrittenInPlace(const std::string &path);

/// A file that a command is going to write.
struct PlannedOutput {
  /// The option that names it on the command line, such as "-o"; for a
  /// companion, the option of the file that it belongs to.
  std::string option;
  std::string path;
  /// The name is derived from another file's name: an existing file is replaced
  /// only if it is empty or was written by Tenon.
  bool isCompanion = false;
};

/// Must be called before the work begins and, if a model names further files,
/// again after reading it. Fails if an output cannot be written (its folder is
/// missing, it is a folder, or permission is denied), if two outputs are the
/// same file, if an output is the same file as one of `inputs` (by inode;
/// inputs that do not exist are skipped), or, unless `force`, if a companion
/// would replace a file that Tenon did not write.
Status checkOutputs(const std::vector<PlannedOutput> &outputs,
                    const std::vector<std::string> &inputs, bool force);

/// Makes a folder, if it does not exist, for files whose names the command line
/// does not give. Fails if it contains files and was not made by this function,
/// unless `force`.
Status prepareOutputFolder(const std::string &path, bool force);

/// The key in `__metadata__` that marks weights written by Tenon.
constexpr char safetensorsMark[] = "tenon";
/// The prefix of external ONNX data written by Tenon.
constexpr char externalDataMark[] = "Tenon: external data of a model\n";
/// The first line of certificates of pipelines, as a comment of MLIR.
constexpr char certificateMark[] =
    "// Written by tenon-compile: the proved programs";
/// The prefix of an artifact's header.
constexpr char headerMark[] = "/* Written by tenon-";

} // namespace tenon::artifact

#endif // TENON_ARTIFACT_OUTPUTFILE_H
