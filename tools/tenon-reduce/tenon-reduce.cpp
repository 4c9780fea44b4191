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

#include "tenon/Driver/Registration.h"
#include "tenon/Driver/UsageStatus.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

int main(int argc, char **argv) {
  llvm::cl::SetVersionPrinter([](llvm::raw_ostream &os) {
    os << "tenon-reduce " << TENON_VERSION << "\n";
  });
  tenon::registerAllPasses();
  mlir::DialectRegistry registry;
  tenon::registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  tenon::UsageStatus usage;
  return mlir::failed(mlir::mlirReduceMain(argc, argv, context));
}
