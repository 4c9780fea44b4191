//===- ProgramView.cpp - numbering the ops of a target for its tables -----===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramView.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace tenon;
using namespace tenon::emit;
using namespace tenon::program;
using graph::SymInt;
using mlir::Operation;

/// The alignment of buffers in the runtime's arena; see Runtime/ArenaPlan.h.
static constexpr int64_t arenaAlignment = 64;

void ProgramView::addSteps(mlir::Block &block, ProgramPart &part) {
  for (Operation &op : block) {
    if (auto check = mlir::dyn_cast<CheckOp>(op))
      checks.push_back({check, part.firstStep + part.steps.size() - 1});
    else if (isStep(&op))
      part.steps.push_back(&op);
  }
}

/// Numbers the buffers, steps and checks of a part.
void ProgramView::finish(ProgramPart &part) {
  part.firstBuffer = numBuffers;
  for (mlir::Value buffer : part.buffers) {
    numbers[buffer] = numBuffers++;
    auto arena = buffer.getDefiningOp<ArenaOp>();
    if (!arena || part.arenaBytes < 0)
      continue;
    std::optional<int64_t> bytes =
        countBytes(program::getTensorType(buffer)).getConstant();
    if (!arena.getOffset() || !bytes)
      part.arenaBytes = -1;
    else
      part.arenaBytes =
          std::max(part.arenaBytes,
                   static_cast<int64_t>(llvm::alignTo(
                       static_cast<uint64_t>(*arena.getOffset() + *bytes),
                       arenaAlignment)));
  }
  numSteps += part.steps.size();
}

/// Machine code and PTX of the same architecture are one target.
static std::string nameGpus(const ProgramView &program,
                            llvm::ArrayRef<kernel::CudaAttr> gpus) {
  llvm::SmallVector<llvm::StringRef> known;
  for (kernel::CudaAttr gpu : gpus)
    known.push_back(gpu.getArch());
  if (!known.empty())
    return "cuda:" + llvm::join(known, ",");
  for (ImageAttr image : program.getImages())
    if (!llvm::is_contained(known, image.getArch()))
      known.push_back(image.getArch());
  return "cuda:" + llvm::join(known, ",");
}

ProgramView::ProgramView(TargetOp target, kernel::CpuAttr host,
                         llvm::ArrayRef<kernel::CudaAttr> gpus,
                         llvm::StringRef suffix)
    : target(target), host(host), suffix(suffix.str()),
      targetName(isForGpu() ? nameGpus(*this, gpus) : host.getTargetName()) {
  PrepareOp load;
  for (Operation &op : target.getBody().front()) {
    if (op.getNumResults() == 1) {
      shared.push_back(op.getResult(0));
      numbers[shared.back()] = numBuffers++;
    }
    llvm::TypeSwitch<Operation *>(&op)
        .Case([&](ParameterOp param) { params.push_back(param); })
        .Case([&](StateOp state) { states.push_back(state); })
        .Case([&](ConstantOp constant) {
          constantBytes += countBytes(program::getTensorType(constant))
                               .getConstant()
                               .value_or(0);
        })
        .Case([&](PreparedOp prepared) {
          preparedBytes += countBytes(program::getTensorType(prepared))
                               .getConstant()
                               .value_or(0);
        })
        .Case([&](PrepareOp prepare) { load = prepare; });
  }
  prepare.name = "prepare";
  if (load) {
    prepare.scratchBytes = load.getScratchSize();
    for (ArenaOp arena : load.getBody().getOps<ArenaOp>())
      prepare.buffers.push_back(arena);
    addSteps(load.getBody().front(), prepare);
  }
  finish(prepare);
  for (RanksOp ranks : target.getBody().getOps<RanksOp>()) {
    ProgramPart &part = entries.emplace_back();
    part.name = ranks.getSymName().str();
    part.firstStep = numSteps;
    part.ranks = ranks;
    for (Operation &op : ranks.getBody().front()) {
      if (op.getNumResults() == 1)
        part.buffers.push_back(op.getResult(0));
      llvm::TypeSwitch<Operation *>(&op)
          .Case([&](InputOp input) { part.inputs.push_back(input); })
          .Case([&](OutputOp output) { part.outputs.push_back(output); });
    }
    finish(part);
  }
  for (EntryOp entry : target.getBody().getOps<EntryOp>()) {
    ProgramPart &part = entries.emplace_back();
    part.name = entry.getSymName().str();
    part.firstStep = numSteps;
    part.scratchBytes = entry.getScratchSize();
    for (llvm::StringRef symbol :
         entry.getSymbols().getAsValueRange<mlir::StringAttr>())
      part.symbols.push_back(symbol.str());
    for (Operation &op : entry.getBody().front()) {
      if (op.getNumResults() == 1)
        part.buffers.push_back(op.getResult(0));
      llvm::TypeSwitch<Operation *>(&op)
          .Case([&](InputOp input) { part.inputs.push_back(input); })
          .Case([&](OutputOp output) { part.outputs.push_back(output); })
          .Case(
              [&](RequireOp require) { part.requirements.push_back(require); });
    }
    addSteps(entry.getRun().getBody().front(), part);
    finish(part);
  }
}

