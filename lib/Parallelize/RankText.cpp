//===- RankText.cpp - steps of ranks in words -----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RankText.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::program;

std::string tenon::parallelize::describeStep(Operation *step) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto rank = step->getParentOfType<RankOp>();
  os << "step " << std::distance(step->getBlock()->begin(), step->getIterator())
     << " of rank " << rank.getRank() << " (";
  llvm::TypeSwitch<Operation *>(step)
      .Case([&](TaskOp op) {
        os << "task " << op.getEntryAttr();
        if (auto samples = op.getSamples())
          os << " of samples " << (*samples)[0] << " to " << (*samples)[1] - 1;
      })
      .Case([&](SendOp op) {
        os << "sends to rank " << op.getRank() << ", tag " << op.getTag();
      })
      .Case([&](ReceiveOp op) {
        os << "receives from rank " << op.getRank() << ", tag " << op.getTag();
      })
      .Case([&](AllReduceOp op) {
        os << "sums among ranks ";
        llvm::interleaveComma(op.getRanks(), os);
      })
      .Case([&](CopyOp) { os << "copies"; })
      .Case([&](AddOp) { os << "adds to an output"; })
      .Case([&](WaitOp) { os << "waits"; })
      .Case([&](BarrierOp) { os << "waits for all ranks"; });
  os << ")";
  return text;
}

Value parallelize::getWhole(Value buffer) {
  auto part = buffer.getDefiningOp<program::PartOp>();
  return part ? part.getWhole() : buffer;
}
