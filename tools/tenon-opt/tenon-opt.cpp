//===- tenon-opt.cpp - runs passes on .mlir files -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Driver/Registration.h"
#include "tenon/Driver/UsageStatus.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

int main(int argc, char **argv) {
  llvm::cl::SetVersionPrinter([](llvm::raw_ostream &os) {
    os << "tenon-opt " << TENON_VERSION << "\n";
  });
  mlir::DialectRegistry registry;
  tenon::registerAllDialects(registry);
  tenon::registerAllPasses();
  tenon::UsageStatus usage;
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Tenon's pass driver\n", registry));
}
