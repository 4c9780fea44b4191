//===- ExportLinear.cpp - export of products, convolutions and norms ------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Exporter.h"

#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::onnx;
using namespace tenon::graph;

static int64_t rankOf(Value x) {
  return cast<RankedTensorType>(x.getType()).getRank();
}

static std::string transposed(Exporter &e, const std::string &x,
                              ArrayRef<int64_t> perm) {
  std::string output = e.node("Transpose", {x});
  Exporter::set(e.last(), "perm", perm);
  return output;
}

/// Moves channels to axis 1, and back.
static std::string toChannelsFirst(Exporter &e, Value x) {
  SmallVector<int64_t> perm = {0, rankOf(x) - 1};
  for (int64_t axis = 1; axis + 1 < rankOf(x); ++axis)
    perm.push_back(axis);
  return transposed(e, e.name(x), perm);
}

static std::string toChannelsLast(Exporter &e, const std::string &x,
                                  int64_t rank) {
  SmallVector<int64_t> perm = {0};
  for (int64_t axis = 2; axis < rank; ++axis)
    perm.push_back(axis);
  perm.push_back(1);
  return transposed(e, x, perm);
}

static void emitMatmul(Exporter &e, MatmulOp op) {
  Value a = op.getLhs(), b = op.getRhs();
  Type type = cast<RankedTensorType>(a.getType()).getElementType();
  bool transposeA = op.getTransposeA(), transposeB = op.getTransposeB();
  if (rankOf(a) == 2 && rankOf(b) == 2 && (transposeA || transposeB) &&
      isFloat(type)) {
    std::string output = e.node("Gemm", {e.name(a), e.name(b)});
    Exporter::set(e.last(), "transA", int64_t(transposeA));
    Exporter::set(e.last(), "transB", int64_t(transposeB));
    e.bind(op.getResult(), output);
    return;
  }
  auto operand = [&](Value x, bool isTransposed) {
    if (!isTransposed)
      return e.name(x);
    SmallVector<int64_t> perm =
        llvm::to_vector(llvm::seq<int64_t>(0, rankOf(x)));
    std::swap(perm[perm.size() - 1], perm[perm.size() - 2]);
    return transposed(e, e.name(x), perm);
  };
  std::string lhs = operand(a, transposeA), rhs = operand(b, transposeB);
  e.bind(op.getResult(), e.node("MatMul", {lhs, rhs}));
}

/// Sets an attribute from a list, which must be constant in an ONNX model.
static bool setInts(Exporter &e, Operation *op, StringRef name,
                    DimsAttr values) {
  auto constants = values.getConstants();
  if (!constants)
    return false;
  Exporter::set(e.last(), name, *constants);
  return true;
}

static bool emitConv(Exporter &e, ConvOp op) {
  bool last = op.getLayout() == Layout::ChannelsLast;
  std::string x =
      last ? toChannelsFirst(e, op.getInput()) : e.name(op.getInput());
  std::string output = e.node("Conv", {x, e.name(op.getWeight())});
  auto groups = op.getGroups().getConstants();
  if (!groups || !setInts(e, op, "strides", op.getStrides()) ||
      !setInts(e, op, "pads", op.getPads()) ||
      !setInts(e, op, "dilations", op.getDilations()))
    return false;
  Exporter::set(e.last(), "group", groups->front());
  if (last)
    output = toChannelsLast(e, output, rankOf(op.getInput()));
  e.bind(op.getResult(), output);
  return true;
}

static bool emitConvTranspose(Exporter &e, ConvTransposeOp op) {
  bool last = op.getLayout() == Layout::ChannelsLast;
  std::string x =
      last ? toChannelsFirst(e, op.getInput()) : e.name(op.getInput());
  std::string output = e.node("ConvTranspose", {x, e.name(op.getWeight())});
  auto groups = op.getGroups().getConstants();
  if (!groups || !setInts(e, op, "strides", op.getStrides()) ||
      !setInts(e, op, "pads", op.getPads()) ||
      !setInts(e, op, "dilations", op.getDilations()) ||
      !setInts(e, op, "output_padding", op.getOutputPadding()))
    return false;
  Exporter::set(e.last(), "group", groups->front());
  if (last)
    output = toChannelsLast(e, output, rankOf(op.getInput()));
  e.bind(op.getResult(), output);
  return true;
}

