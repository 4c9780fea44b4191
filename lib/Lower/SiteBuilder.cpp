//===- SiteBuilder.cpp - the library call that a region stands for --------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SiteBuilder.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

namespace {
/// How shapes of the graph become logical shapes of the library.
enum class View {
  Plain,        // as it is
  ChannelsLast, // [n, spatial..., c] in memory, [n, c, spatial...] logically
  Flat          // all leading axes of a matmul joined to one
};

class SiteBuilder {
public:
  SiteBuilder(kernel::CallOp call, bool mayFlatten)
      : call(call), mayFlatten(mayFlatten) {}
  FailureOr<BuiltSite> run();
  /// Whether leading axes were joined although an operand has only some of
  /// them: then it can't be broadcast to the joined axis.
  bool isFlattenedWrongly() const { return flattenedWrongly; }

private:
  LogicalResult visitMatmul(MatmulOp op);
  SmallVector<int32_t> takeTranspose(Value &value);
  LogicalResult visitConv(ConvOp op);
  LogicalResult visitConvTranspose(ConvTransposeOp op);
  LogicalResult visitPost(Operation *op);
  LogicalResult addPostOperand(PostKind kind, Value other, bool mayBeBias);
  void setWindow(DimsAttr strides, DimsAttr dilations, DimsAttr pads,
                 DimsAttr groups);

  SiteOperand view(Type type, Shape shape);
  LogicalResult addInput(Value value, SiteOperand operand);
  void addPost(PostKind kind, double alpha = 0, double beta = 0) {
    built.site.posts.push_back(
        {kind, static_cast<float>(alpha), static_cast<float>(beta)});
  }

  kernel::CallOp call;
  bool mayFlatten, flattenedWrongly = false;
  BuiltSite built;
  Value chain;
  View how = View::Plain;
  unsigned channelAxis = 0; // of the result as the graph sees it
};
} // namespace

/// The logical view of a tensor that is broadcast to the result, or has its
/// shape.
SiteOperand SiteBuilder::view(Type type, Shape shape) {
  SiteOperand operand;
  operand.elementType = cast<RankedTensorType>(type).getElementType();
  size_t rank = cast<RankedTensorType>(chain.getType()).getRank();
  if (how == View::ChannelsLast) {
    while (shape.size() < rank)
      shape.insert(shape.begin(), SymInt(1));
    operand.shape.push_back(shape.front());
    operand.shape.push_back(shape.back());
    operand.shape.append(shape.begin() + 1, shape.end() - 1);
    operand.order.push_back(0);
    for (size_t axis = 2; axis < rank; ++axis)
      operand.order.push_back(axis);
    operand.order.push_back(1);
    return operand;
  }
  if (how == View::Flat) {
    while (shape.size() < 2)
      shape.insert(shape.begin(), SymInt(1));
    SymInt rows = 1;
    Shape all = getShape(chain);
    for (const SymInt &size : ArrayRef<SymInt>(shape).drop_back())
      rows = rows * size;
    flattenedWrongly |=
        rows != SymInt(1) && ArrayRef<SymInt>(shape).drop_back() !=
                                 ArrayRef<SymInt>(all).drop_back();
    operand.shape = {rows, shape.back()};
    return operand;
  }
  while (shape.size() < rank)
    shape.insert(shape.begin(), SymInt(1));
  operand.shape = std::move(shape);
  return operand;
}

LogicalResult SiteBuilder::addInput(Value value, SiteOperand operand) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument)
    return call.emitOpError() << "has an operand of a library call that is "
                                 "computed inside the region";
  built.inputs.push_back(argument.getArgNumber());
  built.site.operands.push_back(std::move(operand));
  return success();
}

LogicalResult SiteBuilder::visitMatmul(MatmulOp op) {
  built.site.kind = SiteKind::Matmul;
  Shape lhs = getShape(op.getLhs()), rhs = getShape(op.getRhs());
  chain = op.getResult();
  channelAxis = getShape(chain).size() - 1;
  Type element = cast<RankedTensorType>(chain.getType()).getElementType();
  // The operand holds the transposed matrix: its last two axes change roles.
  auto transposed = [](SiteOperand &operand) {
    int32_t rank = operand.shape.size();
    std::swap(operand.shape[rank - 1], operand.shape[rank - 2]);
    if (operand.order.empty())
      for (int32_t axis = 0; axis < rank; ++axis)
        operand.order.push_back(axis);
    for (int32_t &axis : operand.order)
      axis = axis == rank - 1 ? rank - 2 : axis == rank - 2 ? rank - 1 : axis;
  };
  Value lhsSource = op.getLhs(), rhsSource = op.getRhs();
  SiteOperand left{element, lhs, takeTranspose(lhsSource)};
  SiteOperand right{element, rhs, takeTranspose(rhsSource)};
  if (mayFlatten && rhs.size() == 2 && lhs.size() > 2 && !op.getTransposeA() &&
      left.order.empty()) {
    how = View::Flat;
    left = view(op.getLhs().getType(), lhs);
  } else {
    size_t rank = std::max(lhs.size(), rhs.size());
    for (SiteOperand *operand : {&left, &right})
      while (operand->shape.size() < rank) {
        operand->shape.insert(operand->shape.begin(), SymInt(1));
        if (operand->order.empty())
          continue;
        for (int32_t &axis : operand->order)
          ++axis;
        operand->order.insert(operand->order.begin(), 0);
      }
    if (op.getTransposeA())
      transposed(left);
  }
  if (op.getTransposeB())
    transposed(right);
  return success(succeeded(addInput(lhsSource, std::move(left))) &&
                 succeeded(addInput(rhsSource, std::move(right))));
}

