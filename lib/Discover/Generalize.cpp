//===- Generalize.cpp - from two graphs to a rule for all sizes -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Discover/Generalize.h"

#include "tenon/Dialect/Graph/IR/SizeConditions.h"
#include "tenon/Dialect/Graph/IR/SizeFacts.h"
#include "tenon/Dialect/Rule/Analysis/SizeEquations.h"
#include "tenon/Discover/Statements.h"

#include "mlir/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

#include <numeric>
#include <set>

using namespace mlir;
using namespace tenon;
using namespace tenon::discover;
using namespace tenon::graph;
using tenon::rule::RuleOp;
using tenon::rule::SizeEquations;

namespace {
/// Each round makes sizes equal of which there are few.
constexpr unsigned maxRounds = 64;

class Generalizer {
public:
  Generalizer(MLIRContext *context, const Terms &terms,
              const Candidate &candidate, const StatementOptions &options,
              std::string &reason)
      : context(context), terms(terms), candidate(candidate), options(options),
        reason(reason), builder(context) {}

  FailureOr<Generalized> run(StringRef name);

private:
  using Values = llvm::DenseMap<ValueId, Value>;

  void dropLeadingAxes();
  bool isWeight(ValueId input) const;
  void makeUnknowns();
  void addWindows(const Terms::Op &op, Operation *built);
  LogicalResult equateOperands(const Terms::Op &op, ArrayRef<Value> operands,
                               bool &isBlocked);
  /// The results, or none if ops need equations first that are not solved yet.
  FailureOr<SmallVector<Value>> build(Block &block, ArrayRef<ValueId> results);
  /// Builds both sides with what is known of the sizes.
  LogicalResult round();
  LogicalResult makeEqual(const SymInt &a, const SymInt &b);
  LogicalResult collect(ArrayRef<SizeCondition> conditions,
                        std::vector<SymInt> &others);
  LogicalResult solve();
  LogicalResult pairNumbers();
  void bindSymbols();
  void nameSymbols();
  /// The size without symbols that can't be bound.
  SymInt finish(const SymInt &size) const;
  SymInt rename(const SymInt &size) const;
  Shape resolveAll(const Shape &sizes) const;

  MLIRContext *context;
  const Terms &terms;
  const Candidate &candidate;
  const StatementOptions &options;
  std::string &reason;
  OpBuilder builder;
  SizeEquations sizes;
  SmallVector<ValueId, 8> inputs;
  std::map<ValueId, Shape> inputShapes;
  /// Leading axes that all ops treat alike, and the families without them.
  unsigned numLeading = 0;
  /// Whether all ops allow for further leading axes.
  bool isLiftable = false;
  std::map<OpId, unsigned> families;
  std::map<OpId, Shape> numbers;
  /// Symbols that a match can't bind, by what it can.
  std::map<std::string, SymInt> bound;
  std::map<std::string, std::string> names;
  /// Symbols of attributes that all ops share: by their name, place and value.
  std::map<std::string, std::string> shared;
  /// What the sides require beside equations, in the last round.
  std::vector<SymInt> sourceNeeds, targetNeeds;
  bool collectsWindows = true;
  unsigned numPairings = 1;
  /// Whether both sides were built in the last round.
  bool isComplete = false;
  /// Whether an equation was solved in this round.
  bool changed = false;
  /// Equations that wait for others.
  std::set<std::string> waiting;
};
} // namespace

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

