//===- Refute.cpp - finding counterexamples to rules ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Refute.h"

#include "tenon/ProofKernel/Lift.h"
#include "tenon/Prove/Instances.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <set>

using namespace mlir;
using namespace tenon;
using namespace tenon::prove;
using interpret::Domain;
using interpret::Tensor;

/// The most elements of an operand at sizes next to the numbers of a rule.
static constexpr int64_t maxElements = 20'000;
/// The steps of all trials (tenon/Prove/Instances.h), some seconds' work.
static constexpr uint64_t maxSteps = 100'000'000;

namespace {
/// The kind of numbers in operands.
enum class Fill {
  Small, // 1 to 9, which is readable
  Wide,  // many values, which show any difference
  Zeros  // -1, 0 and 1, for functions that are not defined everywhere
};

class Refuter {
public:
  Refuter(rule::RuleOp rule, bool anyUndefined)
      : rule(rule), instances(rule), anyUndefined(anyUndefined) {
    instances.stepsLeft = maxSteps;
  }

  std::optional<rule::Counterexample> run(unsigned trials, unsigned &evaluated);
  uint64_t getSteps() const { return maxSteps - instances.stepsLeft; }

private:
  FailureOr<SmallVector<Tensor>> makeInputs();
  FailureOr<SmallVector<Tensor>> evaluate(Region &side,
                                          ArrayRef<Tensor> inputs);
  std::optional<rule::Counterexample> tryOnce(bool &counts);
  std::optional<rule::Counterexample> compare(ArrayRef<Tensor> source,
                                              ArrayRef<Tensor> target);
  rule::Counterexample describe(ArrayRef<Tensor> inputs,
                                rule::Counterexample found);
  std::string format(Type elementType, interpret::Cell cell) const;
  bool differ(Type elementType, interpret::Cell a, interpret::Cell b) const;
  bool isNumber(interpret::Cell cell) const;

  rule::RuleOp rule;
  Instances instances;
  bool anyUndefined;
  Fill fill = Fill::Small;
  Domain domain{Domain::Kind::Field, 1};
};
} // namespace

/// Collects the numbers that occur in a size.
static void collectNumbers(const graph::SymInt &size,
                           std::set<int64_t> &numbers) {
  for (const auto &[monomial, coefficient] : size.getTerms()) {
    numbers.insert(std::abs(coefficient));
    for (const graph::SymInt::AtomRef &atom : monomial.atoms)
      if (atom->kind != graph::SymInt::AtomKind::Symbol) {
        collectNumbers(*atom->lhs, numbers);
        collectNumbers(*atom->rhs, numbers);
      }
  }
}

/// The numbers that occur in the sizes of a rule and, if it has 8-bit integers,
/// those at which they wrap. Only numbers that are larger than the sizes of the
/// other trials, and small enough for a trial.
static std::set<int64_t> getNumbers(rule::RuleOp rule) {
  std::set<int64_t> numbers;
  auto visit = [&](Type type) {
    if (auto tensor = dyn_cast<RankedTensorType>(type)) {
      for (const graph::SymInt &size : graph::getShape(tensor))
        collectNumbers(size, numbers);
      if (tensor.getElementType().isInteger(8))
        numbers.insert({128, 256});
    }
  };
  for (Type type : rule.getArgumentTypes())
    visit(type);
  for (Region *side : {&rule.getSource(), &rule.getTarget()})
    side->walk([&](Operation *op) {
      for (Type type : op->getResultTypes())
        visit(type);
      for (NamedAttribute attribute : op->getAttrDictionary())
        if (auto dims = dyn_cast<graph::DimsAttr>(attribute.getValue()))
          for (const graph::SymInt &size : dims.getEntries())
            collectNumbers(size, numbers);
    });
  for (rule::ConditionAttr condition : rule.getConditionList()) {
    collectNumbers(condition.getLhs(), numbers);
    collectNumbers(condition.getRhs(), numbers);
  }
  std::set<int64_t> kept;
  for (int64_t number : numbers)
    if (number > 8 && number <= 300)
      kept.insert(number);
  return kept;
}

