//===- LibrarySite.h - a call of oneDNN ---------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_LIBRARYSITE_H
#define TENON_LIB_RUNTIME_LIBRARYSITE_H

#include "DnnlContext.h"
#include "SiteOperands.h"

#include "tenon/Artifact/Program.h"

#include <memory>
#include <vector>

namespace tenon::runtime {

/// One step that calls oneDNN. For every set of shapes it keeps what oneDNN
/// prepared for them (the last `maxPlans` ones), so that calls with known
/// shapes create nothing.
///
/// Constant weights are multiplied by oneDNN's matmul, not by its inner
/// product. With packed weights (oneDNN 2.6.3, AVX-512, bias and GELU) the two
/// differ by noise: 128x768x768 562 us against 553 us on one thread and 285-315
/// against 280 on two; 128x768x3072 2.29 ms against 2.24 and 1.14 against 1.12;
/// 1x2048x1000 76 us against 86 and 41 against 43. Packing saves 5 to 17 % over
/// row-major weights, and up to two thirds over transposed ones at few rows.
class LibrarySite {
public:
  /// Checks that the site is one that we can run.
  static artifact::Expected<std::unique_ptr<LibrarySite>>
  create(const tenon_step &step, DnnlContext &context);

  ~LibrarySite();

  /// Selects the plan for these symbols, or makes it. `rawWeight` is the
  /// constant weight's data as Program.h lays it out, null once it was
  /// released; unused where the weight is not constant.
  artifact::Status select(const int64_t *symbols, const void *rawWeight);

  /// Runs the selected plan; `buffers` as in tenon_kernel_fn. Allocates
  /// nothing of its own.
  artifact::Status run(void *const *buffers);

  /// Whether the constant weight must stay where it is: some plan reads it
  /// there, or it was not packed yet.
  bool needsRawWeight() const { return usesRaw || !hasPacked; }
  /// oneDNN's name of the selected implementation.
  const char *implementation() const;
  int64_t memoryBytes() const;

private:
  struct Plan;

  static constexpr size_t maxPlans = 32;

  LibrarySite(const tenon_step &step, DnnlContext &context);

  artifact::Error fail(const std::string &what) const;
  artifact::Status makePlan(Plan &plan, std::vector<SiteOperand> operands,
                            const void *rawWeight);
  bool dropsNan(int32_t firstPosts) const;
  artifact::Status execute(Plan &plan, void *const *buffers);
  artifact::Status executeCarefully(Plan &plan, void *const *buffers);
  artifact::Status planEmptySum(Plan &plan,
                                std::vector<SiteOperand> operands) const;
  bool addsTensor(const std::vector<SiteOperand> &operands) const;
  artifact::Status createPrimitive(Plan &plan,
                                   const std::vector<SiteOperand> &operands,
                                   int32_t fusedPosts) const;
  artifact::Status
  choosePrimitive(Plan &plan, const std::vector<SiteOperand> &operands) const;
  artifact::Status addPosts(const std::vector<SiteOperand> &operands,
                            int32_t count, dnnl_post_ops_t posts) const;
  artifact::Status bindOperands(Plan &plan,
                                const std::vector<SiteOperand> &operands,
                                const void *rawWeight);
  artifact::Status addMemory(Plan &plan, int argument, int32_t operand,
                             const dnnl_memory_desc_t &layout) const;

  const tenon_step &step;
  const tenon_site &site;
  DnnlContext &context;
  std::vector<std::unique_ptr<Plan>> plans;
  Plan *selected = nullptr;
  uint64_t clock = 0;
  bool usesRaw = false;
  bool hasPacked = false;
};

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_LIBRARYSITE_H
