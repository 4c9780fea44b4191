//===- Interpreter.h - reference evaluation of graphs -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates graphs by the meanings of their ops (GraphInterfaces.td): index
// forms are run as loops, composites by their decomposition, opaque ops by
// their reference function. No op is special-cased by name.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_INTERPRET_INTERPRETER_H
#define TENON_INTERPRET_INTERPRETER_H

#include "tenon/Dialect/Graph/IR/IndexForm.h"
#include "tenon/Interpret/Tensor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Block.h"
#include "llvm/ADT/StringMap.h"

#include <functional>
#include <string>

namespace tenon::interpret {

/// The arithmetic of floating-point elements. Integers are exact and wrap
/// around at their width in every domain.
struct Domain {
  enum class Kind {
    F64,  // doubles, never rounded to the element type
    F32,  // every operation is rounded to the element type
    Field // residues modulo 2^61 - 1 (see lib/Interpret/Arithmetic.h)
  };
  Kind kind = Kind::F64;
  uint64_t seed = 0; // Field only

  /// Parses `f64`, `f32` or `field:SEED`.
  static std::optional<Domain> parse(llvm::StringRef text);
};

/// The sizes of the dimension symbols.
using Symbols = llvm::StringMap<int64_t>;

/// Returns a weight: the tensor of that name and type in `domain`. Reports
/// errors at `op`.
using ParameterSource = std::function<mlir::FailureOr<Tensor>(
    mlir::Operation *op, llvm::StringRef name, mlir::RankedTensorType type,
    Domain domain)>;

struct Options {
  Domain domain;
  /// Evaluates index forms element by element instead of by compiled loops. The
  /// results are the same.
  bool naive = false;
  /// Bounds, per element, the error of a computation in the elements' own
  /// types, in any order of summation (domain f64, implies naive).
  bool trackErrors = false;
  /// If set, naive evaluation counts this down, by one for each element, also of
  /// intermediate expressions, and fails where it is 0. Evaluations may share
  /// it.
  uint64_t *stepsLeft = nullptr;
  /// The number of threads that share the elements of one result. 0:
  /// OMP_NUM_THREADS, or else the number of cores. Results do not depend on it.
  unsigned threads = 0;
  /// Fails, at the op, if an index that a model has to keep in range is out of
  /// range (tenon/Dialect/Graph/IR/IndexUses.h). Otherwise, index forms define
  /// the result for such indices. Ops whose results are not needed are not
  /// checked.
  bool checkIndices = false;
  ParameterSource parameters;
  /// Called after each top-level op, with its number and the number of ops.
  std::function<void(mlir::Operation *, size_t, size_t)> progress;
};

/// Properties of an evaluation.
struct Statistics {
  /// Whether, in the field domain, the evaluation used operations other than
  /// those of rings and fields: then a difference of two results does not prove
  /// that two graphs differ.
  bool usedOpaqueFunctions = false;
};

/// Evaluates `function` on one tensor per argument. The sizes of the inputs
/// determine the dimension symbols. Contradictions and run-time errors are
/// reported at the op.
mlir::FailureOr<llvm::SmallVector<Tensor>>
evaluate(mlir::func::FuncOp function, llvm::ArrayRef<Tensor> inputs,
         const Options &options, Statistics *statistics = nullptr);

/// Evaluates the ops of `block` on one tensor per block argument, and returns
/// the operands of its terminator. `symbols` has the sizes that the arguments'
/// types don't determine, and receives those that they do.
mlir::FailureOr<llvm::SmallVector<Tensor>>
evaluateBlock(mlir::Block &block, llvm::ArrayRef<Tensor> arguments,
              Symbols &symbols, const Options &options,
              Statistics *statistics = nullptr);

/// Evaluates one op on one tensor per operand.
mlir::FailureOr<llvm::SmallVector<Tensor>>
evaluateOp(mlir::Operation *op, llvm::ArrayRef<Tensor> operands,
           const Symbols &symbols, const Options &options,
           Statistics *statistics = nullptr);

/// Converts the numbers of `tensor` (in domain f64) to `domain`.
Tensor toDomain(const Tensor &tensor, Domain domain);

/// Evaluates one index form. Fails, with a reason in `error`, if it reads
/// outside of an operand, if a size is not known, or if there is not enough
/// memory.
mlir::FailureOr<Tensor> evaluateForm(const graph::IndexForm &form,
                                     llvm::ArrayRef<Tensor> operands,
                                     const Symbols &symbols,
                                     const Options &options,
                                     std::string &error);

/// Matches the sizes of tensors with the symbols of `types`, and adds new ones
/// to `symbols`. On a contradiction, fails with a reason that names the symbol
/// and the tensors (`names[i]` is the name of tensor i).
mlir::LogicalResult bindSymbols(mlir::TypeRange types,
                                llvm::ArrayRef<Tensor> tensors,
                                llvm::ArrayRef<std::string> names,
                                Symbols &symbols, std::string &error);

} // namespace tenon::interpret

#endif // TENON_INTERPRET_INTERPRETER_H