mlir::ModuleOp ProgramView::getKernels() const {
  return target.lookupSymbol<mlir::ModuleOp>("kernels");
}

llvm::SmallVector<ImageAttr> ProgramView::getImages() const {
  llvm::SmallVector<ImageAttr> images;
  if (std::optional<mlir::ArrayAttr> list = target.getImages())
    llvm::append_range(images, list->getAsRange<ImageAttr>());
  return images;
}

llvm::SmallVector<const ProgramPart *> ProgramView::getParts() const {
  llvm::SmallVector<const ProgramPart *> parts = {&prepare};
  for (const ProgramPart &entry : entries)
    parts.push_back(&entry);
  return parts;
}

llvm::StringRef tenon::emit::getStepName(Operation *step) {
  return llvm::TypeSwitch<Operation *, llvm::StringRef>(step)
      .Case<LaunchOp, CallOp, PluginOp, CopyOp>(
          [](auto op) { return op.getName(); });
}

SymInt tenon::emit::countFlops(Operation *step) {
  auto call = mlir::dyn_cast<CallOp>(step);
  if (!call || call.getBuffers().size() < 3)
    return 0;
  auto shapeOf = [&](size_t operand) {
    return graph::getShape(
        mlir::cast<mlir::TypeAttr>(call.getTypes()[operand]).getValue());
  };
  graph::Shape result = shapeOf(call.getBuffers().size() - 1);
  auto count = [](const graph::Shape &shape, size_t without = SIZE_MAX) {
    SymInt product = 1;
    for (const auto &[axis, size] : llvm::enumerate(shape))
      if (axis != without)
        product = product * size;
    return product;
  };
  SymInt macs =
      llvm::TypeSwitch<mlir::Attribute, SymInt>(call.getPrimitive())
          .Case([&](MatmulAttr) {
            graph::Shape lhs = shapeOf(0);
            return lhs.empty() ? SymInt(0) : count(result) * lhs.back();
          })
          // Each weight is used once per position of the result (of the input,
          // if transposed).
          .Case([&](ConvAttr) {
            return count(shapeOf(1)) * count(result, /*without=*/1);
          })
          .Case([&](ConvTransposeAttr) {
            return count(shapeOf(1)) * count(shapeOf(0), /*without=*/1);
          })
          // Each weight is used once per position of the cotangent.
          .Case([&](ConvBackwardWeightAttr) {
            return count(result) * count(shapeOf(1), /*without=*/1);
          })
          .Default([](mlir::Attribute) { return SymInt(0); });
  return SymInt(2) * macs;
}
