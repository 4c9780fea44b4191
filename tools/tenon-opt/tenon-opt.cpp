//===- tenon-opt.cpp - runs passes on .mlir files -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Kernel/IR/Kernel.h"
#include "tenon/Driver/Backends.h"
#include "tenon/Driver/Registration.h"
#include "tenon/Driver/UsageStatus.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

static llvm::cl::list<std::string>
    backends("backend", llvm::cl::value_desc("file"),
             llvm::cl::desc("Load a backend from a plug-in"));

int main(int argc, char **argv) {
  llvm::cl::SetVersionPrinter([](llvm::raw_ostream &os) {
    os << "tenon-opt " << TENON_VERSION << "\n";
  });
  mlir::DialectRegistry registry;
  tenon::registerAllDialects(registry);
  tenon::registerAllPasses();
  registry.addExtension(
      +[](mlir::MLIRContext *context, tenon::kernel::KernelDialect *) {
        tenon::loadBackends(*context, {backends.begin(), backends.end()});
      });
  tenon::UsageStatus usage;
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Tenon's pass driver\n", registry));
}
