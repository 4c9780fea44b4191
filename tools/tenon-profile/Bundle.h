//===- Bundle.h - models to be measured on another machine ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_PROFILE_BUNDLE_H
#define TENON_TOOLS_TENON_PROFILE_BUNDLE_H

#include "Options.h"
#include "PlacedModel.h"
#include "Progress.h"

#include "tenon/Artifact/TemporaryFolder.h"

#include <optional>

/// Makes the folder of --emit-bundle: artifacts, `bundle.json`, which says of
/// each what tenon-bundle needs to make entries of costs out of a trace,
/// `tenon-run`, and tenon-bundle as `run`. It appears as a whole, in `finish`.
class BundleWriter {
public:
  /// Fails if the folder exists and is not empty.
  static llvm::Expected<BundleWriter> create(const CommandLine &line,
                                             mlir::MLIRContext &context,
                                             const tenon::cost::Sizes &sizes,
                                             Progress &progress);
  BundleWriter(BundleWriter &&other) = default;
  BundleWriter &operator=(BundleWriter &&) = delete;

  llvm::Error addPrograms(llvm::StringRef tenonRun,
                          llvm::StringRef tenonBundle);
  /// Compiles the model under one plan after the other, until every kernel that
  /// placement may choose for it is in an artifact, or the plans that the
  /// command line allows were made. Plans without a new kernel are left out.
  llvm::Error addModel(unsigned number);
  llvm::Error finish();

private:
  struct Artifact {
    std::string file, model, plan;
    std::vector<PlacedCall> calls;
  };

  BundleWriter(const CommandLine &line, mlir::MLIRContext &context,
               tenon::cost::DeviceProfile profile,
               const tenon::cost::Sizes &sizes, Progress &progress)
      : line(line), context(context), profile(std::move(profile)), sizes(sizes),
        progress(progress) {}

  llvm::Expected<PlacedModel> place(const std::string &plan,
                                    const tenon::CompileOptions &options,
                                    const OptimizedModel &optimized,
                                    const Workspace &workspace,
                                    const tenon::cost::CostDatabase &known);
  llvm::Error addPlan(unsigned number, const std::string &plan,
                      const OptimizedModel &optimized,
                      const Workspace &workspace,
                      tenon::cost::CostDatabase &known, bool &foundNew);
  llvm::Error addFile(llvm::StringRef from, llvm::StringRef name,
                      bool isProgram);
  llvm::Error writeList();
  std::vector<std::string> listPlans() const;

  const CommandLine &line;
  mlir::MLIRContext &context;
  const tenon::cost::DeviceProfile profile;
  const tenon::cost::Sizes &sizes;
  Progress &progress;
  /// Beside the folder, until it is complete.
  std::optional<tenon::artifact::TemporaryFolder> temporary;
  std::string staging;
  std::vector<Artifact> artifacts;
};

#endif // TENON_TOOLS_TENON_PROFILE_BUNDLE_H
