//===- OneDnn.cpp - oneDNN as a backend -----------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Backend/OneDnn.h"
#include "Patterns.h"
#include "SiteBuilder.h"
#include "Structure.h"
#include "tenon/Backend/BuiltIn.h"

#include <dlfcn.h>

using namespace mlir;
using namespace tenon;
using namespace tenon::backend;

namespace {
class OneDnnBackend : public Backend {
public:
  StringRef getName() const override { return kernel::kOneDnnBackend; }
  std::string getVersion() const override { return getOneDnnVersion(); }
  bool isTrusted() const override { return true; }
  void match(Block &block, SmallVectorImpl<Subgraph> &subgraphs) const override;
  FailureOr<LibraryCall> describe(kernel::CallOp call) const override {
    return buildSite(call);
  }
};
} // namespace

void OneDnnBackend::match(Block &block,
                          SmallVectorImpl<Subgraph> &subgraphs) const {
  for (Operation &op : block) {
    matchChain(&op, subgraphs);
    matchBackwardWeight(&op, subgraphs);
    matchPool(&op, subgraphs);
    SmallVector<SiteMatch, 0> matches;
    matchSoftmax(&op, matches);
    matchLrn(&op, matches);
    matchLayerNorm(&op, matches);
    for (SiteMatch &match : matches)
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

FailureOr<LibraryCall> tenon::backend::describeOneDnnCall(kernel::CallOp call) {
  return buildSite(call);
}
