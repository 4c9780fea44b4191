//===- Terms.cpp - small graphs, each stored once -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Discover/Terms.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tenon::discover;
using namespace tenon::graph;
using tenon::interpret::Tensor;

Terms::Terms(MLIRContext *context, OpSet &set, ArrayRef<InputKind> kinds,
             interpret::Domain domain)
    : context(context), set(set), kinds(kinds), domain(domain) {}

unsigned Terms::getShapeId(const Sizes &shape) {
  auto [entry, isNew] = shapeIds.try_emplace(shape, shapes.size());
  if (isNew)
    shapes.push_back(shape);
  return entry->second;
}

uint32_t Terms::getChoiceId(const OpChoice &choice) {
  auto [entry, isNew] = choiceIds.try_emplace(choice, choices.size());
  if (isNew)
    choices.push_back(choice);
  return entry->second;
}

ValueId Terms::getInput(unsigned kind, unsigned number) {
  auto [entry, isNew] = inputs.try_emplace({kind, number}, values.size());
  if (isNew) {
    Value value;
    value.result = number;
    value.kind = kind;
    value.shape = getShapeId(kinds[kind].shape);
    values.push_back(value);
  }
  return entry->second;
}

Terms::Key Terms::makeKey(uint32_t choice, ArrayRef<ValueId> operands) {
  Key key = {choice};
  key.append(operands.begin(), operands.end());
  return key;
}

Terms::Instance &Terms::getInstance(uint32_t choice,
                                    ArrayRef<ValueId> operands) {
  Key key = {choice};
  for (ValueId operand : operands)
    key.push_back(values[operand].shape);
  auto [entry, isNew] = instances.try_emplace(key);
  Instance &instance = entry->second;
  if (!isNew)
    return instance;
  ScopedDiagnosticHandler quiet(context,
                                [](Diagnostic &) { return success(); });
  OpBuilder builder(context);
  Block block;
  builder.setInsertionPointToEnd(&block);
  SmallVector<mlir::Value> arguments;
  for (ValueId operand : operands)
    arguments.push_back(block.addArgument(
        RankedTensorType::get(getShape(operand), builder.getF32Type()),
        builder.getUnknownLoc()));
  SmallVector<SymInt> numbers;
  for (int64_t number : choices[choice].numbers)
    numbers.push_back(SymInt(number));
  Operation *op =
      set.build(builder, choices[choice].family, numbers, arguments);
  if (!op)
    return instance;
  for (Type type : op->getResultTypes()) {
    auto tensor = cast<RankedTensorType>(type);
    if (!tensor.getElementType().isF32() ||
        tensor.getNumElements() > maxElements)
      return instance;
    instance.results.push_back(
        getShapeId(Sizes(tensor.getShape().begin(), tensor.getShape().end())));
  }
  auto compiled = interpret::CompiledOp::compile(op, domain);
  if (succeeded(compiled))
    instance.compiled.emplace(std::move(*compiled));
  return instance;
}

const Terms::Op *Terms::add(uint32_t choiceId, ArrayRef<ValueId> operands) {
  Key key = makeKey(choiceId, operands);
  auto found = byKey.find(key);
  if (found != byKey.end())
    return &ops[found->second];
  Instance &instance = getInstance(choiceId, operands);
  if (!instance.compiled)
    return nullptr;
  Op op;
  op.choice = choiceId;
  op.operands.assign(operands.begin(), operands.end());
  SmallVector<OpId, 8> all;
  for (ValueId operand : operands)
    if (!isInput(operand)) {
      const Op &from = getOp(operand);
      all.append(from.ops.begin(), from.ops.begin() + from.numOps);
      op.treeSize += from.treeSize;
    }
  llvm::sort(all);
  all.erase(llvm::unique(all), all.end());
  all.push_back(ops.size());
  if (all.size() > maxOps)
    return nullptr;
  llvm::copy(all, op.ops.begin());
  op.numOps = all.size();
  op.firstResult = values.size();
  op.numResults = instance.results.size();
  for (auto [number, shape] : llvm::enumerate(instance.results)) {
    Value value;
    value.op = ops.size();
    value.result = number;
    value.shape = shape;
    values.push_back(value);
  }
  byKey.emplace(std::move(key), ops.size());
  ops.push_back(std::move(op));
  return &ops.back();
}

void Terms::rollBack(Mark mark) {
  numRollBacks += values.size() > mark.values;
  while (ops.size() > mark.ops) {
    byKey.erase(makeKey(ops.back().choice, ops.back().operands));
    ops.pop_back();
  }
  for (size_t number = mark.values; number < values.size(); ++number)
    if (values[number].op == none)
      inputs.erase({values[number].kind, values[number].result});
  values.resize(mark.values);
}

