//===- OneDnn.cpp - oneDNN as a backend -----------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Backend/OneDnn.h"
#include "ChainBuilder.h"
#include "Patterns.h"
#include "Structure.h"
#include "tenon/Backend/BuiltIn.h"

#include <dlfcn.h>

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::backend;

namespace {
class OneDnnBackend : public Backend {
public:
  StringRef getName() const override { return kernel::kOneDnnBackend; }
  std::string getVersion() const override { return getOneDnnVersion(); }
  bool isTrusted() const override { return true; }
  void match(Block &block, SmallVectorImpl<Subgraph> &subgraphs) const override;
  FailureOr<LibraryCall> describe(kernel::CallOp call,
                                  const Numerics &) const override {
    return describeOneDnnCall(call);
  }
};
} // namespace

void OneDnnBackend::match(Block &block,
                          SmallVectorImpl<Subgraph> &subgraphs) const {
  for (Operation &op : block) {
    matchChain(&op, subgraphs);
    matchBackwardWeight(&op, subgraphs);
    matchPool(&op, subgraphs);
    SmallVector<FormMatch, 0> matches;
    matchSoftmax(&op, matches);
    matchLrn(&op, matches);
    matchLayerNorm(&op, matches);
    for (FormMatch &match : matches)
      subgraphs.push_back(std::move(match.subgraph));
  }
}

/// Searches for the library as artifacts do at run time.
std::string tenon::backend::getOneDnnVersion() {
  struct Version {
    int major, minor, patch;
  };
  void *library = ::dlopen("libdnnl.so.2", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return "";
  std::string text;
  if (auto *get = reinterpret_cast<const Version *(*)()>(
          ::dlsym(library, "dnnl_version"))) {
    const Version *version = get();
    text = std::to_string(version->major) + "." +
           std::to_string(version->minor) + "." +
           std::to_string(version->patch);
  }
  ::dlclose(library);
  return text;
}

/// "onednn", for f32: matmuls, convolutions and transposed convolutions with
/// their epilogue (bias, residual and activations); gradients of their weights;
/// maximum and average pools with theirs; softmax, layer normalization and
/// local response normalization.
std::unique_ptr<Backend> tenon::backend::createOneDnnBackend() {
  return std::make_unique<OneDnnBackend>();
}

void tenon::backend::matchOneDnnProduct(Operation *root,
                                        SmallVectorImpl<Subgraph> &subgraphs) {
  matchChain(root, subgraphs);
}

/// Returns the call if the whole region has one of the known forms.
static std::optional<LibraryCall> buildForm(kernel::CallOp call) {
  Block &block = call.getBodyBlock();
  SmallVector<FormMatch, 0> matches;
  for (Operation &op : block.without_terminator()) {
    matchSoftmax(&op, matches);
    matchLrn(&op, matches);
    matchLayerNorm(&op, matches);
  }
  size_t size = block.getOperations().size() - 1;
  for (FormMatch &match : matches) {
    // The end is the only op whose result no other op reads.
    if (match.subgraph.ops.size() != size || call.getYielded().size() != 1 ||
        !llvm::all_of(match.inputs,
                      [](Value value) { return isa<BlockArgument>(value); }))
      continue;
    LibraryCall built = std::move(match.call);
    for (Value input : match.inputs)
      built.inputs.push_back(cast<BlockArgument>(input).getArgNumber());
    return built;
  }
  return std::nullopt;
}

FailureOr<LibraryCall> tenon::backend::describeOneDnnCall(kernel::CallOp call) {
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
