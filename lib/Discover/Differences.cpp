//===- Differences.cpp - where the sides of a rule differ -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Discover/Differences.h"
#include "SizeFitter.h"

#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Prove/Instances.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::discover;
using graph::Shape;
using graph::SymInt;
using interpret::Domain;
using interpret::Tensor;
using prove::Instances;

/// A grid must fit this many choices of sizes that have all of its cells.
static constexpr unsigned leastInstances = 8;
/// A grid must say something of one in so many choices of sizes.
static constexpr size_t leastShare = 10;
static constexpr int64_t largestSymbol = 10, largestOperand = 1024;
static constexpr unsigned attempts = 20;

std::string Box::str() const {
  std::string text = "[";
  for (auto [from, to] : llvm::zip_equal(begin, end)) {
    llvm::raw_string_ostream os(text);
    os << (text.size() == 1 ? "" : ", ") << from << ":" << to;
  }
  return text + "]";
}

/// Joins cells of the last axis on which they are neighbours, then of the one
/// before it.
std::vector<Box> Grid::getBoxes(bool thatDiffer) const {
  struct Range {
    SmallVector<size_t, 4> begin, end;
  };
  std::vector<Range> ranges;
  size_t rank = bounds.size();
  for (size_t cell = 0; cell < differs.size(); ++cell) {
    if (differs[cell] != thatDiffer)
      continue;
    Range range;
    range.begin.resize(rank);
    size_t rest = cell;
    for (size_t axis = rank; axis-- > 0;) {
      range.begin[axis] = rest % countCells(axis);
      rest /= countCells(axis);
    }
    range.end = range.begin;
    for (size_t &end : range.end)
      ++end;
    ranges.push_back(std::move(range));
  }
  for (size_t axis = rank; axis-- > 0;) {
    std::vector<Range> joined;
    for (const Range &range : ranges) {
      auto precedes = [&](const Range &other) {
        for (size_t n = 0; n < rank; ++n)
          if (n == axis ? other.end[n] != range.begin[n]
                        : other.begin[n] != range.begin[n] ||
                              other.end[n] != range.end[n])
            return false;
        return true;
      };
      auto found = llvm::find_if(joined, precedes);
      if (found == joined.end())
        joined.push_back(range);
      else
        found->end[axis] = range.end[axis];
    }
    ranges = std::move(joined);
  }
  std::vector<Box> boxes;
  for (const Range &range : ranges) {
    Box box;
    for (size_t axis = 0; axis < rank; ++axis) {
      box.begin.push_back(bounds[axis][range.begin[axis]]);
      box.end.push_back(bounds[axis][range.end[axis]]);
    }
    boxes.push_back(std::move(box));
  }
  return boxes;
}

Grid Grid::without(size_t axis) const {
  Grid result = *this;
  result.bounds[axis] = {bounds[axis].front(), bounds[axis].back()};
  size_t inner = 1, count = countCells(axis);
  for (size_t n = axis + 1; n < bounds.size(); ++n)
    inner *= countCells(n);
  result.differs.assign(differs.size() / count, false);
  for (size_t cell = 0; cell < differs.size(); ++cell)
    if (differs[cell])
      result.differs[cell / (inner * count) * inner + cell % inner] = true;
  return result;
}

namespace {
/// What differs at one choice of sizes.
struct Instance {
  Instances::Values values;
  SmallVector<int64_t> shape;
  std::vector<bool> differs; // by element
  SizeFitter::Sizes sizes;
  /// Of each axis, where it changes which elements differ.
  SmallVector<SmallVector<int64_t>, 4> breaks;

  std::vector<bool> getCells() const;
  std::optional<int64_t> evaluate(const SymInt &size) const {
    return size.evaluate([&](StringRef name) -> std::optional<int64_t> {
      auto found = values.find(name.str());
      if (found == values.end())
        return std::nullopt;
      return found->second;
    });
  }
};
} // namespace

/// What the cells between the breaks are, in row-major order: each has the
/// value of its first element.
std::vector<bool> Instance::getCells() const {
  std::vector<bool> cells;
  auto visit = [&](auto &visit, size_t axis, size_t element) -> void {
    if (axis == shape.size()) {
      cells.push_back(differs[element]);
      return;
    }
    visit(visit, axis + 1, element * shape[axis]);
    for (int64_t place : breaks[axis])
      visit(visit, axis + 1, element * shape[axis] + place);
  };
  visit(visit, 0, 0);
  return cells;
}

namespace {
/// A grid, and how many elements it covers, at each of the instances; none
/// where its bounds are not in order.
struct Fit {
  Grid grid;
  std::vector<std::optional<uint64_t>> covered;

