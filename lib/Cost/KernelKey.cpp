//===- KernelKey.cpp - kernels as text ------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For example
//
//   onednn matmul+relu: f32[2,3], weight f32[3,4]; matmul(0,1) f32[2,4];
//   relu(2) f32[2,4]; yield 3
//
// The operands of the call and the results inside are numbered in order. Names,
// locations and the values of large constants do not affect the time.
//
//===----------------------------------------------------------------------===//

#include "tenon/Cost/CostModel.h"
#include "tenon/Dialect/Kernel/Analysis/Prepared.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::cost;

namespace {
class KeyWriter {
public:
  KeyWriter(const Sizes &sizes, const kernel::LoadAnalysis *loads)
      : sizes(sizes), loads(loads), os(text) {}

  std::string write(kernel::CallOp call);

private:
  void writeSize(const graph::SymInt &size);
  void writeType(Type type);
  void writeAttribute(Attribute attribute);
  void writeOp(Operation &op);
  void number(ValueRange values) {
    for (Value value : values)
      numbers.try_emplace(value, numbers.size());
  }

  const Sizes &sizes;
  const kernel::LoadAnalysis *loads;
  std::string text;
  llvm::raw_string_ostream os;
  llvm::DenseMap<Value, unsigned> numbers;
};
} // namespace

void KeyWriter::writeSize(const graph::SymInt &size) {
  std::optional<int64_t> value =
      size.evaluate([&](StringRef symbol) -> std::optional<int64_t> {
        auto it = sizes.find(symbol.str());
        return it == sizes.end() ? std::nullopt : std::optional(it->second);
      });
  if (value)
    os << *value;
  else if (size.isUnknown())
    os << "?";
  else
    os << size;
}

void KeyWriter::writeType(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  os << tensor.getElementType() << "[";
  llvm::interleave(
      graph::getShape(tensor), os,
      [&](const graph::SymInt &size) { writeSize(size); }, ",");
  os << "]";
}

void KeyWriter::writeAttribute(Attribute attribute) {
  if (auto dims = dyn_cast<graph::DimsAttr>(attribute)) {
    os << "[";
    llvm::interleave(
        dims.getEntries(), os,
        [&](const graph::SymInt &size) { writeSize(size); }, ",");
    os << "]";
  } else if (auto elements = dyn_cast<ElementsAttr>(attribute)) {
    // A scalar may be an exponent, which determines how a power is computed.
    auto dense = dyn_cast<DenseElementsAttr>(attribute);
    if (dense && dense.isSplat())
      os << dense.getSplatValue<Attribute>();
    else
      os << "data";
  } else {
    attribute.print(os, /*elideType=*/true);
  }
}

void KeyWriter::writeOp(Operation &op) {
  os << "; " << op.getName().stripDialect() << "(";
  llvm::interleave(
      op.getOperands(), os, [&](Value value) { os << numbers.lookup(value); },
      ",");
  os << ")";
  // Attributes are sorted by name. Those with a dialect prefix describe the
  // origin of an op, not its computation.
  for (NamedAttribute attribute : op.getAttrDictionary()) {
    if (attribute.getName().strref().contains('.'))
      continue;
    os << " " << attribute.getName().strref() << "=";
    writeAttribute(attribute.getValue());
  }
  for (Type type : op.getResultTypes()) {
    os << " ";
    writeType(type);
  }
  number(op.getResults());
}

std::string KeyWriter::write(kernel::CallOp call) {
  os << call.getBackend() << " " << call.getPattern() << ": ";
  llvm::interleaveComma(call.getInputs(), os, [&](Value input) {
    os << (kernel::isPrepared(input, loads) ? "weight " : "");
    writeType(input.getType());
  });
  Block &body = call.getBodyBlock();
  number(body.getArguments());
  for (Operation &op : body.without_terminator())
    writeOp(op);
  os << "; yield ";
  llvm::interleave(
      call.getYielded(), os, [&](Value value) { os << numbers.lookup(value); },
      ",");
  return std::move(text);
}

std::string tenon::cost::getKernelKey(kernel::CallOp call, const Sizes &sizes,
                                      const kernel::LoadAnalysis *loads) {
  return KeyWriter(sizes, loads).write(call);
}

std::string tenon::cost::getKernelName(kernel::CallOp call) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << call.getBackend() << " " << call.getPattern();
  if (call.getNumResults() > 0) {
    auto type = cast<RankedTensorType>(call.getResult(0).getType());
    os << " " << type.getElementType() << "[";
    llvm::interleave(graph::getShape(type), os, ",");
    os << "]";
  }
  return text;
}
