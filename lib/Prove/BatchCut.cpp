//===- BatchCut.cpp - that a model may be cut along its batch -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Prove/BatchCut.h"
#include "tenon/ProofKernel/BatchCut.h"

#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::prove;

LogicalResult prove::proveBatchCut(Block &body, const BatchAxes &axes,
                                   const ProveOptions &options,
                                   llvm::StringSet<> &proved) {
  if (failed(checkBatchPremises(body, axes)))
    return failure();
  auto proveStatement = [&](Operation &op,
                            rule::RuleOp statement) -> LogicalResult {
    std::string text;
    llvm::raw_string_ostream(text) << statement;
    if (proved.contains(text))
      return success();
    if (failed(verify(statement)))
      return op.emitOpError() << kBatchUnknown << "its theorem can't be stated";
    rule::Certificate certificate = proveRule(statement, options);
    if (certificate.status != rule::Status::Proved)
      return op.emitOpError()
             << kBatchUnknown << rule::stringify(certificate.status) << ": "
             << certificate.reason;
    proved.insert(text);
    return success();
  };
  for (Operation &op : body)
    for (auto make : {makeBatchRule, makePoolingRule})
      if (OwningOpRef<rule::RuleOp> statement = make(&op, axes);
          statement && failed(proveStatement(op, *statement)))
        return failure();
  return success();
}
