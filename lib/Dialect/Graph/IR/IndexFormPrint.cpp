//===- IndexFormPrint.cpp - index forms as text ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/IR/IndexForm.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tenon::graph;

static llvm::StringRef stringify(ReduceKind kind) {
  switch (kind) {
  case ReduceKind::Sum:
    return "sum";
  case ReduceKind::Prod:
    return "prod";
  case ReduceKind::Max:
    return "max";
  case ReduceKind::Min:
    return "min";
  }
  llvm_unreachable("unknown reduction");
}

static void printCall(llvm::raw_ostream &os, llvm::StringRef name,
                      llvm::ArrayRef<Expr> operands) {
  os << name << '(';
  llvm::interleaveComma(operands, os, [&](const Expr &e) { e.print(os); });
  os << ')';
}

static void printInfix(llvm::raw_ostream &os, llvm::StringRef op,
                       llvm::ArrayRef<Expr> operands) {
  os << '(';
  operands[0].print(os);
  os << ' ' << op << ' ';
  operands[1].print(os);
  os << ')';
}

void Expr::print(llvm::raw_ostream &os) const {
  llvm::ArrayRef<Expr> operands = node->operands;
  switch (node->kind) {
  case ExprKind::Size:
    node->size.print(os);
    return;
  case ExprKind::Var:
    os << 'i' << node->var;
    return;
  case ExprKind::IndexAdd:
    return printInfix(os, "+", operands);
  case ExprKind::IndexMul:
    return printInfix(os, "*", operands);
  case ExprKind::IndexFloorDiv:
    return printInfix(os, "floordiv", operands);
  case ExprKind::IndexMod:
    return printInfix(os, "mod", operands);
  case ExprKind::IndexMin:
    return printCall(os, "imin", operands);
  case ExprKind::IndexMax:
    return printCall(os, "imax", operands);
  case ExprKind::IndexSelect:
  case ExprKind::Select:
    return printCall(os, "select", operands);
  case ExprKind::FromElement:
    return printCall(os, "index", operands);
  case ExprKind::Load:
    os << 'x' << node->operand << '[';
    llvm::interleaveComma(operands, os, [&](const Expr &e) { e.print(os); });
    os << ']';
    return;
  case ExprKind::Constant:
    if (mlir::isa<mlir::FloatType>(node->type))
      os << node->number;
    else
      os << node->integer;
    return;
  case ExprKind::Apply:
    return printCall(os, tenon::graph::stringify(node->fn), operands);
  case ExprKind::Cast:
    os << "cast<" << node->type << ">(";
    operands[0].print(os);
    os << ')';
    return;
  case ExprKind::FromIndex:
    os << "element<" << node->type << ">(";
    operands[0].print(os);
    os << ')';
    return;
  case ExprKind::Reduce: {
    os << ::stringify(node->reduce) << '{';
    for (auto [number, var] : llvm::enumerate(node->vars)) {
      os << (number ? ", i" : "i") << var << " < ";
      operands[number].print(os);
    }
    const Expr &guard = operands[operands.size() - 2];
    if (guard.getKind() != ExprKind::True) {
      os << " | ";
      guard.print(os);
    }
    os << "}(";
    operands.back().print(os);
    os << ')';
    return;
  }
  case ExprKind::True:
    os << "true";
    return;
  case ExprKind::IndexLess:
    return printInfix(os, "<", operands);
  case ExprKind::IndexLessEqual:
    return printInfix(os, "<=", operands);
  case ExprKind::IndexEqual:
    return printInfix(os, "==", operands);
  case ExprKind::And:
    return printInfix(os, "and", operands);
  case ExprKind::Or:
    return printInfix(os, "or", operands);
  case ExprKind::Not:
    return printCall(os, "not", operands);
  case ExprKind::FromBoolElement:
    return printCall(os, "bool", operands);
  }
}

std::string Expr::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os);
  return text;
}
