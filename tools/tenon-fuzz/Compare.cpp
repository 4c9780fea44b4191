//===- Compare.cpp - two graphs on the same inputs ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compare.h"
#include "RandomInputs.h"

#include "tenon/Interpret/TensorConversion.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::fuzz;
using interpret::Cell;
using interpret::Domain;
using interpret::Tensor;

/// How much wider than the sum of both bounds a difference may be: the bounds
/// are those of the elements' own types, scaled to f64.
static constexpr double kSlack = 8;

namespace {
class Comparer {
public:
  Comparer(func::FuncOp before, func::FuncOp after,
           const CompareOptions &options, Comparison &comparison)
      : before(before), after(after), options(options), comparison(comparison) {
  }

  void run();

private:
  using Results = FailureOr<SmallVector<Tensor>>;
  Results evaluate(func::FuncOp function, Domain domain, bool withErrors);
  bool evaluateBoth(Domain domain, bool withErrors);
  void compareExactly(Domain domain);
  void compareWithBounds();
  bool areClose(const Tensor &x, const Tensor &y, int64_t number);
  bool isExcluded(const Tensor &x, const Tensor &y, int64_t number) const;
  double getBound(const Tensor &x, const Tensor &y, int64_t number) const;
  void findScale();
  void report(Domain domain, unsigned result, int64_t number, const Tensor &x,
              const Tensor &y);

  func::FuncOp before, after;
  const CompareOptions &options;
  Comparison &comparison;
  SmallVector<Tensor> inputs;
  SmallVector<Tensor> expected, actual;
  std::string problem;
  /// Results that are yet to be shown equal.
  std::vector<bool> open;
  /// Whether the evaluations in the field met more than polynomials.
  bool isOpaque = false;
  /// Converts error bounds for the elements' types to f64.
  double scale = 1;
};
} // namespace

Comparer::Results Comparer::evaluate(func::FuncOp function, Domain domain,
                                     bool withErrors) {
  SmallVector<Tensor> converted;
  for (const Tensor &input : inputs)
    converted.push_back(interpret::toDomain(input, domain));
  interpret::Options interpretation;
  interpretation.domain = domain;
  interpretation.trackErrors = withErrors;
  interpretation.threads = 1;
  interpretation.parameters = interpret::randomParameters(options.seed);
  interpret::Statistics statistics;
  problem.clear();
  ScopedDiagnosticHandler quiet(function.getContext(), [&](Diagnostic &text) {
    problem += text.str() + "\n";
    return success();
  });
  Results results =
      interpret::evaluate(function, converted, interpretation, &statistics);
  isOpaque |= statistics.usedOpaqueFunctions;
  return results;
}

/// False if the graph before the rewrite is undefined; the one after may be
/// undefined, too.
bool Comparer::evaluateBoth(Domain domain, bool withErrors) {
  Results first = evaluate(before, domain, withErrors);
  if (failed(first))
    return false;
  Results second = evaluate(after, domain, withErrors);
  if (failed(second)) {
    comparison.difference = "the rewritten graph fails: " + shorten(problem);
    return false;
  }
  expected = std::move(*first);
  actual = std::move(*second);
  for (auto [number, both] : llvm::enumerate(llvm::zip(expected, actual))) {
    auto &[x, y] = both;
    if (x.getShape() != y.getShape() ||
        x.getElementType() != y.getElementType()) {
      comparison.difference =
          "result " + std::to_string(number) + " has another type";
      return false;
    }
  }
  return true;
}

void Comparer::report(Domain domain, unsigned result, int64_t number,
                      const Tensor &x, const Tensor &y) {
  if (!comparison.difference.empty())
    return;
  bool isNumber =
      isa<FloatType>(x.getElementType()) && domain.kind != Domain::Kind::Field;
  llvm::raw_string_ostream os(comparison.difference);
  os << "result " << result << ", element " << number << ", in "
     << (domain.kind == Domain::Kind::Field ? "the prime field"
         : domain.kind == Domain::Kind::F32 ? "f32"
                                            : "f64")
     << ": expected ";
  const Cell &a = x.data()[number], &b = y.data()[number];
  if (!isNumber) {
    os << a.integer << ", but got " << b.integer;
    return;
  }
  os << llvm::format("%.17g, but got %.17g", a.number, b.number);
  if (domain.kind == Domain::Kind::F64)
    os << llvm::format(" (bound %.3g)", getBound(x, y, number));
}

