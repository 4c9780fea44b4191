//===- TypeSyntax.cpp - optional types of graph ops -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpenBodies.h"
#include "tenon/Dialect/Graph/IR/Graph.h"

#include "mlir/Interfaces/InferTypeOpInterface.h"

using namespace mlir;
using namespace tenon::graph;

//===----------------------------------------------------------------------===//
// BodyTypes
//===----------------------------------------------------------------------===//

void OpenBodies::add(BodyTypes *body) {
  std::lock_guard<std::mutex> lock(mutex);
  bodies.emplace_back(std::this_thread::get_id(), body);
}

void OpenBodies::remove(BodyTypes *body) {
  std::lock_guard<std::mutex> lock(mutex);
  llvm::erase_if(bodies,
                 [&](const auto &entry) { return entry.second == body; });
}

BodyTypes *OpenBodies::find() {
  std::lock_guard<std::mutex> lock(mutex);
  for (auto [thread, body] : llvm::reverse(bodies))
    if (thread == std::this_thread::get_id())
      return body;
  return nullptr;
}

static OpenBodies &getOpenBodies(AsmParser &parser) {
  auto *dialect = parser.getContext()->getLoadedDialect<GraphDialect>();
  return const_cast<OpenBodies &>(
      *dialect->getRegisteredInterface<OpenBodies>());
}

BodyTypes::BodyTypes(AsmParser &parser) : open(getOpenBodies(parser)) {
  open.add(this);
}

BodyTypes::~BodyTypes() { open.remove(this); }

BodyTypes *BodyTypes::find(AsmParser &parser) {
  return getOpenBodies(parser).find();
}

void BodyTypes::set(const OpAsmParser::UnresolvedOperand &value, Type type) {
  SmallVector<Type, 1> &results = types[value.name];
  results.resize(std::max<size_t>(results.size(), value.number + 1));
  results[value.number] = type;
}

ParseResult BodyTypes::lookup(OpAsmParser &parser,
                              const OpAsmParser::UnresolvedOperand &operand,
                              Type &type) const {
  auto it = types.find(operand.name);
  if (it != types.end() && operand.number < it->second.size())
    type = it->second[operand.number];
  if (type)
    return success();
  return parser.emitError(operand.location)
         << "expected a value with a known type (the types of ops in generic "
            "form are unknown here), but got '"
         << operand.name
         << (operand.number ? "#" + Twine(operand.number) : Twine()) << "'";
}

ParseResult tenon::graph::parseInBody(OpAsmParser &parser,
                                      OperationState &state,
                                      ParseResult (*parse)(OpAsmParser &,
                                                           OperationState &)) {
  BodyTypes *body = BodyTypes::find(parser);
  if (!body)
    return parse(parser, state);
  body->infersResults = false;
  if (parse(parser, state))
    return failure();
  if (body->infersResults) {
    state.types.clear();
    auto inference = state.name.getInterface<InferTypeOpInterface>();
    if (!inference ||
        failed(inference->inferReturnTypes(
            parser.getContext(), state.location, state.operands,
            state.attributes.getDictionary(parser.getContext()),
            state.getRawProperties(), state.regions, state.types)))
      return failure();
  }
  for (auto [number, type] : llvm::enumerate(state.types)) {
    auto [name, part] = parser.getResultName(number);
    if (!name.empty()) {
      std::string text = ("%" + name).str();
      body->set({parser.getNameLoc(), text, part}, type);
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// TypeReader
//===----------------------------------------------------------------------===//

void TypeReader::list(Type &type) {
  if (one) {
    operands.push_back(one);
    operandTypes.push_back(&type);
  } else if (!isAbsent) {
    resultTypes.push_back(&type);
  }
  one = nullptr;
  isAbsent = false;
}

void TypeReader::list(SmallVectorImpl<Type> &types) {
  if (!several) {
    resultList = &types;
    return;
  }
  for (const Operand &operand : *several)
    operands.push_back(&operand);
  operandList = &types;
  several = nullptr;
}

void TypeReader::assign(ArrayRef<Type> types) {
  if (operandList)
    operandList->assign(types.begin(), types.end());
  for (auto [place, type] : llvm::zip(operandTypes, types))
    *place = type;
}

/// Called if there are no types: looks them up in the body, if it knows them.
ParseResult TypeReader::lookup() {
  BodyTypes *body = BodyTypes::find(parser);
  if (!body)
    return parser.parseColon(); // reports the missing colon
  SmallVector<Type> types;
  for (const Operand *operand : operands)
    if (body->lookup(parser, *operand, types.emplace_back()))
      return failure();
  assign(types);
  body->infersResults = resultList || !resultTypes.empty();
  return success();
}

ParseResult TypeReader::readOperands() {
  if (failed(parser.parseOptionalColon()))
    return lookup();
  for (auto [number, place] : llvm::enumerate(operandTypes))
    if ((number > 0 && parser.parseComma()) || parser.parseType(*place))
      return failure();
  return success();
}

ParseResult TypeReader::readSignature() {
  if (failed(parser.parseOptionalColon()))
    return lookup();
  FunctionType type;
  if (parser.parseType(type))
    return failure();
  if (type.getNumInputs() != operands.size())
    return parser.emitError(parser.getNameLoc())
           << operands.size() << " operands present, but expected "
           << type.getNumInputs();
  if (!resultList && type.getNumResults() != resultTypes.size())
    return parser.emitError(parser.getNameLoc())
           << "expected " << resultTypes.size() << " result types, but got "
           << type.getNumResults();
  assign(type.getInputs());
  if (resultList)
    resultList->assign(type.getResults().begin(), type.getResults().end());
  for (auto [place, result] : llvm::zip(resultTypes, type.getResults()))
    *place = result;
  return success();
}

void tenon::graph::printTypesOfOperands(OpAsmPrinter &printer,
                                        ArrayRef<Type> types) {
  printer << ": ";
  llvm::interleaveComma(types, printer.getStream(),
                        [&](Type type) { printer << type; });
}
