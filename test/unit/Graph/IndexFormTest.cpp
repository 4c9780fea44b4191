//===- IndexFormTest.cpp - substitution and inlining of index forms -------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/IR/IndexForm.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/DenseSet.h"

#include <gtest/gtest.h>

#include <functional>

using namespace tenon::graph;

namespace {
/// Values of operands: operand, indices.
using Operands =
    std::function<double(unsigned, llvm::ArrayRef<int64_t> indices)>;

/// Evaluates forms over f64 the plain way: a recursion over the expression.
class Evaluator {
public:
  explicit Evaluator(Operands operands) : operands(std::move(operands)) {}

  double element(const Expr &e) {
    switch (e.getKind()) {
    case ExprKind::Load: {
      llvm::SmallVector<int64_t> indices;
      for (const Expr &i : e->operands)
        indices.push_back(index(i));
      return operands(e->operand, indices);
    }
    case ExprKind::Constant:
      return e->number;
    case ExprKind::Apply: {
      double a = element(e->operands[0]), b = element(e->operands[1]);
      if (e->fn == ScalarFn::Add)
        return a + b;
      if (e->fn == ScalarFn::Mul)
        return a * b;
      break;
    }
    case ExprKind::Select:
      return condition(e->operands[0]) ? element(e->operands[1])
                                       : element(e->operands[2]);
    case ExprKind::Reduce:
      return reduce(e, 0);
    default:
      break;
    }
    ADD_FAILURE() << "unexpected " << e.str();
    return 0;
  }

  int64_t index(const Expr &e) {
    auto operand = [&](unsigned number) { return index(e->operands[number]); };
    switch (e.getKind()) {
    case ExprKind::Size:
      return *e->size.getConstant();
    case ExprKind::Var:
      if (!vars.count(e->var))
        ADD_FAILURE() << "unbound i" << e->var;
      return vars[e->var];
    case ExprKind::IndexAdd:
      return operand(0) + operand(1);
    case ExprKind::IndexMul:
      return operand(0) * operand(1);
    case ExprKind::IndexFloorDiv:
      return operand(0) / operand(1);
    case ExprKind::IndexMod:
      return operand(0) % operand(1);
    case ExprKind::FromElement:
      return static_cast<int64_t>(element(e->operands[0]));
    default:
      ADD_FAILURE() << "unexpected " << e.str();
      return 0;
    }
  }

  bool condition(const Expr &e) {
    switch (e.getKind()) {
    case ExprKind::True:
      return true;
    case ExprKind::IndexLess:
      return index(e->operands[0]) < index(e->operands[1]);
    case ExprKind::IndexLessEqual:
      return index(e->operands[0]) <= index(e->operands[1]);
    case ExprKind::And:
      return condition(e->operands[0]) && condition(e->operands[1]);
    default:
      ADD_FAILURE() << "unexpected " << e.str();
      return false;
    }
  }

  double at(const IndexForm &form, llvm::ArrayRef<int64_t> indices) {
    vars.clear();
    for (unsigned number = 0; number < indices.size(); ++number)
      vars[number] = indices[number];
    return element(form.body);
  }

private:
  double reduce(const Expr &e, unsigned position) {
    if (position == e->vars.size())
      return condition(e->operands[position]) ? element(e->operands.back()) : 0;
    double sum = 0;
    int64_t extent = index(e->operands[position]);
    for (int64_t i = 0; i < extent; ++i) {
      vars[e->vars[position]] = i;
      sum += reduce(e, position + 1);
    }
    return sum;
  }

  Operands operands;
  std::map<unsigned, int64_t> vars;
};

class IndexForms : public testing::Test {
protected:
  mlir::MLIRContext context;
  mlir::Type f64 = mlir::Float64Type::get(&context);

  Expr load(unsigned operand, llvm::ArrayRef<Expr> indices) {
    return Expr::load(operand, indices, f64);
  }
  static Expr v(unsigned number) { return Expr::var(number); }
  static Expr c(int64_t value) { return Expr::index(value); }
  Expr mul(Expr a, Expr b) { return Expr::apply(ScalarFn::Mul, {a, b}); }
  Expr add(Expr a, Expr b) { return Expr::apply(ScalarFn::Add, {a, b}); }
  Expr sum(llvm::ArrayRef<unsigned> vars, llvm::ArrayRef<Expr> extents,
           Expr body, Expr guard = Expr::always()) {
    return Expr::reduce(ReduceKind::Sum, vars, extents, guard, body);
  }
  IndexForm form(Shape shape, Expr body) { return {shape, f64, body}; }

