//===- tenon-opt.cpp - runs passes on .mlir files -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/InputFiles.h"
#include "tenon/Artifact/OutputFile.h"
#include "tenon/Dialect/Kernel/IR/Kernel.h"
#include "tenon/Driver/Backends.h"
#include "tenon/Driver/MlirOptions.h"
#include "tenon/Driver/Registration.h"
#include "tenon/Driver/UsageStatus.h"
#include "tenon/Support/File.h"
#include "tenon/Support/ParseModule.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

static llvm::cl::list<std::string>
    backends("backend", llvm::cl::value_desc("file"),
             llvm::cl::desc("Load a backend from a plug-in"));

static int fail(const llvm::Twine &message) {
  llvm::errs() << "tenon-opt: error: " << message << "\n";
  return 1;
}

/// Checks that the input is not nested too deeply for MLIR, which reads it
/// afterwards.
static LogicalResult check(const llvm::MemoryBuffer &buffer,
                           const DialectRegistry &registry,
                           const MlirOptMainConfig &config) {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects(config.shouldAllowUnregisteredDialects());
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(buffer.getMemBufferRef()), {});
  SourceMgrDiagnosticHandler handler(sources, &context);
  if (!isBytecode(buffer.getMemBufferRef()))
    return tenon::checkNesting(buffer, &context, config.inputSplitMarker());
  return success(static_cast<bool>(tenon::parseModule(sources, &context)));
}

/// Like MLIR's main function, except for the files.
static int run(int argc, char **argv, const std::string &input,
               const std::string &output, DialectRegistry &registry) {
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  // They read nothing.
  if (config.shouldShowDialects() || config.shouldListPasses())
    return asMainReturnCode(MlirOptMain(argc, argv, input, output, registry));
  if (output != "-")
    if (auto status = tenon::artifact::checkOutputs({{"-o", output}}, {input},
                                                    /*force=*/false);
        !status)
      return fail(status.error());
  auto buffer = tenon::readInputFile(input);
  if (!buffer)
    return fail(llvm::toString(buffer.takeError()));
  if (failed(check(**buffer, registry, config)))
    return 1;
  if (output == "-")
    return asMainReturnCode(
        MlirOptMain(llvm::outs(), std::move(*buffer), registry, config));
  std::string text;
  llvm::raw_string_ostream os(text);
  LogicalResult result = MlirOptMain(os, std::move(*buffer), registry, config);
  if (failed(result))
    return 1;
  if (tenon::artifact::isOwnOutput(output))
    return fail("-o: '" + output + "' is also the output of a pass");
  if (llvm::Error error = tenon::writeOutputFile(output, text))
    return fail(llvm::toString(std::move(error)));
  return 0;
}

int main(int argc, char **argv) {
  tenon::artifact::prepareStreams();
  llvm::InitLLVM init(argc, argv);
  tenon::artifact::prepareSignals("tenon-opt");
  llvm::cl::SetVersionPrinter([](llvm::raw_ostream &os) {
    os << "tenon-opt " << TENON_VERSION << "\n";
  });
  tenon::registerDebugOnly();
  DialectRegistry registry;
  tenon::registerAllDialects(registry);
  tenon::registerAllPasses();
  registry.addExtension(
      +[](MLIRContext *context, tenon::kernel::KernelDialect *) {
        tenon::loadBackends(*context, {backends.begin(), backends.end()});
      });
  std::string input, output;
  {
    tenon::UsageStatus usage;
    std::tie(input, output) = registerAndParseCLIOptions(
        argc, argv, "Tenon's pass driver\n", registry);
    if (llvm::Error error = tenon::enableDebugOnly())
      return fail(llvm::toString(std::move(error)));
    int status = run(argc, argv, input, output, registry);
    llvm::outs().flush();
    if (llvm::outs().has_error()) {
      llvm::outs().clear_error();
      return fail("can't write to standard output");
    }
    return status;
  }
}
