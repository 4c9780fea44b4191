//===- TestModule.h - modules of tests ------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TEST_UNIT_COST_TESTMODULE_H
#define TENON_TEST_UNIT_COST_TESTMODULE_H

#include "tenon/Dialect/Kernel/IR/Kernel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace tenon::cost::test {

inline mlir::MLIRContext &getContext() {
  static auto *context = [] {
    auto *made = new mlir::MLIRContext;
    made->loadDialect<graph::GraphDialect, kernel::KernelDialect,
                      mlir::func::FuncDialect>();
    return made;
  }();
  return *context;
}

/// A module whose one function has the arguments and the body that are given.
class TestModule {
public:
  TestModule(llvm::StringRef arguments, llvm::StringRef body) {
    std::string text =
        ("func.func @main(" + arguments + ") {\n" + body + "\n return\n}")
            .str();
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &getContext());
    EXPECT_TRUE(module) << text;
  }

  /// The last op of a kind, which is often the only one.
  template <typename T> T get() {
    T found;
    module->walk([&](T op) { found = op; });
    EXPECT_TRUE(found);
    return found;
  }

private:
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace tenon::cost::test

#endif // TENON_TEST_UNIT_COST_TESTMODULE_H
