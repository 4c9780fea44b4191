//===- RuleText.cpp - printing TASO's rules in one line -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuleFile.h"

#include "llvm/Support/raw_ostream.h"

using namespace tenon::taso;

namespace {
/// Prints values as nested calls. An op is printed once per use, so the length
/// is bounded.
class Printer {
public:
  explicit Printer(llvm::raw_string_ostream &os) : os(os) {}

  bool isFull() { return os.str().size() > 1000; }
  void print(const Side &side, const TasoValue &value);

private:
  llvm::raw_string_ostream &os;
};
} // namespace

void Printer::print(const Side &side, const TasoValue &value) {
  if (isFull())
    return;
  if (value.isInput) {
    os << "i" << value.number;
    return;
  }
  const TasoOp &op = side[value.number];
  os << getName(op.kind);
  if (op.kind == OpKind::Concat || op.kind == OpKind::Split)
    os << "@" << op.axis;
  else if (op.kind == OpKind::Conv)
    os << "[s" << op.strides[0] << op.strides[1] << " p"
       << (op.samePadding ? 0 : 1) << " a" << (op.relu ? 2 : 0) << "]";
  else if (op.relu)
    os << "[a2]";
  os << "(";
  for (size_t i = 0; i < op.operands.size(); ++i) {
    os << (i ? "," : "");
    print(side, op.operands[i]);
  }
  os << ")";
  if (op.kind == OpKind::Split)
    os << "#" << value.result;
}

std::string tenon::taso::describe(const Rule &rule) {
  std::string text;
  llvm::raw_string_ostream os(text);
  Printer printer(os);
  for (const Output &output : rule.outputs) {
    os << (&output == rule.outputs.begin() ? "" : " ; ");
    printer.print(rule.source, output.source);
    os << " = ";
    printer.print(rule.target, output.target);
    if (printer.isFull()) {
      os << "...";
      break;
    }
  }
  return text;
}
