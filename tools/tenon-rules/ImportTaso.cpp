//===- ImportTaso.cpp - tenon-rules import-taso ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Commands.h"
#include "RuleFiles.h"

#include "tenon/Driver/Registration.h"
#include "tenon/Import/TasoRules.h"
#include "tenon/Support/File.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace tenon;

static constexpr StringLiteral helpText =
    R"(Translates TASO's substitution rules to rules of ours.

usage: tenon-rules import-taso FILE.pb -o OUT.mlir [options]

  -o FILE             the rules; "-" is standard output
  --equal-channels    give the parts that a grouped convolution of a target is
                      made of equal input and equal output channels
  --help

Every rule is generalized to all sizes, strides and pads that its ops allow; see
docs/rules.md.

exit status: 0 all rules are written, 1 the file is damaged or has what is not
supported (nothing is written then), 2 wrong usage
)";

int tools::runImportTaso(ArrayRef<const char *> arguments) {
  CommandLine line("import-taso", helpText);
  std::string output;
  TasoImportOptions options;
  line.add("-o", output);
  line.add("--equal-channels", options.equalChannels);
  if (std::optional<int> status = line.parse(arguments))
    return *status;
  if (line.files.size() != 1)
    return line.reject("expected one file, but got " +
                       Twine(line.files.size()));
  if (output.empty())
    return line.reject("no output is given (-o)");
  const std::string &input = line.files.front();

  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);

  if (!checkOutput("-o", output, {input}))
    return 1;
  auto buffer = readInputFile(input);
  if (!buffer) {
    reportError(llvm::toString(buffer.takeError()));
    return 1;
  }
  FailureOr<std::string> text =
      importTasoRules((*buffer)->getBuffer(),
                      FileLineColLoc::get(&context, input, 0, 0), options);
  if (failed(text))
    return 1;
  // The output is valid for every input file.
  if (!parseSourceString<ModuleOp>(*text, &context, output))
    return 1;

  return writeFile(output, *text) ? 0 : 1;
}
