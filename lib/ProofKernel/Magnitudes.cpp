//===- Magnitudes.cpp - how large elements may be -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Magnitudes.h"

#include "tenon/Dialect/Graph/IR/Graph.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <map>
#include <set>

using namespace mlir;
using namespace tenon;
using namespace tenon::prove;
using graph::Expr;
using graph::ExprKind;
using graph::ReduceKind;
using graph::ScalarFn;

static constexpr double infinity = std::numeric_limits<double>::infinity();
/// The largest number of elements of a sum, as a power of 2.
static constexpr double mostElements = 20;

/// What is assumed of the elements of operands: between 1/R and R, or all 1.
/// For ones, how many are added and how they cancel is not counted: bounds for
/// that are too rough to compare the sides, which may group the same sums in
/// other ways.
enum class Elements { UpToR, Ones };

/// The largest magnitude of an element of an operand, as a power of 2. For f16
/// it is so small that products fit.
static double getLargest(Type type, Elements elements) {
  if (elements == Elements::Ones)
    return 0;
  return std::log2(type.isF16() ? 1e2 : 1e4);
}

namespace {
/// All as powers of 2.
struct Magnitude {
  /// No larger than this.
  double most = -infinity;
  /// If it is not 0, the error bound (ErrorForm.h) is no smaller: what is lost
  /// by an underflow is less than what is rounded.
  double least = infinity;
  /// If it is not 0, it is no smaller; -infinity if it may cancel. A divisor
  /// is not 0, since both sides divide by it.
  double smallest = infinity;
  /// Never 0 and never negative.
  bool isPositive = false, isNotNegative = false;
  /// By which powers of a number it grows if all operands are multiplied by it;
  /// the empty interval for 0.
  double lowPower = infinity, highPower = -infinity;
};

class Magnitudes {
public:
  Magnitudes(const OperandSigns &signs, Elements elements)
      : signs(signs), elements(elements) {}
  const Magnitude &get(const Expr &element);

private:
  Magnitude compute(const Expr &element);
  Magnitude computeApply(const Expr &apply);
  Magnitude computeReduce(const Expr &reduce);

  double getCancelled() const { return elements == Elements::Ones ? 0 : 24; }

  const OperandSigns &signs;
  Elements elements;
  std::map<const graph::ExprNode *, Magnitude> done;
};
} // namespace

/// Of an element between 1/2^largest and 2^largest.
static Magnitude getAny(double largest, double power) {
  Magnitude any;
  any.most = largest;
  any.least = any.smallest = -largest;
  any.lowPower = any.highPower = power;
  return any;
}

/// One of the two.
static Magnitude getEither(const Magnitude &a, const Magnitude &b) {
  Magnitude either;
  either.most = std::max(a.most, b.most);
  either.least = std::min(a.least, b.least);
  either.smallest = std::min(a.smallest, b.smallest);
  either.isPositive = a.isPositive && b.isPositive;
  either.isNotNegative = a.isNotNegative && b.isNotNegative;
  either.lowPower = std::min(a.lowPower, b.lowPower);
  either.highPower = std::max(a.highPower, b.highPower);
  return either;
}

/// `growth` is the power of 2 by which it may exceed both.
static Magnitude getSum(const Magnitude &a, const Magnitude &b, bool subtracts,
                        double growth) {
  Magnitude sum = getEither(a, b);
  if (std::isfinite(a.most) && std::isfinite(b.most))
    sum.most += growth;
  sum.isNotNegative = !subtracts && a.isNotNegative && b.isNotNegative;
  sum.isPositive = sum.isNotNegative && (a.isPositive || b.isPositive);
  if (!sum.isNotNegative && std::isfinite(a.most) && std::isfinite(b.most))
    sum.smallest = -infinity;
  // A summand that is never 0 is a lower bound of the sum.
  for (const Magnitude *one : {&a, &b})
    if (sum.isNotNegative && one->isPositive)
      sum.smallest = std::max(sum.smallest, one->smallest);
  return sum;
}

/// Whether it grows by the highest power: nothing cancels.
static bool reaches(const Magnitude &magnitude) {
  return magnitude.smallest > -infinity;
}

static Magnitude getProduct(const Magnitude &a, const Magnitude &b,
                            double cancelled) {
  Magnitude product;
  product.most = a.most + b.most;
  product.least = a.least + b.least;
  // Both factors may cancel, to their last bit.
  if (!reaches(a) && !reaches(b))
    product.least -= cancelled;
  product.smallest = a.smallest + b.smallest;
  product.isPositive = a.isPositive && b.isPositive;
  product.isNotNegative = a.isNotNegative && b.isNotNegative;
  product.lowPower = a.lowPower + b.lowPower;
  product.highPower = a.highPower + b.highPower;
  return product;
}

