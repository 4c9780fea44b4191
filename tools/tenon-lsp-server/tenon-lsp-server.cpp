//===- tenon-lsp-server.cpp - editor support for Tenon's .mlir files ------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The MLIR language server, which knows Tenon's dialects: diagnostics, hover,
// definitions and completion in an editor that speaks LSP over standard input
// and output (docs/debugging.md shows the set-up).
//
//===----------------------------------------------------------------------===//

#include "tenon/Driver/Registration.h"
#include "tenon/Driver/UsageStatus.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/thread.h"

int main(int argc, char **argv) {
  llvm::cl::SetVersionPrinter([](llvm::raw_ostream &os) {
    os << "tenon-lsp-server " << TENON_VERSION << "\n";
  });
  mlir::DialectRegistry registry;
  tenon::registerAllDialects(registry);
  // An editor sends whatever is typed: on a stack of this size, what is nested
  // deeply is slow at worst.
  constexpr unsigned stackBytes = 1u << 30;
  bool hasFailed = false;
  llvm::thread server(std::optional<unsigned>(stackBytes), [&] {
    tenon::UsageStatus usage;
    hasFailed = mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
  });
  server.join();
  return hasFailed;
}
