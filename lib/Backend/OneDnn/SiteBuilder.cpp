//===- SiteBuilder.cpp - the oneDNN call for a region ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SiteBuilder.h"
#include "ChainBuilder.h"
#include "Structure.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::backend;

/// Returns the call if the whole region has one of the known forms.
static std::optional<LibraryCall> buildForm(kernel::CallOp call) {
  Block &block = call.getBodyBlock();
  SmallVector<SiteMatch, 0> matches;
  for (Operation &op : block.without_terminator()) {
    matchSoftmax(&op, matches);
    matchLrn(&op, matches);
    matchLayerNorm(&op, matches);
  }
  size_t size = block.getOperations().size() - 1;
  for (SiteMatch &match : matches) {
    // The end is the only op whose result no other op reads.
    if (match.subgraph.ops.size() != size || call.getYielded().size() != 1 ||
        !llvm::all_of(match.inputs,
                      [](Value value) { return isa<BlockArgument>(value); }))
      continue;
    LibraryCall built;
    built.site = std::move(match.site);
    for (Value input : match.inputs)
      built.inputs.push_back(cast<BlockArgument>(input).getArgNumber());
    return built;
  }
  return std::nullopt;
}

FailureOr<LibraryCall> tenon::backend::buildSite(kernel::CallOp call) {
  if (std::optional<LibraryCall> built = buildForm(call))
    return std::move(*built);
  if (llvm::none_of(call.getBodyBlock(), [](Operation &op) {
        return isa<MatmulOp, ConvOp, ConvTransposeOp, ConvBackwardWeightOp,
                   MaxPoolOp, AvgPoolOp>(op);
      }))
    return call.emitOpError()
           << "has a region that oneDNN does not support: expected a product "
              "or a pool with a supported epilogue, softmax, layer norm or lrn";
  ChainBuilder flat(call, /*mayFlatten=*/true);
  FailureOr<LibraryCall> built = flat.run();
  if (succeeded(built) && flat.isFlattenedWrongly())
    return ChainBuilder(call, /*mayFlatten=*/false).run();
  return built;
}
