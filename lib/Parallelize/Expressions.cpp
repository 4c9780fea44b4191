//===- Expressions.cpp - numbers for what values compute ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expressions.h"
#include "tenon/Dialect/Graph/IR/StateOps.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::parallelize;

namespace {
/// What a key begins with.
enum KeyKind : uintptr_t {
  LeafKey,
  StateKey,
  RunningKey,
  SumKey,
  ZeroKey,
  OpKey
};
} // namespace

template <typename T> static uintptr_t getKey(T object) {
  return reinterpret_cast<uintptr_t>(object.getAsOpaquePointer());
}

Expressions::Id Expressions::intern(Key key, Info info) {
  auto [it, isNew] = ids.try_emplace(std::move(key), infos.size());
  if (isNew)
    infos.push_back(std::move(info));
  return it->second;
}

Expressions::Id Expressions::getLeaf(StringRef name, Type type,
                                     bool hasSamples) {
  Info info;
  info.type = type;
  info.hasSamples = hasSamples;
  return intern(
      {LeafKey, getKey(StringAttr::get(type.getContext(), name)), getKey(type)},
      std::move(info));
}

Expressions::Id Expressions::getState(StringRef name, Type type,
                                      bool isRunning) {
  Info info;
  info.type = type;
  auto key = StringAttr::get(type.getContext(), name);
  if (isRunning)
    info.running.push_back(key.getValue());
  return intern({isRunning ? RunningKey : StateKey, getKey(key), getKey(type)},
                std::move(info));
}

/// What is computed from them depends on what they depend on.
void Expressions::addOperands(Info &info, ArrayRef<Id> operands) const {
  for (Id operand : operands) {
    info.hasSamples |= infos[operand].hasSamples;
    for (StringRef state : infos[operand].running)
      if (!llvm::is_contained(info.running, state))
        info.running.push_back(state);
  }
}

Expressions::Id Expressions::getZero(Type type) {
  Info info;
  info.type = type;
  info.isZero = true;
  return intern({ZeroKey, getKey(type)}, std::move(info));
}

Expressions::Id Expressions::getSum(Type type, ArrayRef<Id> operands) {
  SmallVector<Id, 0> addends;
  for (Id operand : operands) {
    if (infos[operand].isZero)
      continue;
    if (infos[operand].addends.empty())
      addends.push_back(operand);
    else
      llvm::append_range(addends, infos[operand].addends);
  }
  if (addends.empty())
    return getZero(type);
  if (addends.size() == 1)
    return addends.front();
  llvm::sort(addends);
  Key key = {SumKey, getKey(type)};
  key.insert(key.end(), addends.begin(), addends.end());
  Info info;
  info.type = type;
  addOperands(info, addends);
  info.addends = std::move(addends);
  return intern(std::move(key), std::move(info));
}

/// Whether an op without effects computes zeros.
bool Expressions::isZero(Operation *op, ArrayRef<Id> operands) const {
  if (auto constant = dyn_cast<graph::ConstantOp>(op))
    return matchPattern(constant.getResult(), m_AnyZeroFloat()) ||
           matchPattern(constant.getResult(), m_Zero());
  if (operands.empty())
    return false;
  auto isZeroAt = [&](unsigned number) {
    return infos[operands[number]].isZero;
  };
  if (isa<graph::MulOp, graph::MatmulOp, graph::ConvOp>(op))
    return isZeroAt(0) || isZeroAt(1);
  return isa<graph::BroadcastOp, graph::ReshapeOp, graph::TransposeOp,
             graph::NegOp>(op) &&
         isZeroAt(0);
}

/// Knows the ops that derivatives of means have.
std::optional<double> Expressions::findNumber(Operation *op,
                                              ArrayRef<Id> operands) const {
  if (auto constant = dyn_cast<graph::ConstantOp>(op)) {
    auto splat = dyn_cast<SplatElementsAttr>(constant.getValue());
    return splat && isa<FloatType>(splat.getElementType())
               ? std::optional(splat.getSplatValue<APFloat>().convertToDouble())
               : std::nullopt;
  }
  SmallVector<double> numbers;
  for (Id operand : operands) {
    if (!infos[operand].number)
      return std::nullopt;
    numbers.push_back(*infos[operand].number);
  }
  return TypeSwitch<Operation *, std::optional<double>>(op)
      .Case<graph::BroadcastOp, graph::ReshapeOp, graph::TransposeOp>(
          [&](auto) { return numbers[0]; })
      .Case([&](graph::NegOp) { return -numbers[0]; })
      .Case([&](graph::MulOp) { return numbers[0] * numbers[1]; })
      .Case([&](graph::DivOp) { return numbers[0] / numbers[1]; })
      .Default([](Operation *) { return std::nullopt; });
}

Expressions::Evaluation
Expressions::evaluate(func::FuncOp function, ArrayRef<Id> arguments,
                      llvm::function_ref<bool(StringRef)> isRunning) {
  Evaluation made;
  llvm::DenseMap<Value, unsigned> places;
  auto add = [&](Value value, Id id, SmallVector<unsigned, 2> sources) {
    places[value] = made.values.size();
    made.values.push_back(id);
    made.sources.push_back(std::move(sources));
    made.ops.push_back(value.getDefiningOp());
  };
  auto findWrite = [&](StringRef state) {
    return llvm::find_if(
        made.writes, [&](const auto &write) { return write.first == state; });
  };
  for (auto [value, id] :
       llvm::zip_equal(function.getBody().getArguments(), arguments))
    add(value, id, {});
  for (Operation &op : function.getBody().front()) {
    SmallVector<unsigned, 2> sources;
    SmallVector<Id> operands;
    for (Value operand : op.getOperands()) {
      sources.push_back(places.lookup(operand));
      operands.push_back(made.values[sources.back()]);
    }
    if (isa<func::ReturnOp>(op)) {
      made.results.assign(sources.begin(), sources.end());
      continue;
    }
    if (auto write = dyn_cast<graph::WriteStateOp>(op)) {
      // The last write counts.
      auto *found = findWrite(write.getState());
      if (found != made.writes.end())
        found->second = sources.front();
      else
        made.writes.push_back({write.getState(), sources.front()});
      continue;
    }
    if (auto read = dyn_cast<graph::ReadStateOp>(op)) {
      auto *found = findWrite(read.getState());
      if (found != made.writes.end()) {
        places[read] = found->second;
        continue;
      }
      made.reads.push_back(read.getState());
      add(read,
          getState(read.getState(), read.getType(), isRunning(read.getState())),
          {});
      continue;
    }
    if (isa<graph::AddOp>(op)) {
      add(op.getResult(0), getSum(op.getResult(0).getType(), operands),
          sources);
      continue;
    }
    if (op.getNumResults() == 1 && isZero(&op, operands)) {
      add(op.getResult(0), getZero(op.getResult(0).getType()), sources);
      continue;
    }
    if (isa<graph::MulOp>(op))
      llvm::sort(operands);
    Key key = {OpKey, getKey(op.getName()), getKey(op.getAttrDictionary())};
    for (Type type : op.getResultTypes())
      key.push_back(getKey(type));
    key.insert(key.end(), operands.begin(), operands.end());
    for (Value result : op.getResults()) {
      Info info;
      info.type = result.getType();
      info.number = findNumber(&op, operands);
      addOperands(info, operands);
      Key own = key;
      own.push_back(cast<OpResult>(result).getResultNumber());
      add(result, intern(std::move(own), std::move(info)), sources);
    }
  }
  return made;
}
