//===- BatchParts.cpp - parts of a batch against the whole ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BatchParts.h"

#include "tenon/Interpret/Interpreter.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <map>
#include <random>

using namespace mlir;
using namespace tenon;
using namespace tenon::fuzz;
using graph::BatchAxes;
using graph::SampleAxis;
using interpret::Tensor;

/// The value of a size. Other symbols than that of the samples have sizes of
/// their own, but for m, which stands for a size that is said to be the number
/// of samples.
static int64_t getSize(const graph::SymInt &size, int64_t samples) {
  return *size.evaluate([&](StringRef name) {
    return std::optional<int64_t>(name == "n" || name == "m" ? samples
                                  : name == "batch_count"    ? 3
                                                             : 2);
  });
}

/// The indices [first, last) of each of `parts` equal parts of an axis.
static Tensor slice(const Tensor &tensor, unsigned axis, int64_t parts,
                    int64_t first, int64_t last) {
  SmallVector<int64_t> shape(tensor.getShape());
  int64_t before = parts, behind = 1;
  int64_t size = parts == 0 ? 0 : shape[axis] / parts;
  for (unsigned other = 0; other < shape.size(); ++other)
    if (other != axis)
      (other < axis ? before : behind) *= shape[other];
  shape[axis] = parts * (last - first);
  Tensor part = *Tensor::allocate(tensor.getElementType(), shape);
  interpret::Cell *to = part.data();
  for (int64_t outer = 0; outer < before; ++outer)
    for (int64_t row = first; row < last; ++row)
      to = std::copy_n(tensor.data() + (outer * size + row) * behind, behind,
                       to);
  return part;
}

namespace {
class PartsComparison {
public:
  PartsComparison(const generate::BatchModel &model, const BatchAxes &axes,
                  uint64_t seed)
      : model(model), axes(axes), random(seed), where(seed),
        function(model.getFunction()), body(function.front()) {
    options.threads = 1;
    options.checkIndices = true;
  }

  PartsResult run() {
    for (int64_t samples : {1, 2, 5})
      if (result.difference.empty())
        compareAll(samples);
    return result;
  }

private:
  SmallVector<Tensor> draw(int64_t samples);
  FailureOr<SmallVector<Tensor>> evaluate(ArrayRef<Tensor> inputs) {
    ScopedDiagnosticHandler handler(function.getContext(),
                                    [&](Diagnostic &diagnostic) {
                                      error = diagnostic.str();
                                      return success();
                                    });
    return interpret::evaluate(function, inputs, options);
  }
  /// What belongs to the samples [first, last) of a value.
  Tensor getPart(Value value, const Tensor &tensor, int64_t first,
                 int64_t last) const {
    std::optional<SampleAxis> samples = axes.get(value);
    if (!samples)
      return tensor;
    int64_t rows = getSize(samples->rows, 1);
    return slice(tensor, samples->axis, getSize(samples->outer, 1),
                 first * rows, last * rows);
  }
  void compareAll(int64_t samples);
  std::string comparePart(ArrayRef<Tensor> inputs, ArrayRef<Tensor> whole,
                          int64_t first, int64_t last);
  std::string compare(const Tensor &expected, const Tensor &actual) const;
  /// Compares what is pooled with what it is of the parts before and behind a
  /// sample.
  std::string comparePooled(ArrayRef<Tensor> whole, int64_t samples,
                            int64_t cut);

  const generate::BatchModel &model;
  const BatchAxes &axes;
  std::mt19937_64 random, where;
  func::FuncOp function;
  Block &body;
  interpret::Options options;
  std::string error;
  PartsResult result;
  /// The results of parts, by their first sample and the one behind them.
  std::map<std::pair<int64_t, int64_t>, SmallVector<Tensor>> ofParts;
};
} // namespace

SmallVector<Tensor> PartsComparison::draw(int64_t samples) {
  SmallVector<Tensor> inputs;
  for (BlockArgument argument : body.getArguments()) {
    SmallVector<int64_t> shape;
    for (const graph::SymInt &size : graph::getShape(argument))
      shape.push_back(getSize(size, samples));
    Type element = getElementTypeOrSelf(argument.getType());
    Tensor input = *Tensor::allocate(element, shape);
    auto limit = model.limits.find(argument.getArgNumber());
    for (int64_t i = 0; i < input.getNumElements(); ++i)
      if (isa<FloatType>(element))
        input.data()[i].number =
            static_cast<double>(random() % 4001) / 1000 - 2;
      else
        input.data()[i].integer =
            static_cast<int64_t>(random() % getSize(limit->second, samples));
    inputs.push_back(std::move(input));
  }
  return inputs;
}

