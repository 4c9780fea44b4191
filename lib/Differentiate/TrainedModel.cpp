//===- TrainedModel.cpp - a model that is to be trained -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TrainedModel.h"
#include "BatchStatistics.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::differentiate;

LogicalResult TrainedModel::checkOptions() {
  if (std::string wrong = checkTrainOptions(options); !wrong.empty())
    return error() << wrong;
  undecayed = WeightPatterns(options.noDecay);
  return success();
}

LogicalResult TrainedModel::find() {
  // The parameter that a pattern means may be of another stage.
  return success(
      succeeded(checkOptions()) && succeeded(findSource()) &&
      (options.tasks || succeeded(checkWeightPatterns(source, options))));
}

bool TrainedModel::hasDecay(StringRef name) const {
  return !undecayed.match(name);
}

LogicalResult TrainedModel::findSource() {
  source = module.lookupSymbol<func::FuncOp>(options.function);
  if (!source || source.isExternal())
    return error() << "function: expected the name of a function with a body, "
                      "but got '"
                   << options.function << "'";
  if (!source.getBody().hasOneBlock())
    return source.emitError() << "graph-train: expected a function of one "
                                 "block";
  for (auto other : module.getOps<func::FuncOp>())
    if (other != source && other.isPublic())
      return other.emitError()
             << "graph-train: expected '" << options.function
             << "' as the only entry, but got '" << other.getName() << "' too";
  auto writes = source.getOps<graph::WriteStateOp>();
  if (!writes.empty())
    return (*writes.begin())
        ->emitOpError("can't be in a model that is trained");
  if (failed(findResult()))
    return failure();
  auto type = dyn_cast<RankedTensorType>(source.getResultTypes()[number]);
  if (options.judged && (!type || !graph::isFloat(type.getElementType())))
    return source.emitError()
           << "graph-train: of: expected a result of a "
              "floating-point type, but result #"
           << number << " is of type " << source.getResultTypes()[number];
  FailureOr<WeightRoles> found = WeightRoles::find(source.front(), options);
  if (failed(found))
    return failure();
  roles = std::move(*found);
  return success();
}

/// Sets the number of the result that `of` names.
LogicalResult TrainedModel::findResult() {
  std::string names;
  for (unsigned result = 0; result < source.getNumResults(); ++result) {
    auto name = source.getResultAttrOfType<StringAttr>(result, "graph.name");
    if (!name)
      continue;
    number = result;
    if (name == options.of)
      return success();
    names += (names.empty() ? "" : ", ") + name.str();
  }
  if (!StringRef(options.of).getAsInteger(10, number) &&
      number < source.getNumResults())
    return success();
  InFlightDiagnostic diagnostic =
      source.emitError() << "graph-train: of: expected the name or number of a "
                            "result of '"
                         << options.function << "', but got '" << options.of
                         << "'";
  diagnostic.attachNote() << "it has " << source.getNumResults()
                          << " results, numbered from 0";
  if (!names.empty())
    diagnostic.attachNote() << "names: " << names;
  return diagnostic;
}

bool TrainedModel::isState(graph::ParameterOp parameter) const {
  return roles->get(parameter) != WeightRole::Fixed;
}

FailureOr<unsigned> TrainedModel::addStates() {
  llvm::MapVector<StringRef, graph::ParameterOp> parameters;
  // Not the statistic: builds without statistics do not initialize it.
  unsigned count = 0;
  for (auto parameter : source.getOps<graph::ParameterOp>()) {
    if (isState(parameter) &&
        parameters.insert({parameter.getName(), parameter}).second)
      count += roles->get(parameter) == WeightRole::Trained;
  }
  // A stage of a pipeline may have no parameters.
  if (count == 0 && !options.tasks)
    return source.emitError() << "graph-train: expected a parameter to train "
                                 "in '"
                              << options.function << "'";
  for (auto &[name, parameter] : parameters) {
    auto type = cast<RankedTensorType>(parameter.getType());
    if (Type element = type.getElementType();
        !element.isF32() && !element.isF64())
      return parameter.emitOpError()
             << "'" << name
             << "' can't be trained: expected elements of f32 or f64, but got "
             << element << "; --precision converts what is computed, and "
             << "--train-freeze=" << name << " keeps what is no parameter";
    if (failed(addState(module, parameter.getLoc(), name, type,
                        parameter.getNameAttr())))
      return failure();
  }
  return count;
}

FailureOr<func::FuncOp> TrainedModel::addEntry(StringRef name) {
  if (module.lookupSymbol(name))
    return source.emitError() << "graph-train: '" << name << "' exists already";
  func::FuncOp entry = source.clone();
  entry.setName(name);
  entry.setPublic();
  module.push_back(entry);
  return entry;
}

Trained TrainedModel::readStates(func::FuncOp entry) const {
  Trained trained;
  for (auto parameter :
       llvm::make_early_inc_range(entry.getOps<graph::ParameterOp>())) {
    if (!isState(parameter))
      continue;
    OpBuilder builder(parameter);
    auto read = graph::ReadStateOp::create(
        builder, parameter.getLoc(), parameter.getType(), parameter.getName());
    if (roles->get(parameter) == WeightRole::Trained)
      trained[read.getState()].push_back(read);
    parameter.getResult().replaceAllUsesWith(read);
    parameter.erase();
  }
  return trained;
}

LogicalResult TrainedModel::addLoss(func::FuncOp entry, bool keepResults) {
  Block &block = entry.front();
  Operation *end = block.getTerminator();
  Value prediction = end->getOperand(number);
  FailureOr<RankedTensorType> type = getTargetType(
      entry.getLoc(), options.loss, prediction, options.classAxis);
  if (failed(type))
    return failure();
  Value target;
  MLIRContext *context = module.getContext();
  if (*type) {
    auto name = StringAttr::get(context, "target");
    for (unsigned number = 0; number < entry.getNumArguments(); ++number)
      if (entry.getArgAttr(number, "graph.name") == name)
        return entry.emitError() << "graph-train: argument " << number
                                 << " has the name of the target, 'target'";
    unsigned number = entry.getNumArguments();
    if (failed(entry.insertArgument(
            number, *type,
            DictionaryAttr::get(context, NamedAttribute("graph.name", name)),
            entry.getLoc())))
      return failure();
    target = entry.getArgument(number);
  }
  OpBuilder builder(end);
  Value value = buildLoss(builder, entry.getLoc(), options.loss, prediction,
                          target, options.classAxis);
  if (!keepResults) {
    end->setOperands(value);
    entry.removeResAttrsAttr();
  } else {
    end->insertOperands(end->getNumOperands(), value);
  }
  // The attributes of results are one for each.
  SmallVector<Attribute> attributes;
  if (ArrayAttr known = entry.getResAttrsAttr())
    attributes.append(known.begin(), known.end());
  attributes.resize(end->getNumOperands() - 1, DictionaryAttr::get(context));
  attributes.push_back(DictionaryAttr::get(
      context, NamedAttribute("graph.name",
                              StringAttr::get(context, keepResults ? kTaskLoss
                                                                   : "loss"))));
  entry.setFunctionType(FunctionType::get(context, block.getArgumentTypes(),
                                          end->getOperandTypes()));
  entry.setResAttrsAttr(ArrayAttr::get(context, attributes));
  return success();
}

void tenon::differentiate::eraseUnused(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
}
