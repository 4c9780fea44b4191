//===- RuleWriter.cpp - printing TASO's rules in the rule dialect ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuleWriter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace llvm;
using namespace tenon::graph;
using namespace tenon::taso;

static std::string join(ArrayRef<std::string> parts) {
  return llvm::join(parts, ", ");
}

static std::string writeSizes(const Shape &shape) {
  SmallVector<std::string> sizes;
  for (const SymInt &size : shape)
    sizes.push_back(size.str());
  return join(sizes);
}

/// A size in the name of an alias: adjacent symbols for a sum of symbols; `y`
/// for sizes without a short name, such as the height of a convolution's
/// result.
static std::string nameSize(const SymInt &size) {
  if (std::optional<int64_t> number = size.getConstant())
    return *number >= 0 ? std::to_string(*number) : "y";
  std::string name;
  for (const auto &[monomial, coefficient] : size.getTerms()) {
    if (monomial.atoms.size() != 1 || coefficient < 1 ||
        monomial.atoms[0]->kind != SymInt::AtomKind::Symbol)
      return "y";
    name += (coefficient == 1 ? "" : std::to_string(coefficient)) +
            monomial.atoms[0]->name;
  }
  return name.size() <= 20 ? name : "y";
}

std::string RuleWriter::getAlias(const Shape &shape) {
  std::string sizes = writeSizes(shape);
  auto [entry, isNew] = aliases.try_emplace(sizes);
  if (!isNew)
    return entry->second;
  std::string name = "!";
  for (auto [axis, size] : llvm::enumerate(shape)) {
    std::string piece = nameSize(size);
    // The name of an alias must begin with a letter.
    if (axis == 0 && isDigit(piece.front()))
      piece = "x" + piece;
    name += (axis ? "_" : "") + piece;
  }
  std::string unique = name;
  for (unsigned next = 2; !aliasNames.insert(unique).second; ++next)
    unique = name + "_" + std::to_string(next);
  newAliases += unique + " = tensor<";
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    std::optional<int64_t> number = shape[axis].getConstant();
    newAliases += (number ? std::to_string(*number) : "?") + "x";
  }
  newAliases += "f32, #graph.dims<" + sizes + ">>\n";
  entry->second = unique;
  return unique;
}

std::string RuleWriter::getShortType(const Shape &shape) {
  std::string text = "[" + writeSizes(shape) + "]";
  return text.size() <= 24 ? text : getAlias(shape);
}

static std::string writeInts(ArrayRef<SymInt> values) {
  SmallVector<std::string> parts;
  for (const SymInt &value : values)
    parts.push_back(value.str());
  return "[" + join(parts) + "]";
}

static StringRef getMnemonic(OpKind kind) {
  switch (kind) {
  case OpKind::Conv:
    return "conv";
  case OpKind::Relu:
    return "relu";
  case OpKind::Concat:
    return "concat";
  case OpKind::Split:
    return "split";
  case OpKind::Add:
    return "add";
  case OpKind::Mul:
    return "mul";
  case OpKind::Matmul:
    return "matmul";
  }
  llvm_unreachable("all kinds are handled");
}

/// Prints the part of an op between its operands and its types.
static std::string writeParameters(const TasoOp &op, const OpShapes &shapes) {
  switch (op.kind) {
  case OpKind::Conv: {
    const ConvParameters &conv = shapes.conv;
    return " strides = " + writeInts(conv.strides) + " pads = " +
           writeInts({conv.padsLow[0], conv.padsLow[1], conv.padsHigh[0],
                      conv.padsHigh[1]}) +
           " dilations = [1, 1] groups = " + std::to_string(conv.groups) +
           " channels_first";
  }
  case OpKind::Concat:
    return " axis = " + std::to_string(op.axis);
  case OpKind::Split: {
    SmallVector<SymInt> sizes;
    for (const Shape &part : shapes.results)
      sizes.push_back(part[op.axis]);
    return " axis = " + std::to_string(op.axis) +
           " sizes = " + writeInts(sizes);
  }
  case OpKind::Relu:
  case OpKind::Add:
  case OpKind::Mul:
  case OpKind::Matmul:
    return "";
  }
  llvm_unreachable("all kinds are handled");
}

