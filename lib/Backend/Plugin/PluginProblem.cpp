//===- PluginProblem.cpp - the plug-in's view of a call -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PluginProblem.h"
#include "tenon/Artifact/DType.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::backend;

std::optional<tenon_dtype> tenon::backend::getDLDType(Type type) {
  using artifact::DType;
  if (type.isF64())
    return toDLDType(DType::F64);
  if (type.isF32())
    return toDLDType(DType::F32);
  if (type.isF16())
    return toDLDType(DType::F16);
  if (type.isBF16())
    return toDLDType(DType::BF16);
  if (type.isUnsignedInteger(8))
    return toDLDType(DType::U8);
  if (type.isSignlessInteger(64))
    return toDLDType(DType::I64);
  if (type.isSignlessInteger(32))
    return toDLDType(DType::I32);
  if (type.isSignlessInteger(8))
    return toDLDType(DType::I8);
  if (type.isSignlessInteger(1))
    return toDLDType(DType::Bool);
  return std::nullopt;
}

PluginProblem::PluginProblem(const PluginCall &call) {
  auto value = [](const graph::SymInt &size) {
    return size.getConstant().value_or(-1);
  };
  sizes.reserve(2 * call.operands.size());
  for (const PluginOperand &operand : call.operands) {
    std::vector<int64_t> &shape = sizes.emplace_back();
    for (const graph::SymInt &size : operand.shape)
      shape.push_back(value(size));
    std::vector<int64_t> &strides = sizes.emplace_back(shape.size());
    int64_t stride = 1;
    for (size_t axis = shape.size(); axis-- > 0;) {
      strides[axis] = stride;
      stride = stride < 0 || shape[axis] < 0 ? -1 : stride * shape[axis];
    }
    operands.push_back({*getDLDType(operand.elementType),
                        static_cast<int32_t>(shape.size()), shape.data(),
                        strides.data(), operand.isConstant, operand.isLifted});
  }
  for (const auto &[name, size] : call.symbols) {
    names.push_back(name.c_str());
    symbols.push_back(value(size));
  }
  problem.struct_size = sizeof(problem);
  problem.pattern = call.pattern.c_str();
  problem.num_results = call.numResults;
  problem.num_operands = operands.size() - call.numResults;
  problem.operands = operands.data();
  problem.num_symbols = names.size();
  problem.symbol_names = names.data();
  problem.symbols = symbols.data();
  problem.items = value(call.items);
}