  size_t countCovered() const {
    return llvm::count_if(covered, [](const auto &count) { return !!count; });
  }
  /// Whether it covers less, where both say something.
  bool isTighter(const Fit &other) const {
    uint64_t own = 0, its = 0;
    for (auto [a, b] : llvm::zip_equal(covered, other.covered))
      if (a && b) {
        own += *a;
        its += *b;
      }
    return own < its;
  }
};

class DifferenceFinder {
public:
  DifferenceFinder(rule::RuleOp rule, const DifferenceOptions &options,
                   std::string &reason)
      : rule(rule), options(options), reason(reason) {}

  FailureOr<Grid> run();

private:
  LogicalResult collect();
  bool draw(Instances &instances) const;
  bool compare(Instances &instances, Instance &instance);
  void findBreaks(Instance &instance) const;
  std::optional<SymInt>
  fitBound(size_t axis, size_t number,
           std::vector<const Instance *> &instances) const;
  bool covers(Fit &fit, const Instance &instance) const;
  std::optional<Fit> fitGrid(std::vector<const Instance *> instances);

  rule::RuleOp rule;
  const DifferenceOptions &options;
  std::string &reason;
  std::vector<Instance> found;
  std::optional<SizeFitter> sizes;
};
} // namespace

/// Marks the elements that differ for some operands. Returns false if the sizes
/// are not valid for both sides.
bool DifferenceFinder::compare(Instances &instances, Instance &instance) {
  for (unsigned trial = 0; trial < 2; ++trial) {
    auto inputs = instances.makeInputs(
        [&](interpret::Cell &cell) {
          cell.residue = instances.random.next() % prove::fieldPrime;
        },
        Domain::Kind::Field);
    if (failed(inputs))
      return false;
    SmallVector<Tensor> results;
    for (Region *side : {&rule.getSource(), &rule.getTarget()}) {
      bool opaque = false;
      auto values =
          instances.evaluate(*side, *inputs, {Domain::Kind::Field, 1}, &opaque);
      if (opaque)
        reason = "not all ops are those of a field";
      if (failed(values) || opaque)
        return false;
      results.push_back(std::move(values->front()));
    }
    instance.shape.assign(results[0].getShape().begin(),
                          results[0].getShape().end());
    if (ArrayRef<int64_t>(instance.shape) != results[1].getShape())
      return false;
    int64_t count = results[0].getNumElements();
    instance.differs.resize(count);
    for (int64_t n = 0; n < count; ++n)
      if (results[0].data()[n].residue != results[1].data()[n].residue)
        instance.differs[n] = true;
  }
  return !instance.differs.empty();
}

void DifferenceFinder::findBreaks(Instance &instance) const {
  int64_t inner = 1;
  size_t rank = instance.shape.size();
  instance.breaks.resize(rank);
  for (size_t axis = rank; axis-- > 0;) {
    int64_t size = instance.shape[axis];
    for (int64_t place = 1; place < size; ++place)
      for (size_t n = 0; n < instance.differs.size(); ++n)
        if (static_cast<int64_t>(n) / inner % size == place &&
            instance.differs[n] != instance.differs[n - inner]) {
          instance.breaks[axis].push_back(place);
          break;
        }
    inner *= size;
  }
}

/// Each symbol has a range of its own: images that are large beside kernels and
/// padding show all parts, others their limits.
bool DifferenceFinder::draw(Instances &instances) const {
  std::map<std::string, int64_t> most;
  for (const std::string &symbol : instances.getSymbols())
    most[symbol] = instances.random.in(1, largestSymbol);
  for (unsigned attempt = 0; attempt < attempts; ++attempt)
    if (instances.choose(
            [&](StringRef symbol) {
              return instances.random.in(1, most[symbol.str()]);
            },
            largestOperand))
      return true;
  return false;
}

LogicalResult DifferenceFinder::collect() {
  Instances instances(rule, options.seed);
  for (unsigned number = 0; number < options.instances; ++number) {
    if (!draw(instances))
      continue;
    Instance instance;
    instance.values = instances.getValues();
    if (!compare(instances, instance)) {
      if (!reason.empty())
        return failure();
      continue;
    }
    findBreaks(instance);
    found.push_back(std::move(instance));
  }
  if (found.size() < leastInstances) {
    reason = "both sides are valid at " + std::to_string(found.size()) +
             " of " + std::to_string(options.instances) + " choices of sizes" +
             (instances.problem.empty() ? "" : ": " + instances.problem);
    return failure();
  }
  return success();
}

