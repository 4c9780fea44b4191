//===- StateOps.cpp - tensors that persist between runs -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/IR/StateOps.h"

#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace tenon::graph;

//===----------------------------------------------------------------------===//
// state
//===----------------------------------------------------------------------===//

/// Parses TYPE, TYPE = VALUE (which has no type of its own) or TYPE = @WEIGHT.
static ParseResult parseStateValue(OpAsmParser &parser, TypeAttr &type,
                                   ElementsAttr &value,
                                   FlatSymbolRefAttr &parameter) {
  Type tensor;
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(tensor))
    return failure();
  type = TypeAttr::get(tensor);
  if (failed(parser.parseOptionalEqual()))
    return success();
  StringAttr name;
  if (succeeded(parser.parseOptionalSymbolName(name))) {
    parameter = FlatSymbolRefAttr::get(name);
    return success();
  }
  // A literal of a type without a shape can't be parsed.
  if (!isa<RankedTensorType>(tensor))
    return parser.emitError(loc, "expected a ranked tensor, but got ")
           << tensor;
  return parser.parseAttribute(value, tensor);
}

static void printStateValue(OpAsmPrinter &printer, Operation *, TypeAttr type,
                            ElementsAttr value, FlatSymbolRefAttr parameter) {
  printer << type.getValue();
  if (parameter)
    printer << " = " << parameter;
  if (!value)
    return;
  printer << " = ";
  printer.printAttributeWithoutType(value);
}

LogicalResult StateOp::verify() {
  // The name is used in state files and by callers in C.
  StringRef name = getSymName();
  if (name.empty() || name == "__metadata__" || name.contains('\0') ||
      !llvm::json::isUTF8(name))
    return emitOpError("expected a name in UTF-8 without NUL other than "
                       "'__metadata__', but got '")
           << llvm::json::fixUTF8(name) << "'";
  RankedTensorType type = getTensorType();
  if (!type.hasStaticShape() || type.getEncoding())
    return emitOpError("expected a static shape without an encoding, but got ")
           << type;
  // No instance could hold a larger tensor.
  constexpr int64_t kMostBytes = int64_t(1) << 48;
  int64_t bytes = (type.getElementTypeBitWidth() + 7) / 8;
  for (int64_t size : type.getShape())
    if (bytes != 0 && size > kMostBytes / bytes)
      return emitOpError("expected at most 2^48 bytes, but got ") << type;
    else
      bytes *= size;
  std::optional<ElementsAttr> value = getValue();
  if (getTransient() && (value || getParameter()))
    return emitOpError("is transient; expected zeros as its initial value");
  if (std::optional<StringRef> parameter = getParameter()) {
    if (value)
      return emitOpError("expected a value or the name of a weight, but got "
                         "both");
    if (parameter->empty())
      return emitOpError("expected the name of a weight, but got none");
  }
  if (!value)
    return success();
  if (!isa<DenseElementsAttr>(*value))
    return emitOpError("expected dense elements as its value, but got ")
           << *value;
  if (value->getType() != type)
    return emitOpError("expected a value of type ")
           << type << ", but got " << value->getType();
  return success();
}

//===----------------------------------------------------------------------===//
// read_state, write_state
//===----------------------------------------------------------------------===//

/// Accesses are ordered only within one block, so they must be in a function's
/// body.
static LogicalResult verifyPlace(Operation *op) {
  auto function = dyn_cast_or_null<FunctionOpInterface>(op->getParentOp());
  if (!function || !cast<SymbolOpInterface>(*function).isPublic())
    return op->emitOpError("expected to be in the body of a public function");
  return success();
}

static LogicalResult verifyUse(Operation *op, FlatSymbolRefAttr name, Type type,
                               SymbolTableCollection &tables) {
  auto state = tables.lookupNearestSymbolFrom<StateOp>(op, name);
  if (!state)
    return op->emitOpError("expected the name of a graph.state, but got ")
           << name;
  if (state.getType() != type)
    return op->emitOpError("state ")
           << name << " has type " << state.getType() << ", but got " << type;
  return success();
}

