//===- MatchedModels.cpp - models that the source of a rule matches -------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatchedModels.h"

#include "tenon/Dialect/Rule/Analysis/DeterminedSizes.h"
#include "tenon/ProofKernel/CheckOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::fuzz;
using graph::Shape;
using graph::SymInt;
using rule::RuleOp;
using rule::SymbolMap;

/// Choices of sizes before a model is given up.
static constexpr unsigned kAttempts = 60;
/// The elements that one tensor may have.
static constexpr int64_t kElements = 3000;

func::FuncOp MatchedModel::getMain() const {
  return const_cast<OwningOpRef<ModuleOp> &>(module)
      ->lookupSymbol<func::FuncOp>("main");
}

namespace {
class Drawer {
public:
  Drawer(RuleOp rule, bool symbolic, std::mt19937_64 &random)
      : rule(rule), symbolic(symbolic), random(random),
        signs(prove::getOperandSigns(rule)) {}

  bool run();
  MatchedModel model;

private:
  int64_t below(int64_t end) { return random() % end; }
  bool chance(unsigned percent) { return below(100) < percent; }
  int64_t drawSize();
  SymInt drawSymbolic();
  bool chooseSymbols();
  void chooseBatch();
  bool isLifted(unsigned operand) {
    return !model.batch.empty() &&
           llvm::is_contained(rule.getLifted(), int64_t(operand));
  }
  bool build();
  Value addArgument(const Shape &shape, Type element, unsigned operand);
  Value makeOperand(OpBuilder &builder, unsigned operand);
  Value makeStated(OpBuilder &builder, rule::ValueKind kind, const Shape &shape,
                   Type element);

  RuleOp rule;
  bool symbolic;
  std::mt19937_64 &random;
  prove::OperandSigns signs;
  func::FuncOp function;
};
} // namespace

int64_t Drawer::drawSize() {
  static constexpr int64_t sizes[] = {0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6, 7};
  return sizes[below(std::size(sizes))];
}

/// A size that is a symbol of the model, or computed from some.
SymInt Drawer::drawSymbolic() {
  SymInt s = SymInt::symbol("s"), t = SymInt::symbol("t");
  switch (below(9)) {
  case 0:
    return s + t;
  case 1:
    return SymInt(2) * s;
  case 2:
    return t - SymInt(1);
  case 3:
    return SymInt(3) - s;
  case 4:
    return t.floorDiv(SymInt(2) - s);
  case 5:
    return s - t;
  case 6:
    return t;
  default:
    return s;
  }
}

/// Symbols that were one before (`n`, `n_1`) are mostly equal, or 1.
bool Drawer::chooseSymbols() {
  SymbolMap &symbols = model.symbols;
  symbols.clear();
  SmallVector<std::string> names = rule.getSymbols();
  auto groupOf = [](StringRef name) { return name.split('_').first; };
  std::map<StringRef, SymInt> groups;
  auto draw = [&] {
    return symbolic && chance(45) ? drawSymbolic() : SymInt(drawSize());
  };
  for (StringRef name : names) {
    StringRef group = groupOf(name);
    auto [it, isNew] = groups.try_emplace(group);
    if (isNew)
      it->second = draw();
    bool isSplit = llvm::count_if(names, [&](StringRef other) {
                     return groupOf(other) == group;
                   }) > 1;
    symbols[name.str()] = !isSplit || chance(60) ? it->second
                          : chance(75)           ? SymInt(1)
                                                 : draw();
  }
  auto lookup = [&](StringRef name) {
    return std::optional<SymInt>(symbols.at(name.str()));
  };
  for (const rule::DeterminedSize &size : getDeterminedSizes(rule)) {
    SymInt value = size.value.substitute(lookup);
    if (value.lowerBound().value_or(-1) >= 0)
      symbols[size.symbol] = value;
  }
  return llvm::all_of(rule.getConditionList(), [&](auto condition) {
    return condition.evaluate(lookup) == true;
  });
}

void Drawer::chooseBatch() {
  model.batch.clear();
  if (rule.getLifted().empty() || !chance(25))
    return;
  for (int64_t axes = 1 + below(2); axes > 0; --axes)
    model.batch.push_back(symbolic && chance(45) ? SymInt::symbol("t")
                                                 : SymInt(below(4)));
}

Value Drawer::addArgument(const Shape &shape, Type element, unsigned operand) {
  unsigned number = function.getNumArguments();
  if (failed(function.insertArgument(
          number, graph::getTensorType(shape, element),
          DictionaryAttr::get(
              rule.getContext(),
              {NamedAttribute(StringAttr::get(rule.getContext(), "graph.name"),
                              StringAttr::get(rule.getContext(),
                                              "x" + std::to_string(number)))}),
          rule.getLoc())))
    return {};
  if (signs.notNegative.count(operand) || signs.positive.count(operand))
    model.notNegative.insert(number);
  return function.getArgument(number);
}