  /// [rows, cols] times [cols, other].
  IndexForm matmul(int64_t rows, int64_t inner, int64_t cols) {
    return form({rows, cols},
                sum({2}, {c(inner)},
                    mul(load(0, {v(0), v(2)}), load(1, {v(2), v(1)}))));
  }

  /// No variable is bound twice on one path from the root.
  void expectDistinctBound(const Expr &root) {
    std::function<void(const Expr &, llvm::SmallDenseSet<unsigned>)> check =
        [&](const Expr &e, llvm::SmallDenseSet<unsigned> outer) {
          for (unsigned var : e->vars)
            EXPECT_TRUE(outer.insert(var).second)
                << "i" << var << " is bound twice in " << root.str();
          for (const Expr &operand : e->operands)
            check(operand, outer);
        };
    check(root, {});
  }
};

/// Numbers that tell operands and positions apart.
double number(unsigned operand, llvm::ArrayRef<int64_t> indices) {
  double value = operand + 1;
  for (int64_t i : indices)
    value = value * 3.25 + i * 0.5 - 1;
  return value;
}

TEST_F(IndexForms, FoldsOnConstruction) {
  EXPECT_EQ(Expr::addIndex(v(0), c(0)).str(), "i0");
  EXPECT_EQ(Expr::mulIndex(c(2), Expr::size(SymInt::symbol("n"))).str(),
            "2 * n");
  EXPECT_EQ(Expr::modIndex(v(0), c(1)).str(), "0");
  EXPECT_EQ(Expr::logicalAnd(Expr::always(), Expr::less(v(0), c(1))).str(),
            "(i0 < 1)");
  EXPECT_EQ(sum({}, {}, load(0, {})).str(), "x0[]");
}

TEST_F(IndexForms, SubstitutionReachesGuardsExtentsAndIndices) {
  Expr e = sum({1}, {Expr::addIndex(v(0), c(1))}, load(0, {v(0), v(1)}),
               Expr::less(v(1), v(0)));
  EXPECT_EQ(substituteVars(e, {c(5)}).str(),
            "sum{i1 < 6 | (i1 < 5)}(x0[5, i1])");
}

TEST_F(IndexForms, RewriteRebuildsSharedNodesOnce) {
  Expr shared = load(0, {v(0)});
  Expr e = add(shared, mul(shared, shared));
  unsigned visits = 0;
  Expr result = rewrite(e, [&](Expr node) -> Expr {
    if (node.getKind() != ExprKind::Load)
      return {};
    ++visits;
    return load(1, {v(0)});
  });
  EXPECT_EQ(visits, 1u);
  EXPECT_EQ(result.str(), "add(x1[i0], mul(x1[i0], x1[i0]))");
}

TEST_F(IndexForms, RenameBoundLeavesFreeVariables) {
  Expr inner = sum({2}, {c(4)}, load(0, {v(0), v(1), v(2)}));
  Expr e = sum({1}, {c(3)}, inner);
  unsigned next = 10;
  Expr renamed = renameBound(e, next);
  EXPECT_EQ(next, 12u);
  expectDistinctBound(renamed);
  Evaluator before(number), after(number);
  EXPECT_EQ(before.at(form({2}, e), {1}), after.at(form({2}, renamed), {1}));
  llvm::DenseSet<unsigned> vars;
  walk(renamed, [&](Expr node) {
    if (node.getKind() == ExprKind::Var)
      vars.insert(node->var);
  });
  EXPECT_EQ(vars, (llvm::DenseSet<unsigned>{0, 10, 11}));
}

TEST_F(IndexForms, RenameBoundRenamesVariablesInsideExtents) {
  // The second extent depends on the first variable.
  Expr e = sum({1, 2}, {c(4), Expr::addIndex(v(1), c(1))},
               load(0, {v(0), v(1), v(2)}));
  unsigned next = 7;
  Expr renamed = renameBound(e, next);
  Evaluator before(number), after(number);
  EXPECT_EQ(before.at(form({2}, e), {1}), after.at(form({2}, renamed), {1}));
  EXPECT_EQ(renamed.str().find("i1"), std::string::npos);
  EXPECT_EQ(renamed.str().find("i2"), std::string::npos);
}

TEST_F(IndexForms, InlineAReductionIntoAReduction) {
  // (A B) C, where A B is computed in place.
  IndexForm outer = matmul(2, 3, 4), inner = matmul(2, 5, 3);
  IndexForm both = inlineProducer(outer, 0, inner, {2, 3});
  expectDistinctBound(both.body);
  Evaluator product([&](unsigned operand, llvm::ArrayRef<int64_t> indices) {
    if (operand == 1)
      return number(1, indices);
    Evaluator evaluator([&](unsigned own, llvm::ArrayRef<int64_t> i) {
      return number(own + 2, i);
    });
    return evaluator.at(inner, indices);
  });
  Evaluator joined(number);
  for (int64_t i = 0; i < 2; ++i)
    for (int64_t j = 0; j < 4; ++j)
      EXPECT_DOUBLE_EQ(joined.at(both, {i, j}), product.at(outer, {i, j}));
}

TEST_F(IndexForms, EveryInlinedCopyHasItsOwnVariables) {
  // The consumer loads its operand twice, at different indices.
  IndexForm consumer = form({3}, mul(load(0, {v(0)}), load(0, {c(1)})));
  IndexForm producer = form({3}, sum({1}, {c(4)}, load(0, {v(0), v(1)})));
  IndexForm both = inlineProducer(consumer, 0, producer, {0});
  expectDistinctBound(both.body);
  auto rowSum = [](int64_t row) {
    double total = 0;
    for (int64_t i = 0; i < 4; ++i)
      total += number(0, {row, i});
    return total;
  };
  Evaluator joined(number);
  for (int64_t i = 0; i < 3; ++i)
    EXPECT_DOUBLE_EQ(joined.at(both, {i}), rowSum(i) * rowSum(1));
}

TEST_F(IndexForms, LoadsInsideIndicesAreInlined) {
  // x[p[i]] where p is 2 * q and x is y + y, all of them loads.
  IndexForm gather = form({3}, load(0, {Expr::fromElement(load(1, {v(0)}))}));
  IndexForm doubled = form({3}, add(load(0, {v(0)}), load(0, {v(0)})));
  IndexForm one = inlineProducer(gather, 1, doubled, {2});
  EXPECT_EQ(one.body.str(), "x0[index(add(x2[i0], x2[i0]))]");
  IndexForm two = inlineProducer(one, 0, doubled, {3});
  EXPECT_EQ(two.body.str(), "add(x3[index(add(x2[i0], x2[i0]))], "
                            "x3[index(add(x2[i0], x2[i0]))])");
}

TEST_F(IndexForms, AProducerThatGathersKeepsItsIndices) {
  // The producer's operands change their numbers inside its indices too.
  IndexForm gather = form({3}, load(0, {Expr::fromElement(load(1, {v(0)}))}));
  IndexForm consumer = form({3}, add(load(0, {v(0)}), load(1, {v(0)})));
  IndexForm both = inlineProducer(consumer, 0, gather, {5, 6});
  EXPECT_EQ(both.body.str(), "add(x5[index(x6[i0])], x1[i0])");
  // And inside the indices of those.
  IndexForm deep = inlineProducer(gather, 1, gather, {1, 2});
  EXPECT_EQ(deep.body.str(), "x0[index(x1[index(x2[i0])])]");
  IndexForm moved = inlineProducer(consumer, 0, deep, {5, 6, 7});
  EXPECT_EQ(moved.body.str(), "add(x5[index(x6[index(x7[i0])])], x1[i0])");
}

TEST_F(IndexForms, ConsumerWithAVariableExtent) {
  // A running sum of row sums.
  IndexForm scan =
      form({3}, sum({1}, {Expr::addIndex(v(0), c(1))}, load(0, {v(1)})));
  IndexForm rows = form({3}, sum({1}, {c(2)}, load(0, {v(0), v(1)})));
  IndexForm both = inlineProducer(scan, 0, rows, {0});
  expectDistinctBound(both.body);
  Evaluator joined(number);
  double expected = 0;
  for (int64_t i = 0; i < 3; ++i) {
    for (int64_t j = 0; j < 2; ++j)
      expected += number(0, {i, j});
    EXPECT_DOUBLE_EQ(joined.at(both, {i}), expected);
  }
}
} // namespace
