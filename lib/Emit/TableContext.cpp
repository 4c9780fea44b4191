//===- TableContext.cpp - constants of values, shapes and sizes -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TableContext.h"
#include "ConstantData.h"
#include "SizeCode.h"
#include "tenon/Artifact/Program.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

using namespace tenon;
using namespace tenon::emit;
using graph::SymInt;
using llvm::Constant;

Constant *TableContext::sizesFunction(const ProgramPart &part,
                                      llvm::StringRef name,
                                      llvm::ArrayRef<SymInt> sizes,
                                      bool always) {
  if (!always &&
      llvm::all_of(sizes, [](const SymInt &size) { return size.isConstant(); }))
    return tables.null();
  llvm::Expected<llvm::Function *> function =
      addSizesFunction(tables.getModule(), name, sizes, part.symbols);
  if (function)
    return *function;
  fail(name + ": " + llvm::toString(function.takeError()));
  return tables.null();
}

int64_t TableContext::getShapeEntry(const ProgramPart &part,
                                    const SymInt &size) {
  if (std::optional<int64_t> constant = size.getConstant())
    return *constant;
  if (std::optional<llvm::StringRef> symbol = size.getSymbol()) {
    auto position = llvm::find(part.symbols, *symbol);
    if (position != part.symbols.end())
      return -1 - (position - part.symbols.begin());
  }
  return INT64_MIN;
}

Constant *TableContext::shapeOf(const ProgramPart &part,
                                llvm::ArrayRef<SymInt> shape) {
  llvm::SmallVector<int64_t> entries;
  for (const SymInt &size : shape)
    entries.push_back(getShapeEntry(part, size));
  return tables.int64s(entries);
}

Constant *TableContext::dtypeOf(mlir::Type elementType) {
  std::optional<artifact::DType> known = getDType(elementType);
  if (!known)
    fail("an element type has no name in the C ABI");
  tenon_dtype dtype = artifact::toDLDType(known.value_or(artifact::DType::F32));
  llvm::LLVMContext &context = tables.getModule().getContext();
  return StructBuilder(tables, sizeof(tenon_dtype))
      .add(TENON_FIELD(tenon_dtype, code),
           llvm::ConstantInt::get(llvm::Type::getInt8Ty(context), dtype.code))
      .add(TENON_FIELD(tenon_dtype, bits),
           llvm::ConstantInt::get(llvm::Type::getInt8Ty(context), dtype.bits))
      .add(TENON_FIELD(tenon_dtype, lanes),
           llvm::ConstantInt::get(llvm::Type::getInt16Ty(context), dtype.lanes))
      .finish();
}

Constant *TableContext::value(const ProgramPart &part, llvm::StringRef name,
                              mlir::RankedTensorType type) {
  return StructBuilder(tables, sizeof(tenon_value))
      .add(TENON_FIELD(tenon_value, name), tables.text(name))
      .add(TENON_FIELD(tenon_value, dtype), dtypeOf(type.getElementType()))
      .add(TENON_FIELD(tenon_value, rank), tables.int32(type.getRank()))
      .add(TENON_FIELD(tenon_value, shape),
           shapeOf(part, graph::getShape(type)))
      .finish();
}
