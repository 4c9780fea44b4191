//===- PendingOutputs.h - the files of one compilation --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DRIVER_PENDINGOUTPUTS_H
#define TENON_LIB_DRIVER_PENDINGOUTPUTS_H

#include "tenon/Artifact/OutputFile.h"
#include "tenon/Driver/Compile.h"

#include "mlir/Support/LLVM.h"

#include <string>
#include <vector>

namespace tenon {

/// Files under temporary names, which get their own together.
class PendingOutputs {
public:
  /// The temporary name of a file; the same for a file that was added before.
  mlir::FailureOr<std::string> add(const std::string &path,
                                   mlir::MLIRContext &context);
  /// The temporary name of a file; the file itself if it was not added.
  std::string find(const std::string &path) const;
  /// Those that were written, in the order in which they were added, but for
  /// the file `except`.
  std::vector<artifact::FinishedFile> finish(const std::string &except) const;
  /// That file alone, if it was written.
  std::vector<artifact::FinishedFile> finishOnly(const std::string &path) const;

private:
  std::vector<std::pair<std::string, artifact::PendingFile>> files;
};

/// The files that the command line of a compilation names as inputs.
std::vector<std::string> listInputs(const CompileOptions &options);

/// The files that it writes under names that its command line gives.
std::vector<artifact::PlannedOutput> listOutputs(const CompileOptions &options);

} // namespace tenon

#endif // TENON_LIB_DRIVER_PENDINGOUTPUTS_H
