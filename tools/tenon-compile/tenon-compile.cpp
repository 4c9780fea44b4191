//===- tenon-compile.cpp - models to native libraries --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "tenon/Artifact/TemporaryFolder.h"
#include "tenon/Driver/Backends.h"
#include "tenon/Driver/MlirOptions.h"
#include "tenon/Driver/Registration.h"
#include "tenon/Driver/ThisMachine.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

/// Read by jemalloc. With huge pages, a compilation spends a third less time in
/// the kernel. The environment variable MALLOC_CONF overrides it.
extern "C" const char *malloc_conf;
const char *malloc_conf = "thp:always";

int main(int argc, char **argv) {
  tenon::artifact::prepareStreams();
  llvm::InitLLVM init(argc, argv);
  tenon::artifact::prepareSignals("tenon-compile");
  CommandLine line;
  if (std::optional<int> status = parseCommandLine(argc, argv, line))
    return *status;
  line.compile.progress = true;
  line.compile.toolVersion = "tenon-compile " TENON_VERSION;
  mlir::DialectRegistry registry;
  tenon::registerAllDialects(registry);
  // Options name passes.
  tenon::registerAllPasses();
  if (llvm::Error error = tenon::parseMlirOptions(line.mlir)) {
    llvm::errs() << "tenon-compile: error: " << llvm::toString(std::move(error))
                 << "\n";
    return 2;
  }
  line.compile.configurePasses = tenon::applyMlirOptions;
  mlir::MLIRContext context(registry);
  // A model is large, and its location is sufficient.
  context.printOpOnDiagnostic(false);
  tenon::loadBackends(context, line.compile.backends);
  if (std::string wrong = checkCommandLine(line, context); !wrong.empty()) {
    llvm::errs() << "tenon-compile: error: " << wrong << "\n";
    return 2;
  }
  line.compile.calibration =
      tenon::findCalibration(tenon::backend::BackendRegistry::get(&context));
  return failed(tenon::compile(line.compile, context)) ? 1 : 0;
}
