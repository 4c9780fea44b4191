//===- Comparison.cpp - finding the first wrong value of a run ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Compare/Comparison.h"
#include "tenon/Artifact/DType.h"
#include "tenon/Interpret/TensorConversion.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <tuple>

using namespace mlir;
using namespace tenon;
using namespace tenon::compare;
using interpret::Tensor;

namespace {
/// The label of a traced value, with its elements in the order of the
/// reference.
struct Match {
  size_t label;
  Tensor got;
  Difference local;
};

class ModelComparison {
public:
  ModelComparison(const Trace &trace, ReferenceGraph &model,
                  const CompareOptions &options)
      : trace(trace), model(model), options(options),
        found(findCandidates(trace, model.getLabels())),
        matched(trace.values.size()) {}

  FailureOr<Comparison> run();

private:
  std::vector<Candidate> listCandidates(size_t number) const;
  std::optional<Match> judge(const TracedValue &value, size_t label);
  std::optional<Match> choose(size_t number);
  std::tuple<bool, Evidence, bool, size_t, size_t>
  getRank(const Candidate &candidate) const;

  const Trace &trace;
  ReferenceGraph &model;
  const CompareOptions &options;
  std::vector<Candidates> found;
  std::vector<std::optional<size_t>> matched; // labels
  llvm::DenseSet<size_t> taken;
  size_t lastLabel = 0;
};
} // namespace

std::vector<Candidate> ModelComparison::listCandidates(size_t number) const {
  const TracedValue &value = trace.values[number];
  std::vector<Candidate> list;
  if (!value.output.empty())
    return {{model.getOutput(number -
                             (trace.values.size() - model.getNumOutputs())),
             Evidence::Same, true}};
  list = found[number].list;
  for (size_t repeated : value.repeats) {
    if (!matched[repeated])
      continue;
    size_t label = *matched[repeated];
    if (model.getLabels()[label].elements != value.data.numElements() ||
        model.getLabels()[label].isFloat != artifact::isFloat(value.data.dtype))
      continue;
    // If a value is cast, and cast back, at the place that computes it, it is
    // still the same value with less precision. At another place, another op
    // has computed it.
    bool isAtHome =
        llvm::any_of(found[number].list, [&](const Candidate &candidate) {
          return candidate.label == label &&
                 candidate.evidence <= Evidence::SamePlace;
        });
    if (value.origin.op == "graph.cast")
      for (Candidate &candidate : list)
        candidate.isCertain &= isAtHome;
    list.insert(list.begin(),
                {label, Evidence::Same, isAtHome || !found[number].hasPlace});
  }
  // Limit the list: prefer labels that are not taken, then those nearest to the
  // last match, because compilers hardly change the order of steps.
  llvm::sort(list, [&](const Candidate &a, const Candidate &b) {
    return getRank(a) < getRank(b);
  });
  constexpr size_t mostCandidates = 64, mostNearby = 8;
  size_t most = !list.empty() && list.front().evidence == Evidence::SameKind
                    ? mostNearby
                    : mostCandidates;
  if (list.size() > most)
    list.resize(most);
  return list;
}

/// Candidates with the lowest rank are tried first.
std::tuple<bool, Evidence, bool, size_t, size_t>
ModelComparison::getRank(const Candidate &candidate) const {
  size_t distance = candidate.label > lastLabel ? candidate.label - lastLabel
                                                : lastLabel - candidate.label;
  return {!candidate.isCertain, candidate.evidence,
          taken.contains(candidate.label), distance, candidate.label};
}

std::optional<Match> ModelComparison::judge(const TracedValue &value,
                                            size_t label) {
  Value reference = model.getValue(label);
  FailureOr<Tensor> expected = model.compute(reference, /*rounded=*/false);
  FailureOr<Tensor> rounded = model.compute(reference, /*rounded=*/true);
  if (failed(expected) || failed(rounded))
    return std::nullopt;
  double own = getUnitRoundoff(interpret::getDType(expected->getElementType()));
  double unit =
      std::max({own, getUnitRoundoff(value.data.dtype), options.unit});
  double factor = own > 0 ? options.factor * unit / own : 0;
  std::optional<Match> best;
  for (const std::vector<unsigned> &axes :
       listLayouts(value.data.shape, expected->getShape())) {
    FailureOr<Tensor> got = arrange(value.data, expected->getElementType(),
                                    expected->getShape(), axes);
    if (failed(got))
      return std::nullopt;
    Difference difference =
        compareRounded(*got, *expected, *rounded, factor, unit);
    if (!best || difference.beyond < best->local.beyond)
      best = Match{label, *got, difference};
    if (difference.agrees())
      break;
  }
  return best;
}

