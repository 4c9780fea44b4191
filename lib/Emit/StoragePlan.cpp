//===- StoragePlan.cpp - where the buffers of a program lie --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StoragePlan.h"
#include "ArenaPlan.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace tenon;
using namespace tenon::emit;
using namespace tenon::backend;
using namespace tenon::lower;
using graph::SymInt;

StoragePlan tenon::emit::planStorage(const LoweredProgram &program) {
  StoragePlan plan;
  plan.offsets.assign(program.buffers.size(), -1);
  llvm::SmallVector<ArenaInterval> intervals;
  llvm::SmallVector<unsigned> members;
  bool arenaIsStatic = true;
  for (const auto &[position, buffer] : llvm::enumerate(program.buffers)) {
    std::optional<int64_t> bytes = buffer.bytes.getConstant();
    switch (buffer.kind) {
    case BufferKind::Constant:
      plan.constantBytes += bytes.value_or(0);
      break;
    case BufferKind::Prepared:
      if (!bytes)
        plan.preparedBytes = -1;
      else if (plan.preparedBytes >= 0)
        plan.preparedBytes += *bytes;
      break;
    case BufferKind::Arena:
      arenaIsStatic &= bytes.has_value();
      intervals.push_back(
          {bytes.value_or(0), buffer.firstStep, buffer.lastStep});
      members.push_back(position);
      break;
    case BufferKind::Input:
    case BufferKind::Output:
    case BufferKind::Param:
    case BufferKind::Check:
      break;
    }
  }
  if (!arenaIsStatic) {
    plan.arenaBytes = -1;
    return plan;
  }
  ArenaPlan arena = planArena(intervals);
  plan.arenaBytes = arena.bytes;
  for (const auto &[position, offset] : llvm::zip(members, arena.offsets))
    plan.offsets[position] = offset;
  return plan;
}

std::optional<artifact::DType> tenon::emit::getDType(mlir::Type type) {
  using artifact::DType;
  if (type.isF64())
    return DType::F64;
  if (type.isF32())
    return DType::F32;
  if (type.isF16())
    return DType::F16;
  if (type.isBF16())
    return DType::BF16;
  auto integer = mlir::dyn_cast<mlir::IntegerType>(type);
  if (!integer)
    return std::nullopt;
  if (integer.isUnsigned())
    return integer.getWidth() == 8 ? std::optional(DType::U8) : std::nullopt;
  switch (integer.getWidth()) {
  case 64:
    return DType::I64;
  case 32:
    return DType::I32;
  case 8:
    return DType::I8;
  case 1:
    return DType::Bool;
  }
  return std::nullopt;
}

llvm::Expected<std::string> tenon::emit::getData(mlir::ElementsAttr data) {
  mlir::ShapedType type = data.getShapedType();
  std::optional<artifact::DType> dtype = getDType(type.getElementType());
  if (!dtype)
    return llvm::createStringError("constant has an element type without a "
                                   "form in memory");
  size_t elementSize = artifact::dtypeSize(*dtype);
  size_t count = type.getNumElements();
  std::string bytes;
  if (auto resource = mlir::dyn_cast<mlir::DenseResourceElementsAttr>(data)) {
    mlir::AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob)
      return llvm::createStringError("constant's resource '" +
                                     resource.getRawHandle().getKey() +
                                     "' has no data");
    bytes.assign(blob->getData().begin(), blob->getData().end());
  } else if (auto dense = mlir::dyn_cast<mlir::DenseElementsAttr>(data)) {
    if (*dtype == artifact::DType::Bool) {
      bytes.reserve(count);
      for (bool value : dense.getValues<bool>())
        bytes.push_back(value ? 1 : 0);
    } else {
      llvm::ArrayRef<char> raw = dense.getRawData();
      size_t copies = dense.isSplat() ? count : 1;
      bytes.reserve(raw.size() * copies);
      for (size_t copy = 0; copy < copies; ++copy)
        bytes.append(raw.data(), raw.size());
    }
  } else {
    return llvm::createStringError("constant is neither dense nor a resource");
  }
  if (bytes.size() != count * elementSize)
    return llvm::createStringError(
        "constant holds " + llvm::Twine(bytes.size()) + " bytes; expected " +
        llvm::Twine(count * elementSize));
  return bytes;
}

graph::Shape tenon::emit::getBoundarySizes(const LoweredProgram &program) {
  graph::Shape sizes;
  for (const ModelValue &input : program.inputs)
    llvm::append_range(sizes, graph::getShape(input.type));
  for (const ModelValue &output : program.outputs)
    llvm::append_range(sizes, graph::getShape(output.type));
  return sizes;
}

SymInt tenon::emit::countFlops(const Step &step) {
  if (step.kind != StepKind::Library || !hasWeight(step.site.kind) ||
      step.site.operands.size() < 3)
    return 0;
  const graph::Shape &result = step.site.operands.back().shape;
  SymInt macs = 1;
  if (step.site.kind == SiteKind::Matmul) {
    const graph::Shape &lhs = step.site.operands[0].shape;
    if (lhs.empty())
      return 0;
    for (const SymInt &size : result)
      macs = macs * size;
    return SymInt(2) * macs * lhs.back();
  }
  // Each weight meets every position of the result (of the input, transposed).
  const graph::Shape &weight = step.site.operands[1].shape;
  const graph::Shape &positions =
      step.site.kind == SiteKind::Conv ? result : step.site.operands[0].shape;
  for (const SymInt &size : weight)
    macs = macs * size;
  for (const auto &[axis, size] : llvm::enumerate(positions))
    if (axis != 1)
      macs = macs * size;
  return SymInt(2) * macs;
}
