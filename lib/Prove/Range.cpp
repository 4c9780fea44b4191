//===- Range.cpp - finding rules that lose accuracy -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Prove/Range.h"

#include "tenon/Dialect/Rule/IR/Certificate.h"
#include "tenon/Prove/Instances.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::prove;
using interpret::Domain;
using interpret::Tensor;

/// Rounds `number` to the nearest number of a floating-point type.
static double roundTo(Type type, double number) {
  APFloat value(number);
  bool losesInfo;
  value.convert(cast<FloatType>(type).getFloatSemantics(),
                APFloat::rmNearestTiesToEven, &losesInfo);
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.convertToDouble();
}

/// The factor above which a larger error counts as a loss of accuracy.
static constexpr double tolerated = 100;
/// Half the distance from 1 to the next number of a floating-point type.
static double getRoundoff(Type type) {
  return std::ldexp(
      1, -static_cast<int>(cast<FloatType>(type).getFPMantissaWidth()));
}
/// The number of random roundings of the operands to try.
static constexpr unsigned perturbations = 4;
/// The largest number of a floating-point type.
static double getLargest(Type type) {
  return APFloat::getLargest(cast<FloatType>(type).getFloatSemantics())
      .convertToDouble();
}

namespace {
/// The distributions of the operands.
enum class Style {
  Uniform,      // -largest to largest
  Magnitudes,   // 1 / largest to largest, both signs
  Positive,     // like Magnitudes, but positive
  Offset,       // a mean of up to largest, and a spread of 1
  OffsetNarrow, // the same mean, and a spread of a 100th
  OffsetSigns,  // the values of Offset, with random signs
  Large         // so large that products of two of them overflow
};
constexpr std::pair<Style, StringLiteral> styles[] = {
    {Style::Uniform, "uniform in a range"},
    {Style::Magnitudes, "of all magnitudes"},
    {Style::Positive, "positive, of all magnitudes"},
    {Style::Offset, "of a large mean and a spread of 1"},
    {Style::OffsetNarrow, "of a large mean and a spread of 0.01"},
    {Style::OffsetSigns, "of a large magnitude and a spread of 1"}};

class RangeCheck {
public:
  explicit RangeCheck(rule::RuleOp rule) : rule(rule), instances(rule) {
    for (Type type : rule.getArgumentTypes())
      if (getElementTypeOrSelf(type).isF16()) {
        largest = 1e2;
        limit = 65504;
      }
  }
  std::optional<std::string> run(bool triesLarge);

private:
  double unit(); // in [0, 1)
  SmallVector<Tensor> perturb(ArrayRef<Tensor> inputs);
  std::optional<std::string> compare(Style style);
  std::string describe(StringRef style, StringRef found);

  rule::RuleOp rule;
  Instances instances;
  /// The magnitude of operands. For f16 it is so small that products fit.
  double largest = 1e4;
  /// About the largest number of the operands' type with the smallest range.
  double limit = 3e38;
};
} // namespace

double RangeCheck::unit() {
  return static_cast<double>(instances.random.next() >> 11) * 0x1p-53;
}

/// Moves every element by at most one rounding, up or down: by different
/// amounts, which do not cancel.
SmallVector<Tensor> RangeCheck::perturb(ArrayRef<Tensor> inputs) {
  SmallVector<Tensor> results;
  for (const Tensor &input : inputs) {
    if (!isa<FloatType>(input.getElementType())) {
      results.push_back(input);
      continue;
    }
    // The copy is as large as the original, so it can be allocated.
    double roundoff = getRoundoff(input.getElementType());
    SmallVector<double> values;
    for (int64_t n = 0; n < input.getNumElements(); ++n)
      values.push_back(input.data()[n].number *
                       (1 + roundoff * (2 * unit() - 1)));
    results.push_back(
        Tensor::of(input.getElementType(), input.getShape(), values));
  }
  return results;
}

