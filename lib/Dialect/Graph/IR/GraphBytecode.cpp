//===- GraphBytecode.cpp - sizes in MLIR bytecode, and versions -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A `#graph.dims` is a list of constants and a list of texts. Other attributes
// are written as text, which is MLIR's default and takes long to parse.
//
//===----------------------------------------------------------------------===//

#include "Registration.h"
#include "tenon/Support/DialectVersion.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

/// Whether a text is in the normal form: whatever prints it prints the same.
static bool isNormal(StringRef text) {
  // Most entries are symbols.
  if (!text.empty() && !llvm::isDigit(text.front()) &&
      llvm::all_of(text, [](char c) {
        return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$';
      }))
    return true;
  std::optional<SymInt> size = SymInt::parse(text);
  return size && !size->isConstant() && size->str() == text;
}

namespace {
struct GraphBytecode final : VersionedBytecode {
  explicit GraphBytecode(Dialect *dialect) : VersionedBytecode(dialect) {}

  LogicalResult writeAttribute(Attribute attribute,
                               DialectBytecodeWriter &writer) const override {
    auto dims = dyn_cast<DimsAttr>(attribute);
    if (!dims)
      return failure();
    writer.writeSignedVarInts(dims.getValues());
    writer.writeAttributes(dims.getExpressions());
    return success();
  }

  Attribute readAttribute(DialectBytecodeReader &reader) const override {
    SmallVector<int64_t> values;
    SmallVector<StringAttr> expressions;
    if (failed(reader.readSignedVarInts(values)) ||
        failed(reader.readAttributes(expressions)))
      return {};
    for (StringAttr text : expressions)
      if (!isNormal(text.getValue())) {
        reader.emitError() << "expected a size, but got '" << text.getValue()
                           << "'";
        return {};
      }
    return DimsAttr::getChecked([&] { return reader.emitError(); },
                                getContext(), ArrayRef(values),
                                ArrayRef(expressions));
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// #graph.version
//===----------------------------------------------------------------------===//

/// Another version is refused here: what follows it may not be parsed.
Attribute VersionAttr::parse(AsmParser &parser, Type) {
  uint64_t number;
  SMLoc loc;
  if (parser.parseLess() || parser.getCurrentLocation(&loc) ||
      parser.parseInteger(number))
    return {};
  if (number != kDialectVersion) {
    parser.emitError(loc) << getVersionError(number);
    return {};
  }
  return parser.parseGreater() ? Attribute() : get(parser.getContext(), number);
}

void VersionAttr::print(AsmPrinter &printer) const {
  printer << "<" << getNumber() << ">";
}

void graph::setVersion(Operation *module) {
  module->setAttr("graph.version",
                  VersionAttr::get(module->getContext(), kDialectVersion));
}

void graph::registerBytecode(GraphDialect &dialect) {
  dialect.addInterfaces<GraphBytecode>();
}