void Comparer::compareExactly(Domain domain) {
  bool inField = domain.kind == Domain::Kind::Field;
  if (!evaluateBoth(domain, /*withErrors=*/false))
    return;
  for (auto [number, both] : llvm::enumerate(llvm::zip(expected, actual))) {
    auto &[x, y] = both;
    bool isNumber = isa<FloatType>(x.getElementType()) && !inField;
    std::optional<int64_t> wrong;
    for (int64_t i = 0; i < x.getNumElements() && !wrong; ++i) {
      Cell a = x.data()[i], b = y.data()[i];
      bool areNan = isNumber && std::isnan(a.number) && std::isnan(b.number);
      if (a.integer != b.integer && !areNan)
        wrong = i;
    }
    if (!wrong) {
      ++(inField ? comparison.inField : comparison.bitForBit);
      if (inField)
        open[number] = false;
    } else if (!inField || !isOpaque) {
      report(domain, number, *wrong, x, y);
    }
  }
}

/// Errors of a computation in f64 are those in the elements' own types times
/// what the most precise of these types is less precise than f64.
void Comparer::findScale() {
  int bits = 0;
  auto visit = [&](Type type) {
    if (auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type)))
      bits = std::max<int>(bits, element.getFPMantissaWidth());
  };
  for (func::FuncOp function : {before, after}) {
    llvm::for_each(function.getArgumentTypes(), visit);
    function.walk(
        [&](Operation *op) { llvm::for_each(op->getResultTypes(), visit); });
  }
  scale = std::ldexp(1.0, bits - 53);
}

/// How far apart two elements may be; not finite if nothing is known about
/// them.
double Comparer::getBound(const Tensor &x, const Tensor &y,
                          int64_t number) const {
  double sum = 0;
  for (const Tensor *tensor : {&x, &y}) {
    // A result that is an argument has no errors.
    if (!tensor->errors())
      continue;
    if (tensor->excluded()[number])
      return INFINITY;
    sum += tensor->errors()[number];
  }
  return kSlack * scale * sum;
}

bool Comparer::isExcluded(const Tensor &x, const Tensor &y,
                          int64_t number) const {
  if (!std::isfinite(getBound(x, y, number)))
    return true;
  if (!isa<FloatType>(x.getElementType()) || options.bitForBit)
    return false;
  return !std::isfinite(x.data()[number].number) ||
         (options.finite && !std::isfinite(y.data()[number].number));
}

bool Comparer::areClose(const Tensor &x, const Tensor &y, int64_t number) {
  Cell a = x.data()[number], b = y.data()[number];
  if (!isa<FloatType>(x.getElementType()))
    return a.integer == b.integer;
  if (!std::isfinite(a.number) || !std::isfinite(b.number))
    return a.number == b.number ||
           (std::isnan(a.number) && std::isnan(b.number));
  return std::fabs(a.number - b.number) <= getBound(x, y, number);
}

void Comparer::compareWithBounds() {
  findScale();
  if (!evaluateBoth({Domain::Kind::F64}, /*withErrors=*/true)) {
    comparison.isInvalid = comparison.difference.empty();
    return;
  }
  for (auto [number, both] : llvm::enumerate(llvm::zip(expected, actual))) {
    auto &[x, y] = both;
    if (!open[number])
      continue;
    for (int64_t i = 0; i < x.getNumElements(); ++i) {
      ++comparison.elements;
      if (isExcluded(x, y, i))
        ++comparison.excluded;
      else if (!areClose(x, y, i))
        report({Domain::Kind::F64}, number, i, x, y);
    }
    ++comparison.bounded;
  }
}

void Comparer::run() {
  FailureOr<SmallVector<Tensor>> drawn = failure();
  if (options.inputs)
    drawn = *options.inputs;
  else
    drawn = drawInputs(before, options.seed, problem);
  if (failed(drawn)) {
    // A computed size of an input can turn out to be negative.
    comparison.isInvalid = isDynamic(before);
    if (!comparison.isInvalid)
      comparison.difference = problem;
    return;
  }
  inputs = std::move(*drawn);
  open.assign(before.getNumResults(), true);
  compareExactly({Domain::Kind::Field, options.seed});
  if (comparison.difference.empty() && llvm::is_contained(open, true))
    compareWithBounds();
  if (comparison.difference.empty() && options.bitForBit)
    compareExactly({Domain::Kind::F32});
}

void tenon::fuzz::compareFunctions(func::FuncOp before, func::FuncOp after,
                                   const CompareOptions &options,
                                   Comparison &comparison) {
  Comparer(before, after, options, comparison).run();
}
