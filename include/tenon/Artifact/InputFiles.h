//===- InputFiles.h - files that a program has read ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A command never replaces what it reads, by whatever option or name: the
// tools' readers note their files here, and what writes files asks
// (OutputFile.h).
//
//===----------------------------------------------------------------------===//

#ifndef TENON_ARTIFACT_INPUTFILES_H
#define TENON_ARTIFACT_INPUTFILES_H

#include <string>

namespace tenon::artifact {

/// Notes that this program reads the regular file `path`. Its own are passed
/// over: those in temporary folders (TemporaryFolder.h) and noted outputs.
void noteInput(const std::string &path);

/// Notes that this program has written the file `path`.
void noteOutput(const std::string &path);
/// Whether it has.
bool isOwnOutput(const std::string &path);

/// For a file that is read in order to be written anew, as a database that
/// grows.
void releaseInput(const std::string &path);

/// The name under which the file `path` was noted; empty: it was not, or is not
/// there.
std::string findInput(const std::string &path);

} // namespace tenon::artifact

#endif // TENON_ARTIFACT_INPUTFILES_H