FailureOr<SmallVector<Tensor>> Refuter::makeInputs() {
  Random &random = instances.random;
  instances.drawsExtremes = fill == Fill::Wide;
  return instances.makeInputs(
      [&](interpret::Cell &cell) {
        bool inField = domain.kind == Domain::Kind::Field;
        if (fill == Fill::Wide) {
          if (inField)
            cell.residue = random.next() % fieldPrime;
          else
            cell.number = static_cast<double>(random.in(-2000, 2000)) / 997;
          return;
        }
        int64_t number =
            fill == Fill::Small ? random.in(1, 9) : random.in(-1, 1);
        if (inField)
          cell.residue = number < 0 ? fieldPrime + number : number;
        else
          cell.number = number;
      },
      domain.kind);
}

FailureOr<SmallVector<Tensor>> Refuter::evaluate(Region &side,
                                                 ArrayRef<Tensor> inputs) {
  bool opaque = false;
  auto results = instances.evaluate(side, inputs, domain, &opaque);
  // The rule is not a polynomial: start over in f64.
  if (opaque && domain.kind == Domain::Kind::Field)
    domain.kind = Domain::Kind::F64;
  return results;
}

bool Refuter::isNumber(interpret::Cell cell) const {
  // Values above the prime represent a division by zero.
  return domain.kind == Domain::Kind::Field ? cell.residue < fieldPrime
                                            : std::isfinite(cell.number);
}

bool Refuter::differ(Type elementType, interpret::Cell a,
                     interpret::Cell b) const {
  if (isa<IntegerType>(elementType))
    return a.integer != b.integer;
  if (!isNumber(a) || !isNumber(b)) {
    // Small numbers do not overflow, so the target does something undefined,
    // such as a division by zero, which the source does not do.
    return fill == Fill::Zeros && isNumber(a) != isNumber(b) &&
           (anyUndefined || isNumber(a));
  }
  if (domain.kind == Domain::Kind::Field)
    return a.residue != b.residue;
  double scale = std::max({1.0, std::abs(a.number), std::abs(b.number)});
  return std::abs(a.number - b.number) > 1e-6 * scale;
}

std::string Refuter::format(Type elementType, interpret::Cell cell) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (isa<IntegerType>(elementType)) {
    os << cell.integer;
  } else if (domain.kind == Domain::Kind::Field) {
    if (!isNumber(cell))
      os << "not a number";
    else if (cell.residue > fieldPrime / 2)
      os << '-' << fieldPrime - cell.residue;
    else
      os << cell.residue;
  } else if (std::isnan(cell.number)) {
    os << "not a number"; // nor is its sign
  } else {
    os << llvm::format("%g", cell.number);
  }
  return text;
}

std::optional<rule::Counterexample> Refuter::compare(ArrayRef<Tensor> source,
                                                     ArrayRef<Tensor> target) {
  for (auto [number, both] : llvm::enumerate(llvm::zip(source, target))) {
    const Tensor &a = std::get<0>(both), &b = std::get<1>(both);
    rule::Counterexample found;
    found.result = number;
    if (a.getShape() != b.getShape()) {
      auto text = [](const Tensor &tensor) {
        std::string shape = "of shape [";
        llvm::raw_string_ostream os(shape);
        llvm::interleaveComma(tensor.getShape(), os);
        os << ']';
        return shape;
      };
      found.source = text(a);
      found.target = text(b);
      return found;
    }
    for (int64_t n = 0; n < a.getNumElements(); ++n) {
      if (!differ(a.getElementType(), a.data()[n], b.data()[n]))
        continue;
      found.index.resize(a.getRank());
      int64_t rest = n;
      for (int64_t axis = a.getRank(); axis-- > 0;) {
        found.index[axis] = rest % a.getShape()[axis];
        rest /= a.getShape()[axis];
      }
      found.source = format(a.getElementType(), a.data()[n]);
      found.target = format(b.getElementType(), b.data()[n]);
      return found;
    }
  }
  return std::nullopt;
}

