//===- ExpandSplats.cpp - constants of one repeated value -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Lower/Passes.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "program-expand-splats"

namespace tenon::lower {
#define GEN_PASS_DEF_PROGRAMEXPANDSPLATS
#include "tenon/Lower/Passes.h.inc"
} // namespace tenon::lower

using namespace mlir;
using namespace tenon;

/// Smaller constants are not expanded, because a step costs more than their
/// bytes.
static constexpr int64_t leastBytes = 64 * 1024;

/// Returns the name of the kernel that sets buffers[0][i] := buffers[1][0] for
/// i in [lo, hi), for elements of `elementBytes` bytes.
static std::string getFillKernel(ModuleOp kernels, unsigned elementBytes) {
  std::string name = "tenon.fill" + std::to_string(8 * elementBytes);
  if (kernels.lookupSymbol(name))
    return name;
  OpBuilder builder = OpBuilder::atBlockEnd(kernels.getBody());
  Location loc = builder.getUnknownLoc();
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Type index = builder.getI64Type();
  Type element = builder.getIntegerType(8 * elementBytes);
  auto type =
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(builder.getContext()),
                                  {pointer, pointer, pointer, index, index});
  auto function = LLVM::LLVMFuncOp::create(builder, loc, name, type);
  Block *entry = function.addEntryBlock(builder);
  Block *head = builder.createBlock(&function.getBody(),
                                    function.getBody().end(), {index}, {loc});
  Block *body = builder.createBlock(&function.getBody());
  body->moveBefore(&function.getBody(), function.getBody().end());
  Block *exit =
      builder.createBlock(&function.getBody(), function.getBody().end());

  builder.setInsertionPointToEnd(entry);
  Value buffers = entry->getArgument(1);
  Value source = LLVM::GEPOp::create(builder, loc, pointer, pointer, buffers,
                                     ArrayRef<LLVM::GEPArg>{1});
  Value to = LLVM::LoadOp::create(builder, loc, pointer, buffers);
  Value from = LLVM::LoadOp::create(builder, loc, pointer, source);
  Value value = LLVM::LoadOp::create(builder, loc, element, from);
  LLVM::BrOp::create(builder, loc, ValueRange{entry->getArgument(3)}, head);

  builder.setInsertionPointToEnd(head);
  Value position = head->getArgument(0);
  Value more = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::slt,
                                    position, entry->getArgument(4));
  LLVM::CondBrOp::create(builder, loc, more, body, exit);

  builder.setInsertionPointToEnd(body);
  Value address = LLVM::GEPOp::create(builder, loc, pointer, element, to,
                                      ArrayRef<LLVM::GEPArg>{position});
  LLVM::StoreOp::create(builder, loc, value, address);
  Value one = LLVM::ConstantOp::create(builder, loc, index,
                                       builder.getI64IntegerAttr(1));
  Value next = LLVM::AddOp::create(builder, loc, position, one);
  LLVM::BrOp::create(builder, loc, ValueRange{next}, head);

  builder.setInsertionPointToEnd(exit);
  LLVM::ReturnOp::create(builder, loc, ValueRange{});
  return name;
}

/// Lets the scatters onto `buffer`, in whose place one element stands for all,
/// read `value`.
static void scatterOntoOne(Value buffer, RankedTensorType type, Value value) {
  Builder builder(buffer.getContext());
  auto one = TypeAttr::get(RankedTensorType::get(
      SmallVector<int64_t>(type.getRank(), 1), type.getElementType()));
  for (Operation *user : llvm::to_vector(buffer.getUsers())) {
    auto call = dyn_cast<program::CallOp>(user);
    if (!call || call.getBuffers().front() != buffer ||
        !isa<program::ScatterElementsAttr, program::ScatterNdAttr>(
            call.getPrimitive()))
      continue;
    SmallVector<Attribute> types(call.getTypes().getValue());
    types.front() = one;
    call.setTypesAttr(builder.getArrayAttr(types));
    call.getBuffersMutable().slice(0, 1).assign(value);
  }
}

namespace {
struct ProgramExpandSplatsPass
    : lower::impl::ProgramExpandSplatsBase<ProgramExpandSplatsPass> {
  void runOnOperation() override;
  void expand(program::TargetOp target);
};
} // namespace

