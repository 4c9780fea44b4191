//===- GpuAttentionCase.h - attention in the emulator ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TEST_UNIT_LOWER_GPUATTENTIONCASE_H
#define TENON_TEST_UNIT_LOWER_GPUATTENTIONCASE_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tenon::lower {

/// One attention, placed for a GPU, run in the emulator and compared with the
/// interpreter.
struct GpuAttentionCase {
  std::string type = "f32";
  std::vector<int64_t> batch = {1};
  int64_t heads = 2, kvHeads = 2, queries = 70, keys = 75;
  int64_t depth = 64, valueDepth = 64;
  double scale = 0.125;
  bool causal = false;
  /// Sizes of a mask, if there is one.
  std::optional<std::vector<int64_t>> mask;
  /// The elements of the mask that are minus infinity: none, some, or all.
  enum class Hides { Nothing, Some, All } hides = Hides::Some;
  /// Added to the mask.
  double maskOffset = 0;
  bool tf32 = false, strict = false;
  /// Whether batch, queries and keys are dimensions without a number.
  bool symbolic = false;
  /// Whether queries then have a number nevertheless.
  bool countsQueries = false;
  /// Whether operands and the result are transposed: in memory, the heads are
  /// inside of the sequence.
  bool interleaved = false;
  /// An element of v that is not finite.
  bool hasInfinity = false;

  /// Expects that attention stays one op.
  void run() const;
  /// Whether it stays one op.
  bool isKept() const;
  /// How many transposes are kernels of their own.
  size_t countTransposes() const;
  /// How many kernels the emulator has run.
  size_t countKernels() const;

private:
  std::string getText() const;
  size_t runAndCount() const;
};

} // namespace tenon::lower

#endif // TENON_TEST_UNIT_LOWER_GPUATTENTIONCASE_H