/// If a transpose in the region makes the value, steps over it and gives the
/// order of the value's axes in memory.
SmallVector<int32_t> SiteBuilder::takeTranspose(Value &value) {
  auto transpose = value.getDefiningOp<TransposeOp>();
  if (!transpose)
    return {};
  SmallVector<int64_t> perm = *transpose.getPerm().getConstants();
  // Axis i of the value is axis perm[i] in memory.
  SmallVector<int32_t> order(perm.size());
  for (auto [axis, inMemory] : llvm::enumerate(perm))
    order[inMemory] = axis;
  value = transpose.getX();
  return order;
}

void SiteBuilder::setWindow(DimsAttr strides, DimsAttr dilations, DimsAttr pads,
                            DimsAttr groups) {
  Site &site = built.site;
  site.strides = *strides.getConstants();
  site.dilations = *dilations.getConstants();
  SmallVector<int64_t> both = *pads.getConstants();
  site.padsBegin.assign(both.begin(), both.begin() + both.size() / 2);
  site.padsEnd.assign(both.begin() + both.size() / 2, both.end());
  site.groups = groups.getConstants()->front();
}

LogicalResult SiteBuilder::visitConv(ConvOp op) {
  built.site.kind = SiteKind::Conv;
  setWindow(op.getStrides(), op.getDilations(), op.getPads(), op.getGroups());
  chain = op.getResult();
  bool last = op.getLayout() == Layout::ChannelsLast;
  how = last ? View::ChannelsLast : View::Plain;
  channelAxis = last ? getShape(chain).size() - 1 : 1;
  SiteOperand weight{getElementTypeOrSelf(op.getWeight().getType()),
                     getShape(op.getWeight()),
                     {}};
  return success(
      succeeded(addInput(op.getInput(), view(op.getInput().getType(),
                                             getShape(op.getInput())))) &&
      succeeded(addInput(op.getWeight(), std::move(weight))));
}

LogicalResult SiteBuilder::visitConvTranspose(ConvTransposeOp op) {
  built.site.kind = SiteKind::ConvTranspose;
  setWindow(op.getStrides(), op.getDilations(), op.getPads(), op.getGroups());
  chain = op.getResult();
  channelAxis = 1;
  SiteOperand weight{getElementTypeOrSelf(op.getWeight().getType()),
                     getShape(op.getWeight()),
                     {}};
  return success(
      succeeded(addInput(op.getInput(), view(op.getInput().getType(),
                                             getShape(op.getInput())))) &&
      succeeded(addInput(op.getWeight(), std::move(weight))));
}

/// The value of a splat constant (possibly broadcast).
static std::optional<double> getSplat(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto broadcast = dyn_cast_or_null<BroadcastOp>(op))
    op = broadcast.getX().getDefiningOp();
  auto constant = dyn_cast_or_null<ConstantOp>(op);
  if (!constant)
    return std::nullopt;
  auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
  if (!elements || !elements.isSplat())
    return std::nullopt;
  return elements.getSplatValue<APFloat>().convertToDouble();
}

LogicalResult SiteBuilder::addPostOperand(PostKind kind, Value other,
                                          bool mayBeBias) {
  Value source = other;
  if (auto broadcast = other.getDefiningOp<BroadcastOp>())
    source = broadcast.getX();
  Shape shape = getShape(source);
  // A vector along the channels, added first, is the call's own bias.
  size_t rank = getShape(chain).size();
  bool alongChannels = true;
  for (auto [axis, size] : llvm::enumerate(shape)) {
    size_t inResult = axis + rank - shape.size();
    if (inResult == channelAxis)
      alongChannels &= size == getShape(chain)[channelAxis];
    else
      alongChannels &= size.getConstant() == 1;
  }
  alongChannels &= shape.size() + channelAxis >= rank;
  if (mayBeBias && alongChannels && !built.site.hasBias &&
      built.site.posts.empty() && kind == PostKind::Add) {
    built.site.hasBias = true;
    return addInput(source, {getElementTypeOrSelf(source.getType()),
                             {getShape(chain)[channelAxis]},
                             {}});
  }
  addPost(kind);
  return addInput(source, view(source.getType(), shape));
}