LogicalResult ReadStateOp::verify() { return verifyPlace(*this); }

LogicalResult ReadStateOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyUse(*this, getStateAttr(), getType(), tables);
}

LogicalResult WriteStateOp::verify() { return verifyPlace(*this); }

LogicalResult WriteStateOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyUse(*this, getStateAttr(), getValue().getType(), tables);
}

//===----------------------------------------------------------------------===//
// States as arguments and results
//===----------------------------------------------------------------------===//

static constexpr StringLiteral kState = "graph.state";

FlatSymbolRefAttr tenon::graph::getArgumentState(FunctionOpInterface function,
                                                 unsigned argument) {
  return function.getArgAttrOfType<FlatSymbolRefAttr>(argument, kState);
}

FlatSymbolRefAttr tenon::graph::getResultState(FunctionOpInterface function,
                                               unsigned result) {
  return function.getResultAttrOfType<FlatSymbolRefAttr>(result, kState);
}

unsigned tenon::graph::countOwnArguments(FunctionOpInterface function) {
  unsigned count = function.getNumArguments();
  while (count > 0 && function.getArgAttr(count - 1, kState))
    --count;
  return count;
}

static LogicalResult verifyStateExists(Operation *op, StringRef what,
                                       unsigned number, FlatSymbolRefAttr name,
                                       Type type) {
  // Functions are also rewritten outside of modules.
  Operation *parent = op->getParentOp();
  Operation *table =
      parent ? SymbolTable::getNearestSymbolTable(parent) : nullptr;
  if (!table)
    return success();
  auto state = dyn_cast_or_null<StateOp>(
      SymbolTable::lookupSymbolIn(table, name.getAttr()));
  if (!state)
    return op->emitError() << "'graph.state' of " << what << " " << number
                           << ": expected the name of a graph.state, but got "
                           << name;
  if (state.getType() != type)
    return op->emitError() << "'graph.state' of " << what << " " << number
                           << ": state " << name << " has type "
                           << state.getType() << ", but got " << type;
  return success();
}

LogicalResult tenon::graph::verifyArgumentState(Operation *op,
                                                unsigned argument,
                                                Attribute state) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  auto name = dyn_cast<FlatSymbolRefAttr>(state);
  if (!function || !name)
    return op->emitError() << "'graph.state' of argument " << argument
                           << " must be the symbol of a state, but got "
                           << state;
  if (argument + 1 < function.getNumArguments() &&
      !function.getArgAttr(argument + 1, kState))
    return op->emitError()
           << "'graph.state' of argument " << argument
           << ": expected it after all arguments without the attribute";
  for (unsigned other = 0; other < argument; ++other)
    if (function.getArgAttr(other, kState) == name)
      return op->emitError() << "arguments " << other << " and " << argument
                             << " are both state " << name;
  return verifyStateExists(op, "argument", argument, name,
                           function.getArgumentTypes()[argument]);
}

LogicalResult tenon::graph::verifyResultState(Operation *op, unsigned result,
                                              Attribute state) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  auto name = dyn_cast<FlatSymbolRefAttr>(state);
  if (!function || !name)
    return op->emitError() << "'graph.state' of result " << result
                           << " must be the symbol of a state, but got "
                           << state;
  if (result + 1 < function.getNumResults() &&
      !function.getResultAttr(result + 1, kState) &&
      !function.getResultAttr(result + 1, "graph.check"))
    return op->emitError()
           << "'graph.state' of result " << result
           << ": expected it after all results without the attribute";
  for (unsigned other = 0; other < result; ++other)
    if (function.getResultAttr(other, kState) == name)
      return op->emitError() << "results " << other << " and " << result
                             << " are both state " << name;
  for (unsigned argument = 0; argument < function.getNumArguments(); ++argument)
    if (function.getArgAttr(argument, kState) == name)
      return verifyStateExists(op, "result", result, name,
                               function.getResultTypes()[result]);
  return op->emitError() << "'graph.state' of result " << result
                         << ": expected an argument of state " << name
                         << " as well";
}

#define GET_OP_CLASSES
#include "tenon/Dialect/Graph/IR/StateOps.cpp.inc"
