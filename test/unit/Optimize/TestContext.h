//===- TestContext.h - the context of tests -------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TEST_UNIT_OPTIMIZE_TESTCONTEXT_H
#define TENON_TEST_UNIT_OPTIMIZE_TESTCONTEXT_H

#include "ModelOptions.h"
#include "tenon/Cost/CostModel.h"
#include "tenon/Dialect/Rule/IR/Rule.h"

#include "gtest/gtest.h"

namespace tenon::optimize::test {

inline mlir::MLIRContext &getContext() {
  static auto *context = [] {
    auto *made = new mlir::MLIRContext;
    made->loadDialect<graph::GraphDialect, rule::RuleDialect,
                      mlir::func::FuncDialect>();
    return made;
  }();
  return *context;
}

inline cost::CostModel getCosts(llvm::StringRef device) {
  return cost::CostModel(llvm::cantFail(cost::getProfile(device)));
}

inline zoo::ModelOptions getSmallSizes() {
  zoo::ModelOptions options;
  options.batch = 1;
  options.sequence = 128;
  return options;
}

inline mlir::func::FuncOp getFunction(zoo::Module &module) {
  return *module->getOps<mlir::func::FuncOp>().begin();
}

} // namespace tenon::optimize::test

#endif // TENON_TEST_UNIT_OPTIMIZE_TESTCONTEXT_H