/// Empty if there is no difference.
std::string PartsComparison::compare(const Tensor &expected,
                                     const Tensor &actual) const {
  auto getText = [](const Tensor &tensor) {
    return "[" +
           llvm::join(llvm::map_range(
                          tensor.getShape(),
                          [](int64_t size) { return std::to_string(size); }),
                      ", ") +
           "]";
  };
  if (expected.getShape() != actual.getShape())
    return "expected the shape " + getText(expected) + ", but got " +
           getText(actual);
  bool isFloat = isa<FloatType>(expected.getElementType());
  for (int64_t i = 0; i < expected.getNumElements(); ++i) {
    const interpret::Cell &a = expected.data()[i], &b = actual.data()[i];
    bool isEqual = isFloat ? a.number == b.number ||
                                 (std::isnan(a.number) && std::isnan(b.number))
                           : a.integer == b.integer;
    if (!isEqual)
      return "element " + std::to_string(i) + ": expected " +
             (isFloat ? std::to_string(a.number) : std::to_string(a.integer)) +
             ", but got " +
             (isFloat ? std::to_string(b.number) : std::to_string(b.integer));
  }
  return "";
}

std::string PartsComparison::comparePart(ArrayRef<Tensor> inputs,
                                         ArrayRef<Tensor> whole, int64_t first,
                                         int64_t last) {
  SmallVector<Tensor> cut;
  for (auto [argument, input] : llvm::zip(body.getArguments(), inputs))
    cut.push_back(getPart(argument, input, first, last));
  FailureOr<SmallVector<Tensor>> results = evaluate(cut);
  if (failed(results)) {
    if (first < last)
      return error;
    ++result.withoutEmpty;
    return "";
  }
  Operation *end = body.getTerminator();
  ofParts[{first, last}] = *results;
  for (auto [number, value] : llvm::enumerate(end->getOperands())) {
    if (axes.getPooling(value))
      continue;
    std::string text =
        compare(getPart(value, whole[number], first, last), (*results)[number]);
    if (!text.empty())
      return "output " + std::to_string(number) + ": " + text;
  }
  return "";
}

std::string PartsComparison::comparePooled(ArrayRef<Tensor> whole,
                                           int64_t samples, int64_t cut) {
  auto before = ofParts.find({0, cut}), behind = ofParts.find({cut, samples});
  if (before == ofParts.end() || behind == ofParts.end())
    return "";
  Operation *end = body.getTerminator();
  for (auto [number, value] : llvm::enumerate(end->getOperands())) {
    std::optional<graph::Pooling> pooling = axes.getPooling(value);
    if (!pooling)
      continue;
    double expected = whole[number].data()[0].number,
           a = before->second[number].data()[0].number *
               graph::getWeight(*pooling, cut, samples),
           b = behind->second[number].data()[0].number *
               graph::getWeight(*pooling, samples - cut, samples);
    // Numbers of f32, which are summed in another order.
    double bound = 1e-5 * (1 + std::abs(a) + std::abs(b));
    if (!(std::abs(expected - (a + b)) <= bound) && std::isfinite(expected) &&
        std::isfinite(a + b))
      return "output " + std::to_string(number) + ": expected " +
             std::to_string(expected) + ", but parts give " +
             std::to_string(a) + " and " + std::to_string(b);
  }
  return "";
}

void PartsComparison::compareAll(int64_t samples) {
  SmallVector<Tensor> inputs = draw(samples);
  FailureOr<SmallVector<Tensor>> whole = evaluate(inputs);
  if (failed(whole)) {
    ++result.invalid;
    return;
  }
  int64_t begin = where() % (samples + 1);
  int64_t end = begin + where() % (samples + 1 - begin);
  SmallVector<std::pair<int64_t, int64_t>> parts{{begin, end}};
  for (int64_t cut = 0; cut <= samples; ++cut) {
    parts.append({{0, cut}, {cut, samples}});
    ++result.cuts;
  }
  ofParts.clear();
  for (auto [first, last] : parts) {
    std::string text = comparePart(inputs, *whole, first, last);
    if (text.empty())
      continue;
    result.difference = "samples " + std::to_string(first) + " to " +
                        std::to_string(last) + " of " +
                        std::to_string(samples) + ": " + text;
    return;
  }
  for (int64_t cut = 1; cut < samples; ++cut)
    if (result.difference.empty())
      if (std::string text = comparePooled(*whole, samples, cut); !text.empty())
        result.difference = "cut behind " + std::to_string(cut) + " of " +
                            std::to_string(samples) + " samples: " + text;
}

PartsResult tenon::fuzz::compareParts(const generate::BatchModel &model,
                                      const BatchAxes &axes, uint64_t seed) {
  return PartsComparison(model, axes, seed).run();
}
