//===- Contraction.cpp - recognition of sums of products ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Contraction.h"
#include "../Guards.h"
#include "Lanes.h"
#include "tenon/Dialect/Graph/Analysis/SizeEstimate.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

namespace {
/// With fewer rows or columns, the op is (almost) a matrix-vector product:
/// reading the matrix dominates, and tiles would be nearly empty.
constexpr int64_t kLeastRows = 4, kLeastTerms = 8;
/// Variables that represent parts of other variables have numbers above all
/// others.
constexpr unsigned kFirstPart = 1u << 20;
/// The number of terms that are read from several taps in turn before the next
/// terms.
constexpr int64_t kTapTerms = 32;

class Matcher {
public:
  Matcher(const LoopPlan &plan, const LowerOptions &options)
      : plan(plan), options(options), shape(plan.loops.front().shape) {}

  bool run();

  Contraction result;

private:
  bool readsOwnIndex(const Expr &load) const;
  bool findSum();
  void chooseVars();
  void splitVar(LoopVar loop, LoopVars &into);
  Expr replaceVars(const Expr &root) const;
  void divide();
  bool distributeGuard(const Expr &guard);
  void chooseTypes();
  bool isWorthwhile() const;
  void orderTerms();
  double score(const Contraction &candidate) const;

  const LoopPlan &plan;
  const LowerOptions &options;
  const Shape &shape;
  Expr reduce;
  LoopVars resultVars;
  llvm::DenseMap<unsigned, Expr> values; // of replaced variables
  /// Quotients and remainders of a variable become variables: by divisor, the
  /// number of the first.
  llvm::DenseMap<unsigned, std::pair<SymInt, unsigned>> parts;
  unsigned nextPart = kFirstPart;
};
} // namespace

static Expr linearPosition(ArrayRef<SymInt> shape, size_t firstAxis) {
  Expr position = Expr::index(0);
  SymInt stride = 1;
  for (size_t axis = shape.size(); axis-- > firstAxis;) {
    if (shape[axis].getConstant() != 1)
      position = Expr::addIndex(
          Expr::mulIndex(Expr::var(axis), Expr::size(stride)), position);
    stride = stride * shape[axis];
  }
  return position;
}

static bool isSameOffset(const Expr &index, const Expr &other) {
  std::optional<AffineForm> a = getAffineForm(index);
  std::optional<AffineForm> b = getAffineForm(other);
  if (!a || !b || a->constant != b->constant)
    return false;
  auto covers = [](const AffineForm &x, const AffineForm &y) {
    return llvm::all_of(x.coefficients, [&](const auto &entry) {
      return y.coefficient(entry.first) == entry.second;
    });
  };
  return covers(*a, *b) && covers(*b, *a);
}

/// Indices of row-local kernel loops count from the start of the row.
bool Matcher::readsOwnIndex(const Expr &load) const {
  if (load->operands.size() != 1)
    return false;
  bool isStored = plan.loops[load->operand - plan.numInputs].output >= 0;
  return isSameOffset(load->operands[0],
                      linearPosition(shape, isStored ? 0 : plan.numRowDims));
}

bool Matcher::findSum() {
  unsigned numSums = 0;
  bool fits = true;
  for (auto [number, kernelLoop] : llvm::enumerate(plan.loops)) {
    fits &= ArrayRef<SymInt>(kernelLoop.shape) == ArrayRef<SymInt>(shape);
    walk(kernelLoop.body, [&, number = number](Expr node) {
      if (node.getKind() == ExprKind::Reduce) {
        ++numSums;
        reduce = node;
        fits &= number == 0;
      } else if (node.getKind() == ExprKind::Load) {
        fits &= node->operands.size() == 1;
        if (node->operand >= plan.numInputs)
          fits &=
              node->operand < plan.numInputs + number && readsOwnIndex(node);
      }
    });
  }
  if (!fits || numSums != 1 || reduce->reduce != ReduceKind::Sum ||
      !reduce->type.isF32())
    return false;
  for (const SymInt &size : shape)
    if (size.isUnknown())
      return false;
  for (const Expr &extent : ArrayRef<Expr>(reduce->operands).drop_back(2))
    if (extent.getKind() != ExprKind::Size || extent->size.isUnknown())
      return false;
  const Expr &term = reduce->operands.back();
  return term.getKind() == ExprKind::Apply && term->fn == ScalarFn::Mul;
}

