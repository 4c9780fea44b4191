//===- TestKernel.h - kernels from text, and their launches ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_UNITTESTS_EMULATE_TESTKERNEL_H
#define TENON_UNITTESTS_EMULATE_TESTKERNEL_H

#include "tenon/Emulate/Emulator.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <gtest/gtest.h>

/// A kernel @k, and the memory that it is launched with.
class TestKernel {
public:
  /// `function` is what follows "gpu.func @k"; `globals` come before it.
  TestKernel(llvm::StringRef function, llvm::StringRef globals = "");

  /// The error's text; empty where there was none.
  std::string launch(llvm::ArrayRef<tenon::emulate::Argument> arguments);
  std::string launch(unsigned blocks, unsigned threads,
                     llvm::ArrayRef<tenon::emulate::Argument> arguments) {
    config.grid = {blocks, 1, 1};
    config.block = {threads, 1, 1};
    return launch(arguments);
  }

  /// Memory that holds `elements`, or uninitialized memory for `count`.
  template <typename T>
  tenon::emulate::Pointer allocate(llvm::StringRef name,
                                   llvm::ArrayRef<T> elements) {
    return memory.allocate(
        name, llvm::ArrayRef(reinterpret_cast<const uint8_t *>(elements.data()),
                             elements.size() * sizeof(T)));
  }
  template <typename T>
  tenon::emulate::Pointer allocate(llvm::StringRef name, size_t count) {
    tenon::emulate::AllocationOptions options;
    options.initialized = false;
    return memory.allocate(name, count * sizeof(T), options);
  }
  template <typename T> std::vector<T> read(tenon::emulate::Pointer pointer) {
    return memory.getElements<T>(pointer).vec();
  }

  std::string compileError;
  tenon::emulate::Memory memory;
  tenon::emulate::LaunchConfig config;
  tenon::emulate::LaunchStatistics statistics;
  /// The last error's.
  tenon::emulate::ErrorKind kind = tenon::emulate::ErrorKind::Unsupported;

private:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::optional<tenon::emulate::Kernel> kernel;
};

/// Expects that `text` contains `part`.
inline void expectPart(const std::string &text, const char *part) {
  EXPECT_NE(text.find(part), std::string::npos)
      << "expected a text with\n  " << part << "\nbut got\n  " << text;
}

#endif // TENON_UNITTESTS_EMULATE_TESTKERNEL_H
