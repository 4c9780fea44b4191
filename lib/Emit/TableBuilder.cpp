//===- TableBuilder.cpp - C structures as LLVM constants -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TableBuilder.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SHA256.h"

using namespace tenon::emit;

llvm::Constant *TableBuilder::int32(int64_t value) {
  return llvm::ConstantInt::getSigned(
      llvm::Type::getInt32Ty(module.getContext()), static_cast<int32_t>(value));
}

llvm::Constant *TableBuilder::int64(int64_t value) {
  return llvm::ConstantInt::getSigned(
      llvm::Type::getInt64Ty(module.getContext()), value);
}

llvm::Constant *TableBuilder::float32(float value) {
  return llvm::ConstantFP::get(module.getContext(), llvm::APFloat(value));
}

llvm::Constant *TableBuilder::float64(double value) {
  return llvm::ConstantFP::get(module.getContext(), llvm::APFloat(value));
}

llvm::Constant *TableBuilder::null() {
  return llvm::ConstantPointerNull::get(
      llvm::PointerType::getUnqual(module.getContext()));
}

llvm::GlobalVariable *TableBuilder::global(llvm::StringRef name,
                                           llvm::Constant *value,
                                           size_t alignment) {
  llvm::GlobalVariable *&variable = globals[{value, alignment}];
  if (variable)
    return variable;
  variable =
      new llvm::GlobalVariable(module, value->getType(), /*isConstant=*/true,
                               llvm::GlobalValue::PrivateLinkage, value, name);
  variable->setAlignment(llvm::Align(alignment));
  return variable;
}

llvm::Constant *TableBuilder::text(llvm::StringRef text) {
  llvm::Constant *&known = texts[text];
  if (!known) {
    auto *variable = global(
        "text", llvm::ConstantDataArray::getString(module.getContext(), text),
        1);
    variable->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
    known = variable;
  }
  return known;
}

llvm::Constant *TableBuilder::int32s(llvm::ArrayRef<int32_t> values) {
  if (values.empty())
    return null();
  llvm::SmallVector<uint32_t> bits(values.begin(), values.end());
  return global("ints", llvm::ConstantDataArray::get(module.getContext(), bits),
                4);
}

llvm::Constant *TableBuilder::int64s(llvm::ArrayRef<int64_t> values) {
  if (values.empty())
    return null();
  llvm::SmallVector<uint64_t> bits(values.begin(), values.end());
  return global("ints", llvm::ConstantDataArray::get(module.getContext(), bits),
                8);
}

llvm::Constant *TableBuilder::array(llvm::StringRef name,
                                    llvm::ArrayRef<llvm::Constant *> elements,
                                    size_t alignment) {
  if (elements.empty())
    return null();
  auto *type =
      llvm::ArrayType::get(elements.front()->getType(), elements.size());
  return global(name, llvm::ConstantArray::get(type, elements), alignment);
}

llvm::Constant *TableBuilder::data(llvm::StringRef bytes) {
  llvm::SHA256 hash;
  hash.update(bytes);
  llvm::Constant *&known = datas[llvm::toStringRef(hash.final())];
  // An empty constant still needs an address.
  if (!known)
    known =
        global("constant",
               bytes.empty() ? llvm::ConstantDataArray::getString(
                                   module.getContext(), "", /*AddNull=*/true)
                             : llvm::ConstantDataArray::getRaw(
                                   bytes, bytes.size(),
                                   llvm::Type::getInt8Ty(module.getContext())),
               64);
  return known;
}

void StructBuilder::padTo(size_t offset) {
  assert(offset >= position && "fields come in the order of their offsets");
  if (offset == position)
    return;
  auto *bytes = llvm::ArrayType::get(
      llvm::Type::getInt8Ty(tables.getModule().getContext()),
      offset - position);
  fields.push_back(llvm::Constant::getNullValue(bytes));
  position = offset;
}

StructBuilder &StructBuilder::add(size_t offset, size_t bytes,
                                  llvm::Constant *value) {
  // Padding is never larger than the largest alignment.
  assert(offset - position < 8 && "a field is missing");
  padTo(offset);
  assert(tables.getModule().getDataLayout().getTypeAllocSize(
             value->getType()) == bytes &&
         "the constant's size differs from the field's");
  fields.push_back(value);
  position += bytes;
  return *this;
}

llvm::Constant *StructBuilder::finish() {
  assert(size - position < 8 && "a field is missing");
  padTo(size);
  return llvm::ConstantStruct::getAnon(tables.getModule().getContext(), fields,
                                       /*Packed=*/true);
}
