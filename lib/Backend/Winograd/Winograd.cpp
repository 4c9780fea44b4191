//===- Winograd.cpp - Winograd convolution as a backend -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Winograd convolutions F(2x2, 3x3), F(4x4, 3x3) and F(2x2, 5x5) (Lavin and
// Gray, "Fast Algorithms for Convolutional Neural Networks", CVPR'16) need up
// to four times fewer multiplications than a plain convolution. The runtime's
// own transforms run before and after oneDNN's matrix products.
//
// The error of a result is relative to the largest element that its tile reads,
// not to the result's own terms: about ten times that of a plain sum. Tiles
// that are not finite are computed as plain sums by the runtime.
//
//===----------------------------------------------------------------------===//

#include "tenon/Cost/Winograd.h"
#include "tenon/Backend/BuiltIn.h"
#include "tenon/Backend/OneDnn.h"
#include "tenon/Dialect/Kernel/Analysis/Prepared.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::backend;

/// The vector width of the transforms. With fewer channels, transforms take
/// longer than the multiplications that they save; fewer filters are filled up
/// with zeros.
static constexpr int64_t leastChannels = 16;

static bool areOnes(DimsAttr dims) {
  auto constants = dims.getConstants();
  return constants &&
         llvm::all_of(*constants, [](int64_t value) { return value == 1; });
}

/// Returns why a convolution is not supported in either layout; empty if it is.
static StringRef getRefusal(ConvOp op) {
  Shape weight = getShape(op.getWeight());
  // [filters, channels per group, window]
  auto constant = [&](size_t axis) {
    return weight[axis].getConstant().value_or(0);
  };
  auto groups = op.getGroups().getConstants();
  if (weight.size() != 4 || constant(2) != constant(3) ||
      (constant(2) != 3 && constant(2) != 5))
    return "expected a window of 3x3 or 5x5";
  if (!areOnes(op.getStrides()) || !areOnes(op.getDilations()))
    return "expected strides and dilations of 1";
  if (!groups || constant(1) < leastChannels)
    return "expected at least 16 channels per group";
  // Zeros for each of several groups would be most of the work.
  if (constant(0) <
      (groups->front() == 1 ? 1 : leastChannels * groups->front()))
    return "expected at least 16 filters in each of several groups";
  return "";
}

static constexpr StringLiteral otherLayout = "expected channels last";

namespace {
class WinogradBackend : public Backend {
public:
  StringRef getName() const override { return kernel::kWinogradBackend; }
  std::string getVersion() const override { return getOneDnnVersion(); }
  bool isTrusted() const override { return true; }
  void match(Block &block, SmallVectorImpl<Subgraph> &subgraphs) const override;
  FailureOr<LibraryCall> describe(kernel::CallOp call,
                                  const Numerics &numerics) const override;
  void adjustWork(kernel::CallOp call, const cost::SizeValues &sizes,
                  cost::Work &work) const override;
  bool adjustWork(Operation *product, const cost::SizeValues &sizes,
                  cost::Work &work) const override;
};
} // namespace

/// What the runtime computes element by element behind a tile: functions take
/// some 17 ns there, and 0.3 ns in generated code (measured on Zen 4).
static bool computesFunction(const Subgraph &subgraph) {
  return llvm::any_of(subgraph.ops, [](Operation *op) {
    return isa<TanhOp, SigmoidOp, SiluOp, MishOp, GeluOp, EluOp, ExpOp>(op);
  });
}

void WinogradBackend::match(Block &block,
                            SmallVectorImpl<Subgraph> &subgraphs) const {
  for (ConvOp op : block.getOps<ConvOp>())
    if (op.getLayout() == Layout::ChannelsLast && getRefusal(op).empty() &&
        kernel::isPrepared(op.getWeight())) {
      SmallVector<Subgraph> all;
      matchOneDnnProduct(op, all);
      llvm::erase_if(all, computesFunction);
      llvm::append_range(subgraphs, std::move(all));
    }
}

FailureOr<LibraryCall> WinogradBackend::describe(kernel::CallOp call,
                                                 const Numerics &) const {
  auto convs = call.getBodyBlock().getOps<ConvOp>();
  if (convs.empty())
    return call.emitOpError()
           << "has a region that winograd does not support: expected one "
              "convolution and a supported epilogue";
  ConvOp conv = *convs.begin();
  StringRef refusal = conv.getLayout() == Layout::ChannelsLast
                          ? getRefusal(conv)
                          : StringRef(otherLayout);
  if (!refusal.empty())
    return conv.emitOpError() << "is not supported by winograd: " << refusal;
  FailureOr<LibraryCall> built = describeOneDnnCall(call);
  if (succeeded(built))
    built->library = program::Library::Winograd;
  return built;
}

/// The cost of transforming one element of a tile, before or after the
/// products, in flops. Measured, so it includes memory time.
static constexpr double transformFlops = 14;

/// Replaces the flops of the convolution by those of the products and the
/// transforms.
static void replaceFlops(ConvOp op, const cost::SizeValues &sizes,
                         cost::Work &work) {
  auto result = cast<RankedTensorType>(op.getResult().getType());
  auto weight = cast<RankedTensorType>(op.getWeight().getType());
  auto input = cast<RankedTensorType>(op.getInput().getType());
  const bool isLast = op.getLayout() == Layout::ChannelsLast;
  const unsigned rowAxis = isLast ? 1 : 2, channelAxis = isLast ? 3 : 1;
  double window = sizes.getSize(weight, -1);
  cost::WinogradTiles tiles = cost::chooseWinogradTiles(
      window, sizes.getSize(result, 0), sizes.getSize(result, rowAxis),
      sizes.getSize(result, rowAxis + 1));
  // Few filters are filled up.
  double channels = sizes.getSize(result, channelAxis),
         filled = std::max<double>(channels, leastChannels);
  double weights =
      sizes.getElements(weight) / (window * window) * filled / channels;
  double plain =
      2 * sizes.getElements(result) * sizes.getElements(weight, /*first=*/1);
  work.matrixFlops += 2 * tiles.points * tiles.work * weights - plain;
  work.vectorFlops += transformFlops * tiles.points * tiles.count *
                      (sizes.getSize(input, channelAxis) + filled);
}

void WinogradBackend::adjustWork(kernel::CallOp call,
                                 const cost::SizeValues &sizes,
                                 cost::Work &work) const {
  auto convs = call.getBodyBlock().getOps<ConvOp>();
  if (convs.empty() || getShape((*convs.begin()).getResult()).size() != 4)
    return;
  replaceFlops(*convs.begin(), sizes, work);
  // What fills up few filters is among the flops already.
  auto weight = cast<RankedTensorType>((*convs.begin()).getWeight().getType());
  if (sizes.getSize(weight, 0) < leastChannels)
    work.remainderFlops = 0;
}

bool WinogradBackend::adjustWork(Operation *product,
                                 const cost::SizeValues &sizes,
                                 cost::Work &work) const {
  auto op = dyn_cast<ConvOp>(product);
  if (!op || !getRefusal(op).empty() ||
      !getElementTypeOrSelf(op.getResult().getType()).isF32())
    return false;
  replaceFlops(op, sizes, work);
  return true;
}

/// "winograd", for f32 convolutions with windows of 3x3 or 5x5, strides and
/// dilations of 1, channels last, at least 16 channels per group (and filters
/// in each of several groups), and weights that are known when the model is
/// loaded. It supports the same epilogues as convolutions of oneDNN, and offers
/// those without functions. Its version is oneDNN's.
std::unique_ptr<Backend> tenon::backend::createWinogradBackend() {
  return std::make_unique<WinogradBackend>();
}