const std::vector<OpChoice> &Terms::choose(StringRef name,
                                           ArrayRef<ValueId> operands) {
  SmallVector<uint32_t, 2> ids;
  SmallVector<Sizes, 2> sizes;
  for (ValueId operand : operands) {
    ids.push_back(values[operand].shape);
    sizes.push_back(getShape(operand));
  }
  auto [entry, isNew] = choicesByShape.try_emplace({name.str(), ids});
  if (isNew)
    for (const OpChoice &choice : set.choose(name, sizes))
      if (getInstance(getChoiceId(choice), operands).compiled)
        entry->second.push_back(choice);
  return entry->second;
}

unsigned Terms::countOps(ArrayRef<ValueId> results) const {
  return listOps(results).size();
}

SmallVector<OpId, 8> Terms::listOps(ArrayRef<ValueId> results) const {
  SmallVector<OpId, 8> all;
  for (ValueId value : results)
    if (!isInput(value)) {
      const Op &op = getOp(value);
      all.append(op.ops.begin(), op.ops.begin() + op.numOps);
    }
  llvm::sort(all);
  all.erase(llvm::unique(all), all.end());
  return all;
}

SmallVector<ValueId, 8> Terms::listInputs(ArrayRef<ValueId> results) const {
  SmallVector<ValueId, 8> found;
  auto visit = [&](auto &visit, ValueId value) -> void {
    if (!isInput(value)) {
      for (ValueId operand : getOp(value).operands)
        visit(visit, operand);
      return;
    }
    if (!llvm::is_contained(found, value))
      found.push_back(value);
  };
  for (ValueId value : results)
    visit(visit, value);
  return found;
}

int Terms::compare(ValueId a, ValueId b) const {
  if (a == b)
    return 0;
  auto order = [](const auto &x, const auto &y) { return x < y ? -1 : y < x; };
  if (isInput(a) || isInput(b)) {
    if (isInput(a) != isInput(b))
      return isInput(a) ? -1 : 1;
    return order(std::pair(getKind(a), getNumber(a)),
                 std::pair(getKind(b), getNumber(b)));
  }
  const Op &x = getOp(a), &y = getOp(b);
  if (int result = order(x.numOps, y.numOps))
    return result;
  if (int result = order(x.treeSize, y.treeSize))
    return result;
  if (x.choice != y.choice)
    return order(choices[x.choice], choices[y.choice]);
  for (auto [mine, its] : llvm::zip(x.operands, y.operands))
    if (int result = compare(mine, its))
      return result;
  return order(getResult(a), getResult(b));
}

std::optional<ValueId> Terms::substitute(ValueId value,
                                         const Renaming &renaming) {
  if (isInput(value)) {
    for (auto [from, to] : renaming)
      if (from == value)
        return to;
    return value;
  }
  // What `substitute` adds may move values.
  unsigned result = getResult(value);
  uint32_t choice = getOp(value).choice;
  SmallVector<ValueId, 2> operands = getOp(value).operands;
  for (ValueId &operand : operands) {
    std::optional<ValueId> to = substitute(operand, renaming);
    if (!to)
      return std::nullopt;
    operand = *to;
  }
  const Op *op = add(choice, operands);
  if (!op)
    return std::nullopt;
  return op->firstResult + result;
}

Renaming Terms::canonicalize(ArrayRef<ValueId> results) {
  Renaming renaming;
  SmallVector<unsigned, 4> next(kinds.size());
  for (ValueId input : listInputs(results)) {
    unsigned kind = getKind(input);
    renaming.push_back({input, getInput(kind, next[kind]++)});
  }
  return renaming;
}

std::string Terms::str(ValueId value) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (isInput(value)) {
    os << static_cast<char>('x' + getKind(value)) << getNumber(value);
    return text;
  }
  const Op &op = getOp(value);
  const OpFamily &family = getFamily(op);
  os << family.op;
  if (!family.text.empty() || !getChoice(op).numbers.empty()) {
    os << "[" << family.text;
    for (int64_t number : getChoice(op).numbers)
      os << " " << number;
    os << "]";
  }
  os << "(";
  llvm::interleaveComma(op.operands, os,
                        [&](ValueId operand) { os << str(operand); });
  os << ")";
  if (op.numResults > 1)
    os << "#" << getResult(value);
  return text;
}

FailureOr<SmallVector<Tensor>>
Terms::evaluateOp(const Op &op, ArrayRef<Tensor> operands) const {
  Key key = {op.choice};
  for (ValueId operand : op.operands)
    key.push_back(values[operand].shape);
  std::string error;
  return instances.find(key)->second.compiled->evaluate(operands, error);
}
