//===- tenon-reduce.cpp - shrinks inputs that show a failure --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mlir-reduce with Tenon's dialects and passes: given a script that tells
// whether a module still shows the failure (status 1: it does), finds a small
// module that does (docs/debugging.md has an example).
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/OutputFile.h"
#include "tenon/Driver/Registration.h"
#include "tenon/Driver/UsageStatus.h"
#include "tenon/Support/ParseModule.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

/// MLIR reads the input and writes the output by itself; what it could not
/// stand, and an output that is an input, are refused here.
static bool checkFiles(llvm::ArrayRef<char *> arguments,
                       mlir::MLIRContext &context) {
  std::string output;
  for (size_t i = 0; i < arguments.size(); ++i) {
    llvm::StringRef argument = arguments[i];
    // Among the options with a separate value, only -o takes a file.
    if ((argument == "-o" || argument == "--o") && i + 1 < arguments.size()) {
      output = arguments[++i];
      continue;
    }
    if (argument.consume_front("--o=") || argument.consume_front("-o=")) {
      output = argument;
      continue;
    }
    if (argument.starts_with("-") || !llvm::sys::fs::exists(argument))
      continue;
    llvm::SourceMgr sources;
    mlir::SourceMgrDiagnosticHandler handler(sources, &context);
    if (!tenon::parseModuleFile(argument, &context, &sources))
      return false;
  }
  if (output.empty() || output == "-")
    return true;
  auto status = tenon::artifact::checkOutputs({{"-o", output}}, {},
                                              /*force=*/false);
  if (!status)
    llvm::errs() << "tenon-reduce: error: " << status.error() << "\n";
  return status.ok();
}

int main(int argc, char **argv) {
  tenon::artifact::prepareStreams();
  llvm::InitLLVM init(argc, argv);
  tenon::artifact::prepareSignals("tenon-reduce");
  llvm::cl::SetVersionPrinter([](llvm::raw_ostream &os) {
    os << "tenon-reduce " << TENON_VERSION << "\n";
  });
  tenon::registerAllPasses();
  mlir::DialectRegistry registry;
  tenon::registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  if (!checkFiles(llvm::ArrayRef<char *>(argv, argc).drop_front(), context))
    return 1;
  tenon::UsageStatus usage;
  return mlir::failed(mlir::mlirReduceMain(argc, argv, context));
}