void RuleWriter::writeSide(const Rule &rule, const RuleShapes &shapes,
                           bool isSource, raw_ostream &body) {
  const Side &side = isSource ? rule.source : rule.target;
  const std::vector<OpShapes> &ops = isSource ? shapes.source : shapes.target;
  std::vector<SmallVector<std::string>> results(side.size());
  unsigned next = 0;
  auto getName = [&](const TasoValue &value) {
    return value.isInput ? "%i" + std::to_string(value.number)
                         : results[value.number][value.result];
  };
  auto getShape = [&](const TasoValue &value) -> const Shape & {
    return value.isInput ? shapes.inputs.find(value.number)->second
                         : ops[value.number].results[value.result];
  };

  body << "  " << (isSource ? "source" : "target") << " {\n";
  for (auto [number, op] : llvm::enumerate(side)) {
    SmallVector<std::string> operands, operandTypes, resultTypes;
    for (const TasoValue &value : op.operands) {
      operands.push_back(getName(value));
      operandTypes.push_back(getAlias(getShape(value)));
    }
    for (const Shape &shape : ops[number].results) {
      results[number].push_back("%" + std::to_string(next++));
      resultTypes.push_back(getAlias(shape));
    }
    body << "    " << join(results[number]) << " = graph."
         << getMnemonic(op.kind) << " " << join(operands)
         << writeParameters(op, ops[number]) << " : ";
    // Elementwise ops have one type.
    if (op.kind == OpKind::Relu || op.kind == OpKind::Add ||
        op.kind == OpKind::Mul)
      body << resultTypes[0];
    else
      body << "(" << join(operandTypes) << ") -> "
           << (resultTypes.size() == 1 ? resultTypes[0]
                                       : "(" + join(resultTypes) + ")");
    body << "\n";
    if (op.relu) {
      std::string before = std::move(results[number][0]);
      results[number][0] = "%" + std::to_string(next++);
      body << "    " << results[number][0] << " = graph.relu " << before
           << " : " << resultTypes[0] << "\n";
    }
  }
  SmallVector<std::string> yielded, types;
  for (const Output &output : rule.outputs) {
    const TasoValue &value = isSource ? output.source : output.target;
    yielded.push_back(getName(value));
    types.push_back(getShortType(getShape(value)));
  }
  body << "    rule.yield " << join(yielded) << " : " << join(types)
       << "\n  }\n";
}

void RuleWriter::write(const Rule &rule, const RuleShapes &shapes) {
  SmallVector<std::string> arguments, names, results;
  for (const auto &[number, shape] : shapes.inputs) {
    names.push_back("%i" + std::to_string(number));
    arguments.push_back(names.back() + ": " + getShortType(shape));
  }
  for (const Output &output : rule.outputs)
    results.push_back(getShortType(
        shapes.source[output.source.number].results[output.source.result]));

  std::string body;
  raw_string_ostream bodyStream(body);
  writeSide(rule, shapes, /*isSource=*/true, bodyStream);
  writeSide(rule, shapes, /*isSource=*/false, bodyStream);

  os << "\n// " << format_decimal(rule.number, 3) << "  " << describe(rule)
     << "\n";
  if (shapes.channelsMadeEqual)
    os << "// With equal input channels and equal output channels.\n";
  os << newAliases << "rule.rule @taso_" << rule.number << "("
     << join(arguments) << ") -> "
     << (results.size() == 1 ? results[0] : "(" + join(results) + ")") << "\n";
  newAliases.clear();
  if (shapes.lifts)
    os << "  lifts [" << join(names) << "]\n";
  os << body;
  if (!shapes.conditions.empty())
    os << "  where [" << join(shapes.conditions) << "]\n";
}
