//===- Blis.cpp - BLIS as a backend ---------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Backend/BuiltIn.h"
#include "tenon/Backend/Operands.h"

#include <dlfcn.h>

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::backend;

/// Returns why a matmul is not supported; empty if it is.
static StringRef getRefusal(MatmulOp op) {
  for (Value value : {op.getLhs(), op.getRhs(), op.getResult()}) {
    if (!getElementTypeOrSelf(value.getType()).isF64())
      return "expected operands and a result of f64";
    for (const SymInt &size : getShape(value))
      if (size.isUnknown())
        return "expected sizes that depend only on the inputs' sizes";
  }
  return "";
}

namespace {
class BlisBackend : public Backend {
public:
  StringRef getName() const override { return kernel::kBlisBackend; }
  std::string getVersion() const override;
  bool isTrusted() const override { return true; }
  void match(Block &block, SmallVectorImpl<Subgraph> &subgraphs) const override;
  FailureOr<LibraryCall> describe(kernel::CallOp call,
                                  const Numerics &numerics) const override;
};
} // namespace

std::string BlisBackend::getVersion() const {
  void *library = ::dlopen("libblis.so.4", RTLD_LAZY | RTLD_LOCAL);
  if (!library)
    return "";
  std::string text;
  if (auto *get = reinterpret_cast<const char *(*)()>(
          ::dlsym(library, "bli_info_get_version_str")))
    text = get();
  ::dlclose(library);
  return text;
}

void BlisBackend::match(Block &block,
                        SmallVectorImpl<Subgraph> &subgraphs) const {
  for (MatmulOp op : block.getOps<MatmulOp>()) {
    if (!getRefusal(op).empty())
      continue;
    subgraphs.push_back({{op}, "matmul"});
    Subgraph wider{{op}, ""};
    auto [lhs, rhs] = getOperandTransposes(op);
    for (TransposeOp transpose : {lhs, rhs})
      if (transpose) {
        wider.ops.push_back(transpose);
        wider.pattern += "transpose+";
      }
    wider.pattern += "matmul";
    if (wider.ops.size() > 1)
      subgraphs.push_back(std::move(wider));
  }
}

FailureOr<LibraryCall> BlisBackend::describe(kernel::CallOp call,
                                             const Numerics &) const {
  auto matmuls = call.getBodyBlock().getOps<MatmulOp>();
  size_t size = call.getBodyBlock().getOperations().size() - 1;
  if (!llvm::hasSingleElement(matmuls))
    return call.emitOpError()
           << "has a region that blis does not support: expected one matmul";
  MatmulOp root = *matmuls.begin();
  auto [lhs, rhs] = getOperandTransposes(root);
  if (size != 1 + (lhs ? 1 : 0) + (rhs ? 1 : 0) ||
      call.getYielded() != ValueRange(root->getResults()))
    return call.emitOpError()
           << "has a region that blis does not support: expected only a matmul "
              "and transposes of its operands";
  if (StringRef refusal = getRefusal(root); !refusal.empty())
    return root.emitOpError() << "is not supported by blis: " << refusal;

  size_t rank = getShape(root.getResult()).size();
  LibraryCall built;
  built.library = program::Library::Blis;
  built.primitive = program::MatmulAttr::get(call.getContext(), /*tf32=*/false);
  built.operands = {
      viewMatmulOperand(root.getLhs(), lhs, root.getTransposeA(), rank),
      viewMatmulOperand(root.getRhs(), rhs, root.getTransposeB(), rank),
      viewMatmulOperand(root.getResult(), TransposeOp(), false, rank)};
  FailureOr<SmallVector<unsigned>> numbers =
      numberInputs(call, {lhs ? lhs.getX() : root.getLhs(),
                          rhs ? rhs.getX() : root.getRhs()});
  if (failed(numbers))
    return failure();
  built.inputs = std::move(*numbers);
  return built;
}

/// "blis", for matmuls of f64. Operands are read through transposes, without a
/// copy.
std::unique_ptr<Backend> tenon::backend::createBlisBackend() {
  return std::make_unique<BlisBackend>();
}
