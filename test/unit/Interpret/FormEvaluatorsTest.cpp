//===- FormEvaluatorsTest.cpp - both evaluators of index forms ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomForms.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace mlir;
using namespace tenon::graph;
using namespace tenon::interpret;

namespace {
/// Casts the operands' numbers into the domain.
std::vector<Tensor> convertOperands(ArrayRef<Tensor> operands, Domain domain) {
  std::vector<Tensor> converted;
  for (const Tensor &tensor : operands)
    converted.push_back(toDomain(tensor, domain));
  return converted;
}

/// Whether two results are the same bits; any NaN equals any other.
bool isSame(const Tensor &a, const Tensor &b, bool isNumber) {
  if (a.getShape() != b.getShape())
    return false;
  for (int64_t number = 0; number < a.getNumElements(); ++number) {
    Cell x = a.data()[number], y = b.data()[number];
    if (isNumber && x.number != x.number && y.number != y.number)
      continue;
    if (x.integer == y.integer)
      continue;
    ADD_FAILURE() << "element " << number << ": expected "
                  << (isNumber ? x.number : x.integer) << ", but got "
                  << (isNumber ? y.number : y.integer);
    return false;
  }
  return true;
}

/// The smallest closed part of a form on which the evaluators differ.
std::string findDifference(const FormCase &test, Domain domain) {
  std::vector<Tensor> operands = convertOperands(test.operands, domain);
  std::string found;
  walk(test.form.body, [&](Expr node) {
    if (!found.empty() || node.getSort() != ExprSort::Element)
      return;
    SmallVector<unsigned> bound, used;
    walk(node, [&](Expr inner) {
      if (inner.getKind() == ExprKind::Var)
        used.push_back(inner->var);
      bound.append(inner->vars.begin(), inner->vars.end());
    });
    if (llvm::any_of(used, [&](unsigned var) {
          return var >= test.form.shape.size() &&
                 !llvm::is_contained(bound, var);
        }))
      return;
    Options naive, fast;
    naive.domain = fast.domain = domain;
    naive.naive = true;
    IndexForm part{test.form.shape, node->type, node};
    std::string error;
    FailureOr<Tensor> a = evaluateForm(part, operands, {}, naive, error);
    FailureOr<Tensor> b = evaluateForm(part, operands, {}, fast, error);
    bool isNumber =
        isa<FloatType>(node->type) && domain.kind != Domain::Kind::Field;
    if (succeeded(a) != succeeded(b) ||
        (succeeded(a) && !isSame(*a, *b, isNumber)))
      found = node.str();
  });
  return found;
}

void expectSame(const FormCase &test, Domain domain) {
  std::vector<Tensor> operands = convertOperands(test.operands, domain);
  Options naive, fast;
  naive.domain = fast.domain = domain;
  naive.naive = true;
  fast.threads = 2;
  std::string naiveError, fastError;
  FailureOr<Tensor> expected =
      evaluateForm(test.form, operands, {}, naive, naiveError);
  FailureOr<Tensor> actual =
      evaluateForm(test.form, operands, {}, fast, fastError);
  ASSERT_EQ(succeeded(expected), succeeded(actual))
      << naiveError << " / " << fastError << "\n"
      << test.form.body.str();
  if (failed(expected))
    return;
  bool isNumber = isa<FloatType>(test.form.elementType) &&
                  domain.kind != Domain::Kind::Field;
  EXPECT_TRUE(isSame(*expected, *actual, isNumber))
      << "domain " << static_cast<int>(domain.kind) << "\n"
      << test.form.body.str() << "\nin " << findDifference(test, domain);
}

const Domain domains[] = {
    {Domain::Kind::F64, 0}, {Domain::Kind::F32, 0}, {Domain::Kind::Field, 7}};

class FormEvaluators : public ::testing::Test {
protected:
  MLIRContext context;
  Builder builder{&context};
};

TEST_F(FormEvaluators, AgreeOnRandomForms) {
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    std::mt19937_64 random(seed);
    FormCase test = makeRandomForm(random, &context);
    for (Domain domain : domains) {
      expectSame(test, domain);
      ASSERT_FALSE(HasFailure()) << "seed " << seed;
    }
  }
}

