//===- CostModel.cpp - costs of kernels -----------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Cost/CostModel.h"
#include "OpWork.h"
#include "tenon/Cost/ClassFit.h"
#include "tenon/Cost/KernelClass.h"
#include "tenon/Cost/KernelWork.h"
#include "tenon/Dialect/Graph/Analysis/Views.h"
#include "tenon/Dialect/Kernel/Analysis/Prepared.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::cost;

/// Small weights skip the streaming start-up cost.
static constexpr double kLargeWeights = 64 * 1024;

/// Larger weights leave the caches that are near between two blocks of rows.
static constexpr double kStreamedWeights = 256 * 1024;

/// For 9 of 10 kernels that were measured at other sizes, the real time is at
/// most 1.1 times the interpolated one.
static constexpr double kScaledMargin = 0.095;

std::string Cost::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto microseconds = [](double seconds) {
    return llvm::format("%.4g", seconds * 1e6);
  };
  os << microseconds(seconds) << " us";
  if (measured) {
    os << " measured";
    return text;
  }
  llvm::interleave(
      terms,
      [&](const Term &term) {
        os << (&term == terms.begin() ? " = " : "")
           << microseconds(term.seconds) << " " << term.name;
      },
      [&] { os << " + "; });
  return text;
}

CostModel::CostModel(DeviceProfile profile, const CostDatabase *database,
                     Sizes sizes, int64_t defaultSize)
    : profile(std::move(profile)), database(database), sizes(std::move(sizes)),
      defaultSize(defaultSize) {}

double CostModel::getBytes(Type type) const {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return 0;
  return SizeValues(sizes, defaultSize).getElements(tensor) *
         getStoredBits(tensor.getElementType()) / 8;
}

bool CostModel::isFree(Operation *op, const kernel::LoadAnalysis *loads) const {
  if (op->hasTrait<OpTrait::ConstantLike>() || isa<graph::ParameterOp>(op) ||
      graph::isView(op))
    return true;
  return op->getNumResults() > 0 && kernel::runsAtLoad(op, loads);
}

/// The rows of the largest tensor that goes into a kernel or comes from it,
/// except for weights: they are laid out as they are read, so that only their
/// bytes count.
static double countRows(kernel::CallOp call, const SizeValues &values,
                        const kernel::LoadAnalysis *loads) {
  double most = 0, rows = 0;
  auto visit = [&](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || tensor.getRank() == 0)
      return;
    double elements = values.getElements(tensor);
    if (elements <= most)
      return;
    most = elements;
    rows = elements / std::max(values.getSize(tensor, -1), 1.0);
  };
  for (Value input : call.getInputs())
    if (!kernel::isPrepared(input, loads))
      visit(input.getType());
  for (Type type : call->getResultTypes())
    visit(type);
  return rows;
}

/// The flops of columns that do not fill a vector: in generated code, which
/// computes them one by one, their own; in libraries, which fill them up, those
/// of what is added.
static double countRemainder(kernel::CallOp call, const SizeValues &values,
                             double flops) {
  bool isGenerated = kernel::isGeneratedCode(call.getBackend());
  auto getShare = [&](int64_t columns) {
    int64_t rest = isGenerated ? columns % 8 : -columns & 15;
    return double(rest) / columns;
  };
  double share = 0;
  for (Operation &op : call.getBodyBlock()) {
    int64_t columns = 0;
    if (auto conv = dyn_cast<graph::ConvOp>(op))
      columns =
          values.getSize(cast<RankedTensorType>(conv.getWeight().getType()), 0);
    else if (isa<graph::MatmulOp>(op))
      columns =
          values.getSize(cast<RankedTensorType>(op.getResult(0).getType()), -1);
    if (columns > 0)
      share = std::max(share, getShare(columns));
  }
  return share * flops;
}

