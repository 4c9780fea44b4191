//===- RegisterOps.cpp - registration of ops with optional types ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Registration.h"
#include "tenon/Dialect/Graph/IR/TypeSyntax.h"

using namespace mlir;
using namespace tenon::graph;

namespace {
/// The op with a parser that wraps the generated one. (MLIR takes the parser
/// from the class and has no hook around it.)
template <typename OpT> struct ReadInBody : OpT {
  using OpT::OpT;
  static ParseResult parse(OpAsmParser &parser, OperationState &state) {
    return parseInBody(parser, state, OpT::parse);
  }
  static TypeID resolveTypeID() { return TypeID::get<OpT>(); }
};
} // namespace

template <typename... Ops> static void registerAll(Dialect &dialect) {
  (RegisteredOperationName::insert<ReadInBody<Ops>>(dialect), ...);
}

void tenon::graph::registerOps(GraphDialect &dialect) {
  registerAll<
#define GET_OP_LIST
#include "tenon/Dialect/Graph/IR/GraphOpList.cpp.inc"
      >(dialect);
}
