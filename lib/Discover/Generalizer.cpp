//===- Generalizer.cpp - sizes for which two graphs agree -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generalizer.h"

#include "tenon/Dialect/Graph/IR/SizeFacts.h"
#include "tenon/Discover/Statements.h"

#include <numeric>

using namespace mlir;
using namespace tenon;
using namespace tenon::discover;
using namespace tenon::graph;

/// Each round makes sizes equal of which there are few.
static constexpr unsigned maxRounds = 64;

/// As many leading axes as possible: the operands may then have any others.
void Generalizer::dropLeadingAxes() {
  SmallVector<ValueId> results(candidate.source.begin(),
                               candidate.source.end());
  results.append(candidate.target.begin(), candidate.target.end());
  auto ops = terms.listOps(results);
  size_t least = SIZE_MAX;
  for (ValueId value : results)
    least = std::min(least, terms.getShape(value).size());
  for (ValueId input : inputs)
    least = std::min(least, terms.getShape(input).size());
  for (OpId op : ops)
    families[op] = terms.getChoice(terms.getOpAt(op)).family;
  isLiftable =
      options.lifts && llvm::all_of(families, [&](const auto &pair) {
        return terms.getOpSet().getFamily(pair.second).takesLeadingAxes;
      });
  for (; isLiftable && numLeading + 1 < least; ++numLeading) {
    std::map<OpId, unsigned> fewer;
    for (auto [op, family] : families)
      if (auto dropped = terms.getOpSet().dropLeadingAxis(family))
        fewer[op] = *dropped;
    if (fewer.size() < families.size())
      return;
    families = std::move(fewer);
  }
}

void Generalizer::makeUnknowns() {
  for (auto [number, input] : llvm::enumerate(inputs))
    for (size_t axis = numLeading; axis < terms.getShape(input).size(); ++axis)
      inputShapes[input].push_back(sizes.makeUnknown(
          "i" + std::to_string(number) + "." + std::to_string(axis)));
  SmallVector<ValueId> results(candidate.source.begin(),
                               candidate.source.end());
  results.append(candidate.target.begin(), candidate.target.end());
  for (OpId id : terms.listOps(results)) {
    const Terms::Op &op = terms.getOpAt(id);
    const OpChoice &choice = terms.getChoice(op);
    Shape &own = numbers[id];
    size_t place = 0;
    for (const OpFamily::Numbers &attribute : terms.getFamily(op).numbers)
      for (unsigned n = 0; n < attribute.count; ++n, ++place) {
        int64_t value = choice.numbers[place];
        if (attribute.freedom == Freedom::Own) {
          own.push_back(sizes.makeUnknown("n" + std::to_string(id) + "." +
                                          std::to_string(place)));
          continue;
        }
        if (value == 0) {
          own.push_back(SymInt(0));
          continue;
        }
        std::string key =
            attribute.name + std::to_string(n) + "=" + std::to_string(value);
        auto [entry, isNew] = shared.try_emplace(key, "");
        if (isNew)
          entry->second =
              attribute.name.substr(0, 1) + std::to_string(shared.size());
        own.push_back(SymInt::symbol(entry->second));
      }
  }
}

/// Results of convolutions are equal where strides, pads, inputs and kernels
/// are.
void Generalizer::addWindows(const Terms::Op &op, Operation *built) {
  auto conv = dyn_cast<ConvOp>(built);
  if (!conv || !collectsWindows)
    return;
  Shape input = getShape(conv.getInput()), kernel = getShape(conv.getWeight()),
        output = getShape(conv.getResult());
  Shape strides = conv.getStrides().getEntries(),
        pads = conv.getPads().getEntries(),
        dilations = conv.getDilations().getEntries();
  size_t axes = strides.size();
  for (size_t axis = 0; axis < axes; ++axis)
    sizes.addWindow({input[2 + axis], kernel[2 + axis], strides[axis],
                     pads[axis] + pads[axis + axes], output[2 + axis]});
}

/// Elementwise ops need operands of one shape, which is a constraint on types
/// and not one of sizes. Sets `isBlocked` as long as they have not.
LogicalResult Generalizer::equateOperands(const Terms::Op &op,
                                          ArrayRef<Value> operands,
                                          bool &isBlocked) {
  if (!terms.getOpSet().isElementwise(terms.getChoice(op).family))
    return success();
  for (Value operand : operands.drop_front()) {
    isBlocked |= operand.getType() != operands.front().getType();
    Shape first = getShape(operands.front()), other = getShape(operand);
    for (auto [a, b] : llvm::zip_equal(first, other))
      if (failed(makeEqual(a, b)))
        return failure();
  }
  return success();
}

Shape Generalizer::resolveAll(const Shape &from) const {
  Shape resolved;
  for (const SymInt &size : from)
    resolved.push_back(sizes.resolve(size));
  return resolved;
}

FailureOr<SmallVector<Value>>
Generalizer::build(Block &block, ArrayRef<ValueId> results,
                   SmallVectorImpl<SizeCondition> &conditions) {
  builder.setInsertionPointToEnd(&block);
  Values values;
  for (ValueId input : inputs)
    values[input] = block.addArgument(
        getTensorType(resolveAll(inputShapes[input]), builder.getF32Type()),
        builder.getUnknownLoc());
  for (OpId id : terms.listOps(results)) {
    const Terms::Op &op = terms.getOpAt(id);
    SmallVector<Value> operands;
    for (ValueId operand : op.operands)
      operands.push_back(values.lookup(operand));
    bool isBlocked = false;
    if (failed(equateOperands(op, operands, isBlocked)))
      return failure();
    if (isBlocked)
      return SmallVector<Value>();
    Operation *built = terms.getOpSet().build(
        builder, families[id], resolveAll(numbers[id]), operands);
    if (!built)
      return failure();
    llvm::append_range(conditions, collectSizeConditions(built));
    addWindows(op, built);
    for (auto [number, result] : llvm::enumerate(built->getResults()))
      values[op.firstResult + number] = result;
  }
  SmallVector<Value> found;
  for (ValueId result : results)
    found.push_back(values.lookup(result));
  return found;
}

