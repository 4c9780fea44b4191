//===- RuleWriter.cpp - files of rules from shapes ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Rule/IR/RuleWriter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace tenon::graph;
using namespace tenon::rule;

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

static std::string joinNames(ArrayRef<WrittenValue> values) {
  SmallVector<std::string> names;
  for (const WrittenValue &value : values)
    names.push_back(value.name);
  return join(names);
}

/// One type, or several in parentheses.
static std::string joinResultTypes(ArrayRef<std::string> types) {
  return types.size() == 1 ? types.front() : "(" + join(types) + ")";
}

void RuleWriter::writeSide(const WrittenSide &side, raw_ostream &body) {
  for (const WrittenOp &op : side.ops) {
    SmallVector<std::string> operandTypes, resultTypes;
    for (const WrittenValue &operand : op.operands)
      operandTypes.push_back(getAlias(operand.shape));
    for (const WrittenValue &result : op.results)
      resultTypes.push_back(getAlias(result.shape));
    body << "    " << joinNames(op.results) << " = graph." << op.mnemonic << " "
         << joinNames(op.operands) << op.parameters << " : ";
    if (op.hasOneType)
      body << resultTypes[0];
    else
      body << "(" << join(operandTypes) << ") -> "
           << joinResultTypes(resultTypes);
    body << "\n";
  }
  SmallVector<std::string> types;
  for (const WrittenValue &value : side.yielded)
    types.push_back(getShortType(value.shape));
  body << "    rule.yield " << joinNames(side.yielded) << " : " << join(types)
       << "\n  }\n";
}

void RuleWriter::write(const WrittenRule &rule) {
  SmallVector<std::string> arguments, results;
  for (const WrittenValue &operand : rule.operands)
    arguments.push_back(operand.name + ": " + getShortType(operand.shape));
  for (const WrittenValue &value : rule.source.yielded)
    results.push_back(getShortType(value.shape));

  std::string body;
  raw_string_ostream bodyStream(body);
  bodyStream << "  source {\n";
  writeSide(rule.source, bodyStream);
  bodyStream << "  target {\n";
  writeSide(rule.target, bodyStream);

  os << "\n";
  for (const std::string &comment : rule.comments)
    os << "// " << comment << "\n";
  os << newAliases << "rule.rule @" << rule.name << "(" << join(arguments)
     << ") -> " << joinResultTypes(results) << "\n";
  newAliases.clear();
  if (rule.lifts)
    os << "  lifts [" << joinNames(rule.operands) << "]\n";
  os << body;
  if (!rule.conditions.empty())
    os << "  where [" << join(rule.conditions) << "]\n";
}
