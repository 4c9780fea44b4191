//===- Pools.cpp - pools with their epilogues -----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "Structure.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::backend;

template <typename OpTy> static bool isTaken(OpTy pool) {
  auto constant = [](DimsAttr ints) { return ints.getConstants().has_value(); };
  // Dilated pools run in reference code.
  return isF32(pool.getInput()) && constant(pool.getKernel()) &&
         constant(pool.getStrides()) && constant(pool.getPads()) &&
         constant(pool.getDilations()) &&
         llvm::all_of(*pool.getDilations().getConstants(),
                      [](int64_t step) { return step == 1; });
}

bool tenon::backend::isPoolTaken(Operation *op) {
  if (auto pool = dyn_cast<MaxPoolOp>(op))
    return isTaken(pool);
  // oneDNN counts elements beyond the padding's end as padding.
  if (auto pool = dyn_cast<AvgPoolOp>(op))
    return isTaken(pool) && !(pool.getCeilMode() && pool.getCountIncludePad());
  return false;
}

void tenon::backend::matchPool(Operation *root,
                               SmallVectorImpl<Subgraph> &subgraphs) {
  if (!isPoolTaken(root))
    return;
  Subgraph subgraph{{root}, root->getName().stripDialect().str()};
  Value chain = root->getResult(0);
  for (unsigned postOps = 0; postOps <= kMostPostOps; ++postOps) {
    subgraphs.push_back(subgraph);
    if (!takePostOp(subgraph, chain))
      return;
  }
}
