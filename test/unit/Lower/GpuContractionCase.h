//===- GpuContractionCase.h - runs contractions in the emulator -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TEST_UNIT_LOWER_GPUCONTRACTIONCASE_H
#define TENON_TEST_UNIT_LOWER_GPUCONTRACTIONCASE_H

#include "../../../lib/Lower/Gpu/Contraction.h"

#include "tenon/Emulate/Emulator.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <map>

namespace tenon::lower {

/// One function of the graph dialect as the kernel of a contraction.
class GpuContractionCase {
public:
  /// `body`: the ops and the return of a function with arguments %0, %1, ... of
  /// the types.
  GpuContractionCase(const std::string &signature, const std::string &body,
                     LowerOptions options = forGpu());

  static LowerOptions forGpu();
  static LowerOptions withTf32();
  static LowerOptions strictly();

  /// Whether the function is taken as a contraction.
  bool matches() const { return contraction.has_value(); }
  const Contraction &getContraction() const { return *contraction; }
  mlir::gpu::GPUFuncOp getKernel();
  mlir::ModuleOp getModule() { return *kernels; }

  /// Runs the kernel with inputs of small numbers, whose products and sums are
  /// exact, and compares all outputs with what their index forms say, in f64.
  /// `sizes`: of the symbols.
  void run(const std::map<std::string, int64_t> &sizes = {});
  /// The same, with inputs of any numbers in [-1, 1] and an error of at most
  /// `tolerance` times the sum of the terms' magnitudes.
  void runAny(double tolerance,
              const std::map<std::string, int64_t> &sizes = {});
  /// The error that the emulator found; "" if none.
  std::string launch(const std::map<std::string, int64_t> &sizes = {});

private:
  struct Buffer {
    mlir::Type type;
    int64_t count;
    std::vector<double> values;
    emulate::Pointer pointer;
  };
  using Sizes = std::map<std::string, int64_t>;

  void fill(const Sizes &sizes, bool isExact);
  std::string launchFilled(const Sizes &sizes);
  /// For large results, compares a sample of the elements.
  void compare(const Sizes &sizes, double tolerance);

  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> source, kernels;
  LowerOptions options;
  LoopPlan plan;
  llvm::SmallVector<mlir::Type> inputTypes;
  std::vector<std::string> symbols;
  std::optional<Contraction> contraction;
  GpuKernel kernel;
  std::vector<Buffer> inputs, outputs;
  emulate::Memory memory;
};

} // namespace tenon::lower

#endif // TENON_TEST_UNIT_LOWER_GPUCONTRACTIONCASE_H
