//===- InputFiles.h - files that a program has read ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A command must never replace a file that it reads, under any option or name.
// The tools' readers record their files here, and writers query the record
// (OutputFile.h).
//
//===----------------------------------------------------------------------===//

#ifndef TENON_ARTIFACT_INPUTFILES_H
#define TENON_ARTIFACT_INPUTFILES_H

#include <string>

namespace tenon::artifact {

/// Records that this program reads the regular file `path`. The program's own
/// files are skipped: those in temporary folders (TemporaryFolder.h) and
/// recorded outputs.
void noteInput(const std::string &path);

/// Records that this program has written the file `path`.
void noteOutput(const std::string &path);
/// Returns whether this program has written the file `path`.
bool isOwnOutput(const std::string &path);

/// Removes the record of a file that is read in order to be rewritten, such as
/// a database that grows.
void releaseInput(const std::string &path);

/// Returns the name under which the file `path` was recorded; empty if it was
/// not recorded or does not exist.
std::string findInput(const std::string &path);

} // namespace tenon::artifact

#endif // TENON_ARTIFACT_INPUTFILES_H
