//===- SmallTerms.h - graphs for the tests of Discover ----------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TEST_UNIT_DISCOVER_SMALLTERMS_H
#define TENON_TEST_UNIT_DISCOVER_SMALLTERMS_H

#include "tenon/Dialect/Rule/IR/Rule.h"
#include "tenon/Discover/Terms.h"

#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

namespace tenon::discover::test {

/// Graphs of some ops on matrices of 4 rows and 4 columns, images of 4 rows and
/// 4 columns, kernels of 3 and 3, and 2 heads of 4 rows and 4 columns.
class SmallTerms {
public:
  explicit SmallTerms(std::vector<std::string> names) {
    context.loadDialect<graph::GraphDialect, rule::RuleDialect>();
    EXPECT_EQ(set.add(&context, names), "");
    const Terms::InputKind kinds[] = {{{4, 4}, "mk"},
                                      {{2, 2, 4, 4}, "bchw"},
                                      {{2, 2, 3, 3}, "ocrt"},
                                      {{2, 4, 4}, "hsd"}};
    terms.emplace(&context, set, kinds,
                  interpret::Domain{interpret::Domain::Kind::Field, 7});
  }

  ValueId input(unsigned number) { return terms->getInput(0, number); }
  ValueId image(unsigned number) { return terms->getInput(1, number); }
  ValueId kernel(unsigned number) { return terms->getInput(2, number); }
  ValueId heads(unsigned number) { return terms->getInput(3, number); }
  /// The first choice of an op.
  ValueId make(llvm::StringRef name, llvm::ArrayRef<ValueId> operands,
               unsigned choice = 0, unsigned result = 0) {
    const Terms::Op *op =
        terms->add(terms->choose(name, operands).at(choice), operands);
    EXPECT_TRUE(op);
    return op->firstResult + result;
  }

  mlir::MLIRContext context;
  OpSet set;
  std::optional<Terms> terms;
};

} // namespace tenon::discover::test

#endif // TENON_TEST_UNIT_DISCOVER_SMALLTERMS_H
