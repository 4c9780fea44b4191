//===- CuDnn.cpp - cuDNN as a backend of GPU programs ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Cuda/Epilogue.h"
#include "tenon/Backend/BuiltIn.h"
#include "tenon/Backend/Operands.h"
#include "tenon/Dialect/Kernel/Analysis/Prepared.h"

#include <cstdlib>
#include <dlfcn.h>

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::backend;

/// cuDNN computes a relu or the addition of a tensor only together with a bias.
static constexpr Epilogue::Rules rules{/*gelu=*/false, /*needsBias=*/true,
                                       /*sums=*/true};

/// Returns why cuDNN does not support a convolution; empty if it does.
static StringRef getRefusal(ConvOp op) {
  Type type = getElementTypeOrSelf(op.getResult().getType());
  if (!isCudaFloat(op.getResult()) ||
      getElementTypeOrSelf(op.getInput().getType()) != type ||
      getElementTypeOrSelf(op.getWeight().getType()) != type)
    return "expected operands and a result of one of f32, f16 and bf16";
  if (op.getLayout() != Layout::ChannelsLast ||
      getShape(op.getResult()).size() != 4)
    return "expected two spatial axes, and channels last";
  auto pads = op.getPads().getConstants();
  if (!op.getStrides().getConstants() || !op.getDilations().getConstants() ||
      !op.getGroups().getConstants() || !pads)
    return "expected constant strides, dilations, pads and groups";
  if ((*pads)[0] != (*pads)[2] || (*pads)[1] != (*pads)[3])
    return "expected equal pads on both sides";
  for (int64_t pad : *pads)
    if (pad < 0)
      return "expected pads of 0 or more";
  for (const SymInt &size : getShape(op.getWeight()))
    if (size.getConstant().value_or(0) < 1)
      return "expected a weight with constant nonzero sizes";
  for (Value value : {op.getInput(), op.getResult()})
    for (const SymInt &size : getShape(value))
      if (size.isUnknown() || size.getConstant() == 0)
        return "expected nonzero sizes that depend only on the inputs' sizes";
  return "";
}

/// Views a value as [n, spatial..., c] in memory and [n, c, spatial...]
/// logically.
static CallOperand viewChannelsLast(Value value) {
  Shape shape = getShape(value);
  return {getElementTypeOrSelf(value.getType()),
          {shape[0], shape[3], shape[1], shape[2]},
          {0, 2, 3, 1}};
}

namespace {
class CuDnnBackend : public Backend {
public:
  StringRef getName() const override { return kernel::kCuDnnBackend; }
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
std::string CuDnnBackend::getVersion() const {
  const char *name = std::getenv("TENON_CUDNN");
  void *library =
      ::dlopen(name && *name ? name : "libcudnn.so.9", RTLD_LAZY | RTLD_LOCAL);
  if (!library)
    return "";
  std::string text;
  if (auto *get =
          reinterpret_cast<size_t (*)()>(::dlsym(library, "cudnnGetVersion"))) {
    size_t version = get();
    text = std::to_string(version / 10000) + "." +
           std::to_string(version / 100 % 100) + "." +
           std::to_string(version % 100);
  }
  ::dlclose(library);
  return text;
}

void CuDnnBackend::match(Block &block,
                         SmallVectorImpl<Subgraph> &subgraphs) const {
  for (ConvOp root : block.getOps<ConvOp>()) {
    // The order of the weight's axes is changed at load.
    if (!getRefusal(root).empty() || !kernel::isPrepared(root.getWeight()))
      continue;
    Epilogue epilogue(root.getResult());
    do {
      Subgraph subgraph{{root}, "conv"};
      for (Operation *op : epilogue.ops) {
        subgraph.ops.push_back(op);
        if (!isa<BroadcastOp>(op))
          subgraph.pattern += "+" + op->getName().stripDialect().str();
      }
      subgraphs.push_back(std::move(subgraph));
    } while (epilogue.takeNext(rules));
  }
}

FailureOr<LibraryCall> CuDnnBackend::describe(kernel::CallOp call,
                                              const Numerics &numerics) const {
  auto convs = call.getBodyBlock().getOps<ConvOp>();
  if (!llvm::hasSingleElement(convs) || call.getYielded().size() != 1)
    return call.emitOpError()
           << "has a region that cudnn does not support: expected one "
              "convolution and a supported epilogue";
  ConvOp root = *convs.begin();
  if (StringRef refusal = getRefusal(root); !refusal.empty())
    return root.emitOpError() << "is not supported by cudnn: " << refusal;
  Epilogue epilogue(root.getResult());
  if (failed(readEpilogue(call, call.getYielded()[0], rules, /*accounted=*/1,
                          epilogue)))
    return failure();
  LibraryCall built;
  built.library = program::Library::CuDnn;
  SmallVector<int64_t> pads = *root.getPads().getConstants();
  built.primitive = program::ConvAttr::get(
      call.getContext(), *root.getStrides().getConstants(),
      *root.getDilations().getConstants(), ArrayRef(pads).take_front(2),
      ArrayRef(pads).take_back(2), root.getGroups().getConstants()->front(),
      numerics.mayRoundFactors());
  // All operands have the layout [n, spatial..., c].
  built.weightOrder = {0, 2, 3, 1};
  CallOperand weight{getElementTypeOrSelf(root.getWeight().getType()),
                     getShape(root.getWeight()),
                     {0, 2, 3, 1}};
  CallOperand result = viewChannelsLast(root.getResult());
  SmallVector<Value> inputs = {root.getInput(), root.getWeight()};
  built.operands = {viewChannelsLast(root.getInput()), std::move(weight)};
  epilogue.describe(built, inputs, result);
  built.operands.push_back(std::move(result));
  FailureOr<SmallVector<unsigned>> numbers = numberInputs(call, inputs);
  if (failed(numbers))
    return failure();
  built.inputs = std::move(*numbers);
  return built;
}

/// "cudnn", for 2-D convolutions of f32, f16 and bf16 with sums in f32:
/// channels last, weights that are known when the model is loaded, equal pads
/// on both sides; any strides, dilations and groups. Supports a bias, followed
/// by the addition of a tensor and relu.
std::unique_ptr<Backend> tenon::backend::createCuDnnBackend() {
  return std::make_unique<CuDnnBackend>();
}
