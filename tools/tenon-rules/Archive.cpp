//===- Archive.cpp - tenon-rules archive ----------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Commands.h"

#include "tenon/Driver/Registration.h"
#include "tenon/Driver/RuleJudge.h"
#include "tenon/Optimize/RuleArchive.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tenon;

static constexpr llvm::StringLiteral helpText =
    R"(Puts the rules of a folder and their certificates into one file, which
tenon-compile loads at once.

usage: tenon-rules archive FOLDER -o FILE

  -o FILE           the archive; tenon-compile reads share/tenon/rules.archive
  --help

The folder stays the source: an archive of other files is not used. Every rule
must have a certificate; whether it holds is checked before its rule fires.

exit status: 0 the archive is written, 1 it is not, 2 wrong usage
)";

int tools::runArchive(llvm::ArrayRef<const char *> arguments) {
  CommandLine line("archive", helpText);
  std::string output;
  line.add("-o", output);
  if (std::optional<int> status = line.parse(arguments))
    return *status;
  if (line.files.size() != 1)
    return line.reject("expected one folder");
  if (output.empty())
    return line.reject("expected -o FILE");
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  if (llvm::Error error = optimize::writeRuleArchive(
          &context, line.files.front(), makeRuleJudge(), output)) {
    llvm::errs() << "tenon-rules: error: " << llvm::toString(std::move(error))
                 << '\n';
    return 1;
  }
  return 0;
}