/// A variable whose quotients and remainders are all taken by the same divisor
/// becomes two variables: groups of channels, and the channels of a group.
void Matcher::splitVar(LoopVar loop, LoopVars &into) {
  std::optional<SymInt> divisor;
  bool isOne = true;
  walk(reduce, [&](Expr node) {
    if (node.getKind() != ExprKind::IndexFloorDiv &&
        node.getKind() != ExprKind::IndexMod)
      return;
    const Expr &of = node->operands[0], &by = node->operands[1];
    if (of.getKind() != ExprKind::Var || of->var != loop.var ||
        by.getKind() != ExprKind::Size)
      return;
    isOne &= !divisor || *divisor == by->size;
    divisor = by->size;
  });
  std::optional<int64_t> lowest =
      divisor ? divisor->lowerBound(1) : std::nullopt;
  if (!isOne || !lowest || *lowest < 1 ||
      loop.size.floorDiv(*divisor) * *divisor != loop.size) {
    into.push_back(std::move(loop));
    return;
  }
  unsigned quotient = nextPart++, remainder = nextPart++;
  into.push_back({quotient, loop.size.floorDiv(*divisor)});
  into.push_back({remainder, *divisor});
  values[loop.var] =
      Expr::addIndex(Expr::mulIndex(Expr::var(quotient), Expr::size(*divisor)),
                     Expr::var(remainder));
  parts[loop.var] = {*divisor, quotient};
}

Expr Matcher::replaceVars(const Expr &root) const {
  return rewrite(root, [&](Expr node) -> Expr {
    if (node.getKind() == ExprKind::Var)
      return values.lookup(node->var);
    if ((node.getKind() == ExprKind::IndexFloorDiv ||
         node.getKind() == ExprKind::IndexMod) &&
        node->operands[0].getKind() == ExprKind::Var &&
        node->operands[1].getKind() == ExprKind::Size) {
      auto it = parts.find(node->operands[0]->var);
      if (it != parts.end() && it->second.first == node->operands[1]->size)
        return Expr::var(it->second.second +
                         (node.getKind() == ExprKind::IndexMod ? 1 : 0));
    }
    return {};
  });
}

/// Chooses the variables, and expresses everything in terms of them.
void Matcher::chooseVars() {
  auto choose = [&](unsigned var, const SymInt &size, LoopVars &into) {
    if (size.getConstant() == 1)
      values[var] = Expr::index(0);
    else
      splitVar({var, size}, into);
  };
  for (auto [axis, size] : llvm::enumerate(shape))
    choose(axis, size, resultVars);
  for (auto [number, var] : llvm::enumerate(reduce->vars))
    choose(var, reduce->operands[number]->size, result.terms);

  // A load that refers to no buffer represents the sum.
  result.sum = Expr::load(plan.numInputs + plan.loops.size(), {}, reduce->type);
  result.epilogue = plan;
  for (KernelLoop &kernelLoop : result.epilogue.loops)
    kernelLoop.body =
        replaceVars(rewrite(kernelLoop.body, [&](Expr node) -> Expr {
          return node.getPointer() == reduce.getPointer() ? result.sum : Expr();
        }));
  result.position = replaceVars(linearPosition(shape, 0));
  const Expr &term = reduce->operands.back();
  result.a.element = replaceVars(term->operands[0]);
  result.b.element = replaceVars(term->operands[1]);
  result.a.guard = result.b.guard = Expr::always();
}

/// Determines which variables are rows, columns and batches.
void Matcher::divide() {
  SmallVector<int> users; // 1: of the first factor, 2: of the second, 3: both
  for (const LoopVar &loop : resultVars)
    users.push_back((usesVar(result.a.element, loop.var) ? 1 : 0) |
                    (usesVar(result.b.element, loop.var) ? 2 : 0));
  // Neighbours in the result become columns.
  int last = 0;
  for (int user : users)
    if (user == 1 || user == 2)
      last = user;
  if (last == 1) {
    std::swap(result.a, result.b);
    for (int &user : users)
      user = user == 1 ? 2 : user == 2 ? 1 : user;
  }
  for (auto [loop, user] : llvm::zip(resultVars, users))
    (user == 1   ? result.rows
     : user == 2 ? result.columns
                 : result.batch)
        .push_back(loop);
}

/// Multiplies the condition into the factor whose variables it depends on,
/// which is then zero if the condition does not hold.
bool Matcher::distributeGuard(const Expr &guard) {
  if (guard.getKind() != ExprKind::True && !options.numerics.mayReassociate())
    return false;
  bool fits = true;
  forEachConjunct(replaceVars(guard), [&](Expr condition) {
    auto uses = [&](const LoopVars &vars) {
      return llvm::any_of(vars, [&](const LoopVar &loop) {
        return usesVar(condition, loop.var);
      });
    };
    walk(condition,
         [&](Expr node) { fits &= node.getKind() != ExprKind::Load; });
    ContractionFactor &factor = uses(result.columns) ? result.b : result.a;
    fits &= !uses(result.columns) || !uses(result.rows);
    factor.guard = Expr::logicalAnd(factor.guard, condition);
  });
  return fits;
}