/// Returns the first candidate that agrees, or else the certain one.
std::optional<Match> ModelComparison::choose(size_t number) {
  std::optional<Match> certain;
  for (const Candidate &candidate : listCandidates(number)) {
    std::optional<Match> match = judge(trace.values[number], candidate.label);
    if (!match)
      continue;
    if (match->local.agrees())
      return match;
    if (candidate.isCertain && !certain)
      certain = std::move(match);
  }
  return certain;
}

FailureOr<Comparison> ModelComparison::run() {
  Comparison result;
  for (auto [number, value] : llvm::enumerate(trace.values)) {
    std::optional<Match> match;
    {
      // A failed run may have shown values from which an op cannot be computed.
      ScopedDiagnosticHandler silence(model.getContext(),
                                      [](Diagnostic &) { return success(); });
      match = choose(number);
    }
    if (!match) {
      result.unmatched.push_back(number);
      continue;
    }
    Value reference = model.getValue(match->label);
    const Tensor &whole = model.getTensor(reference);
    ComparedValue compared;
    compared.number = number;
    compared.origin = model.getLabels()[match->label].origin;
    compared.output = value.output;
    compared.local = match->local;
    compared.whole = compareTensors(match->got, whole, options.allowance);
    compared.shape.assign(whole.getShape().begin(), whole.getShape().end());
    if (!compared.local.agrees() && !result.first) {
      result.first = result.values.size();
      result.suspects = model.listOps(reference);
      result.reads = model.listReads(reference);
    }
    if (!value.output.empty() && !compared.whole.agrees() &&
        !result.grownOutput)
      result.grownOutput = result.values.size();
    matched[number] = match->label;
    taken.insert(match->label);
    if (value.output.empty()) {
      lastLabel = match->label;
      // A value that was rounded to be passed on does not replace the original
      // value.
      bool isLess =
          getUnitRoundoff(value.data.dtype) >
          getUnitRoundoff(interpret::getDType(match->got.getElementType()));
      if (!isLess || !model.isShown(reference))
        model.show(reference, match->got);
    }
    result.values.push_back(std::move(compared));
  }
  if (result.first)
    result.grownOutput.reset();
  return result;
}

FailureOr<Comparison>
tenon::compare::compareWithModel(const Trace &trace, ReferenceGraph &model,
                                 const CompareOptions &options) {
  return ModelComparison(trace, model, options).run();
}

//===----------------------------------------------------------------------===//
// Comparing two traces
//===----------------------------------------------------------------------===//

static std::vector<Label> listLabels(const Trace &trace) {
  std::vector<Label> labels;
  for (const TracedValue &value : trace.values)
    labels.push_back({value.origin, value.data.numElements(),
                      artifact::isFloat(value.data.dtype), true, true});
  return labels;
}

/// Returns the value of `expected` with the same origin, or name, as `value`.
static std::optional<size_t>
findCounterpart(const TracedValue &value, const Trace &expected,
                llvm::ArrayRef<Candidate> candidates) {
  if (!value.output.empty()) {
    for (auto [number, other] : llvm::enumerate(expected.values))
      if (other.output == value.output)
        return number;
    return std::nullopt;
  }
  for (const Candidate &candidate : candidates)
    if (candidate.isPaired && expected.values[candidate.label].output.empty())
      return candidate.label;
  return std::nullopt;
}

artifact::Expected<Comparison>
tenon::compare::compareTraces(const Trace &trace, const Trace &expected,
                              MLIRContext *context,
                              const CompareOptions &options) {
  std::vector<Candidates> found = findCandidates(trace, listLabels(expected));
  Comparison result;
  for (auto [number, value] : llvm::enumerate(trace.values)) {
    std::optional<size_t> other =
        findCounterpart(value, expected, found[number].list);
    if (!other) {
      result.unmatched.push_back(number);
      continue;
    }
    const artifact::TensorData &data = expected.values[*other].data;
    FailureOr<Tensor> wanted =
        interpret::fromData(data, context, interpret::Domain());
    if (failed(wanted))
      return artifact::makeError("out of memory");
    std::optional<Difference> best;
    for (const std::vector<unsigned> &axes :
         listLayouts(value.data.shape, wanted->getShape())) {
      FailureOr<Tensor> got = arrange(value.data, wanted->getElementType(),
                                      wanted->getShape(), axes);
      if (failed(got))
        return artifact::makeError("out of memory");
      Difference difference = compareTensors(*got, *wanted, options.allowance);
      if (!best || difference.beyond < best->beyond)
        best = difference;
      if (difference.agrees())
        break;
    }
    ComparedValue compared;
    compared.number = number;
    compared.origin = value.origin;
    compared.output = value.output;
    compared.local = compared.whole = *best;
    compared.shape = data.shape;
    if (!best->agrees() && !result.first)
      result.first = result.values.size();
    result.values.push_back(std::move(compared));
  }
  return result;
}
