//===- FormText.h - index forms of ops given as text ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TEST_UNIT_GRAPH_FORMTEXT_H
#define TENON_TEST_UNIT_GRAPH_FORMTEXT_H

#include "tenon/Dialect/Graph/IR/Graph.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

#include <string>

namespace tenon::graph {

/// The index forms of the last op in `body`, one line per result, or the
/// reason why it does not parse. `arguments` are those of a function.
inline std::string formText(llvm::StringRef arguments, llvm::StringRef body) {
  mlir::MLIRContext context;
  context.loadDialect<GraphDialect, mlir::func::FuncDialect>();
  std::string reason;
  mlir::ScopedDiagnosticHandler handler(&context,
                                        [&](mlir::Diagnostic &diagnostic) {
                                          if (reason.empty())
                                            reason = diagnostic.str();
                                          return mlir::success();
                                        });
  std::string source =
      ("func.func @f(" + arguments + ") {\n" + body + "\nreturn\n}\n").str();
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>(source, &context);
  if (!module)
    return "error: " + reason;
  std::string text;
  module->walk([&](IndexFormInterface op) {
    text.clear();
    for (const IndexForm &form : op.getIndexForms()) {
      text += text.empty() ? "" : "\n";
      text += form.body.str();
    }
  });
  return text;
}

} // namespace tenon::graph

#endif // TENON_TEST_UNIT_GRAPH_FORMTEXT_H