Tensor makeRamp(Type type, ArrayRef<int64_t> shape, std::mt19937_64 &random) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  std::vector<double> values;
  for (int64_t number = 0; number < count; ++number)
    values.push_back(isa<FloatType>(type)
                         ? static_cast<float>(random() % 1000) / 300 - 1.5
                         : static_cast<double>(random() % 100) - 50);
  return Tensor::of(type, shape, values);
}

/// Convolutions of all kinds of sizes, strides, pads and groups, in both
/// layouts: what the blocked sums of products must get right.
TEST_F(FormEvaluators, AgreeOnConvolutions) {
  std::mt19937_64 random(11);
  for (unsigned round = 0; round < 60; ++round) {
    auto below = [&](int64_t end) { return int64_t(random() % end); };
    Type type = round % 4 == 3 ? Type(builder.getI32Type())
                               : Type(builder.getF32Type());
    bool channelsLast = below(2);
    int64_t groups = 1 + below(3), in = groups * (1 + below(3)),
            out = groups * (1 + below(9));
    int64_t n = 1 + below(2), h = 3 + below(8), w = 3 + below(30);
    int64_t kh = 1 + below(3), kw = 1 + below(3), pad = below(3),
            stride = 1 + below(2);
    int64_t oh = (h + 2 * pad - kh) / stride + 1,
            ow = (w + 2 * pad - kw) / stride + 1;
    unsigned o = channelsLast ? 3 : 1, y = channelsLast ? 1 : 2, x = y + 1;
    Expr channel = Expr::addIndex(
        Expr::mulIndex(
            Expr::floorDivIndex(Expr::var(o), Expr::index(out / groups)),
            Expr::index(in / groups)),
        Expr::var(4));
    auto position = [&](unsigned axis, unsigned tap) {
      return Expr::addIndex(
          Expr::addIndex(Expr::mulIndex(Expr::var(axis), Expr::index(stride)),
                         Expr::var(tap)),
          Expr::index(-pad));
    };
    Expr row = position(y, 5), column = position(x, 6);
    auto inside = [&](Expr index, int64_t size) {
      return Expr::logicalAnd(Expr::lessEqual(Expr::index(0), index),
                              Expr::less(index, Expr::index(size)));
    };
    SmallVector<Expr> at = {Expr::var(0), channel, row, column};
    if (channelsLast)
      at = {Expr::var(0), row, column, channel};
    Expr product = Expr::apply(
        ScalarFn::Mul,
        {Expr::load(0, at, type),
         Expr::load(1, {Expr::var(o), Expr::var(4), Expr::var(5), Expr::var(6)},
                    type)});
    FormCase test;
    test.form.elementType = type;
    test.form.shape =
        channelsLast ? Shape{n, oh, ow, out} : Shape{n, out, oh, ow};
    test.form.body = Expr::reduce(
        ReduceKind::Sum, {4, 5, 6},
        {Expr::index(in / groups), Expr::index(kh), Expr::index(kw)},
        Expr::logicalAnd(inside(row, h), inside(column, w)), product);
    test.operands = {makeRamp(type,
                              channelsLast ? ArrayRef<int64_t>{n, h, w, in}
                                           : ArrayRef<int64_t>{n, in, h, w},
                              random),
                     makeRamp(type, {out, in / groups, kh, kw}, random)};
    if (round % 10 == 0 && isa<FloatType>(type))
      test.operands[1].data()[0].number = HUGE_VAL;
    for (Domain domain : domains)
      expectSame(test, domain);
    ASSERT_FALSE(HasFailure()) << "round " << round;
  }
}