static Magnitude getInverse(const Magnitude &a) {
  Magnitude inverse;
  inverse.most = -a.smallest;
  inverse.least = inverse.smallest = -a.most;
  inverse.isPositive = a.isPositive;
  inverse.isNotNegative = a.isNotNegative;
  inverse.lowPower = -a.highPower;
  inverse.highPower = -a.lowPower;
  return inverse;
}

static Magnitude getRoot(Magnitude a) {
  for (double *bound :
       {&a.most, &a.least, &a.smallest, &a.lowPower, &a.highPower})
    *bound /= 2;
  a.isNotNegative = true;
  return a;
}

const Magnitude &Magnitudes::get(const Expr &element) {
  auto it = done.find(element.getPointer());
  if (it != done.end())
    return it->second;
  Magnitude magnitude = compute(element);
  return done[element.getPointer()] = magnitude;
}

Magnitude Magnitudes::compute(const Expr &element) {
  switch (element.getKind()) {
  case ExprKind::Constant: {
    // An infinity that is meant is none that a product became.
    Magnitude constant;
    double number = std::abs(element->number);
    if (number != 0 && std::isfinite(number)) {
      constant = getAny(0, 0);
      constant.most = constant.least = constant.smallest = std::log2(number);
      constant.isPositive = element->number > 0;
    }
    constant.isNotNegative = element->number >= 0;
    return constant;
  }
  case ExprKind::FromIndex: {
    Magnitude index = getAny(elements == Elements::Ones ? 0 : mostElements, 0);
    index.least = index.smallest = 0;
    index.isNotNegative = true;
    return index;
  }
  case ExprKind::Cast:
    if (graph::isFloat(element->operands[0]->type) ||
        element->operands[0].getKind() == ExprKind::FromIndex)
      return get(element->operands[0]);
    return getAny(getLargest(element->type, elements), 0);
  case ExprKind::Select:
    return getEither(get(element->operands[1]), get(element->operands[2]));
  case ExprKind::Reduce:
    return computeReduce(element);
  case ExprKind::Apply:
    return computeApply(element);
  default: {
    Magnitude operand = getAny(getLargest(element->type, elements), 1);
    operand.isPositive = signs.positive.count(element->operand);
    operand.isNotNegative =
        operand.isPositive || signs.notNegative.count(element->operand);
    return operand;
  }
  }
}

Magnitude Magnitudes::computeReduce(const Expr &reduce) {
  Magnitude all = get(reduce->operands.back());
  double count = 0;
  bool isKnown = true;
  for (const Expr &extent :
       ArrayRef(reduce->operands).take_front(reduce->vars.size())) {
    std::optional<int64_t> size;
    if (extent.getKind() == ExprKind::Size)
      size = extent->size.getConstant();
    isKnown &= size.has_value();
    count += size ? std::log2(std::max<int64_t>(*size, 1)) : 0;
  }
  if (!isKnown)
    count = std::max(count, mostElements);
  if (elements == Elements::Ones)
    count = 0;
  switch (reduce->reduce) {
  case ReduceKind::Sum:
    all.most += count;
    // There may be no element.
    all.isPositive = false;
    if (!all.isNotNegative)
      all.smallest = -infinity;
    return all;
  case ReduceKind::Prod:
    all.most = infinity;
    all.least = all.smallest = -infinity;
    all.highPower = infinity;
    return all;
  case ReduceKind::Max:
  case ReduceKind::Min:
    return all;
  }
  llvm_unreachable("unknown reduction");
}

/// Whether a sum is divided by the number of its elements.
static bool isMean(const Expr &sum, const Expr &count) {
  if (sum.getKind() != ExprKind::Reduce || sum->reduce != ReduceKind::Sum)
    return false;
  graph::SymInt elements(1);
  for (const Expr &extent :
       ArrayRef(sum->operands).take_front(sum->vars.size()))
    elements = extent.getKind() == ExprKind::Size ? elements * extent->size
                                                  : graph::SymInt::unknown();
  const Expr &number =
      count.getKind() == ExprKind::Cast ? count->operands[0] : count;
  return number.getKind() == ExprKind::FromIndex &&
         number->operands[0].getKind() == ExprKind::Size &&
         !elements.isUnknown() && number->operands[0]->size == elements;
}

