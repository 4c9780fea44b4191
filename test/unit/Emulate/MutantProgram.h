//===- MutantProgram.h - compiled kernels that are changed and run --------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_UNITTESTS_EMULATE_MUTANTPROGRAM_H
#define TENON_UNITTESTS_EMULATE_MUTANTPROGRAM_H

#include "tenon/Dialect/Program/IR/Program.h"
#include "tenon/Emulate/Emulator.h"
#include "tenon/Interpret/Interpreter.h"

#include <map>
#include <vector>

namespace mutant {

using Sizes = std::map<std::string, int64_t>;

/// A function @main of the graph dialect, and what it is run with.
struct Model {
  const char *name;
  const char *text;
  /// The values of its symbols; each of these is run, in this order.
  std::vector<Sizes> sizes = {{}};
  /// Floats of the inputs are in [-4 * scale, 4 * scale]. The last sizes are
  /// run with each of these, others with the first.
  std::vector<double> scales = {1};
  /// Integers of the inputs are in [low, bound).
  int64_t low = 0, bound = 1;
  /// Whether f32 factors may be rounded to tf32.
  bool tf32 = false;
  /// An op that the kernels must hold, so that they are of the kind that is
  /// meant.
  const char *has = "llvm.store";
  unsigned numKernels = 1;
  /// If not null, the gpu.module whose kernel @k0 is used instead of the
  /// compiler's, and its grid and threads.
  const char *kernels = nullptr;
  tenon::graph::SymInt blocks = 1;
  int64_t blockThreads = 0;
};

/// The models, in MutantModels.cpp.
std::vector<Model> getModels();
/// Add those of MutantAttention.cpp and MutantAsync.cpp.
void addAttentionModels(std::vector<Model> &models);
void addAsyncModels(std::vector<Model> &models);

struct Outcome {
  enum Kind { Right, Error, Wrong, Incomplete, Broken } kind = Right;
  tenon::emulate::ErrorKind error = tenon::emulate::ErrorKind::Unsupported;
  std::string text;

  /// In a word or two.
  std::string describe() const;
};

class Program {
public:
  /// Adds a failure to the test where the model can't be compiled or evaluated.
  Program(mlir::MLIRContext &context, const Model &model);

  bool isUsable() const { return bool(kernels); }
  const Model &getModel() const { return model; }
  mlir::ModuleOp getKernels() { return kernels; }
  /// Runs, one for each of the sizes and scales.
  size_t getNumRuns() const { return references.size(); }
  /// Runs the program with `kernels` instead of its own, on the inputs of that
  /// number, and compares with what the interpreter says.
  Outcome run(mlir::ModuleOp kernels, size_t number);

private:
  struct Reference {
    const Sizes *sizes;
    llvm::SmallVector<tenon::interpret::Tensor> inputs, outputs;
  };
  class Run;

  bool evaluate(const Sizes &sizes, double scale);
  bool compile();
  bool replaceSteps();

  const Model &model;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<Reference> references; // by runs
  mlir::OwningOpRef<mlir::ModuleOp> program;
  mlir::ModuleOp kernels; // of the program; null: it is not usable
};

} // namespace mutant

#endif // TENON_UNITTESTS_EMULATE_MUTANTPROGRAM_H