LogicalResult SiteBuilder::visitPost(Operation *op) {
  if (isa<ConstantOp, BroadcastOp>(op))
    return success();
  bool first = op->getOperand(0) == chain;
  Value other;
  if (op->getNumOperands() == 2)
    other = op->getOperand(first ? 1 : 0);
  std::optional<double> splat = other ? getSplat(other) : std::nullopt;
  LogicalResult result =
      llvm::TypeSwitch<Operation *, LogicalResult>(op)
          .Case<ReluOp>([&](auto) {
            addPost(PostKind::Relu);
            return success();
          })
          .Case<LeakyReluOp>([&](auto leaky) {
            addPost(PostKind::Relu, leaky.getAlpha().convertToDouble());
            return success();
          })
          .Case<ClipOp>([&](auto clip) {
            addPost(PostKind::Clip, clip.getLow().convertToDouble(),
                    clip.getHigh().convertToDouble());
            return success();
          })
          .Case<EluOp>([&](auto elu) {
            addPost(PostKind::Elu, elu.getAlpha().convertToDouble());
            return success();
          })
          .Case<GeluOp>([&](auto gelu) {
            addPost(gelu.getTanh() ? PostKind::GeluTanh : PostKind::GeluErf);
            return success();
          })
          .Case<SiluOp>([&](auto) {
            addPost(PostKind::Swish, 1.0);
            return success();
          })
          .Case<SigmoidOp>([&](auto) {
            addPost(PostKind::Sigmoid);
            return success();
          })
          .Case<TanhOp>([&](auto) {
            addPost(PostKind::Tanh);
            return success();
          })
          .Case<AbsOp>([&](auto) {
            addPost(PostKind::Abs);
            return success();
          })
          .Case<SqrtOp>([&](auto) {
            addPost(PostKind::Sqrt);
            return success();
          })
          .Case<ExpOp>([&](auto) {
            addPost(PostKind::Exp);
            return success();
          })
          .Case<AddOp>([&](auto) {
            if (!splat)
              return addPostOperand(PostKind::Add, other, true);
            addPost(PostKind::Linear, 1.0, *splat);
            return success();
          })
          .Case<SubOp>([&](auto) {
            if (!splat)
              return addPostOperand(PostKind::Sub, other, false);
            addPost(PostKind::Linear, 1.0, -*splat);
            return success();
          })
          .Case<MulOp>([&](auto) {
            if (!splat)
              return addPostOperand(PostKind::Mul, other, false);
            addPost(PostKind::Linear, *splat, 0.0);
            return success();
          })
          .Case<DivOp>(
              [&](auto) { return addPostOperand(PostKind::Div, other, false); })
          .Case<MaximumOp>(
              [&](auto) { return addPostOperand(PostKind::Max, other, false); })
          .Case<MinimumOp>(
              [&](auto) { return addPostOperand(PostKind::Min, other, false); })
          .Default([&](Operation *) {
            return op->emitOpError() << "can't be part of a library call";
          });
  chain = op->getResult(0);
  return result;
}

FailureOr<BuiltSite> SiteBuilder::run() {
  for (Operation &op : call.getBodyBlock().without_terminator()) {
    LogicalResult result =
        llvm::TypeSwitch<Operation *, LogicalResult>(&op)
            .Case<MatmulOp>([&](auto root) { return visitMatmul(root); })
            .Case<ConvOp>([&](auto root) { return visitConv(root); })
            .Case<ConvTransposeOp>(
                [&](auto root) { return visitConvTranspose(root); })
            .Case<TransposeOp>([&](auto) { return success(); })
            .Default([&](Operation *post) { return visitPost(post); });
    if (failed(result))
      return failure();
  }
  if (!chain || call.getYielded().size() != 1)
    return call.emitOpError() << "expected a library call to yield one value";
  SiteOperand result = view(chain.getType(), getShape(chain));
  Value yielded = call.getYielded()[0];
  if (auto transpose = yielded.getDefiningOp<TransposeOp>()) {
    // Axis i of what is stored is axis perm[i] of the result.
    for (int64_t axis : *transpose.getPerm().getConstants())
      result.order.push_back(axis);
    yielded = transpose.getX();
  }
  if (yielded != chain)
    return call.emitOpError() << "expected a library call to yield the end of "
                                 "its chain";
  built.site.operands.push_back(std::move(result));
  return std::move(built);
}

FailureOr<BuiltSite> tenon::lower::buildSite(kernel::CallOp call) {
  SiteBuilder flat(call, /*mayFlatten=*/true);
  FailureOr<BuiltSite> built = flat.run();
  if (succeeded(built) && flat.isFlattenedWrongly())
    return SiteBuilder(call, /*mayFlatten=*/false).run();
  return built;
}