Magnitude Magnitudes::computeApply(const Expr &apply) {
  ArrayRef<Expr> args = apply->operands;
  const ScalarFn fn = apply->fn;
  if (fn == ScalarFn::Add || fn == ScalarFn::Sub)
    return getSum(get(args[0]), get(args[1]), fn == ScalarFn::Sub,
                  elements == Elements::Ones ? 0 : 1);
  if (fn == ScalarFn::Mul) {
    Magnitude product = getProduct(get(args[0]), get(args[1]), getCancelled());
    product.isNotNegative |= isSquare(args[0], args[1]);
    return product;
  }
  if (fn == ScalarFn::Div) {
    Magnitude quotient =
        getProduct(get(args[0]), getInverse(get(args[1])), getCancelled());
    // A mean is no larger than the largest element, and an n-th part of the
    // smallest.
    if (isMean(args[0], args[1]))
      quotient.most = get(args[0]->operands.back()).most;
    return quotient;
  }
  if (fn == ScalarFn::Neg) {
    Magnitude negated = get(args[0]);
    negated.isPositive = negated.isNotNegative = false;
    return negated;
  }
  if (fn == ScalarFn::Abs) {
    Magnitude absolute = get(args[0]);
    absolute.isNotNegative = true;
    return absolute;
  }
  if (fn == ScalarFn::Sqrt)
    return getRoot(get(args[0]));
  if (fn == ScalarFn::Max || fn == ScalarFn::Min)
    return getEither(get(args[0]), get(args[1]));
  const graph::ScalarFacts &facts = graph::getFacts(apply->fn);
  double largest = getLargest(apply->type, elements);
  bool isBounded =
      std::isfinite(facts.range.low) && std::isfinite(facts.range.high);
  Magnitude value = getAny(largest, isBounded ? 0 : 1);
  if (isBounded)
    value.most = std::log2(
        std::max(std::abs(facts.range.low), std::abs(facts.range.high)));
  value.isNotNegative = facts.range.low >= 0;
  return value;
}

/// The elements that a result may be, or be the negative of.
static void collectResults(const Expr &result,
                           std::set<const graph::ExprNode *> &results) {
  results.insert(result.getPointer());
  bool isSelect = result.getKind() == ExprKind::Select;
  if (isSelect || result.getKind() == ExprKind::Cast ||
      (result.getKind() == ExprKind::Apply && result->fn == ScalarFn::Neg))
    for (const Expr &one : ArrayRef(result->operands).drop_front(isSelect))
      collectResults(one, results);
}

static bool isComputed(const Expr &node) {
  return node.getSort() == graph::ExprSort::Element &&
         graph::isFloat(node->type) && node.getKind() != ExprKind::Load &&
         node.getKind() != ExprKind::Constant;
}

static std::string printPower(double power) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.1f", power);
  return text;
}

/// For each function that has no bound, by how many reductions it is enclosed
/// at least: only one side computes the argument of one that leaves a sum over
/// no elements.
static void
collectDepths(const Expr &expr, unsigned depth,
              std::set<std::pair<const graph::ExprNode *, unsigned>> &seen,
              std::map<ScalarFn, unsigned> &depths) {
  if (!seen.insert({expr.getPointer(), depth}).second)
    return;
  if (expr.getKind() == ExprKind::Apply) {
    const graph::ScalarInterval &range = graph::getFacts(expr->fn).range;
    bool isBounded = std::isfinite(range.low) && std::isfinite(range.high);
    // Of a root, the magnitude is known; of a negation, too.
    bool isKnown = expr->fn == ScalarFn::Sqrt || expr->fn == ScalarFn::Neg ||
                   expr->fn == ScalarFn::Abs;
    if (!isBounded && !isKnown && graph::getFacts(expr->fn).arity == 1) {
      auto [it, isNew] = depths.try_emplace(expr->fn, depth);
      it->second = std::min(it->second, depth);
    }
  }
  for (const Expr &operand : expr->operands)
    collectDepths(operand, depth + (expr.getKind() == ExprKind::Reduce), seen,
                  depths);
}

static std::map<ScalarFn, unsigned>
getDepths(ArrayRef<graph::IndexForm> forms) {
  std::map<ScalarFn, unsigned> depths;
  std::set<std::pair<const graph::ExprNode *, unsigned>> seen;
  for (const graph::IndexForm &form : forms)
    collectDepths(form.body, 0, seen, depths);
  return depths;
}

