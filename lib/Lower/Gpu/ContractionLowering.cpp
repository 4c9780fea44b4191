//===- ContractionLowering.cpp - tensor-core products to NVVM -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Corresponds to upstream's conversion of nvgpu.mma.sync, and also handles
// bf16, which upstream does not support.
//
//===----------------------------------------------------------------------===//

#include "Contraction.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tenon;

/// Returns the registers of a fragment: pairs of f16, or words of other types.
static SmallVector<Value> toRegisters(OpBuilder &b, Location loc,
                                      Value fragment) {
  auto type = cast<VectorType>(fragment.getType());
  Type element = type.getElementType();
  SmallVector<Value> registers;
  for (int64_t number = 0; number < type.getDimSize(0); ++number) {
    Value row = vector::ExtractOp::create(b, loc, fragment, number);
    if (!element.isF16())
      row = LLVM::BitcastOp::create(b, loc, b.getI32Type(), row);
    registers.push_back(row);
  }
  return registers;
}

void tenon::lower::lowerMatrixProducts(Operation *root) {
  root->walk([](nvgpu::MmaSyncOp product) {
    auto type = cast<VectorType>(product.getMatrixA().getType());
    auto sumType = cast<VectorType>(product.getMatrixC().getType());
    Type element = type.getElementType();
    if (!sumType.getElementType().isF32() ||
        !(element.isF16() || element.isBF16() ||
          (element.isF32() && product.getTf32Enabled())))
      return;
    OpBuilder b(product);
    Location loc = product.getLoc();
    SmallVector<Value> sums;
    for (int64_t row = 0; row < 2; ++row)
      for (int64_t column = 0; column < 2; ++column)
        sums.push_back(vector::ExtractOp::create(
            b, loc, product.getMatrixC(), ArrayRef<int64_t>{row, column}));
    std::optional<std::array<NVVM::MMATypes, 2>> types;
    if (element.isBF16())
      types = {NVVM::MMATypes::bf16, NVVM::MMATypes::bf16};
    else if (element.isF32())
      types = {NVVM::MMATypes::tf32, NVVM::MMATypes::tf32};
    else
      types = {NVVM::MMATypes::f16, NVVM::MMATypes::f16};
    Type f32 = b.getF32Type();
    Value result = NVVM::MmaOp::create(
        b, loc,
        LLVM::LLVMStructType::getLiteral(b.getContext(), {f32, f32, f32, f32}),
        toRegisters(b, loc, product.getMatrixA()),
        toRegisters(b, loc, product.getMatrixB()), sums,
        product.getMmaShapeAsArray(), /*b1Op=*/std::nullopt,
        /*intOverflow=*/std::nullopt, types,
        std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row,
                                       NVVM::MMALayout::col});
    SmallVector<Value> elements;
    for (int64_t number = 0; number < 4; ++number)
      elements.push_back(LLVM::ExtractValueOp::create(b, loc, result, number));
    product.replaceAllUsesWith(
        vector::FromElementsOp::create(b, loc, sumType, elements).getResult());
    product.erase();
  });
}