Work CostModel::getWork(Operation *op,
                        const kernel::LoadAnalysis *loads) const {
  Work work;
  if (isFree(op, loads))
    return work;
  SizeValues values(sizes, defaultSize);
  if (auto call = dyn_cast<kernel::CallOp>(op)) {
    llvm::SmallDenseMap<Value, double, 8> read; // bytes, by block argument
    for (Operation &inner : call.getBodyBlock().without_terminator()) {
      addFlops(&inner, values, work);
      for (OpOperand &operand : inner.getOpOperands())
        if (isa<BlockArgument>(operand.get())) {
          auto type = cast<RankedTensorType>(operand.get().getType());
          read[operand.get()] +=
              getElementsRead(&inner, operand.getOperandNumber(), values) *
              getStoredBits(type.getElementType()) / 8;
        }
    }
    // A tensor that several ops of a kernel read is loaded once.
    for (auto [argument, bytes] : read) {
      Value input =
          call.getInputs()[cast<BlockArgument>(argument).getArgNumber()];
      (kernel::isPrepared(input, loads) ? work.bytesWeights : work.bytesRead) +=
          std::min(bytes, getBytes(argument.getType()));
    }
    work.rows = countRows(call, values, loads);
    work.remainderFlops = countRemainder(call, values, work.matrixFlops);
    if (kernel::isGeneratedCode(call.getBackend()) &&
        work.bytesWeights > kStreamedWeights)
      work.streamedFlops = work.matrixFlops;
    if (const auto *backends =
            call->getDialect()->getRegisteredInterface<KernelWork>())
      backends->adjust(call, values, work);
  } else {
    addFlops(op, values, work);
    work.bytesRead = getBytesRead(op, values, loads, work.bytesWeights);
  }
  for (Type type : op->getResultTypes())
    work.bytesWritten += getBytes(type);
  return work;
}

Work CostModel::getLeastWork(Operation *product, const Work &plain) const {
  Work least = plain;
  auto *dialect =
      product->getContext()->getLoadedDialect<kernel::KernelDialect>();
  const auto *backends =
      dialect ? dialect->getRegisteredInterface<KernelWork>() : nullptr;
  if (!backends)
    return least;
  backends->visitAlgorithms(
      product, profile.device, SizeValues(sizes, defaultSize), plain,
      [&](const Work &work) {
        if (estimate(work).seconds < estimate(least).seconds)
          least = work;
      });
  return least;
}

Cost CostModel::estimate(const Work &work) const {
  Cost cost;
  bool streams = profile.weightBandwidth > 0;
  double bytes =
      work.bytesRead + work.bytesWritten + (streams ? 0 : work.bytesWeights);
  if (work.matrixFlops == 0 && work.vectorFlops == 0 && bytes == 0)
    return cost;
  // f flops run at a rate of peak * f / (f + half), so the time is (f + half) /
  // peak. Doubles run at half the rate of floats.
  double peak = work.bits <= 16   ? profile.matrixFlops16
                : work.bits <= 32 ? profile.matrixFlops32
                                  : profile.matrixFlops32 / 2;
  double compute = work.vectorFlops / profile.vectorFlops;
  if (work.matrixFlops > 0)
    compute += (work.matrixFlops + profile.halfPeakFlops) / peak;
  double memory =
      bytes / (bytes <= profile.cacheBytes ? profile.cacheBandwidth
                                           : profile.memoryBandwidth);
  if (streams) {
    memory += work.bytesWeights / profile.weightBandwidth;
    if (work.bytesWeights > kLargeWeights)
      memory += profile.weightSeconds;
  }
  if (compute >= memory)
    cost.terms.push_back({"compute", compute});
  else
    cost.terms.push_back({"memory", memory});
  cost.terms.push_back({"launch", profile.launchSeconds});
  for (const Term &term : cost.terms)
    cost.seconds += term.seconds;
  return cost;
}