FailureOr<SmallVector<Value>> Generalizer::build(Block &block,
                                                 ArrayRef<ValueId> results) {
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
  auto ofSource = collectWhile([&] { mine = build(source, candidate.source); });
  if (failed(mine))
    return failure();
  auto ofTarget = collectWhile([&] { its = build(target, candidate.target); });
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

/// A match binds symbols that are whole sizes of inputs or whole numbers of the
/// source. Where a number of the source is a sum with another symbol, such as
/// the sizes of a split, the number becomes the symbol, and the other one a
/// difference.
void Generalizer::bindSymbols() {
  std::set<std::string> whole;
  auto note = [&](const SymInt &size) {
    if (auto symbol = finish(size).getSymbol())
      whole.insert(symbol->str());
  };
  for (ValueId input : inputs)
    llvm::for_each(inputShapes[input], note);
  auto ops = terms.listOps(candidate.source);
  for (OpId op : ops)
    llvm::for_each(numbers[op], note);
  for (OpId op : ops)
    for (auto [place, number] : llvm::enumerate(numbers[op])) {
      SymInt sum = finish(number);
      for (const auto &[monomial, coefficient] : sum.getTerms()) {
        if (coefficient != 1 || monomial.atoms.size() != 1 ||
            monomial.atoms[0]->kind != SymInt::AtomKind::Symbol)
          continue;
        std::string name = monomial.atoms[0]->name;
        if (sum.getSymbol() || whole.count(name))
          continue;
        SymInt rest = sum - SymInt::symbol(name);
        std::string unknown =
            "w" + std::to_string(op) + "." + std::to_string(place);
        bound.emplace(name, SymInt::symbol(unknown) - rest);
        whole.insert(unknown);
        break;
      }
    }
}

SymInt Generalizer::finish(const SymInt &size) const {
  // One may stand in another.
  SymInt value = sizes.resolve(size);
  for (size_t step = 0; step <= bound.size(); ++step)
    value = value.substitute([&](StringRef name) -> std::optional<SymInt> {
      auto found = bound.find(name.str());
      return found == bound.end() ? std::nullopt
                                  : std::optional<SymInt>(found->second);
    });
  return value;
}

void Generalizer::nameSymbols() {
  std::set<std::string> used;
  for (const auto &[key, name] : shared)
    used.insert(name);
  auto give = [&](StringRef unknown, char letter) {
    if (!unknown.contains('.') || names.count(unknown.str()))
      return;
    std::string name(1, letter);
    for (unsigned next = 2; !used.insert(name).second; ++next)
      name = letter + std::to_string(next);
    names[unknown.str()] = name;
  };
  // Sizes that are a single symbol come first: their axis says what it means.
  for (bool alone : {true, false}) {
    for (ValueId input : inputs)
      for (auto [axis, size] : llvm::enumerate(inputShapes[input])) {
        SymInt value = finish(size);
        StringRef letters =
            terms.getLetters(input).take_back(inputShapes[input].size());
        char letter = axis < letters.size() ? letters[axis] : 'a';
        if (!alone || value.getSymbol())
          value.visitSymbols([&](StringRef name) { give(name, letter); });
      }
    for (const auto &[op, own] : numbers)
      for (const SymInt &number : own)
        finish(number).visitSymbols([&](StringRef name) { give(name, 'p'); });
  }
}

SymInt Generalizer::rename(const SymInt &size) const {
  return finish(size).substitute(
      [&](StringRef unknown) -> std::optional<SymInt> {
        auto found = names.find(unknown.str());
        if (found == names.end())
          return std::nullopt;
        return SymInt::symbol(found->second);
      });
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

FailureOr<Generalized> Generalizer::run(StringRef name) {
  ScopedDiagnosticHandler quiet(context, [&](Diagnostic &d) {
    if (reason.empty())
      reason = d.str();
    return success();
  });
  inputs = terms.listInputs(candidate.source);
  for (ValueId input : terms.listInputs(candidate.target))
    if (!llvm::is_contained(inputs, input)) {
      reason = "the target reads what the source does not";
      return failure();
    }
  dropLeadingAxes();
  makeUnknowns();
  if (failed(solve()) || failed(pairNumbers()) || failed(solve()))
    return failure();
  bindSymbols();
  nameSymbols();
  Generalized result;
  result.isLifted = isLiftable;
  result.numPairings = numPairings;
  for (ValueId input : inputs) {
    Shape &shape = inputShapes[input];
    for (SymInt &size : shape)
      size = rename(size);
    result.inputs.push_back({input, shape});
  }
  for (auto &[op, own] : numbers)
    for (SymInt &number : own)
      number = rename(number);
  result.numbers = numbers;

  SmallVector<StringRef> argumentNames;
  std::vector<std::string> storage;
  for (size_t number = 0; number < inputs.size(); ++number)
    storage.push_back(number < 6 ? std::string(1, "xyzuvw"[number])
                                 : "x" + std::to_string(number));
  argumentNames.append(storage.begin(), storage.end());
  SmallVector<Attribute> conditions;
  auto require = [&](const SymInt &value) {
    SymInt needed = rename(value);
    result.conditions.push_back(needed);
    rule::ConditionAttr condition = stateAtLeastZero(context, needed);
    if (!llvm::is_contained(conditions, condition))
      conditions.push_back(condition);
  };
  for (const SymInt &difference : sizes.getDifferences())
    require(difference);
  for (const auto &[name, difference] : bound)
    require(difference);
  for (const std::string &symbol : options.positive)
    require(SymInt::symbol(symbol) - 1);
  for (const SymInt &value : targetNeeds)
    if (!llvm::is_contained(sourceNeeds, value))
      require(value);
  for (const SymInt &value : sourceNeeds)
    result.conditions.push_back(rename(value));

  // Everything has its final name now, so that building resolves nothing.
  SmallVector<int64_t> lifted;
  if (isLiftable)
    for (auto [number, input] : llvm::enumerate(inputs))
      if (!options.sharesWeights || !isWeight(input))
        lifted.push_back(number);
  if (options.sharesWeights &&
      (lifted.empty() || lifted.size() == inputs.size())) {
    reason = "no operand is a weight, or all are";
    return failure();
  }
  OpBuilder outside(context);
  result.rule = RuleOp::create(outside, outside.getUnknownLoc(), name,
                               outside.getArrayAttr({}),
                               outside.getStrArrayAttr(argumentNames), lifted,
                               outside.getArrayAttr(conditions), ArrayAttr());
  SmallVector<Attribute> types;
  for (bool isSource : {true, false}) {
    Region &region =
        isSource ? result.rule->getSource() : result.rule->getTarget();
    auto values = build(region.emplaceBlock(),
                        isSource ? candidate.source : candidate.target);
    if (failed(values))
      return failure();
    rule::YieldOp::create(builder, builder.getUnknownLoc(), *values);
    if (isSource)
      for (Value value : *values)
        types.push_back(TypeAttr::get(value.getType()));
  }
  result.rule->setResultTypesAttr(outside.getArrayAttr(types));
  if (failed(verify(*result.rule)))
    return failure();
  return result;
}

FailureOr<Generalized> tenon::discover::generalize(
    MLIRContext *context, const Terms &terms, const Candidate &candidate,
    StringRef name, const StatementOptions &options, std::string &reason) {
  reason.clear();
  FailureOr<Generalized> result =
      Generalizer(context, terms, candidate, options, reason).run(name);
  if (failed(result) && reason.empty())
    reason = "no sizes satisfy both sides";
  return result;
}
