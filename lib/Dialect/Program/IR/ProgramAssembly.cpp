//===- ProgramAssembly.cpp - parsing and printing of types and attributes -===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramAssembly.h"

#include "tenon/Dialect/Graph/IR/GraphAssembly.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::program;
using graph::DimsAttr;
using graph::SymInt;

ParseResult program::parseTypes(OpAsmParser &parser, ArrayAttr &types) {
  SmallVector<Type> list;
  if (parser.parseTypeList(list))
    return failure();
  types = parser.getBuilder().getTypeArrayAttr(list);
  return success();
}

void program::printTypes(OpAsmPrinter &printer, Operation *op,
                         ArrayAttr types) {
  llvm::interleaveComma(types.getAsValueRange<TypeAttr>(), printer);
}

//===----------------------------------------------------------------------===//
// Libraries
//===----------------------------------------------------------------------===//

StringRef program::stringifyLibrary(Library library) {
  switch (library) {
#define TENON_LIBRARY(Name, NAME, number, name, device)                        \
  case Library::Name:                                                          \
    return name;
#include "tenon/Artifact/Libraries.def"
  }
  llvm_unreachable("a library of Libraries.def");
}

std::optional<Library> program::symbolizeLibrary(StringRef text) {
#define TENON_LIBRARY(Name, NAME, number, name, device)                        \
  if (text == name)                                                            \
    return Library::Name;
#include "tenon/Artifact/Libraries.def"
  return std::nullopt;
}

static ParseResult parseLibraryName(AsmParser &parser, LibraryAttr &library) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (parser.parseKeyword(&word))
    return failure();
  if (std::optional<Library> value = symbolizeLibrary(word)) {
    library = LibraryAttr::get(parser.getContext(), *value);
    return success();
  }
  InFlightDiagnostic error = parser.emitError(loc) << "expected one of";
#define TENON_LIBRARY(Name, NAME, number, name, device) error << " " name;
#include "tenon/Artifact/Libraries.def"
  return error << ", but got '" << word << "'";
}

ParseResult program::parseLibrary(OpAsmParser &parser, LibraryAttr &library) {
  return parseLibraryName(parser, library);
}

void program::printLibrary(OpAsmPrinter &printer, Operation *,
                           LibraryAttr library) {
  printer << stringifyLibrary(library.getValue());
}

void LibraryAttr::print(AsmPrinter &printer) const {
  printer << '<' << stringifyLibrary(getValue()) << '>';
}

Attribute LibraryAttr::parse(AsmParser &parser, Type) {
  LibraryAttr library;
  if (parser.parseLess() || parseLibraryName(parser, library) ||
      parser.parseGreater())
    return {};
  return library;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// How many of its two numbers a function uses.
static unsigned countNumbers(PostOpKind kind) {
  switch (kind) {
  case PostOpKind::Clip:
  case PostOpKind::Linear:
    return 2;
  case PostOpKind::Relu:
  case PostOpKind::Elu:
  case PostOpKind::Swish:
    return 1;
  default:
    return 0;
  }
}

void PostOpAttr::print(AsmPrinter &printer) const {
  printer << '<' << stringifyPostOpKind(getKind());
  const llvm::APFloat numbers[] = {getAlpha(), getBeta()};
  if (unsigned count = countNumbers(getKind())) {
    printer << '(';
    llvm::interleaveComma(
        ArrayRef(numbers).take_front(count), printer,
        [&](const llvm::APFloat &number) { printer.printFloat(number); });
    printer << ')';
  }
  printer << '>';
}

Attribute PostOpAttr::parse(AsmParser &parser, Type) {
  StringRef name;
  llvm::APFloat numbers[] = {llvm::APFloat(0.0f), llvm::APFloat(0.0f)};
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseKeyword(&name))
    return {};
  std::optional<PostOpKind> kind = symbolizePostOpKind(name);
  if (!kind) {
    parser.emitError(loc) << "expected a function of a library, but got '"
                          << name << "'";
    return {};
  }
  if (unsigned count = countNumbers(*kind)) {
    unsigned position = 0;
    auto parseNumber = [&]() -> ParseResult {
      if (position == count)
        return parser.emitError(parser.getCurrentLocation())
               << "expected " << count << " numbers";
      return parser.parseFloat(llvm::APFloat::IEEEsingle(),
                               numbers[position++]);
    };
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren,
                                       parseNumber))
      return {};
    if (position != count) {
      parser.emitError(loc)
          << "expected " << count << " numbers, but got " << position;
      return {};
    }
  }
  if (parser.parseGreater())
    return {};
  return PostOpAttr::get(parser.getContext(), *kind, numbers[0], numbers[1]);
}

FailureOr<llvm::APFloat> program::parseNumber(AsmParser &parser) {
  llvm::APFloat number(0.0f);
  if (parser.parseFloat(llvm::APFloat::IEEEsingle(), number))
    return failure();
  return number;
}

void RangeAttr::print(AsmPrinter &printer) const {
  printer << "<axis " << getAxis() << ", " << getBounds().getEntry(0).str()
          << " to " << getBounds().getEntry(1).str() << '>';
}

Attribute RangeAttr::parse(AsmParser &parser, Type) {
  int64_t axis;
  if (parser.parseLess() || parser.parseKeyword("axis") ||
      parser.parseInteger(axis) || parser.parseComma())
    return {};
  FailureOr<SymInt> low = graph::parseSymInt(parser);
  if (failed(low) || parser.parseKeyword("to"))
    return {};
  FailureOr<SymInt> end = graph::parseSymInt(parser);
  if (failed(end) || parser.parseGreater())
    return {};
  return RangeAttr::get(parser.getContext(), axis,
                        DimsAttr::get(parser.getContext(), {*low, *end}));
}

void ImageAttr::print(AsmPrinter &printer) const {
  printer << "<\"" << getArch() << "\" " << (getIsPtx() ? "ptx" : "cubin")
          << ' ';
  printer.printAttribute(getData());
  printer << '>';
}

Attribute ImageAttr::parse(AsmParser &parser, Type) {
  std::string arch;
  StringRef kind;
  StringAttr data;
  if (parser.parseLess() || parser.parseString(&arch))
    return {};
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&kind))
    return {};
  if (kind != "ptx" && kind != "cubin") {
    parser.emitError(loc) << "expected 'ptx' or 'cubin', but got '" << kind
                          << "'";
    return {};
  }
  if (parser.parseAttribute(data) || parser.parseGreater())
    return {};
  return ImageAttr::get(parser.getContext(), arch, kind == "ptx", data);
}
