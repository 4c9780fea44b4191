//===- SizeFitter.cpp - sums of sizes that explain numbers ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SizeFitter.h"

#include "tenon/Dialect/Graph/IR/Graph.h"

#include <array>
#include <limits>

using namespace mlir;
using namespace tenon;
using namespace tenon::discover;
using graph::SymInt;

static constexpr int64_t largestConstant = 2;
/// The value of what is not defined: no sum of it explains anything.
static constexpr int64_t undefined = std::numeric_limits<int64_t>::max() / 8;

SizeFitter::SizeFitter(rule::RuleOp rule) {
  auto note = [&](const SymInt &size) {
    if (!size.isConstant() && !llvm::is_contained(summands, size))
      summands.push_back(size);
  };
  for (const std::string &symbol : rule.getSymbols())
    note(SymInt::symbol(symbol));
  for (Region *side : {&rule.getSource(), &rule.getTarget()})
    for (Operation &op : side->front()) {
      for (Value value : op.getOperands())
        llvm::for_each(graph::getShape(value), note);
      for (NamedAttribute attribute : op.getAttrs())
        if (auto dims = dyn_cast<graph::DimsAttr>(attribute.getValue()))
          for (size_t n = 0; n < dims.size(); ++n)
            note(dims.getEntry(n));
    }
}

SizeFitter::Sizes
SizeFitter::evaluate(const std::map<std::string, int64_t> &values) const {
  auto lookup = [&](StringRef name) -> std::optional<int64_t> {
    auto found = values.find(name.str());
    if (found == values.end())
      return std::nullopt;
    return found->second;
  };
  Sizes sizes;
  for (const SymInt &summand : summands)
    sizes.push_back(summand.evaluate(lookup).value_or(undefined));
  return sizes;
}

std::optional<SymInt> SizeFitter::fit(ArrayRef<Sample> samples) const {
  struct Term {
    size_t summand;
    int sign;
  };
  size_t most = samples.size() / 2;
  std::optional<SymInt> best;
  auto consider = [&](ArrayRef<Term> terms) {
    std::array<size_t, 2 * largestConstant + 1> counts{};
    for (const auto &[sizes, wanted] : samples) {
      int64_t rest = wanted;
      for (const Term &term : terms)
        rest -= term.sign * (*sizes)[term.summand];
      if (rest >= -largestConstant && rest <= largestConstant)
        ++counts[rest + largestConstant];
    }
    for (int64_t constant : {0, 1, -1, 2, -2}) {
      if (counts[constant + largestConstant] <= most)
        continue;
      most = counts[constant + largestConstant];
      best = SymInt(constant);
      for (const Term &term : terms)
        *best = term.sign > 0 ? *best + summands[term.summand]
                              : *best - summands[term.summand];
    }
  };
  const size_t count = summands.size();
  std::map<int64_t, size_t> numbers;
  for (const Sample &sample : samples)
    if (size_t same = ++numbers[sample.wanted]; same > most) {
      most = same;
      best = SymInt(sample.wanted);
    }
  for (size_t a = 0; a < count; ++a)
    consider(Term{a, 1});
  for (int sign : {-1, 1})
    for (size_t a = 0; a < count; ++a)
      for (size_t b = sign < 0 ? 0 : a; b < count; ++b)
        if (a != b || sign > 0)
          consider({Term{a, 1}, Term{b, sign}});
  for (size_t a = 0; a < count && most < samples.size(); ++a)
    for (size_t b = 0; b < count; ++b)
      for (size_t c = b; c < count; ++c)
        if (a != b && a != c)
          consider({Term{a, 1}, Term{b, -1}, Term{c, -1}});
  return best;
}