template <typename OpTy> static bool emitPool(Exporter &e, OpTy op) {
  bool last = op.getLayout() == Layout::ChannelsLast;
  constexpr bool isArg = std::is_same_v<OpTy, ArgmaxPoolOp>;
  constexpr bool isAvg = std::is_same_v<OpTy, AvgPoolOp>;
  constexpr bool isLp = std::is_same_v<OpTy, LpPoolOp>;
  if (isArg && last)
    return false; // its positions refer to the other layout
  std::string x =
      last ? toChannelsFirst(e, op.getInput()) : e.name(op.getInput());
  Names outputs = {e.fresh("pool")};
  if (isArg)
    outputs.push_back(e.fresh("positions"));
  NodeProto &node = e.addNode(isAvg  ? "AveragePool"
                              : isLp ? "LpPool"
                                     : "MaxPool",
                              {x}, outputs);
  if (!setInts(e, op, "kernel_shape", op.getKernel()) ||
      !setInts(e, op, "strides", op.getStrides()) ||
      !setInts(e, op, "pads", op.getPads()))
    return false;
  auto dilations = op.getDilations().getConstants();
  if (!dilations)
    return false;
  if (llvm::any_of(*dilations, [](int64_t d) { return d != 1; })) {
    if (isAvg)
      e.requireOpset(19);
    Exporter::set(node, "dilations", *dilations);
  }
  Exporter::set(node, "ceil_mode", int64_t(op.getCeilMode()));
  if constexpr (isAvg)
    Exporter::set(node, "count_include_pad", int64_t(op.getCountIncludePad()));
  if constexpr (isLp)
    Exporter::set(node, "p", int64_t(op.getP()));
  if constexpr (isArg)
    Exporter::set(node, "storage_order", int64_t(op.getColumnMajor()));
  std::string output = outputs.back();
  if (last)
    output = toChannelsLast(e, output, rankOf(op.getInput()));
  e.bind(op.getResult(), output);
  return true;
}

static std::string layerNorm(Exporter &e, LayerNormOp op) {
  // ONNX requires a scale of the normalized shape, not one that broadcasts to
  // it.
  Names operands = {e.name(op.getX())};
  Shape shape = getShape(op.getX());
  ArrayRef<SymInt> normalized =
      ArrayRef<SymInt>(shape).drop_front(op.getAxis());
  for (Value operand : op->getOperands().drop_front()) {
    std::string name = e.name(operand);
    if (ArrayRef<SymInt>(getShape(operand)) != normalized)
      name = e.node("Expand", {name, e.sizes(normalized)});
    operands.push_back(name);
  }
  std::string output = e.node("LayerNormalization", operands);
  Exporter::set(e.last(), "axis", int64_t(op.getAxis()));
  Exporter::set(e.last(), "epsilon", op.getEpsilon().convertToDouble());
  return output;
}

bool tenon::onnx::emitLinear(Exporter &e, Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](MatmulOp matmul) {
        emitMatmul(e, matmul);
        return true;
      })
      .Case([&](ConvOp conv) { return emitConv(e, conv); })
      .Case([&](ConvTransposeOp conv) { return emitConvTranspose(e, conv); })
      .Case<MaxPoolOp, ArgmaxPoolOp, AvgPoolOp, LpPoolOp>(
          [&](auto pool) { return emitPool(e, pool); })
      .Case([&](LrnOp lrn) {
        std::string output = e.node("LRN", {e.name(lrn.getInput())});
        Exporter::set(e.last(), "size", int64_t(lrn.getSize()));
        Exporter::set(e.last(), "alpha", lrn.getAlpha().convertToDouble());
        Exporter::set(e.last(), "beta", lrn.getBeta().convertToDouble());
        Exporter::set(e.last(), "bias", lrn.getBias().convertToDouble());
        e.bind(lrn.getResult(), output);
        return true;
      })
      .Case<SoftmaxOp, LogSoftmaxOp, HardmaxOp>([&](auto softmax) {
        StringRef name = isa<SoftmaxOp>(op)      ? "Softmax"
                         : isa<LogSoftmaxOp>(op) ? "LogSoftmax"
                                                 : "Hardmax";
        std::string output = e.node(name, {e.name(softmax.getX())});
        Exporter::set(e.last(), "axis", int64_t(softmax.getAxis()));
        e.bind(softmax.getResult(), output);
        return true;
      })
      .Case([&](LayerNormOp norm) {
        e.bind(norm.getResult(), layerNorm(e, norm));
        return true;
      })
      .Case<BatchNormOp, InstanceNormOp>([&](auto norm) {
        std::string output =
            e.node(isa<BatchNormOp>(op) ? "BatchNormalization"
                                        : "InstanceNormalization",
                   e.names(op->getOperands()));
        Exporter::set(e.last(), "epsilon", norm.getEpsilon().convertToDouble());
        e.bind(norm.getResult(), output);
        return true;
      })
      .Case([&](EmbeddingOp embedding) {
        e.bind(embedding.getResult(),
               e.node("Gather", e.names(op->getOperands())));
        return true;
      })
      .Default([](Operation *) { return false; });
}
