//===- Interpreter.h - reference evaluation of graphs -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates graphs by what their ops mean (GraphInterfaces.td): index forms are
// run as loops, composites through their decomposition, opaque ops by their
// reference function. Nothing here knows an op by name.
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

/// In what numbers floating-point elements are computed. Integers are exact
/// and wrap around at their width in every domain.
struct Domain {
  enum class Kind {
    F64,  // doubles, never rounded to the element's own type
    F32,  // every operation rounded to the element's own type
    Field // residues modulo 2^61 - 1 (see lib/Interpret/Arithmetic.h)
  };
  Kind kind = Kind::F64;
  uint64_t seed = 0; // Field only

  /// Reads `f64`, `f32` or `field:SEED`.
  static std::optional<Domain> parse(llvm::StringRef text);
};

/// Sizes of the dimension symbols.
using Symbols = llvm::StringMap<int64_t>;

/// Gives the weights: the tensor of that name and type in `domain`. Reports
/// its own errors at `op`.
using ParameterSource = std::function<mlir::FailureOr<Tensor>(
    mlir::Operation *op, llvm::StringRef name, mlir::RankedTensorType type,
    Domain domain)>;

struct Options {
  Domain domain;
  /// Evaluates index forms element by element instead of by compiled loops.
  /// The results are the same.
  bool naive = false;
  /// Bounds, per element, the error that a computation in the elements' own
  /// types may have, in any order of summation (domain f64, implies naive).
  bool trackErrors = false;
  /// Threads that share the elements of one result; 0: OMP_NUM_THREADS, else
  /// the number of cores. Results do not depend on it.
  unsigned threads = 0;
  /// Fails, at the op, where an index that a model has to keep in range is not
  /// (tenon/Dialect/Graph/IR/IndexUses.h); else what index forms say of such
  /// indices holds. Ops whose results are not needed are not checked.
  bool checkIndices = false;
  ParameterSource parameters;
  /// Called after each top-level op, with its number and their count.
  std::function<void(mlir::Operation *, size_t, size_t)> progress;
};

/// What an evaluation was made of.
struct Statistics {
  /// Whether, in the field domain, something other than ring and field
  /// operations was met: then a difference of two results does not refute
  /// that two graphs are equal.
  bool usedOpaqueFunctions = false;
};

/// Evaluates `function` on one tensor per argument. Sizes of the inputs bind
/// the dimension symbols; contradictions and run-time errors of ops are
/// reported at the op.
mlir::FailureOr<llvm::SmallVector<Tensor>>
evaluate(mlir::func::FuncOp function, llvm::ArrayRef<Tensor> inputs,
         const Options &options, Statistics *statistics = nullptr);

/// Evaluates the ops of `block` on one tensor per block argument, and returns
/// the operands of its terminator. `symbols` gives sizes that the arguments'
/// types don't bind, and receives those that they do.
mlir::FailureOr<llvm::SmallVector<Tensor>>
evaluateBlock(mlir::Block &block, llvm::ArrayRef<Tensor> arguments,
              Symbols &symbols, const Options &options,
              Statistics *statistics = nullptr);

/// Evaluates one op on one tensor per operand.
mlir::FailureOr<llvm::SmallVector<Tensor>>
evaluateOp(mlir::Operation *op, llvm::ArrayRef<Tensor> operands,
           const Symbols &symbols, const Options &options,
           Statistics *statistics = nullptr);

/// The numbers of `tensor` (in domain f64) as elements of `domain`.
Tensor toDomain(const Tensor &tensor, Domain domain);

/// Evaluates one index form. Failure, with a reason in `error`, when it reads
/// outside of an operand, when a size is not known, or for lack of memory.
mlir::FailureOr<Tensor> evaluateForm(const graph::IndexForm &form,
                                     llvm::ArrayRef<Tensor> operands,
                                     const Symbols &symbols,
                                     const Options &options,
                                     std::string &error);

/// Matches the sizes of tensors with the symbols of `types`: new ones are
/// added to `symbols`. On a contradiction, failure with a reason that names
/// the symbol and the tensors (`names[i]` says what tensor i is).
mlir::LogicalResult bindSymbols(mlir::TypeRange types,
                                llvm::ArrayRef<Tensor> tensors,
                                llvm::ArrayRef<std::string> names,
                                Symbols &symbols, std::string &error);

} // namespace tenon::interpret

#endif // TENON_INTERPRET_INTERPRETER_H
