//===- TestPrograms.h - programs built by hand ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_UNITTEST_EMIT_TESTPROGRAMS_H
#define TENON_UNITTEST_EMIT_TESTPROGRAMS_H

#include "tenon/Lower/LoweredProgram.h"

#include <string>

namespace tenon::emit::test {

/// A context with the dialects of lowered programs.
mlir::MLIRContext &getContext();

/// y = 2 * (x + c) over `size` floats, in two steps with an arena buffer
/// between them; c is a constant of one float.
lower::LoweredProgram makeTwoSteps(const graph::SymInt &size,
                                   float constant = 1);

/// The same with c = 1 for a GPU, with kernels of the driver for tests
/// (test/unit/Runtime/FakeCuda).
lower::LoweredProgram makeTwoStepsOnGpu(const graph::SymInt &size);

/// y = x + w, where w is a parameter of 4 floats.
lower::LoweredProgram makeWithParameter();

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