std::optional<std::string> RangeCheck::compare(Style style) {
  double mean = largest * (0.1 + 0.9 * unit());
  // Functions of positive numbers alone are to be reached, too.
  bool hasSigns = style == Style::Large && instances.random.next() & 1;
  auto inputs = instances.makeInputs([&](interpret::Cell &cell) {
    double number = 0;
    switch (style) {
    case Style::Uniform:
      number = largest * (2 * unit() - 1);
      break;
    case Style::Magnitudes:
    case Style::Positive:
      number = std::pow(largest, 2 * unit() - 1);
      break;
    case Style::Offset:
    case Style::OffsetSigns:
      number = mean + 2 * unit() - 1;
      break;
    case Style::OffsetNarrow:
      number = mean + 0.02 * unit() - 0.01;
      break;
    case Style::Large:
      number = std::pow(limit, 0.55) * (0.5 + 0.5 * unit());
      break;
    }
    if ((hasSigns || style == Style::Magnitudes ||
         style == Style::OffsetSigns) &&
        instances.random.next() & 1)
      number = -number;
    cell.number = number;
  });
  Domain f32{Domain::Kind::F32}, f64{Domain::Kind::F64};
  if (failed(inputs))
    return std::nullopt;
  for (Tensor &input : *inputs)
    if (isa<FloatType>(input.getElementType()))
      for (int64_t n = 0; n < input.getNumElements(); ++n)
        input.data()[n].number =
            roundTo(input.getElementType(), input.data()[n].number);
  auto reference = instances.evaluate(rule.getSource(), *inputs, f64);
  auto source = instances.evaluate(rule.getSource(), *inputs, f32);
  auto target = instances.evaluate(rule.getTarget(), *inputs, f32);
  if (failed(reference) || failed(source) || failed(target))
    return std::nullopt;
  // Where a value of the source leaves the range, a finite result says nothing:
  // a function of it may be bounded.
  if (style == Style::Large && !instances.staysInRange(*inputs))
    return std::nullopt;
  SmallVector<SmallVector<Tensor>> nearby;
  for (unsigned number = 0; number < perturbations; ++number) {
    auto moved = instances.evaluate(rule.getSource(), perturb(*inputs), f64);
    if (succeeded(moved))
      nearby.push_back(std::move(*moved));
  }
  for (size_t result = 0; result < reference->size(); ++result) {
    const Tensor &exact = (*reference)[result];
    if (!isa<FloatType>(exact.getElementType()))
      continue;
    double roundoff = getRoundoff(exact.getElementType());
    double most = getLargest(exact.getElementType());
    double sourceError = 0, targetError = 0;
    for (int64_t n = 0; n < exact.getNumElements(); ++n) {
      double value = exact.data()[n].number;
      double before = (*source)[result].data()[n].number;
      double after = (*target)[result].data()[n].number;
      if (!std::isfinite(value) || !std::isfinite(before))
        continue;
      // At the end of the range, rounding decides what is no number.
      if (!std::isfinite(after) && std::abs(value) > 0.99 * most)
        continue;
      // For large operands, only an overflow counts that the source does not
      // have.
      if (style == Style::Large &&
          (std::isfinite(after) ||
           std::abs(before - value) > 0.01 * std::abs(value)))
        continue;
      sourceError = std::max(
          {sourceError, std::abs(before - value), roundoff * std::abs(value)});
      for (ArrayRef<Tensor> moved : nearby) {
        double change = std::abs(moved[result].data()[n].number - value);
        if (std::isfinite(change))
          sourceError = std::max(sourceError, change);
      }
      targetError =
          std::max(targetError, std::isfinite(after)
                                    ? std::abs(after - value)
                                    : std::numeric_limits<double>::infinity());
    }
    if (targetError > tolerated * sourceError) {
      std::string text;
      llvm::raw_string_ostream(text)
          << "the target is off by " << llvm::format("%g", targetError)
          << ", the source by " << llvm::format("%g", sourceError);
      return text;
    }
  }
  return std::nullopt;
}

std::string RangeCheck::describe(StringRef style, StringRef found) {
  rule::Counterexample at;
  for (const std::string &symbol : instances.getSymbols())
    at.symbols.emplace_back(symbol, instances.getValues().at(symbol));
  return (at.str() + ", on operands " + style + ", " + found).str();
}

std::optional<std::string> RangeCheck::run(bool triesLarge) {
  // Small sizes, and some that are large enough for a mean.
  static constexpr int64_t sizes[] = {2, 3, 4, 6, 12};
  size_t numSymbols = instances.getSymbols().size();
  for (size_t trial = 0; trial < std::size(sizes) + numSymbols; ++trial) {
    // A sum over no elements is 0, whatever factors its terms have. So each
    // size is 0 once, with all other sizes 2.
    bool hasSizes =
        trial < std::size(sizes)
            ? instances.draw(1, sizes[trial], /*maxElements=*/512)
            : instances.choose(
                  [&](StringRef name) -> int64_t {
                    return name == instances
                                       .getSymbols()[trial - std::size(sizes)]
                               ? 0
                               : 2;
                  },
                  /*maxElements=*/512);
    if (!hasSizes)
      continue;
    for (auto [style, name] : styles)
      if (std::optional<std::string> found = compare(style))
        return describe(name, *found);
  }
  for (int64_t size : sizes)
    if (triesLarge && instances.draw(1, size, /*maxElements=*/512))
      if (std::optional<std::string> found = compare(Style::Large))
        return describe("whose products overflow", *found);
  return std::nullopt;
}

std::optional<std::string> prove::findRangeChange(rule::RuleOp rule,
                                                  bool needsFinite) {
  return RangeCheck(rule).run(!needsFinite);
}
