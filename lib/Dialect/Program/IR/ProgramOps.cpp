//===- ProgramOps.cpp - verification of steps -----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramAssembly.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::program;
using graph::DimsAttr;
using graph::SymInt;

using graph::parseInt;
using graph::parseInts;
using graph::printInt;
using graph::printInts;

#define GET_OP_CLASSES
#include "tenon/Dialect/Program/IR/ProgramOps.cpp.inc"

/// Whether the post-op reads a buffer in addition to the operands.
static bool readsBuffer(PostOpKind kind) {
  switch (kind) {
  case PostOpKind::Add:
  case PostOpKind::Mul:
  case PostOpKind::Sub:
  case PostOpKind::Div:
  case PostOpKind::Max:
  case PostOpKind::Min:
    return true;
  default:
    return false;
  }
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// Limits of every CUDA device.
static constexpr int64_t maxBlockThreads = 1024, maxSharedBytes = 1 << 20;

LogicalResult LaunchOp::verify() {
  if (static_cast<int64_t>(getGrain()) < 1)
    return emitOpError("expected a grain of at least 1, but got ")
           << static_cast<int64_t>(getGrain());
  auto isIn = [](std::optional<uint64_t> value, int64_t low, int64_t high) {
    return !value || (static_cast<int64_t>(*value) >= low &&
                      static_cast<int64_t>(*value) <= high);
  };
  if (!isIn(getBlock(), 1, maxBlockThreads))
    return emitOpError("expected blocks of 1 to ")
           << maxBlockThreads << " threads, but got "
           << static_cast<int64_t>(*getBlock());
  if (!isIn(getShared(), 0, maxSharedBytes))
    return emitOpError("a block can't have ")
           << static_cast<int64_t>(*getShared()) << " bytes of shared memory";
  auto target = (*this)->getParentOfType<TargetOp>();
  bool isCuda = target && target.getDevice() == Device::Cuda;
  if (target && isCuda != getBlock().has_value())
    return emitOpError(
        isCuda ? "expected the number of threads per block"
               : "expected no number of threads per block for a CPU");
  return success();
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto target = (*this)->getParentOfType<TargetOp>();
  if (symbols.lookupSymbolIn(target, getKernel()))
    return success();
  return emitOpError() << "launches " << getKernel()
                       << ", which is not in its target";
}

static LogicalResult verifyTypes(Operation *op, ArrayAttr types,
                                 size_t numBuffers) {
  if (types.size() != numBuffers)
    return op->emitOpError() << "expected a type for each of its " << numBuffers
                             << " buffers, but got " << types.size();
  for (Type type : types.getAsValueRange<TypeAttr>())
    if (!isa<RankedTensorType>(type))
      return op->emitOpError() << "expected types of tensors, but got " << type;
  return success();
}

/// Checks the number of buffers: those of the primitive and of its post-ops.
static LogicalResult verifyCount(CallOp call) {
  auto [least, most] = call.getPrimitive().getNumBuffers();
  if (std::optional<ArrayAttr> postOps = call.getPosts())
    for (PostOpAttr postOp : postOps->getAsRange<PostOpAttr>())
      if (readsBuffer(postOp.getKind())) {
        ++least;
        ++most;
      }
  size_t count = call.getBuffers().size();
  if (count >= least && count <= most)
    return success();
  return call.emitOpError()
         << "expected " << least << (most > least ? " or more" : "")
         << " buffers, but got " << count;
}

/// Checks that a matmul is one of matrices whose sizes fit.
static LogicalResult verifyMatmul(CallOp call) {
  auto types = call.getTypes().getAsValueRange<TypeAttr>();
  Type lhsType = *types.begin(), rhsType = *std::next(types.begin()),
       resultType = *std::prev(types.end());
  for (Type type : {lhsType, rhsType, resultType})
    if (cast<RankedTensorType>(type).getRank() < 2)
      return call.emitOpError() << "expected matrices, but got " << type;
  graph::Shape lhs = graph::getShape(lhsType), rhs = graph::getShape(rhsType),
               result = graph::getShape(resultType);
  if (lhs.back().provablyDiffers(rhs.end()[-2]) ||
      result.end()[-2].provablyDiffers(lhs.end()[-2]) ||
      result.back().provablyDiffers(rhs.back()))
    return call.emitOpError() << "can't make " << resultType << " of "
                              << lhsType << " and " << rhsType;
  return success();
}

/// Checks the fields of a primitive. Lists have one number for each spatial
/// axis of the input and of the result.
static LogicalResult verifyFields(CallOp call) {
  auto verifyLists = [&](ArrayRef<DenseI64ArrayAttr> lists) -> LogicalResult {
    for (DenseI64ArrayAttr list : lists)
      if (list.size() != lists.front().size())
        return call.emitOpError()
               << "expected lists of " << lists.front().size()
               << " numbers, but got " << call.getPrimitive();
    const int64_t rank = static_cast<int64_t>(lists.front().size()) + 2;
    auto types = call.getTypes().getAsValueRange<TypeAttr>();
    for (Type type : {*types.begin(), *std::prev(types.end())})
      if (cast<RankedTensorType>(type).getRank() != rank)
        return call.emitOpError()
               << "expected tensors of rank " << rank << ", but got " << type;
    return success();
  };
  return llvm::TypeSwitch<Attribute, LogicalResult>(call.getPrimitive())
      .Case<ConvAttr, ConvTransposeAttr, ConvBackwardWeightAttr>(
          [&](auto conv) -> LogicalResult {
            if (conv.getGroups() < 1)
              return call.emitOpError() << "expected at least one group";
            return verifyLists({conv.getStrides(), conv.getDilations(),
                                conv.getPadsBegin(), conv.getPadsEnd()});
          })
      .Case<MaxPoolAttr, AvgPoolAttr>([&](auto pool) {
        return verifyLists(
            {pool.getWindow(), pool.getStrides(), pool.getPadsBegin()});
      })
      .Case<LrnAttr>([&](LrnAttr lrn) -> LogicalResult {
        if (lrn.getWindow() >= 1 && lrn.getWindow() % 2 == 1)
          return success();
        return call.emitOpError()
               << "expected an odd number of channels, but got "
               << lrn.getWindow();
      })
      .Case<MatmulAttr>([&](Attribute) { return verifyMatmul(call); })
      .Default([](Attribute) { return success(); });
}

LogicalResult CallOp::verify() {
  const size_t numBuffers = getBuffers().size();
  if (failed(verifyTypes(*this, getTypes(), numBuffers)))
    return failure();
  if (failed(verifyCount(*this)) || failed(verifyFields(*this)))
    return failure();
  if (ArrayAttr orders = getOrdersAttr()) {
    if (orders.size() != numBuffers)
      return emitOpError() << "expected an order for each of its " << numBuffers
                           << " buffers, but got " << orders.size();
    for (auto [order, type] :
         llvm::zip(orders, getTypes().getAsValueRange<TypeAttr>())) {
      auto axes = dyn_cast<DenseI32ArrayAttr>(order);
      if (!axes)
        return emitOpError() << "expected an order of axes, but got " << order;
      SmallVector<int32_t> sorted(axes.asArrayRef());
      llvm::sort(sorted);
      int64_t rank = cast<RankedTensorType>(type).getRank();
      if (sorted.empty())
        continue;
      if (static_cast<int64_t>(sorted.size()) != rank ||
          !llvm::equal(sorted, llvm::seq<int32_t>(0, rank)))
        return emitOpError()
               << "expected an order of " << rank << " axes, but got " << order;
    }
  }
  return success();
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto target = (*this)->getParentOfType<TargetOp>();
  if (!getReference() || symbols.lookupSymbolIn(target, *getReference()))
    return success();
  return emitOpError() << "refers to " << *getReference()
                       << ", which is not in its target";
}

LogicalResult PluginOp::verify() {
  const size_t numBuffers = getBuffers().size();
  if (failed(verifyTypes(*this, getTypes(), numBuffers)))
    return failure();
  if (getLifted().size() != numBuffers || getConstant().size() != numBuffers)
    return emitOpError()
           << "expected flags 'lifted' and 'constant' for each of "
           << numBuffers << " buffers, but got " << getLifted().size()
           << " and " << getConstant().size();
  if (getNumResults() < 1 || getNumResults() > numBuffers)
    return emitOpError() << "can't have " << getNumResults() << " results of "
                         << numBuffers << " buffers";
  size_t named = getSymbols() ? getSymbols()->size() : 0;
  size_t values = getValues() ? getValues()->size() : 0;
  if (named != values)
    return emitOpError() << "expected " << named
                         << " values of symbols, but got " << values;
  return success();
}

LogicalResult CheckOp::verify() {
  if (getRanges().empty())
    return emitOpError("expected a range");
  Operation *buffer = getFindings().getDefiningOp();
  if (!isa<FindingsOp, PreparedOp>(buffer))
    return emitOpError("expected findings, but got '")
           << buffer->getName() << "'";
  if (static_cast<int64_t>(getParts()) < 1)
    return emitOpError("expected at least one part");
  Operation *writer = (*this)->getPrevNode();
  while (writer && isa<CheckOp>(writer))
    writer = writer->getPrevNode();
  if (!writer || !llvm::is_contained(writer->getOperands(), getFindings()))
    return emitOpError("expected to follow the step that writes the "
                       "findings");
  return success();
}
