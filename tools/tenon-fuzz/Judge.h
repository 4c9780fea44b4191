//===- Judge.h - compiled code against the interpreter ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_FUZZ_JUDGE_H
#define TENON_TOOLS_TENON_FUZZ_JUDGE_H

#include "tenon/Artifact/TensorData.h"
#include "tenon/Interpret/Tensor.h"
#include "tenon/Support/Numerics.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>

namespace tenon::fuzz {

struct Verdict {
  enum Kind {
    Agrees,
    Invalid,  // the graph has no meaning at the sizes that were drawn
    Refused,  // the interpreter or the compiler says what it does not do
    Mismatch, // or a crash, or an error at run time
  } kind = Agrees;
  std::string text;
  int64_t elements = 0, excluded = 0;
  size_t kernels = 0; // that were emulated
};

/// Counts the elements into `verdict` and describes the first that is wrong;
/// empty: none is.
std::string compareElements(const interpret::Tensor &expected,
                            const artifact::TensorData &actual,
                            Verdict &verdict);

class Judge {
public:
  struct Options {
    /// Where tenon-compile and tenon-run are.
    std::string tools;
    /// For the files of one case at a time.
    std::string scratch;
    std::vector<std::string> compileFlags;
    uint64_t seed = 0;
    /// Compare the interpreter's two evaluators with one another, bit by bit
    /// in every domain, and compile nothing.
    bool evaluators = false;
    /// If set, run the kernels for GPUs that are compiled by these numerics in
    /// the emulator, assemble them for its architectures, and compile nothing
    /// else.
    std::optional<Numerics> emulation;
    /// Of what is emulated.
    std::vector<std::string> archs;
  };
  explicit Judge(Options options) : options(std::move(options)) {}

  /// Evaluates `module` with error bounds on random inputs, compiles it, runs
  /// it on the same inputs, and compares every element with its bound.
  Verdict judge(mlir::ModuleOp module);

  /// The arguments of tenon-run and tenon-interpret that give the inputs.
  std::vector<std::string> inputArguments(mlir::ModuleOp module) const;

private:
  Verdict compareEvaluators(mlir::ModuleOp module);
  Verdict compareEmulated(mlir::ModuleOp module,
                          llvm::ArrayRef<interpret::Tensor> inputs,
                          llvm::ArrayRef<interpret::Tensor> expected);
  struct Process {
    int status;
    std::string output;
  };
  Process run(const std::string &tool, std::vector<std::string> arguments);

  Options options;
};

} // namespace tenon::fuzz

#endif // TENON_TOOLS_TENON_FUZZ_JUDGE_H