rule::Counterexample Refuter::describe(ArrayRef<Tensor> inputs,
                                       rule::Counterexample found) {
  for (const std::string &symbol : instances.getSymbols())
    found.symbols.emplace_back(symbol, instances.getValues().at(symbol));
  // Random residues of the field are of no use to a reader.
  if (fill != Fill::Wide || domain.kind != Domain::Kind::Field)
    for (auto [number, input] : llvm::enumerate(inputs)) {
      if (input.getNumElements() > 32)
        continue;
      std::string text = "[";
      for (int64_t n = 0; n < input.getNumElements(); ++n)
        text +=
            (n ? ", " : "") + format(input.getElementType(), input.data()[n]);
      found.operands.emplace_back(rule.getArgumentName(number).str(),
                                  text + "]");
    }
  return found;
}

std::optional<rule::Counterexample> Refuter::tryOnce(bool &counts) {
  counts = false;
  for (unsigned start = 0; start < 2; ++start) {
    Domain::Kind kind = domain.kind;
    FailureOr<SmallVector<Tensor>> inputs = makeInputs();
    if (failed(inputs))
      return std::nullopt;
    FailureOr<SmallVector<Tensor>> source = evaluate(rule.getSource(), *inputs);
    if (domain.kind != kind)
      continue;
    if (failed(source))
      return std::nullopt;
    FailureOr<SmallVector<Tensor>> target = evaluate(rule.getTarget(), *inputs);
    if (domain.kind != kind)
      continue;
    if (instances.isSpent())
      return std::nullopt;
    counts = true;
    std::optional<rule::Counterexample> found;
    if (failed(target)) {
      found.emplace();
      found->target = "not valid (" + instances.problem + ")";
    } else {
      found = compare(*source, *target);
    }
    if (found)
      return describe(*inputs, *found);
    return std::nullopt;
  }
  return std::nullopt;
}

std::optional<rule::Counterexample> Refuter::run(unsigned trials,
                                                 unsigned &evaluated) {
  evaluated = 0;
  std::set<Instances::Values> tried;
  for (unsigned trial = 0; trial < trials; ++trial) {
    // Small sizes give readable counterexamples. Later sizes may be empty, or
    // large enough for conditions that need large sizes.
    int64_t least = trial + trial / 4 < trials ? 1 : 0;
    int64_t most = trial < 4 ? 2 : trial < trials / 2 ? 4 : 8;
    if (!instances.draw(least, most))
      continue;
    if (!tried.insert(instances.getValues()).second)
      continue;
    for (Fill next : {Fill::Small, Fill::Wide}) {
      fill = next;
      bool counts = false;
      std::optional<rule::Counterexample> found = tryOnce(counts);
      if (found)
        return found;
      if (!counts)
        break;
      evaluated += fill == Fill::Wide;
    }
  }
  // Try sizes at which the behavior may change: next to each number of the
  // rule, and where narrow integers wrap.
  fill = Fill::Wide;
  for (int64_t number : getNumbers(rule))
    for (const std::string &symbol : instances.getSymbols())
      for (int64_t size : {number - 1, number, number + 1, number + 4}) {
        bool counts = false;
        if (instances.choose(
                [&](StringRef name) {
                  return name == symbol ? size : instances.random.in(1, 2);
                },
                maxElements))
          if (std::optional<rule::Counterexample> found = tryOnce(counts))
            return found;
      }
  fill = Fill::Zeros;
  // A mean of no elements is undefined, so each size is 0 once while all others
  // are 1.
  bool counts = false;
  for (const std::string &symbol : instances.getSymbols())
    if (instances.choose([&](StringRef name) { return name != symbol; }))
      if (std::optional<rule::Counterexample> found = tryOnce(counts))
        return found;
  for (unsigned trial = 0; trial < trials; ++trial) {
    if (!instances.draw(trial % 4 ? 1 : 0, 3))
      continue;
    if (std::optional<rule::Counterexample> found = tryOnce(counts))
      return found;
  }
  return std::nullopt;
}

std::optional<rule::Counterexample>
prove::refute(rule::RuleOp rule, unsigned trials, unsigned &evaluated,
              bool anyUndefined, uint64_t &steps) {
  std::string reason;
  OwningOpRef<rule::RuleOp> overRanks = getRuleOverRanks(rule, reason);
  if (!overRanks)
    return std::nullopt;
  Refuter refuter(*overRanks, anyUndefined);
  auto found = refuter.run(trials, evaluated);
  steps += refuter.getSteps();
  return found;
}
