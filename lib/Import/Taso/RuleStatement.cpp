//===- RuleStatement.cpp - TASO's rules as rules to be written ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuleStatement.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace llvm;
using namespace tenon::graph;
using namespace tenon::taso;
using tenon::rule::WrittenOp;
using tenon::rule::WrittenRule;
using tenon::rule::WrittenSide;
using tenon::rule::WrittenValue;

static std::string writeInts(ArrayRef<SymInt> values) {
  SmallVector<std::string> parts;
  for (const SymInt &value : values)
    parts.push_back(value.str());
  return "[" + llvm::join(parts, ", ") + "]";
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

/// The ops of one side; results are numbered in their order.
static WrittenSide stateSide(const Rule &rule, const RuleShapes &shapes,
                             bool isSource) {
  const Side &side = isSource ? rule.source : rule.target;
  const std::vector<OpShapes> &ops = isSource ? shapes.source : shapes.target;
  std::vector<SmallVector<WrittenValue, 1>> results(side.size());
  unsigned next = 0;
  auto makeName = [&] { return "%" + std::to_string(next++); };
  auto getValue = [&](const TasoValue &value) {
    return value.isInput
               ? WrittenValue{"%i" + std::to_string(value.number),
                              shapes.inputs.find(value.number)->second}
               : results[value.number][value.result];
  };

  WrittenSide written;
  for (auto [number, op] : llvm::enumerate(side)) {
    WrittenOp &one = written.ops.emplace_back();
    one.mnemonic = getMnemonic(op.kind).str();
    for (const TasoValue &value : op.operands)
      one.operands.push_back(getValue(value));
    for (const Shape &shape : ops[number].results)
      one.results.push_back({makeName(), shape});
    one.parameters = writeParameters(op, ops[number]);
    one.hasOneType = op.kind == OpKind::Relu || op.kind == OpKind::Add ||
                     op.kind == OpKind::Mul;
    results[number] = one.results;
    if (op.relu) {
      WrittenValue before = one.results[0];
      WrittenValue after = {makeName(), before.shape};
      results[number][0] = after;
      written.ops.push_back({"relu", {before}, {after}, "", true});
    }
  }
  for (const Output &output : rule.outputs)
    written.yielded.push_back(
        getValue(isSource ? output.source : output.target));
  return written;
}

WrittenRule tenon::taso::stateRule(const Rule &rule, const RuleShapes &shapes) {
  WrittenRule written;
  written.name = "taso_" + std::to_string(rule.number);
  std::string number;
  raw_string_ostream(number) << format_decimal(rule.number, 3);
  written.comments.push_back(number + "  " + describe(rule));
  if (shapes.channelsMadeEqual)
    written.comments.push_back(
        "With equal input channels and equal output channels.");
  for (const auto &[input, shape] : shapes.inputs)
    written.operands.push_back({"%i" + std::to_string(input), shape});
  written.source = stateSide(rule, shapes, /*isSource=*/true);
  written.target = stateSide(rule, shapes, /*isSource=*/false);
  written.lifts = shapes.lifts;
  written.conditions = shapes.conditions;
  return written;
}
