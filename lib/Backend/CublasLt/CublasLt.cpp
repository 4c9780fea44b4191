//===- CublasLt.cpp - cuBLASLt as a backend of GPU programs ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Product.h"
#include "tenon/Backend/BuiltIn.h"
#include "tenon/Backend/Operands.h"

#include <cstdlib>
#include <dlfcn.h>

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::backend;

namespace {
class CublasLtBackend : public Backend {
public:
  StringRef getName() const override { return kernel::kCublasLtBackend; }
  Device getDevice() const override { return Device::Cuda; }
  std::string getVersion() const override;
  bool isTrusted() const override { return true; }
  void match(Block &block, SmallVectorImpl<Subgraph> &subgraphs) const override;
  FailureOr<LibraryCall> describe(kernel::CallOp call,
                                  const Numerics &numerics) const override;
};
} // namespace

/// Returns the version of the library that the loader finds; artifacts also
/// search the toolkit.
std::string CublasLtBackend::getVersion() const {
  void *library = nullptr;
  if (const char *named = std::getenv("TENON_CUBLASLT"); named && *named)
    library = ::dlopen(named, RTLD_LAZY | RTLD_LOCAL);
  else
    for (const char *name : {"libcublasLt.so.13", "libcublasLt.so.12"})
      if (!library)
        library = ::dlopen(name, RTLD_LAZY | RTLD_LOCAL);
  if (!library)
    return "";
  std::string text;
  if (auto *get = reinterpret_cast<size_t (*)()>(
          ::dlsym(library, "cublasLtGetVersion"))) {
    size_t version = get();
    text = std::to_string(version / 10000) + "." +
           std::to_string(version / 100 % 100) + "." +
           std::to_string(version % 100);
  }
  ::dlclose(library);
  return text;
}

void CublasLtBackend::match(Block &block,
                            SmallVectorImpl<Subgraph> &subgraphs) const {
  auto offer = [&](const Product &product) {
    if (product.getRefusal().empty())
      subgraphs.push_back(product.getSubgraph());
  };
  for (MatmulOp root : block.getOps<MatmulOp>())
    for (bool withTransposes : {false, true}) {
      Product product(root);
      bool differs = withTransposes && product.takeOperandTransposes();
      do {
        if (differs || !withTransposes)
          offer(product);
        if (Product wider = product;
            withTransposes && wider.takeResultTranspose())
          offer(wider);
      } while (product.epilogue.takeNext(product.getRules()));
    }
}

FailureOr<LibraryCall>
CublasLtBackend::describe(kernel::CallOp call, const Numerics &numerics) const {
  auto matmuls = call.getBodyBlock().getOps<MatmulOp>();
  if (!llvm::hasSingleElement(matmuls) || call.getYielded().size() != 1)
    return call.emitOpError() << "has a region that cublaslt does not support: "
                                 "expected one matmul and a supported epilogue";
  Product product(*matmuls.begin());
  product.takeOperandTransposes();
  Value yielded = call.getYielded()[0];
  if (auto transpose = yielded.getDefiningOp<TransposeOp>()) {
    product.result = transpose;
    yielded = transpose.getX();
  }
  size_t accounted = 1 + (product.lhs ? 1 : 0) + (product.rhs ? 1 : 0) +
                     (product.result ? 1 : 0);
  if (failed(readEpilogue(call, yielded, product.getRules(), accounted,
                          product.epilogue)))
    return failure();
  if (StringRef refusal = product.getRefusal(); !refusal.empty())
    return product.root.emitOpError()
           << "is not supported by cublaslt: " << refusal;
  if (product.result && product.epilogue.residual)
    return product.result.emitOpError()
           << "is not supported after the addition of a tensor in a call of "
              "the backend '"
           << call.getBackend() << "'";
  SmallVector<Value> inputs;
  LibraryCall built = product.describe(inputs);
  built.library = program::Library::CublasLt;
  built.primitive =
      program::MatmulAttr::get(call.getContext(), numerics.mayRoundFactors());
  FailureOr<SmallVector<unsigned>> numbers = numberInputs(call, inputs);
  if (failed(numbers))
    return failure();
  built.inputs = std::move(*numbers);
  return built;
}

/// "cublaslt", for matmuls of f32, f16 and bf16 with sums in f32, with
/// transposed operands and with batches of one constant stride (see
/// tenon/Artifact/StridedProduct.h). Operands are read and the result is
/// written through transposes if this condition still holds. Supports a bias,
/// the addition of a tensor, and relu or tanh gelu, in this order.
std::unique_ptr<Backend> tenon::backend::createCublasLtBackend() {
  return std::make_unique<CublasLtBackend>();
}
