//===- TableContext.h - constants of values, shapes and sizes -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_EMIT_TABLECONTEXT_H
#define TENON_LIB_EMIT_TABLECONTEXT_H

#include "ProgramView.h"
#include "TableBuilder.h"

namespace tenon::emit {

/// The state for building the tables of one program. Sizes are expressed in the
/// symbols of one of its parts.
class TableContext {
public:
  TableContext(TableBuilder &tables, const ProgramView &program)
      : tables(tables), program(program) {}

  TableBuilder &tables;
  const ProgramView &program;
  /// The first error; later ones are dropped.
  std::string failure;

  void fail(const llvm::Twine &message) {
    if (failure.empty())
      failure = message.str();
  }
  /// Returns a size as stored in tables: the constant, or -1.
  llvm::Constant *staticSize(const graph::SymInt &size) {
    return tables.int64(size.getConstant().value_or(-1));
  }
  /// Returns the function that writes `sizes`; null if all are constants.
  llvm::Constant *sizesFunction(const ProgramPart &part, llvm::StringRef name,
                                llvm::ArrayRef<graph::SymInt> sizes,
                                bool always = false);
  /// Returns a size as stored in tenon_value.shape.
  int64_t getShapeEntry(const ProgramPart &part, const graph::SymInt &size);
  llvm::Constant *shapeOf(const ProgramPart &part,
                          llvm::ArrayRef<graph::SymInt> shape);
  llvm::Constant *dtypeOf(mlir::Type elementType);
  /// Returns a tenon_value.
  llvm::Constant *value(const ProgramPart &part, llvm::StringRef name,
                        mlir::RankedTensorType type);
};

/// Returns a pointer to the tenon_rank_programs of a part that ranks do.
llvm::Constant *addRankPrograms(TableContext &context, const ProgramPart &part);

/// Returns the tenon_steps of the part; kernels, which `kernels` defines, are
/// declared in the tables' module.
llvm::SmallVector<llvm::Constant *> addSteps(TableContext &context,
                                             const ProgramPart &part,
                                             const llvm::Module *kernels);

} // namespace tenon::emit

#endif // TENON_LIB_EMIT_TABLECONTEXT_H
