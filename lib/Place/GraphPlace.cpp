//===- GraphPlace.cpp - gives every piece of a graph to a backend ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LibraryPatterns.h"
#include "Outline.h"
#include "OwnClusters.h"
#include "tenon/Place/Passes.h"

#include "mlir/Analysis/TopologicalSortUtils.h"
#include "llvm/ADT/SetVector.h"

namespace tenon::place {
#define GEN_PASS_DEF_GRAPHPLACE
#include "tenon/Place/Passes.h.inc"
} // namespace tenon::place

using namespace mlir;
using namespace tenon;
using namespace tenon::place;

namespace {
struct GraphPlacePass : place::impl::GraphPlaceBase<GraphPlacePass> {
  using GraphPlaceBase::GraphPlaceBase;

  void runOnOperation() override;

private:
  LogicalResult check();
  /// The backend that the user wants for an op; empty: no wish.
  StringRef getPin(Operation *op) const;
  LogicalResult checkPins();
  void placeOnLibrary(Block &block);
  void placeOnOwnCode(Block &block);
};

/// Gives each op that several pieces would share (constants, broadcasts) a copy
/// per use, so that a piece can take it along. Users come first, so that what
/// they read is copied for their copies too.
void duplicateShared(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
    bool splat = false;
    if (auto constant = dyn_cast<graph::ConstantOp>(op))
      if (auto data = dyn_cast<DenseElementsAttr>(constant.getValue()))
        splat = data.isSplat();
    if (!splat && !isa<graph::BroadcastOp, graph::IotaOp>(op))
      continue;
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : op.getUses())
      if (!use.getOwner()->hasTrait<OpTrait::IsTerminator>())
        uses.push_back(&use);
    for (OpOperand *use : ArrayRef(uses).drop_front(uses.empty() ? 0 : 1)) {
      OpBuilder builder(&op);
      builder.setInsertionPointAfter(&op);
      use->set(builder.clone(op)->getResult(0));
    }
  }
}
} // namespace

LogicalResult GraphPlacePass::check() {
  WalkResult result = getOperation().walk([&](Operation *op) {
    if (!isa<graph::GraphDialect>(op->getDialect()) ||
        isa<graph::IndexFormInterface, graph::ReferenceInterface,
            graph::ConstantOp, graph::ParameterOp>(op))
      return WalkResult::advance();
    op->emitOpError() << "is a composite: run --graph-decompose first";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

static bool hasName(Operation *op, StringRef name) {
  if (op->getName().stripDialect() == name)
    return true;
  WalkResult result = op->getLoc()->walk([&](Location loc) {
    auto named = dyn_cast<NameLoc>(loc);
    return named && named.getName() == name ? WalkResult::interrupt()
                                            : WalkResult::advance();
  });
  return result.wasInterrupted();
}

StringRef GraphPlacePass::getPin(Operation *op) const {
  for (StringRef pin : pins)
    if (auto [name, backend] = pin.rsplit('='); hasName(op, name))
      return backend;
  return "";
}

LogicalResult GraphPlacePass::checkPins() {
  for (StringRef pin : pins) {
    auto [name, backend] = pin.rsplit('=');
    if (backend != kernel::kCpuBackend && backend != kernel::kOneDnnBackend)
      return getOperation().emitError()
             << "unknown backend '" << backend << "' in pin '" << pin << "'";
    bool found = false, possible = true;
    getOperation().walk([&](Operation *op) {
      if (op == getOperation() || !hasName(op, name))
        return;
      found = true;
      if (backend == kernel::kOneDnnBackend &&
          matchOneDnn(op, /*leastWork=*/0).ops.empty())
        possible = false;
    });
    if (!found)
      return getOperation().emitError()
             << "pin '" << pin << "' names no op of the model";
    if (!possible)
      return getOperation().emitError()
             << "pin '" << pin << "': " << backend << " can't run this op";
  }
  return success();
}

void GraphPlacePass::placeOnLibrary(Block &block) {
  llvm::SetVector<Operation *> roots;
  for (Operation &op : block)
    if (isa<graph::MatmulOp, graph::ConvOp, graph::ConvTransposeOp>(op))
      roots.insert(&op);
  for (Operation *root : roots) {
    StringRef pin = getPin(root);
    if (pin == kernel::kCpuBackend)
      continue;
    bool pinned = pin == kernel::kOneDnnBackend;
    LibraryMatch match = matchOneDnn(root, pinned ? 0 : leastLibraryWork);
    if (match.ops.empty())
      continue;
    llvm::sort(match.ops, [](Operation *a, Operation *b) {
      return a->isBeforeInBlock(b);
    });
    outline(match.ops, kernel::kOneDnnBackend, match.pattern);
    ++numLibraryCalls;
  }
}

void GraphPlacePass::placeOnOwnCode(Block &block) {
  for (ArrayRef<Operation *> ops : clusterOwnOps(block)) {
    std::string pattern;
    for (Operation *op : ops)
      if (!op->hasTrait<OpTrait::ConstantLike>() && pattern.size() < 60)
        pattern +=
            (pattern.empty() ? "" : "+") + op->getName().stripDialect().str();
    outline(ops, kernel::kCpuBackend, pattern);
    ++numOwnKernels;
  }
  for (Operation &op : llvm::make_early_inc_range(block))
    if (isa<graph::ReferenceInterface>(op)) {
      outline({&op}, kernel::kCpuBackend, op.getName().stripDialect());
      ++numOwnKernels;
    }
}

void GraphPlacePass::runOnOperation() {
  if (getOperation().isExternal())
    return;
  if (failed(check()) || failed(checkPins()))
    return signalPassFailure();
  Block &block = getOperation().getBody().front();
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
  duplicateShared(block);
  if (!llvm::is_contained(without, kernel::kOneDnnBackend))
    placeOnLibrary(block);
  placeOnOwnCode(block);
  // A piece stands where its last op stood, which may be after a reader of
  // another of its results.
  sortTopologically(&block);
}
