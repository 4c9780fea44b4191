//===- TypeSyntax.h - optional types of graph ops -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// An op states the types of its operands, and those of its results if they are
// not inferred. In a body whose values are known to `BodyTypes`, such as a
// rule, both may be omitted: `%y = graph.neg %x`.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_GRAPH_IR_TYPESYNTAX_H
#define TENON_DIALECT_GRAPH_IR_TYPESYNTAX_H

#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/StringMap.h"

namespace tenon::graph {

class OpenBodies;

/// The types of the values of the body that is being parsed, by name. MLIR's
/// parser does not provide the type of a name. Exists while the body is parsed.
/// Parsers of ops are static functions, which find it by the place of their
/// text.
class BodyTypes {
public:
  /// The types of the body that this thread parses until the object dies.
  explicit BodyTypes(mlir::AsmParser &parser);
  ~BodyTypes();
  BodyTypes(const BodyTypes &) = delete;
  /// Returns the innermost body that this thread parses in the parser's
  /// context; null outside of such bodies.
  static BodyTypes *find(mlir::AsmParser &parser);

  void set(const mlir::OpAsmParser::UnresolvedOperand &value, mlir::Type type);
  /// Fails with an error if no value of that name is defined before.
  mlir::ParseResult lookup(mlir::OpAsmParser &parser,
                           const mlir::OpAsmParser::UnresolvedOperand &operand,
                           mlir::Type &type) const;

  /// Whether the op that is being parsed omits the types of its results.
  bool infersResults = false;

private:
  OpenBodies &open;
  /// The types of an op's results, by name and result number.
  llvm::StringMap<llvm::SmallVector<mlir::Type, 1>> types;
};

/// Parses an op by its own parser `parse`. In a body, infers the result types
/// if they are omitted, and stores them.
mlir::ParseResult parseInBody(
    mlir::OpAsmParser &parser, mlir::OperationState &state,
    mlir::ParseResult (*parse)(mlir::OpAsmParser &, mlir::OperationState &));

/// Reads the types of an op's operands and results into the listed places, in
/// the order of the op's format.
class TypeReader {
public:
  using Operand = mlir::OpAsmParser::UnresolvedOperand;

  explicit TypeReader(mlir::OpAsmParser &parser) : parser(parser) {}

  // Lists an operand; its type follows.
  void list(Operand &operand) { one = &operand; }
  void list(std::optional<Operand> &operand) {
    one = operand ? &*operand : nullptr;
    isAbsent = !operand;
  }
  void list(llvm::SmallVectorImpl<Operand> &operands) { several = &operands; }
  // Lists a type: of the preceding operand, or of a result.
  void list(mlir::Type &type);
  void list(llvm::SmallVectorImpl<mlir::Type> &types);

  /// Parses `: type, type`, the types of operands.
  mlir::ParseResult readOperands();
  /// Parses `: (types) -> types`.
  mlir::ParseResult readSignature();

private:
  mlir::ParseResult lookup();
  void assign(llvm::ArrayRef<mlir::Type> types);

  mlir::OpAsmParser &parser;
  Operand *one = nullptr;
  bool isAbsent = false;
  llvm::SmallVectorImpl<Operand> *several = nullptr;
  /// Operands and the places of their types: one type each, or one list for
  /// all.
  llvm::SmallVector<const Operand *> operands;
  llvm::SmallVector<mlir::Type *> operandTypes;
  llvm::SmallVectorImpl<mlir::Type> *operandList = nullptr;
  llvm::SmallVector<mlir::Type *> resultTypes;
  llvm::SmallVectorImpl<mlir::Type> *resultList = nullptr;
};

// The directives of op formats, `custom<Signature>(ref($x), type($x), ...)`.

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