/// The bound that at least half of `instances` have; they become fewer. In
/// others, parts that are empty hide it.
std::optional<SymInt>
DifferenceFinder::fitBound(size_t axis, size_t number,
                           std::vector<const Instance *> &instances) const {
  std::vector<SizeFitter::Sample> samples;
  for (const Instance *instance : instances)
    samples.push_back({&instance->sizes, instance->breaks[axis][number]});
  std::optional<SymInt> bound = sizes->fit(samples);
  if (bound)
    llvm::erase_if(instances, [&](const Instance *instance) {
      return instance->evaluate(*bound) != instance->breaks[axis][number];
    });
  return bound;
}

/// Whether all that differs lies in the grid's cells that may. Counts how much
/// of these cells differs. At sizes at which its bounds are not in order, a
/// grid says nothing.
bool DifferenceFinder::covers(Fit &fit, const Instance &instance) const {
  Grid &grid = fit.grid;
  size_t rank = grid.bounds.size();
  SmallVector<SmallVector<int64_t>, 4> bounds(rank);
  for (size_t axis = 0; axis < rank; ++axis)
    for (const SymInt &bound : grid.bounds[axis]) {
      std::optional<int64_t> value = instance.evaluate(bound);
      if (!value || (!bounds[axis].empty() && *value < bounds[axis].back())) {
        fit.covered.push_back(std::nullopt);
        return true;
      }
      bounds[axis].push_back(*value);
    }
  uint64_t covered = 0;
  for (size_t element = 0; element < instance.differs.size(); ++element) {
    size_t rest = element, cell = 0, stride = 1;
    for (size_t axis = rank; axis-- > 0;) {
      int64_t index = rest % instance.shape[axis];
      rest /= instance.shape[axis];
      cell += stride * (llvm::upper_bound(bounds[axis], index) -
                        bounds[axis].begin() - 1);
      stride *= grid.countCells(axis);
    }
    if (instance.differs[element] && !grid.differs[cell])
      return false;
    covered += grid.differs[cell];
    grid.differing += instance.differs[element];
  }
  grid.covered += covered;
  fit.covered.push_back(covered);
  return true;
}

/// The grid that has as many cells as these instances show.
std::optional<Fit>
DifferenceFinder::fitGrid(std::vector<const Instance *> instances) {
  const Instance &first = *instances.front();
  Fit fit;
  Grid &grid = fit.grid;
  Shape shape =
      graph::getShape(rule.getSource().front().getTerminator()->getOperand(0));
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    Shape bounds = {SymInt(0)};
    for (size_t number = 0; number < first.breaks[axis].size(); ++number) {
      std::optional<SymInt> bound = fitBound(axis, number, instances);
      if (!bound)
        return std::nullopt;
      bounds.push_back(*bound);
    }
    bounds.push_back(shape[axis]);
    grid.bounds.push_back(std::move(bounds));
  }
  grid.differs = first.getCells();
  for (const Instance &instance : found)
    if (!covers(fit, instance))
      return std::nullopt;
  for (const Instance *instance : instances)
    grid.instances.push_back(instance->values);
  return fit;
}

FailureOr<Grid> DifferenceFinder::run() {
  if (rule.getResultTypes().size() != 1) {
    reason = "the rule has several results";
    return failure();
  }
  if (failed(collect()))
    return failure();
  using Pattern = std::pair<std::vector<size_t>, std::vector<bool>>;
  std::map<Pattern, std::vector<const Instance *>> byPattern;
  for (const Instance &instance : found) {
    std::vector<size_t> cuts;
    for (const auto &own : instance.breaks)
      cuts.push_back(own.size());
    byPattern[{cuts, instance.getCells()}].push_back(&instance);
  }
  sizes.emplace(rule);
  for (Instance &instance : found)
    instance.sizes = sizes->evaluate(instance.values);
  // At some sizes, parts are empty, or elements read nothing but padding and so
  // are equal. The tightest grid that says something of enough sizes is what
  // the rule is about.
  std::optional<Fit> best;
  for (const auto &[pattern, instances] : byPattern)
    if (instances.size() >= leastInstances)
      if (std::optional<Fit> fit = fitGrid(instances);
          fit && fit->countCovered() * leastShare >= found.size() &&
          (!best || fit->isTighter(*best)))
        best = std::move(fit);
  if (best)
    return best->grid;
  reason = "what differs is no union of boxes whose bounds are sums of sizes";
  return failure();
}

FailureOr<Grid> tenon::discover::findDifferences(
    rule::RuleOp rule, const DifferenceOptions &options, std::string &reason) {
  reason.clear();
  return DifferenceFinder(rule, options, reason).run();
}