Cost CostModel::estimate(kernel::CallOp call,
                         const kernel::LoadAnalysis *loads) const {
  if (!database || isFree(call, loads))
    return estimateRoofline(call, loads);
  std::string key = getKernelKey(call, sizes, loads);
  if (const Measurement *found = database->lookup(key)) {
    Cost cost;
    cost.seconds = found->median;
    cost.measured = true;
    cost.margin = found->getMargin();
    cost.isMatrix = estimateRoofline(call, loads).isMatrix;
    cost.terms.push_back({"measured", found->median});
    return cost;
  }
  Cost cost = estimateRoofline(call, loads);
  std::optional<double> ratio = database->getRatio(key, cost.seconds);
  if (!ratio)
    return cost;
  cost.seconds *= *ratio;
  cost.scaled = true;
  cost.margin = kScaledMargin;
  cost.terms = {{"scaled", cost.seconds}};
  return cost;
}

/// Returns the matmuls and convolutions of a fusion group whose results are
/// read inside the group.
static SmallVector<Operation *> findInnerProducts(kernel::CallOp call) {
  SmallVector<Operation *> products;
  for (Operation &op : call.getBodyBlock())
    if (isa<graph::MatmulOp, graph::ConvOp, graph::ConvTransposeOp,
            graph::ConvBackwardWeightOp>(op))
      products.push_back(&op);
  if (!products.empty())
    products.pop_back();
  return products;
}

/// Generated products whose factors are computed by something that loops in
/// registers do not take (see VectorTerm) reached 2.7 to 3.8 GFLOP/s, where
/// others reach 45.
static constexpr double kSlowProduct = 16;

static bool isSlowProduct(StringRef kernelClass) {
  return kernelClass.starts_with(kernel::kCpuBackend) &&
         (kernelClass.ends_with(" of computed") ||
          kernelClass.ends_with(" of transposed"));
}

Cost CostModel::estimateRoofline(kernel::CallOp call,
                                 const kernel::LoadAnalysis *loads) const {
  Work work = getWork(call, loads);
  if (!profile.classes.empty() && !isFree(call, loads)) {
    std::string name = getKernelClass(call, loads);
    if (auto rates = profile.classes.find(name);
        rates != profile.classes.end()) {
      Cost cost = estimateByRates(work, rates->second, profile);
      // Rates predict medians. The mean is above: choosing the cheapest of many
      // would otherwise prefer classes of which little is known.
      double deviation = rates->second.deviation;
      double spread = cost.seconds * std::expm1(deviation * deviation / 2);
      if (spread > 0)
        cost.terms.push_back({"spread", spread});
      cost.seconds += spread;
      cost.isMatrix = work.matrixFlops > work.vectorFlops;
      return cost;
    }
    // Beside rates that were measured, the peak of blocked loops would make
    // those look fast that cannot be blocked.
    if (isSlowProduct(name))
      work.matrixFlops *= kSlowProduct;
  }
  // Generated GPU code is split after each product. The product's result is
  // stored and read by the next kernel, which adds a launch and a partial last
  // wave.
  double extraLaunches = 0;
  if (call.getBackend() == kernel::kCudaBackend)
    for (Operation *product : findInnerProducts(call)) {
      ++extraLaunches;
      double bytes = getBytes(product->getResult(0).getType());
      work.bytesWritten += bytes;
      work.bytesRead += bytes;
    }
  bool isGenerated = kernel::isGeneratedCode(call.getBackend());
  if (isGenerated && profile.generatedMatrixFlops > 0 && work.matrixFlops > 0) {
    work.matrixFlops *= profile.matrixFlops32 / profile.generatedMatrixFlops;
    // Only libraries stream packed weights.
    work.bytesRead += work.bytesWeights;
    work.bytesWeights = 0;
  }
  Cost cost = estimate(work);
  cost.isMatrix = work.matrixFlops > work.vectorFlops;
  if (extraLaunches > 0 && cost.seconds > 0) {
    double each =
        profile.launchSeconds + profile.halfPeakFlops / profile.matrixFlops32;
    cost.terms.back().seconds += extraLaunches * each;
    cost.seconds += extraLaunches * each;
  }
  if (!isGenerated && profile.librarySeconds > 0 && cost.seconds > 0) {
    cost.terms.push_back({"library", profile.librarySeconds});
    cost.seconds += profile.librarySeconds;
  }
  return cost;
}
