//===- GrainTest.cpp - which kernels are worth a second thread ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Dialect/Kernel/IR/Kernel.h"
#include "tenon/Dialect/Program/IR/Program.h"
#include "tenon/Lower/Lower.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace tenon;

namespace {

/// Whether two threads share the kernel of `op`, from one to the other type.
bool usesThreads(const std::string &op, const std::string &from,
                 const std::string &to) {
  mlir::MLIRContext context;
  context.loadDialect<mlir::func::FuncDialect, graph::GraphDialect,
                      kernel::KernelDialect>();
  std::string source = "func.func @main(%x: " + from + ") -> " + to +
                       " {\n %0 = kernel.call \"cpu\" \"kernel\"(%x) {\n ^bb0("
                       "%a: " +
                       from + "):\n %r = " + op + "\n kernel.yield %r : " + to +
                       "\n } : (" + from + ") -> " + to +
                       "\n return %0 : " + to + "\n}";
  auto module = mlir::parseSourceString<mlir::ModuleOp>(source, &context);
  EXPECT_TRUE(module) << source;
  if (!module)
    return false;
  auto program = lower::lowerProgram(*module, lower::LowerOptions());
  EXPECT_TRUE(mlir::succeeded(program));
  if (mlir::failed(program))
    return false;
  program::LaunchOp last;
  program->get().walk([&](program::LaunchOp launch) { last = launch; });
  EXPECT_TRUE(last);
  return last && *last.getExtent().getEntry(0).getConstant() / 2 >=
                     static_cast<int64_t>(last.getGrain());
}

bool usesThreads(const std::string &op, const std::string &size) {
  std::string type = "tensor<" + size + "xf32>";
  return usesThreads(op + " %a : " + type, type, type);
}

TEST(GrainTest, CountsElementsAndWhatTheyTake) {
  // 3 microseconds, and 300.
  EXPECT_FALSE(usesThreads("graph.relu", "49x512"));
  EXPECT_TRUE(usesThreads("graph.relu", "4900x512"));
  // As many exponentials take longer, and calls of libm longer yet.
  EXPECT_FALSE(usesThreads("graph.exp", "49x512"));
  EXPECT_FALSE(usesThreads("graph.relu", "128x512"));
  EXPECT_TRUE(usesThreads("graph.exp", "128x512"));
  EXPECT_TRUE(usesThreads("graph.sin", "49x512"));
}

TEST(GrainTest, CountsTheTermsOfReductions) {
  auto reduce = [](const std::string &rows, const std::string &columns) {
    std::string from = "tensor<" + rows + "x" + columns + "xf32>";
    std::string to = "tensor<" + rows + "xf32>";
    return usesThreads(
        "graph.reduce_sum %a axes = [1] : (" + from + ") -> " + to, from, to);
  };
  EXPECT_FALSE(reduce("128", "64"));
  EXPECT_TRUE(reduce("128", "8192"));
}

} // namespace
