//===- SplatConstants.cpp - constants of one repeated value --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SplatConstants.h"
#include "StoragePlan.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::lower;

/// Smaller ones stay: a step costs more than their bytes.
static constexpr int64_t leastBytes = 64 * 1024;

/// The kernel that sets buffers[0][i] := buffers[1][0] for i in [lo, hi), for
/// elements of so many bytes.
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

void tenon::emit::expandSplats(LoweredProgram &program) {
  llvm::SmallVector<Step, 0> fills;
  llvm::SmallVector<Buffer, 0> values;
  for (auto [position, buffer] : llvm::enumerate(program.buffers)) {
    if (buffer.kind != BufferKind::Constant ||
        buffer.bytes.getConstant().value_or(0) < leastBytes)
      continue;
    auto splat = dyn_cast<DenseElementsAttr>(buffer.data);
    if (!splat || !splat.isSplat())
      continue;
    Type elementType = splat.getElementType();
    std::optional<artifact::DType> dtype = getDType(elementType);
    if (!dtype)
      continue;
    unsigned elementBytes = artifact::dtypeSize(*dtype);
    Buffer value;
    value.kind = BufferKind::Constant;
    value.data = splat.resizeSplat(RankedTensorType::get({1}, elementType));
    value.bytes = elementBytes;

    Step step;
    step.name = "graph.constant";
    step.kernel = getFillKernel(*program.kernels, elementBytes);
    step.buffers = {
        static_cast<unsigned>(position),
        static_cast<unsigned>(program.buffers.size() + values.size())};
    step.extent = splat.getNumElements();
    step.grain = 1 << 20;
    fills.push_back(std::move(step));
    values.push_back(std::move(value));
    buffer.kind = BufferKind::Prepared;
    buffer.data = nullptr;
  }
  if (fills.empty())
    return;
  // The new steps come first; the old ones move behind them.
  for (Buffer &buffer : program.buffers) {
    buffer.firstStep += fills.size();
    buffer.lastStep += fills.size();
  }
  for (const auto &[position, fill] : llvm::enumerate(fills)) {
    Buffer &filled = program.buffers[fill.buffers.front()];
    filled.firstStep = position;
    filled.lastStep = program.steps.size() + fills.size() - 1;
  }
  program.numPrepareSteps += fills.size();
  for (Step &step : program.steps)
    fills.push_back(std::move(step));
  program.steps = std::move(fills);
  for (Buffer &value : values)
    program.buffers.push_back(std::move(value));
}
