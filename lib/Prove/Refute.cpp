//===- Refute.cpp - places where the two sides of a rule differ -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Refute.h"

#include "tenon/Interpret/Interpreter.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <set>

using namespace mlir;
using namespace tenon;
using namespace tenon::prove;
using graph::SymInt;
using interpret::Domain;
using interpret::Tensor;

/// Elements of one operand or result beyond which a trial costs too much.
static constexpr int64_t maxElements = 4096;
static constexpr uint64_t prime = (uint64_t(1) << 61) - 1;

namespace {
/// splitmix64: deterministic everywhere.
struct Random {
  uint64_t state;
  uint64_t next() {
    uint64_t z = (state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  int64_t in(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(next() % (high - low + 1));
  }
};

class Refuter {
public:
  explicit Refuter(rule::RuleOp rule) : rule(rule) {}

  std::optional<rule::Counterexample> run(unsigned trials, unsigned &evaluated);

private:
  void collectSymbols();
  bool draw(int64_t least, int64_t most);
  std::optional<SmallVector<int64_t>> getSizes(Type type);
  FailureOr<SmallVector<Tensor>> makeInputs(bool small);
  FailureOr<SmallVector<Tensor>> evaluate(Region &side,
                                          ArrayRef<Tensor> inputs);
  std::optional<rule::Counterexample> tryOnce(bool small, bool &counts);
  std::optional<rule::Counterexample> compare(ArrayRef<Tensor> source,
                                              ArrayRef<Tensor> target);
  rule::Counterexample describe(ArrayRef<Tensor> inputs,
                                rule::Counterexample found, bool small);
  std::string format(Type elementType, interpret::Cell cell) const;
  bool differ(Type elementType, interpret::Cell a, interpret::Cell b) const;

  rule::RuleOp rule;
  std::vector<std::string> symbols;
  std::map<std::string, int64_t> values;
  Domain domain{Domain::Kind::Field, 1};
  Random random{20260101};
  std::string problem;
};
} // namespace

void Refuter::collectSymbols() {
  std::set<std::string> seen;
  auto add = [&](StringRef name) {
    if (seen.insert(name.str()).second)
      symbols.push_back(name.str());
  };
  for (Type type : rule.getArgumentTypes())
    rule::visitSymbols(type, add);
  rule.getSource().walk([&](Operation *op) { rule::visitSymbols(op, add); });
}

/// Chooses values that satisfy the conditions; false when it didn't succeed.
bool Refuter::draw(int64_t least, int64_t most) {
  auto lookup = [&](StringRef name) -> std::optional<int64_t> {
    auto it = values.find(name.str());
    if (it == values.end())
      return std::nullopt;
    return it->second;
  };
  for (unsigned attempt = 0; attempt < 500; ++attempt) {
    for (const std::string &symbol : symbols)
      values[symbol] = random.in(least, most);
    // An equation with a lone symbol gives its value.
    for (rule::ConditionAttr condition : rule.getConditionList()) {
      if (condition.getKind() != rule::ConditionKind::Equal)
        continue;
      SymInt lhs = condition.getLhs(), rhs = condition.getRhs();
      if (!lhs.getSymbol())
        std::swap(lhs, rhs);
      if (std::optional<StringRef> symbol = lhs.getSymbol())
        if (std::optional<int64_t> value = rhs.evaluate(lookup);
            value && *value >= 0)
          values[symbol->str()] = *value;
    }
    bool holds = true;
    for (rule::ConditionAttr condition : rule.getConditionList()) {
      std::optional<int64_t> a = condition.getLhs().evaluate(lookup);
      std::optional<int64_t> b = condition.getRhs().evaluate(lookup);
      if (!a || !b) {
        holds = false;
        break;
      }
      switch (condition.getKind()) {
      case rule::ConditionKind::Equal:
        holds &= *a == *b;
        break;
      case rule::ConditionKind::AtLeast:
        holds &= *a >= *b;
        break;
      case rule::ConditionKind::Divides:
        holds &= *a >= 1 && *b % *a == 0;
        break;
      }
    }
    for (Type type : rule.getArgumentTypes())
      holds = holds && getSizes(type).has_value();
    if (holds)
      return true;
  }
  return false;
}

std::optional<SmallVector<int64_t>> Refuter::getSizes(Type type) {
  SmallVector<int64_t> sizes;
  int64_t count = 1;
  for (const SymInt &size : graph::getShape(type)) {
    std::optional<int64_t> value =
        size.evaluate([&](StringRef name) -> std::optional<int64_t> {
          return values.at(name.str());
        });
    if (!value || *value < 0)
      return std::nullopt;
    sizes.push_back(*value);
    count *= std::max<int64_t>(*value, 1);
    if (count > maxElements)
      return std::nullopt;
  }
  return sizes;
}

FailureOr<SmallVector<Tensor>> Refuter::makeInputs(bool small) {
  SmallVector<Tensor> inputs;
  for (Type type : rule.getArgumentTypes()) {
    Type element = cast<RankedTensorType>(type).getElementType();
    FailureOr<Tensor> tensor = Tensor::allocate(element, *getSizes(type));
    if (failed(tensor))
      return failure();
    for (int64_t n = 0; n < tensor->getNumElements(); ++n) {
      interpret::Cell &cell = tensor->data()[n];
      if (element.isInteger(1))
        cell.integer = random.in(0, 1);
      else if (isa<IntegerType>(element))
        cell.integer = random.in(element.isUnsignedInteger() ? 0 : -3, 3);
      else if (domain.kind == Domain::Kind::Field)
        cell.residue = small ? random.in(1, 9) : random.next() % prime;
      else
        cell.number = small ? random.in(1, 9)
                            : static_cast<double>(random.in(-2000, 2000)) / 997;
    }
    inputs.push_back(std::move(*tensor));
  }
  return inputs;
}

FailureOr<SmallVector<Tensor>> Refuter::evaluate(Region &side,
                                                 ArrayRef<Tensor> inputs) {
  problem.clear();
  ScopedDiagnosticHandler quiet(rule.getContext(), [&](Diagnostic &d) {
    if (problem.empty())
      problem = d.str();
    return success();
  });
  interpret::Symbols bound;
  for (const auto &[name, value] : values)
    bound[name] = value;
  interpret::Options options;
  options.domain = domain;
  options.naive = true;
  options.threads = 1;
  interpret::Statistics statistics;
  auto results = interpret::evaluateBlock(side.front(), inputs, bound, options,
                                          &statistics);
  // Not a polynomial: start over in doubles.
  if (statistics.usedOpaqueFunctions && domain.kind == Domain::Kind::Field)
    domain.kind = Domain::Kind::F64;
  return results;
}

bool Refuter::differ(Type elementType, interpret::Cell a,
                     interpret::Cell b) const {
  if (isa<IntegerType>(elementType))
    return a.integer != b.integer;
  if (domain.kind == Domain::Kind::Field) {
    // Values above the prime stand for a division by zero.
    if (a.residue >= prime || b.residue >= prime)
      return false;
    return a.residue != b.residue;
  }
  if (!std::isfinite(a.number) || !std::isfinite(b.number))
    return false;
  double scale = std::max({1.0, std::abs(a.number), std::abs(b.number)});
  return std::abs(a.number - b.number) > 1e-6 * scale;
}

std::string Refuter::format(Type elementType, interpret::Cell cell) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (isa<IntegerType>(elementType)) {
    os << cell.integer;
  } else if (domain.kind == Domain::Kind::Field) {
    if (cell.residue > prime / 2)
      os << '-' << prime - cell.residue;
    else
      os << cell.residue;
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
                                       rule::Counterexample found, bool small) {
  for (const std::string &symbol : symbols)
    found.symbols.emplace_back(symbol, values[symbol]);
  // Random residues help nobody.
  if (small || domain.kind != Domain::Kind::Field)
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

std::optional<rule::Counterexample> Refuter::tryOnce(bool small, bool &counts) {
  counts = false;
  for (unsigned start = 0; start < 2; ++start) {
    Domain::Kind kind = domain.kind;
    FailureOr<SmallVector<Tensor>> inputs = makeInputs(small);
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
    counts = true;
    std::optional<rule::Counterexample> found;
    if (failed(target)) {
      found.emplace();
      found->source = "defined";
      found->target = "not valid (" + problem + ")";
    } else {
      found = compare(*source, *target);
    }
    if (found)
      return describe(*inputs, *found, small);
    return std::nullopt;
  }
  return std::nullopt;
}

std::optional<rule::Counterexample> Refuter::run(unsigned trials,
                                                 unsigned &evaluated) {
  evaluated = 0;
  collectSymbols();
  std::set<std::map<std::string, int64_t>> tried;
  for (unsigned trial = 0; trial < trials; ++trial) {
    // Small sizes make readable counterexamples; later ones may be empty, or
    // large enough for conditions that ask for much.
    int64_t least = trial + trial / 4 < trials ? 1 : 0;
    int64_t most = trial < 4 ? 2 : trial < trials / 2 ? 4 : 8;
    if (!draw(least, most))
      continue;
    if (!tried.insert(values).second)
      continue;
    for (bool small : {true, false}) {
      bool counts = false;
      std::optional<rule::Counterexample> found = tryOnce(small, counts);
      if (found)
        return found;
      if (!counts)
        break;
      evaluated += !small;
    }
  }
  return std::nullopt;
}

std::optional<rule::Counterexample>
prove::refute(rule::RuleOp rule, unsigned trials, unsigned &evaluated) {
  return Refuter(rule).run(trials, evaluated);
}