namespace {
/// Elements 0 or of magnitude f stand for operands that are all large alike
/// (f > 1) or all small alike. These are the powers of 2 that f, or 1/f, has to
/// exceed before a value may leave the range of its type.
struct Margins {
  double overflowLarge = infinity, underflowLarge = infinity;
  double overflowSmall = infinity, underflowSmall = infinity;
  /// The power of f by which a value grows in any case: nothing cancels. That
  /// of an operand is 1.
  double reached = 1;

  Margins() = default;
  Margins(const Magnitude &ofOnes, const llvm::fltSemantics &semantics);
  void operator&=(const Margins &other);
};
} // namespace

static double getMaxExponent(const llvm::fltSemantics &semantics) {
  return APFloat::semanticsMaxExponent(semantics) + 1;
}

Margins::Margins(const Magnitude &ofOnes, const llvm::fltSemantics &semantics) {
  double above = getMaxExponent(semantics) - ofOnes.most;
  double below = ofOnes.least - APFloat::semanticsMinExponent(semantics);
  if (ofOnes.highPower > 0) {
    overflowLarge = above / ofOnes.highPower;
    underflowSmall = below / ofOnes.highPower;
    if (reaches(ofOnes))
      reached = std::max(reached, ofOnes.highPower);
  }
  if (ofOnes.lowPower < 0) {
    overflowSmall = above / -ofOnes.lowPower;
    underflowLarge = below / -ofOnes.lowPower;
  }
}

void Margins::operator&=(const Margins &other) {
  overflowLarge = std::min(overflowLarge, other.overflowLarge);
  underflowLarge = std::min(underflowLarge, other.underflowLarge);
  overflowSmall = std::min(overflowSmall, other.overflowSmall);
  underflowSmall = std::min(underflowSmall, other.underflowSmall);
  reached = std::max(reached, other.reached);
}

static const llvm::fltSemantics &getSemantics(const Expr &node) {
  return cast<FloatType>(node->type).getFloatSemantics();
}

/// Whether a value of the target leaves the range where all operands are large
/// or small alike, and no value of the source does.
static bool isLessSafe(const Magnitude &ofOnes, const Expr &node,
                       Margins source) {
  const llvm::fltSemantics &semantics = getSemantics(node);
  // Operands and constants.
  source &= Margins(getAny(0, 1), semantics);
  Margins target(ofOnes, semantics);
  // In f16, also ask for a power that the source does not reach if it cancels.
  if (node->type.isF16() && target.reached > source.reached)
    return true;
  return target.overflowLarge < source.overflowLarge ||
         target.underflowLarge < source.underflowLarge ||
         target.overflowSmall < source.overflowSmall ||
         target.underflowSmall < source.underflowSmall;
}

std::string prove::findRangeLoss(ArrayRef<graph::IndexForm> source,
                                 ArrayRef<graph::IndexForm> target,
                                 const OperandSigns &signs) {
  Magnitudes upToR(signs, Elements::UpToR), ones(signs, Elements::Ones);
  Margins sourceMargins;
  for (const graph::IndexForm &form : source)
    graph::walk(form.body, [&](Expr node) {
      if (isComputed(node))
        sourceMargins &= Margins(ones.get(node), getSemantics(node));
    });
  std::map<ScalarFn, unsigned> inSource = getDepths(source);
  for (auto [fn, depth] : getDepths(target))
    if (inSource.count(fn) && depth < inSource[fn])
      return "a function leaves a sum, which may have no elements";
  std::set<const graph::ExprNode *> results;
  for (const graph::IndexForm &form : target)
    collectResults(form.body, results);
  std::string loss;
  for (const graph::IndexForm &form : target)
    graph::walk(form.body, [&](Expr node) {
      if (!loss.empty() || !isComputed(node) ||
          results.count(node.getPointer()))
        return;
      const Magnitude &magnitude = upToR.get(node);
      // Compare so that no bound (not a number) is a loss.
      if (!(magnitude.most < getMaxExponent(getSemantics(node))))
        loss =
            "the target has a value of up to 2^" + printPower(magnitude.most);
      else if (!(magnitude.least >=
                 APFloat::semanticsMinExponent(getSemantics(node))))
        loss = "the target has a value of down to 2^" +
               printPower(magnitude.least);
      else if (isLessSafe(ones.get(node), node, sourceMargins))
        loss = "the target leaves the range sooner where all operands are "
               "large or small alike";
    });
  return loss;
}
