//===- TestPrograms.h - programs built by hand ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_UNITTEST_EMIT_TESTPROGRAMS_H
#define TENON_UNITTEST_EMIT_TESTPROGRAMS_H

#include "tenon/Dialect/Program/IR/Program.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>

namespace tenon::emit::test {

/// A context with the dialects of programs.
mlir::MLIRContext &getContext();

/// Reads a module of that name, for `devices`, that consists of these targets;
/// adds a failure to the test where it is not valid.
mlir::OwningOpRef<mlir::ModuleOp>
parse(llvm::ArrayRef<std::string> targets, llvm::StringRef name = "two_steps",
      llvm::StringRef devices = "cpu:x86-64-v3");

/// `text` with `to` in place of each `from`, of which there is one at least.
std::string substitute(std::string text, llvm::StringRef from,
                       llvm::StringRef to);

/// Such as `tensor<16xf32>`.
std::string getFloats(const graph::SymInt &size);

/// A target with y = 2 * (x + c) over `size` floats, in two steps with an arena
/// buffer between them; c is a constant of one float.
std::string makeTwoSteps(const graph::SymInt &size, float constant = 1);

/// The program for c = 1 with a third step, as text.
std::string addStep(const graph::SymInt &size, llvm::StringRef step);

/// Like makeTwoSteps, with c = 1, for a GPU, with kernels of the driver for
/// tests (test/unit/Runtime/FakeCuda).
std::string makeTwoStepsOnGpu(const graph::SymInt &size);

/// y = x + w, where w is a parameter of 4 floats.
std::string makeWithParameter();

/// With a state `s` of 3 and a state `z` of zeros, a parameter `w`, and 10 * w,
/// computed at load: entry @step gives x + s and then adds 10 * w to s, and
/// entry @peek gives x * s, of other sizes.
std::string makeTwoEntries();

/// The kernels that these launch, for [lo, hi): add and scale write
/// buffers[0][i] + buffers[1][0] and buffers[0][i] * buffers[1][0], and sum
/// buffers[0][i] + buffers[1][i], to buffers[2][i].
std::string getKernels();

/// A folder of the test's own, removed with this object.
class TestFolder {
public:
  TestFolder();
  ~TestFolder();
  std::string operator/(llvm::StringRef name) const;

private:
  std::string path;
};

std::string readText(llvm::StringRef path);

/// Runs a program of PATH and returns its exit status.
int run(llvm::StringRef program, llvm::ArrayRef<std::string> arguments);

} // namespace tenon::emit::test

#endif // TENON_UNITTEST_EMIT_TESTPROGRAMS_H
