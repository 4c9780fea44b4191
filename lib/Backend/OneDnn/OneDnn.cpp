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

#include <dlfcn.h>

using namespace mlir;
using namespace tenon;
using namespace tenon::backend;

namespace {
class OneDnnBackend : public Backend {
public:
  explicit OneDnnBackend(OneDnnFamilies families) : families(families) {}

  StringRef getName() const override { return kernel::kOneDnnBackend; }
  std::string getVersion() const override { return getOneDnnVersion(); }
  bool isTrusted() const override { return true; }
  void match(Block &block, SmallVectorImpl<Subgraph> &subgraphs) const override;
  FailureOr<LibraryCall> describe(kernel::CallOp call) const override {
    return buildSite(call);
  }

private:
  OneDnnFamilies families;
};
} // namespace

void OneDnnBackend::match(Block &block,
                          SmallVectorImpl<Subgraph> &subgraphs) const {
  for (Operation &op : block) {
    if (families.products)
      matchChain(&op, subgraphs);
    if (families.pools)
      matchPool(&op, subgraphs);
    if (!families.norms)
      continue;
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

std::unique_ptr<Backend>
tenon::backend::createOneDnnBackend(OneDnnFamilies families) {
  return std::make_unique<OneDnnBackend>(families);
}

void tenon::backend::matchOneDnnProduct(Operation *root,
                                        SmallVectorImpl<Subgraph> &subgraphs) {
  matchChain(root, subgraphs);
}

FailureOr<LibraryCall> tenon::backend::describeOneDnnCall(kernel::CallOp call) {
  return buildSite(call);
}
