//===- RankProgram.h - programs of ranks written by hand ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TEST_UNIT_PIPELINE_RANKPROGRAM_H
#define TENON_TEST_UNIT_PIPELINE_RANKPROGRAM_H

#include "tenon/Artifact/Program.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace tenon::runtime {

/// What a rank does, on tensors of f32. Each buffer has memory of its own.
class RankProgram {
public:
  using Shape = std::vector<int64_t>;
  using Numbers = std::vector<int32_t>;

  /// Return numbers of tensors: of a buffer, of the caller's input or output
  /// `index`, and of a part of one of these.
  int32_t addBuffer(Shape shape);
  int32_t addCallers(int32_t kind, int32_t index, Shape shape);
  int32_t addPart(int32_t whole, int32_t axis, int64_t begin, int64_t size);

  size_t size() const { return steps.size(); }
  /// Returns a number by which waits know the step. It is placed `early` places
  /// before the end.
  int32_t addStep(tenon_rank_step step, Numbers tensors = {}, size_t early = 0);
  void addTask(int32_t entry, Numbers tensors, int64_t begin = 0,
               int64_t end = 0);
  void addCopy(int32_t from, int32_t to);
  void addBarrier();
  /// With `ranks[0]`.
  void begin(int32_t kind, int32_t tag, int32_t group, int32_t tensor,
             Numbers ranks, size_t early = 0);
  void beginSum(int32_t tag, int32_t group, Numbers states, Numbers ranks,
                bool isMean = false);
  /// Waits for the newest, or for all that was begun and is not awaited yet.
  void wait(size_t count = SIZE_MAX);

  /// May be called once.
  tenon_rank_program get();

private:
  std::vector<tenon_rank_tensor> tensors;
  std::vector<tenon_rank_step> steps;
  Numbers numbers; // by place: those that `addStep` returned
  Numbers open;
  std::vector<std::pair<int32_t, Numbers>> waits; // with what they await
  std::deque<Shape> shapes;
  std::deque<Numbers> lists;
  int64_t arenaBytes = 0;
};

/// Devices and NCCL are those of the tests (FakeCuda).
void useFakeDevices();

} // namespace tenon::runtime

#endif // TENON_TEST_UNIT_PIPELINE_RANKPROGRAM_H
