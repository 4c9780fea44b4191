//===- BuildFunction.cpp - conversion of e-nodes to a function ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelGraph.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::optimize;
using egraph::EGraph;

FailureOr<OwningOpRef<func::FuncOp>>
optimize::buildFunction(func::FuncOp like, const EGraph &graph,
                        ArrayRef<Operation *> ops) {
  OwningOpRef<func::FuncOp> function(
      cast<func::FuncOp>(like->cloneWithoutRegions()));
  Block *body = function->addEntryBlock();
  for (auto [from, to] :
       llvm::zip(like.getArguments(), function->getArguments()))
    to.setLoc(from.getLoc());
  llvm::DenseMap<Value, Value> given;
  for (auto [id, argument] :
       llvm::zip(graph.getArguments(), function->getArguments()))
    given.try_emplace(graph.find(id), argument);
  OpBuilder builder = OpBuilder::atBlockEnd(body);
  for (Operation *op : ops) {
    IRMapping mapping;
    for (Value operand : op->getOperands()) {
      Value giver = given.lookup(graph.find(operand));
      if (!giver)
        return failure();
      mapping.map(operand, giver);
    }
    Operation *copy = builder.clone(*op, mapping);
    for (auto [from, to] : llvm::zip(op->getResults(), copy->getResults()))
      given.try_emplace(graph.find(from), to);
  }
  SmallVector<Value> results;
  for (auto [id, type] :
       llvm::zip(graph.getResults(), like.getFunctionType().getResults())) {
    Value value = given.lookup(graph.find(id));
    if (!value || !graph::areCompatible(value.getType(), type))
      return failure();
    // The types that the model states may contain more information than
    // inferred types.
    if (value.getType() != type) {
      if (isa<BlockArgument>(value))
        return failure();
      value.setType(type);
    }
    results.push_back(value);
  }
  Operation *end = like.getBody().front().getTerminator();
  func::ReturnOp::create(builder, end->getLoc(), results);
  // A choice that does not verify is rejected, which is not an error of the
  // model.
  ScopedDiagnosticHandler quiet(like.getContext(),
                                [](Diagnostic &) { return success(); });
  if (failed(verify(function.get())))
    return failure();
  return function;
}