/// Returns the prepare op of the target, which is created if there is none.
static program::PrepareOp getPrepare(program::TargetOp target) {
  auto found = target.getBody().getOps<program::PrepareOp>();
  if (!found.empty())
    return *found.begin();
  Block &block = target.getBody().front();
  OpBuilder builder(target.getContext());
  auto entries = block.getOps<program::EntryOp>();
  if (entries.empty())
    builder.setInsertionPointToEnd(&block);
  else
    builder.setInsertionPoint(*entries.begin());
  auto prepare =
      program::PrepareOp::create(builder, target.getLoc(), graph::DimsAttr());
  prepare.getBody().emplaceBlock();
  return prepare;
}

void ProgramExpandSplatsPass::expand(program::TargetOp target) {
  auto kernels = target.lookupSymbol<ModuleOp>("kernels");
  SmallVector<program::ConstantOp> splats;
  for (auto constant : target.getBody().getOps<program::ConstantOp>()) {
    std::optional<int64_t> bytes =
        program::countBytes(program::getTensorType(constant)).getConstant();
    auto value = dyn_cast<DenseElementsAttr>(constant.getValue());
    if (value && value.isSplat() && bytes && *bytes >= leastBytes)
      splats.push_back(constant);
  }
  if (splats.empty() || !kernels)
    return;
  SmallVector<Operation *> fills;
  for (program::ConstantOp constant : splats) {
    auto splat = cast<DenseElementsAttr>(constant.getValue());
    RankedTensorType type = program::getTensorType(constant);
    Location loc = constant.getLoc();
    OpBuilder builder(constant);
    auto buffer = program::BufferType::get(builder.getContext());
    auto value = program::ConstantOp::create(
        builder, loc, buffer,
        splat.resizeSplat(RankedTensorType::get({1}, type.getElementType())));
    std::string kernel =
        getFillKernel(kernels, (type.getElementTypeBitWidth() + 7) / 8);
    auto symbol = SymbolRefAttr::get(
        builder.getStringAttr("kernels"),
        FlatSymbolRefAttr::get(builder.getContext(), kernel));
    auto fill = [&](OpBuilder &at, Value target) {
      return program::LaunchOp::create(
          at, loc, "graph.constant", symbol, ValueRange{target, value},
          graph::DimsAttr::get(builder.getContext(),
                               ArrayRef<graph::SymInt>(splat.getNumElements())),
          1 << 20, IntegerAttr(), IntegerAttr());
    };
    LDBG() << "a constant of " << splat.getType() << " is filled by '" << kernel
           << "'";
    ++numExpanded;
    // A constant that is only copied, such as zeros to sums of gradients, needs
    // no buffer.
    for (Operation *user : llvm::to_vector(constant.getBuffer().getUsers())) {
      auto copy = dyn_cast<program::CopyOp>(user);
      if (!copy || !copy->getParentOfType<program::EntryOp>())
        continue;
      OpBuilder at(copy);
      fill(at, copy.getTo());
      copy.erase();
    }
    scatterOntoOne(constant.getBuffer(), type, value);
    if (!constant.getBuffer().use_empty()) {
      auto filled = program::PreparedOp::create(builder, loc, buffer, type);
      constant.getBuffer().replaceAllUsesWith(filled);
      fills.push_back(fill(builder, filled));
    }
    constant.erase();
  }
  if (fills.empty())
    return;
  // They come first, because later steps may read the filled buffers.
  Block &load = getPrepare(target).getBody().front();
  auto first = llvm::find_if(
      load, [](Operation &op) { return !isa<program::ArenaOp>(op); });
  for (Operation *fill : fills)
    fill->moveBefore(&load, first);
  // All other steps move back by the number of fills.
  for (auto arena : load.getOps<program::ArenaOp>()) {
    arena.setFirst(arena.getFirst() + fills.size());
    arena.setLast(arena.getLast() + fills.size());
  }
}

void ProgramExpandSplatsPass::runOnOperation() {
  for (auto target : getOperation().getOps<program::TargetOp>())
    // The fill kernel is CPU code.
    if (target.getDevice() == Device::Cpu)
      expand(target);
}