TEST_F(FormEvaluators, AgreeOnMatrixProducts) {
  std::mt19937_64 random(12);
  for (unsigned round = 0; round < 40; ++round) {
    auto below = [&](int64_t end) { return int64_t(random() % end); };
    Type types[] = {builder.getF64Type(), builder.getF32Type(),
                    builder.getF16Type(), builder.getI8Type(),
                    builder.getI64Type()};
    Type type = types[round % 5];
    Type sum = type.isF16() ? builder.getF32Type() : type;
    int64_t batch = 1 + below(3), m = 1 + below(20), n = 1 + below(140),
            k = 1 + below(round % 3 ? 20 : 600);
    bool shared = below(2), transposed = below(2);
    SmallVector<Expr> left = {Expr::var(0), Expr::var(1), Expr::var(3)};
    SmallVector<Expr> right = {Expr::var(3), Expr::var(2)};
    SmallVector<int64_t> rightShape = {k, n};
    if (transposed) {
      std::swap(right[0], right[1]);
      std::swap(rightShape[0], rightShape[1]);
    }
    if (!shared) {
      right.insert(right.begin(), Expr::var(0));
      rightShape.insert(rightShape.begin(), batch);
    }
    FormCase test;
    test.form.elementType = type;
    test.form.shape = {batch, m, n};
    test.form.body = Expr::cast(
        Expr::reduce(
            ReduceKind::Sum, {3}, {Expr::index(k)}, Expr::always(),
            Expr::apply(ScalarFn::Mul,
                        {Expr::cast(Expr::load(0, left, type), sum),
                         Expr::cast(Expr::load(1, right, type), sum)})),
        type);
    test.operands = {makeRamp(type, {batch, m, k}, random),
                     makeRamp(type, rightShape, random)};
    for (Domain domain : domains)
      expectSame(test, domain);
    ASSERT_FALSE(HasFailure()) << "round " << round;
  }
}

TEST_F(FormEvaluators, ReportReadsOutside) {
  Type f32 = builder.getF32Type();
  FormCase test;
  test.form.elementType = f32;
  test.form.shape = {SymInt(3)};
  test.form.body =
      Expr::load(0, {Expr::addIndex(Expr::var(0), Expr::index(1))}, f32);
  test.operands = {Tensor::of(f32, {3}, {1, 2, 3})};
  for (bool naive : {false, true}) {
    Options options;
    options.naive = naive;
    std::string error;
    EXPECT_TRUE(
        failed(evaluateForm(test.form, test.operands, {}, options, error)));
    EXPECT_EQ(error, "reads operand 0 at [3], outside of its shape [3]");
  }
}

TEST_F(FormEvaluators, NameSizesThatAreNotKnown) {
  FormCase test;
  test.form.elementType = builder.getI64Type();
  test.form.shape = {SymInt::symbol("n") * SymInt(2)};
  test.form.body = Expr::fromIndex(Expr::var(0), builder.getI64Type());
  std::string error;
  EXPECT_TRUE(failed(evaluateForm(test.form, {}, {}, {}, error)));
  EXPECT_EQ(error, "size '2 * n' is not known");
  Symbols symbols;
  symbols["n"] = 2;
  FailureOr<Tensor> result = evaluateForm(test.form, {}, symbols, {}, error);
  ASSERT_TRUE(succeeded(result));
  EXPECT_EQ(result->getNumElements(), 4);
  EXPECT_EQ(result->data()[3].integer, 3);
}

/// The field domain keeps the laws of rings, which rounding breaks.
TEST_F(FormEvaluators, FieldIsExact) {
  Type f32 = builder.getF32Type();
  Expr x = Expr::load(0, {Expr::var(0)}, f32);
  Expr third = Expr::apply(ScalarFn::Div, {x, Expr::constant(3, f32)});
  FormCase test;
  test.form.elementType = f32;
  test.form.shape = {SymInt(2)};
  test.form.body = Expr::apply(
      ScalarFn::Sub,
      {Expr::apply(ScalarFn::Add,
                   {third, Expr::apply(ScalarFn::Add, {third, third})}),
       x});
  Domain field{Domain::Kind::Field, 1};
  Options options;
  options.domain = field;
  std::string error;
  FailureOr<Tensor> result = evaluateForm(
      test.form, {toDomain(Tensor::of(f32, {2}, {0.1, 1e20}), field)}, {},
      options, error);
  ASSERT_TRUE(succeeded(result));
  EXPECT_EQ(result->data()[0].residue, 0u);
  EXPECT_EQ(result->data()[1].residue, 0u);
}
} // namespace