Value Drawer::makeStated(OpBuilder &builder, rule::ValueKind kind,
                         const Shape &shape, Type element) {
  SmallVector<int64_t> sizes;
  int64_t count = 1;
  for (const SymInt &size : shape) {
    if (!size.getConstant())
      return {};
    sizes.push_back(*size.getConstant());
    count *= sizes.back();
  }
  SmallVector<Attribute> numbers;
  for (int64_t n = 0; n < count; ++n) {
    double number = kind == rule::ValueKind::Zero   ? 0
                    : kind == rule::ValueKind::Ones ? 1
                    : kind == rule::ValueKind::Positive
                        ? 0.5 + below(4)
                        : n / sizes.back() == n % sizes.back();
    numbers.push_back(
        isa<FloatType>(element)
            ? Attribute(builder.getFloatAttr(element, number))
            : Attribute(builder.getIntegerAttr(element, int64_t(number + 1))));
  }
  return graph::ConstantOp::create(
      builder, rule.getLoc(),
      DenseElementsAttr::get(RankedTensorType::get(sizes, element), numbers));
}

/// A computed size is that of a part of a larger argument: arguments have
/// numbers and symbols only.
Value Drawer::makeOperand(OpBuilder &builder, unsigned operand) {
  auto type = cast<RankedTensorType>(rule.getArgumentTypes()[operand]);
  Shape shape, whole;
  if (isLifted(operand))
    shape = whole = model.batch;
  bool isComputed = false;
  int64_t count = 1;
  for (const SymInt &size : graph::getShape(type)) {
    shape.push_back(size.substitute([&](StringRef name) {
      return std::optional<SymInt>(model.symbols.at(name.str()));
    }));
    const SymInt &own = shape.back();
    if (own.isUnknown() || own.getConstant().value_or(0) < 0)
      return {};
    count *= own.getConstant().value_or(3);
    if (own.isConstant() || own.getSymbol()) {
      whole.push_back(own);
      continue;
    }
    isComputed = true;
    std::string name = "u" + std::to_string(model.bounds.size());
    model.bounds[name] = own;
    whole.push_back(SymInt::symbol(name));
  }
  if (count > kElements)
    return {};
  Type element = type.getElementType();
  for (rule::ValueConditionAttr condition : rule.getValueConditionList())
    if (condition.getOperand() == operand)
      return makeStated(builder, condition.getKind(), shape, element);
  Value value = addArgument(whole, element, operand);
  if (!isComputed || !value)
    return value;
  auto all = [&](int64_t number) {
    return graph::DimsAttr::get(
        builder.getContext(),
        SmallVector<SymInt>(shape.size(), SymInt(number)));
  };
  SmallVector<Type> types;
  auto sizes = graph::DimsAttr::get(builder.getContext(), shape);
  return graph::SliceOp::create(builder, rule.getLoc(),
                                graph::getTensorType(shape, element), value,
                                all(0), sizes, all(1));
}

bool Drawer::build() {
  OpBuilder builder(rule.getContext());
  model.module = ModuleOp::create(rule.getLoc());
  chooseBatch();
  model.bounds.clear();
  model.notNegative.clear();
  builder.setInsertionPointToEnd(model.module->getBody());
  function = func::FuncOp::create(builder, rule.getLoc(), "main",
                                  builder.getFunctionType({}, {}));
  builder.setInsertionPointToStart(function.addEntryBlock());
  SmallVector<Value> operands;
  for (unsigned number = 0; number < rule.getArgumentTypes().size(); ++number) {
    operands.push_back(makeOperand(builder, number));
    if (!operands.back())
      return false;
  }
  std::string reason;
  SmallVector<bool> lifted;
  for (unsigned number = 0; number < operands.size(); ++number)
    lifted.push_back(isLifted(number));
  auto results =
      rule::instantiate(builder, rule.getLoc(), rule.getSource(), operands,
                        model.symbols, lifted, model.batch, reason);
  if (failed(results))
    return false;
  bool isSmall = true;
  function.walk([&](Operation *op) {
    for (Type type : op->getResultTypes()) {
      int64_t count = 1;
      for (const SymInt &size : graph::getShape(type))
        count *= std::max<int64_t>(size.getConstant().value_or(3), 1);
      isSmall &= count <= kElements;
    }
  });
  if (!isSmall)
    return false;
  func::ReturnOp::create(builder, rule.getLoc(), *results);
  function.setType(builder.getFunctionType(function.getArgumentTypes(),
                                           ValueRange(*results).getTypes()));
  model.isSymbolic =
      llvm::any_of(model.batch,
                   [](const SymInt &size) { return !size.isConstant(); }) ||
      llvm::any_of(model.symbols, [](const auto &entry) {
        return !entry.second.isConstant();
      });
  return succeeded(verify(*model.module));
}

bool Drawer::run() {
  ScopedDiagnosticHandler quiet(rule.getContext(),
                                [](Diagnostic &) { return success(); });
  for (unsigned attempt = 0; attempt < kAttempts; ++attempt)
    if (chooseSymbols() && build())
      return true;
  model.module = {};
  return false;
}

MatchedModel fuzz::drawMatchedModel(RuleOp rule, bool symbolic,
                                    std::mt19937_64 &random) {
  Drawer drawer(rule, symbolic, random);
  drawer.run();
  return std::move(drawer.model);
}
