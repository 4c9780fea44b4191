//===- TypeSyntax.h - types of graph ops, written or left out -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Everywhere, an op states the types of its operands, and those of its results
// if they are not inferred anyway. In a body whose values are known to
// `BodyTypes`, as rules have them, both may be left out: `%y = graph.neg %x`.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_GRAPH_IR_TYPESYNTAX_H
#define TENON_DIALECT_GRAPH_IR_TYPESYNTAX_H

#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/StringMap.h"

namespace tenon::graph {

/// The types of the values of a body that is being read, by their names. MLIR's
/// parser does not say what type a name has. Lives while the body is read;
/// belongs to the thread that reads it.
class BodyTypes {
public:
  BodyTypes();
  ~BodyTypes();
  BodyTypes(const BodyTypes &) = delete;
  /// Null outside of such bodies.
  static BodyTypes *getCurrent();

  void set(const mlir::OpAsmParser::UnresolvedOperand &value, mlir::Type type);
  /// Fails, with an error, where no value of that name stands before.
  mlir::ParseResult lookup(mlir::OpAsmParser &parser,
                           const mlir::OpAsmParser::UnresolvedOperand &operand,
                           mlir::Type &type) const;

  /// Whether the op that is being read leaves the types of its results out.
  bool infersResults = false;

private:
  BodyTypes *outer;
  /// By name: the types of an op's results, by their numbers.
  llvm::StringMap<llvm::SmallVector<mlir::Type, 1>> types;
};

/// Reads an op by `parse`, its own parser. In a body, infers the types of the
/// results where they are left out, and keeps them.
mlir::ParseResult parseInBody(
    mlir::OpAsmParser &parser, mlir::OperationState &state,
    mlir::ParseResult (*parse)(mlir::OpAsmParser &, mlir::OperationState &));

/// Reads the types of an op's operands and results into the places that are
/// listed, in the order of the op's format.
class TypeReader {
public:
  using Operand = mlir::OpAsmParser::UnresolvedOperand;

  explicit TypeReader(mlir::OpAsmParser &parser) : parser(parser) {}

  // An operand, whose type follows.
  void list(Operand &operand) { one = &operand; }
  void list(std::optional<Operand> &operand) {
    one = operand ? &*operand : nullptr;
    isAbsent = !operand;
  }
  void list(llvm::SmallVectorImpl<Operand> &operands) { several = &operands; }
  // A type: of the operand before it, or of a result.
  void list(mlir::Type &type);
  void list(llvm::SmallVectorImpl<mlir::Type> &types);

  /// `: type, type`, of operands.
  mlir::ParseResult readOperands();
  /// `: (types) -> types`.
  mlir::ParseResult readSignature();

private:
  mlir::ParseResult lookup();
  void assign(llvm::ArrayRef<mlir::Type> types);

  mlir::OpAsmParser &parser;
  Operand *one = nullptr;
  bool isAbsent = false;
  llvm::SmallVectorImpl<Operand> *several = nullptr;
  /// Operands and where their types go: to a type each, or all to a list.
  llvm::SmallVector<const Operand *> operands;
  llvm::SmallVector<mlir::Type *> operandTypes;
  llvm::SmallVectorImpl<mlir::Type> *operandList = nullptr;
  llvm::SmallVector<mlir::Type *> resultTypes;
  llvm::SmallVectorImpl<mlir::Type> *resultList = nullptr;
};

// The directives of formats, `custom<Signature>(ref($x), type($x), ...)`.

template <typename... Places>
mlir::ParseResult parseOperandTypes(mlir::OpAsmParser &parser,
                                    Places &&...places) {
  TypeReader reader(parser);
  (reader.list(places), ...);
  return reader.readOperands();
}

template <typename... Places>
mlir::ParseResult parseSignature(mlir::OpAsmParser &parser,
                                 Places &&...places) {
  TypeReader reader(parser);
  (reader.list(places), ...);
  return reader.readSignature();
}

void printTypesOfOperands(mlir::OpAsmPrinter &printer,
                          llvm::ArrayRef<mlir::Type> types);

template <typename... Places>
void printOperandTypes(mlir::OpAsmPrinter &printer, mlir::Operation *,
                       const Places &...places) {
  llvm::SmallVector<mlir::Type> types;
  auto add = [&](const auto &place) {
    if constexpr (std::is_convertible_v<decltype(place), mlir::Type>)
      types.push_back(place);
  };
  (add(places), ...);
  printTypesOfOperands(printer, types);
}

template <typename... Places>
void printSignature(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                    const Places &...) {
  printer << ": ";
  printer.printFunctionalType(op);
}

} // namespace tenon::graph

#endif // TENON_DIALECT_GRAPH_IR_TYPESYNTAX_H
