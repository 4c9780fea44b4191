//===- Archive.cpp - tenon-rules archive ----------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "tenon/Artifact/OptionTable.h"
#include "tenon/Driver/Registration.h"
#include "tenon/Driver/RuleJudge.h"
#include "tenon/Optimize/RuleArchive.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tenon;

namespace {
#define GEN_ARCHIVE_DECL
#include "tenon-rules/Options.inc"
} // namespace

#define GEN_ARCHIVE_DEF
#include "tenon-rules/Options.inc"

int tools::runArchive(llvm::ArrayRef<const char *> arguments) {
  ArchiveLine line;
  artifact::OptionTable table;
  if (std::optional<int> status =
          parseOptions(static_cast<int>(arguments.size()),
                       const_cast<char **>(arguments.data()), line, table))
    return *status;
  if (line.output.empty())
    return artifact::rejectUsage(kArchiveLineTool, "expected -o FILE");
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  if (llvm::Error error = optimize::writeRuleArchive(
          &context, line.folder, makeRuleJudge(), line.output)) {
    llvm::errs() << "tenon-rules: error: " << llvm::toString(std::move(error))
                 << '\n';
    return 1;
  }
  return 0;
}
