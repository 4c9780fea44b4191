//===- TableBuilder.h - C structures as LLVM constants -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_EMIT_TABLEBUILDER_H
#define TENON_LIB_EMIT_TABLEBUILDER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <cstddef>
#include <cstdint>

namespace llvm {
class Constant;
class GlobalVariable;
class Module;
} // namespace llvm

namespace tenon::emit {

/// Creates the constants of tables in one module.
class TableBuilder {
public:
  explicit TableBuilder(llvm::Module &module) : module(module) {}

  llvm::Constant *int32(int64_t value);
  llvm::Constant *int64(int64_t value);
  llvm::Constant *float32(float value);
  llvm::Constant *float64(double value);
  llvm::Constant *null();

  /// Return pointers to constant globals, which equal values share; null for
  /// empty lists.
  llvm::Constant *text(llvm::StringRef text);
  llvm::Constant *int32s(llvm::ArrayRef<int32_t> values);
  llvm::Constant *int64s(llvm::ArrayRef<int64_t> values);
  /// All elements must have the same type.
  llvm::Constant *array(llvm::StringRef name,
                        llvm::ArrayRef<llvm::Constant *> elements,
                        size_t alignment);
  /// Adds bytes, aligned to 64; equal data is stored once.
  llvm::Constant *data(llvm::StringRef bytes);

  llvm::Module &getModule() { return module; }

private:
  llvm::GlobalVariable *global(llvm::StringRef name, llvm::Constant *value,
                               size_t alignment);

  llvm::Module &module;
  /// By value (LLVM has each once) and alignment.
  llvm::DenseMap<std::pair<llvm::Constant *, size_t>, llvm::GlobalVariable *>
      globals;
  llvm::StringMap<llvm::Constant *> texts;
  /// Data by hash of the content.
  llvm::StringMap<llvm::Constant *> datas;
};

/// One C structure. Every field is put at its offset in the C definition, so
/// that tables cannot disagree with Program.h. Fields must be added in order
/// and must cover everything but padding.
class StructBuilder {
public:
  StructBuilder(TableBuilder &tables, size_t size)
      : tables(tables), size(size) {}

  /// Must be called through TENON_FIELD. The constant must have the field's
  /// size.
  StructBuilder &add(size_t offset, size_t bytes, llvm::Constant *value);
  llvm::Constant *finish();

private:
  void padTo(size_t offset);

  TableBuilder &tables;
  size_t size;
  size_t position = 0;
  llvm::SmallVector<llvm::Constant *> fields;
};

/// The offset and size of a field, as arguments of StructBuilder::add.
#define TENON_FIELD(TYPE, NAME) offsetof(TYPE, NAME), sizeof(TYPE::NAME)

} // namespace tenon::emit

#endif // TENON_LIB_EMIT_TABLEBUILDER_H
