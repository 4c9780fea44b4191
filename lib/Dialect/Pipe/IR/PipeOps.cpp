//===- PipeOps.cpp - syntax and verification of programs ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyPipeline.h"
#include "tenon/Dialect/Pipe/IR/Pipe.h"
#include "tenon/Support/DialectVersion.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSet.h"

#include <set>

using namespace mlir;
using namespace tenon;
using namespace tenon::pipe;

#include "tenon/Dialect/Pipe/IR/PipeDialect.cpp.inc"

#define GET_OP_CLASSES
#include "tenon/Dialect/Pipe/IR/PipeOps.cpp.inc"

void PipeDialect::initialize() {
  addInterfaces<tenon::VersionedBytecode>();
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "tenon/Dialect/Pipe/IR/PipeOps.cpp.inc"
      >();
}

/// Parses `-> type` or `-> (type, type)`.
static ParseResult parseResultTypes(OpAsmParser &parser,
                                    SmallVectorImpl<Type> &types) {
  if (parser.parseArrow())
    return failure();
  if (failed(parser.parseOptionalLParen()))
    return parser.parseType(types.emplace_back());
  if (succeeded(parser.parseOptionalRParen()))
    return success();
  return failure(parser.parseTypeList(types) || parser.parseRParen());
}

static void printResultTypes(OpAsmPrinter &printer, TypeRange types) {
  printer << " -> ";
  if (types.size() == 1) {
    printer << types[0];
    return;
  }
  printer << '(' << types << ')';
}

static LogicalResult verifyYield(Operation *op, Region &body, TypeRange types) {
  auto yield = dyn_cast<YieldOp>(body.front().back());
  if (!yield)
    return op->emitOpError() << "must end in 'pipe.yield', but ends in '"
                             << body.front().back().getName() << "'";
  if (TypeRange(yield.getOperandTypes()) != types)
    return yield.emitOpError()
           << "expected values of types (" << types << "), but got ("
           << yield.getOperandTypes() << ")";
  return success();
}

/// Checks how a stage runs.
static LogicalResult verifyRun(StageOp stage) {
  std::optional<int64_t> microBatch = stage.getMicroBatch();
  auto ranks = static_cast<int64_t>(stage.getRanks().size());
  if (microBatch && *microBatch < ranks)
    return stage.emitOpError()
           << "expected a micro-batch of a sample or more for each of " << ranks
           << " ranks, but got " << *microBatch;
  if (std::optional<int64_t> k = stage.getK(); k && *k < 1)
    return stage.emitOpError() << "expected a k of at least 1, but got " << *k;
  if (stage.getOffload() && stage.getRecompute())
    return stage.emitOpError("can't both offload and recompute");
  if (std::optional<int64_t> bytes = stage.getSavedBytes(); bytes && *bytes < 0)
    return stage.emitOpError()
           << "expected saved bytes of at least 0, but got " << *bytes;
  std::optional<ArrayRef<double>> seconds = stage.getSeconds();
  if (seconds &&
      ((seconds->size() != 3 && seconds->size() != 6) ||
       llvm::any_of(*seconds, [](double s) { return !(s >= 0) || s > 1e30; })))
    return stage.emitOpError("expected three or six 'seconds' of at least 0");
  return success();
}

//===----------------------------------------------------------------------===//
// pipe.program
//===----------------------------------------------------------------------===//

ParseResult ProgramOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  StringAttr name;
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Type> types;
  ArrayAttr inputs, outputs;
  IntegerAttr ranks;
  if (parser.parseSymbolName(name, getNameAttrName(result.name),
                             result.attributes) ||
      parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren,
                               /*allowType=*/true) ||
      parseResultTypes(parser, types) || parser.parseKeyword("inputs") ||
      parser.parseAttribute(inputs, getInputNamesAttrName(result.name),
                            result.attributes) ||
      parser.parseKeyword("outputs") ||
      parser.parseAttribute(outputs, getOutputNamesAttrName(result.name),
                            result.attributes) ||
      parser.parseKeyword("ranks") ||
      parser.parseAttribute(ranks, builder.getI64Type(),
                            getRanksAttrName(result.name), result.attributes) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseRegion(*result.addRegion(), arguments))
    return failure();
  result.addAttribute(getResultTypesAttrName(result.name),
                      builder.getTypeArrayAttr(types));
  return success();
}

void ProgramOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getName());
  printer << '(';
  llvm::interleaveComma(
      getBody().getArguments(), printer.getStream(),
      [&](BlockArgument argument) { printer.printRegionArgument(argument); });
  printer << ')';
  SmallVector<Type> types =
      llvm::to_vector(getResultTypes().getAsValueRange<TypeAttr>());
  printResultTypes(printer, types);
  printer << " inputs " << getInputNames() << " outputs " << getOutputNames()
          << " ranks " << getRanks();
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {getNameAttrName(), getResultTypesAttrName(), getInputNamesAttrName(),
       getOutputNamesAttrName(), getRanksAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

std::optional<uint64_t> ProgramOp::getMemoryBytes(int64_t rank) {
  if (!getMesh())
    return std::nullopt;
  std::optional<int64_t> bytes = getMesh()->getMemoryBytes(getDevice(rank));
  return bytes ? std::optional<uint64_t>(*bytes) : std::nullopt;
}

LogicalResult ProgramOp::verifyRegions() {
  Block &block = getBody().front();
  if (getInputNames().size() != block.getNumArguments())
    return emitOpError() << "expected " << block.getNumArguments()
                         << " names of inputs, but got "
                         << getInputNames().size();
  if (getOutputNames().size() != getResultTypes().size())
    return emitOpError() << "expected " << getResultTypes().size()
                         << " names of outputs, but got "
                         << getOutputNames().size();
  SmallVector<Type> types =
      llvm::to_vector(getResultTypes().getAsValueRange<TypeAttr>());
  if (failed(verifyYield(*this, getBody(), types)))
    return failure();
  llvm::StringSet<> names;
  for (Operation &op : block.without_terminator()) {
    auto stage = dyn_cast<StageOp>(op);
    if (isa<ChannelOp, ScheduleOp>(op))
      continue;
    if (!stage)
      return op.emitOpError("must be inside a 'pipe.stage'");
    if (stage.getName().empty() || !names.insert(stage.getName()).second)
      return stage.emitOpError() << "expected a unique nonempty name, but got '"
                                 << stage.getName() << "'";
    for (int64_t rank : stage.getRanks())
      if (rank >= static_cast<int64_t>(getRanks()))
        return stage.emitOpError() << "expected a rank from 0 to "
                                   << getRanks() - 1 << ", but got " << rank;
  }
  for (Value value : block.getTerminator()->getOperands())
    if (!value.getDefiningOp<StageOp>())
      return block.getTerminator()->emitOpError(
          "expected results of stages, but got an input");
  return verifyPipeline(*this);
}

//===----------------------------------------------------------------------===//
// pipe.stage
//===----------------------------------------------------------------------===//

ParseResult StageOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  StringAttr name;
  SmallVector<int64_t> ranks;
  auto parseRank = [&]() -> ParseResult {
    return parser.parseInteger(ranks.emplace_back());
  };
  if (parser.parseSymbolName(name) || parser.parseKeyword("on"))
    return failure();
  int64_t one;
  OptionalParseResult single = parser.parseOptionalInteger(one);
  if (single.has_value()) {
    if (failed(*single))
      return failure();
    ranks.push_back(one);
  } else if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square,
                                            parseRank)) {
    return failure();
  }
  result.addAttribute(getRanksAttrName(result.name),
                      builder.getDenseI64ArrayAttr(ranks));
  result.addAttribute(getNameAttrName(result.name), name);
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  auto parseOne = [&]() -> ParseResult {
    OpAsmParser::Argument &argument = arguments.emplace_back();
    return failure(parser.parseArgument(argument) || parser.parseEqual() ||
                   parser.parseOperand(operands.emplace_back()) ||
                   parser.parseColonType(argument.type));
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parseOne))
    return failure();
  for (auto [argument, operand] : llvm::zip(arguments, operands))
    if (parser.resolveOperand(operand, argument.type, result.operands))
      return failure();
  return failure(parseResultTypes(parser, result.types) ||
                 parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
                 parser.parseRegion(*result.addRegion(), arguments,
                                    /*enableNameShadowing=*/true));
}

void StageOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getName());
  printer << " on ";
  if (getRanks().size() == 1) {
    printer << getRanks().front();
  } else {
    printer << '[';
    llvm::interleaveComma(getRanks(), printer.getStream());
    printer << ']';
  }
  printer << " (";
  llvm::interleaveComma(llvm::zip(getBody().getArguments(), getOperands()),
                        printer.getStream(), [&](auto both) {
                          auto &[argument, operand] = both;
                          printer << argument << " = " << operand << " : "
                                  << operand.getType();
                        });
  printer << ')';
  printResultTypes(printer, getResultTypes());
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(), {getNameAttrName(), getRanksAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

LogicalResult StageOp::verifyRegions() {
  if (getRanks().empty())
    return emitOpError("expected a rank");
  // Ranks may be any number, also one that a DenseSet takes for a free place.
  std::set<int64_t> seen;
  for (int64_t rank : getRanks()) {
    if (rank < 0)
      return emitOpError() << "expected a rank of at least 0, but got " << rank;
    if (!seen.insert(rank).second)
      return emitOpError() << "expected distinct ranks, but got " << rank
                           << " twice";
  }
  if (failed(verifyRun(*this)))
    return failure();
  if (TypeRange(getBody().getArgumentTypes()) !=
      TypeRange(getOperands().getTypes()))
    return emitOpError("expected arguments with the types of the operands");
  for (Operation &op : getBody().front().without_terminator())
    if (!isa<graph::GraphDialect>(op.getDialect()))
      return op.emitOpError("is not allowed in a 'pipe.stage'");
  return verifyYield(*this, getBody(), getResultTypes());
}