/// The two sides of a condition that `requireEqual` recorded: the value is
/// min(a - b, b - a).
static std::optional<SymInt> getEquation(const SymInt &value) {
  if (value.getTerms().size() != 1)
    return std::nullopt;
  const auto &[monomial, coefficient] = *value.getTerms().begin();
  if (coefficient != 1 || monomial.atoms.size() != 1 ||
      monomial.atoms[0]->kind != SymInt::AtomKind::Min)
    return std::nullopt;
  const SymInt &a = *monomial.atoms[0]->lhs, &b = *monomial.atoms[0]->rhs;
  return a == -b ? std::optional<SymInt>(a) : std::nullopt;
}

LogicalResult Generalizer::makeEqual(const SymInt &a, const SymInt &b) {
  SymInt difference = sizes.resolve(a) - sizes.resolve(b);
  int64_t divisor = 0;
  for (const auto &[monomial, coefficient] : difference.getTerms())
    divisor = std::gcd(divisor, coefficient);
  if (divisor == 0)
    return success(); // equal already
  auto [left, right] = separate(difference, divisor);
  if (!waiting.insert(difference.str()).second)
    return success();
  auto emitError = [this] {
    return mlir::emitError(UnknownLoc::get(context))
           << "the sizes contradict: ";
  };
  if (failed(sizes.makeEqual(left, right, emitError)))
    return failure();
  changed |= sizes.resolve(left) == sizes.resolve(right);
  return success();
}

LogicalResult Generalizer::collect(ArrayRef<SizeCondition> conditions,
                                   std::vector<SymInt> &others) {
  others.clear();
  for (const SizeCondition &condition : conditions) {
    if (std::optional<SymInt> difference = getEquation(condition.value)) {
      auto [a, b] = separate(*difference);
      if (failed(makeEqual(a, b)))
        return failure();
      continue;
    }
    others.push_back(condition.value);
  }
  return success();
}

LogicalResult Generalizer::round() {
  changed = false;
  Block source, target;
  FailureOr<SmallVector<Value>> mine, its;
  SmallVector<SizeCondition> ofSource, ofTarget;
  mine = build(source, candidate.source, ofSource);
  if (failed(mine))
    return failure();
  its = build(target, candidate.target, ofTarget);
  if (failed(its))
    return failure();
  isComplete = !mine->empty() && !its->empty();
  if (isComplete) {
    collectsWindows = false;
    for (auto [a, b] : llvm::zip_equal(*mine, *its)) {
      Shape expected = getShape(a), found = getShape(b);
      if (expected.size() != found.size())
        return failure();
      for (auto [one, other] : llvm::zip_equal(expected, found))
        if (failed(makeEqual(one, other)))
          return failure();
    }
  }
  return failure(failed(collect(ofSource, sourceNeeds)) ||
                 failed(collect(ofTarget, targetNeeds)));
}

LogicalResult Generalizer::solve() {
  // Most general solutions first; others only where these do not suffice.
  for (bool settles : {false, true}) {
    if (settles && failed(sizes.settleWaiting()))
      return failure();
    for (unsigned rounds = 0; rounds == 0 || changed; ++rounds)
      if (rounds == maxRounds || failed(round()) ||
          failed(sizes.retryWaiting()))
        return failure();
  }
  return failure(failed(sizes.settleWaiting()) || !isComplete);
}

/// Shapes do not say where a target splits what its source does not: there,
/// too, as an op of the source does.
LogicalResult Generalizer::pairNumbers() {
  std::set<std::string> known;
  auto note = [&](const SymInt &size) {
    sizes.resolve(size).visitSymbols(
        [&](StringRef name) { known.insert(name.str()); });
  };
  for (ValueId input : inputs)
    llvm::for_each(inputShapes[input], note);
  auto sourceOps = terms.listOps(candidate.source);
  for (OpId op : sourceOps)
    llvm::for_each(numbers[op], note);
  auto getNumbers = [&](OpId op) -> const Sizes & {
    return terms.getChoice(terms.getOpAt(op)).numbers;
  };
  for (OpId op : terms.listOps(candidate.target)) {
    bool isKnown = true;
    for (const SymInt &number : numbers[op])
      sizes.resolve(number).visitSymbols(
          [&](StringRef name) { isKnown &= known.count(name.str()) != 0; });
    if (isKnown)
      continue;
    SmallVector<OpId> alike;
    for (OpId other : sourceOps)
      if (getNumbers(other) == getNumbers(op))
        alike.push_back(other);
    if (alike.empty())
      continue; // it can't be stated
    numPairings = std::max<unsigned>(numPairings, alike.size());
    OpId chosen = alike[std::min<size_t>(options.pairing, alike.size() - 1)];
    for (auto [mine, its] : llvm::zip_equal(numbers[op], numbers[chosen]))
      if (failed(makeEqual(mine, its)))
        return failure();
  }
  return success();
}

/// Whether a product reads the input, or something computed from it, on its
/// right.
bool Generalizer::isWeight(ValueId input) const {
  SmallVector<ValueId> results(candidate.source.begin(),
                               candidate.source.end());
  results.append(candidate.target.begin(), candidate.target.end());
  return llvm::any_of(terms.listOps(results), [&](OpId id) {
    const Terms::Op &op = terms.getOpAt(id);
    return terms.getFamily(op).op == "matmul" &&
           llvm::is_contained(terms.listInputs({op.operands[1]}), input);
  });
}