/// Returns the factor before its conversion to the type of the sum.
static Expr stripCast(const Expr &element) {
  if (element.getKind() != ExprKind::Cast)
    return element;
  Type from = element->operands[0]->type;
  return from.isF16() || from.isBF16() ? element->operands[0] : element;
}

void Matcher::chooseTypes() {
  Expr a = stripCast(result.a.element), b = stripCast(result.b.element);
  Type f32 = reduce->type;
  result.a.type = result.b.type = f32;
  if (!options.numerics.mayReassociate())
    return;
  if (a->type == b->type && (a->type.isF16() || a->type.isBF16())) {
    result.useTensorCores = true;
    result.a.type = result.b.type = a->type;
    result.a.element = a;
    result.b.element = b;
  } else {
    result.useTensorCores = options.numerics.mayRoundFactors();
  }
}

bool Matcher::isWorthwhile() const {
  auto isTiny = [](const LoopVars &vars, int64_t least) {
    std::optional<int64_t> count = countOf(vars).getConstant();
    return count && *count < least;
  };
  return !isTiny(result.rows, kLeastRows) &&
         !isTiny(result.columns, kLeastRows) &&
         !isTiny(result.terms, kLeastTerms);
}

/// Returns how efficiently the factors can be read.
double Matcher::score(const Contraction &candidate) const {
  double score = 0;
  auto add = [&](ContractionFactor factor, const LoopVars &rows) {
    factor.terms = candidate.terms;
    factor.rows = rows;
    factor.batch = candidate.batch;
    simplifyFactor(factor);
    FactorAccess access =
        analyzeAccess(factor, kWidestAccess / byteWidth(factor.type));
    score += estimateSize(countOf(rows)) * (access.lanes > 1     ? 4
                                            : access.isCoalesced ? 1
                                                                 : 0);
  };
  add(candidate.a, candidate.rows);
  add(candidate.b, candidate.columns);
  return score;
}

/// If sums may be reassociated, a variable along which a factor is contiguous
/// in memory becomes the last. A long variable is split, so that elements that
/// the other factor reads with gaps are read again soon.
void Matcher::orderTerms() {
  if (!options.numerics.mayReassociate() || result.terms.size() < 2)
    return;
  Contraction best = result;
  double bestScore = score(result);
  for (size_t number = 0; number + 1 < result.terms.size(); ++number) {
    Contraction candidate = result;
    LoopVar loop = candidate.terms[number];
    std::optional<int64_t> size = loop.size.getConstant();
    if (size && *size > kTapTerms && *size % kTapTerms == 0) {
      unsigned outer = nextPart, inner = nextPart + 1;
      Expr value = Expr::addIndex(
          Expr::mulIndex(Expr::var(outer), Expr::index(kTapTerms)),
          Expr::var(inner));
      for (ContractionFactor *factor : {&candidate.a, &candidate.b})
        for (Expr *root : {&factor->element, &factor->guard})
          *root = rewrite(*root, [&](Expr node) -> Expr {
            return node.getKind() == ExprKind::Var && node->var == loop.var
                       ? value
                       : Expr();
          });
      candidate.terms[number] = {outer, SymInt(*size / kTapTerms)};
      candidate.terms.push_back({inner, SymInt(kTapTerms)});
    } else {
      candidate.terms.erase(candidate.terms.begin() + number);
      candidate.terms.push_back(loop);
    }
    double candidateScore = score(candidate);
    if (candidateScore > bestScore) {
      best = std::move(candidate);
      bestScore = candidateScore;
    }
  }
  result = std::move(best);
}

bool Matcher::run() {
  if (!findSum())
    return false;
  chooseVars();
  divide();
  if (!distributeGuard(reduce->operands[reduce->operands.size() - 2]) ||
      !isWorthwhile())
    return false;
  bool readsBuffers = true;
  for (const ContractionFactor *factor : {&result.a, &result.b})
    walk(factor->element, [&](Expr node) {
      if (node.getKind() == ExprKind::Load)
        readsBuffers &= node->operand < plan.numInputs;
    });
  if (!readsBuffers)
    return false;
  chooseTypes();
  orderTerms();
  result.a.rows = result.rows;
  result.b.rows = result.columns;
  for (ContractionFactor *factor : {&result.a, &result.b}) {
    factor->batch = result.batch;
    factor->terms = result.terms;
    simplifyFactor(*factor);
  }
  return true;
}

std::optional<Contraction>
tenon::lower::matchContraction(const LoopPlan &plan,
                               const LowerOptions &options) {
  if (plan.loops.empty())
    return std::nullopt;
  Matcher matcher(plan, options);
  if (!matcher.run())
    return std::nullopt;
  return std::move(matcher.result);
}
