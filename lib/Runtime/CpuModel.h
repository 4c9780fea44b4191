//===- CpuModel.h - an instance that runs on the CPU --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_CPUMODEL_H
#define TENON_LIB_RUNTIME_CPUMODEL_H

#include "DnnlContext.h"
#include "LibrarySite.h"
#include "Memory.h"
#include "ModelImpl.h"
#include "PluginSite.h"

#include <memory>
#include <vector>

namespace tenon::runtime {

class CpuModel : public Model::Impl {
public:
  CpuModel(const tenon_program &program, const tenon_options &options)
      : Impl(program, options, /*cudaDevice=*/-1) {}

  artifact::Status run(const tenon_tensor *inputs, size_t numInputs,
                       tenon_tensor *outputs, size_t numOutputs) override;
  uint64_t memoryBytes() const override;

protected:
  artifact::Status prepare() override;

private:
  // Loading (CpuModelLoad.cpp).
  artifact::Status allocatePrepared();
  artifact::Status createSites();
  artifact::Status runPrepareSteps();
  void countRawReaders();

  // Planning for the sizes of `state` (CpuModel.cpp).
  artifact::Status plan();
  artifact::Status planArena(int32_t firstStep, int32_t endStep);
  artifact::Status planScratch();
  artifact::Status selectSite(int32_t step);
  artifact::Status selectPlugin(int32_t step);
  void releaseBuffer(int32_t buffer);
  void refreshPointers();

  // Running.
  artifact::Status runStep(int32_t step);
  artifact::Status runKernel(int32_t step);
  bool joinsNext(int32_t step) const;

  /// A use of an input or output by a step.
  struct CallerPointer {
    int32_t position; // in `pointers`
    int32_t buffer;
  };

  std::vector<Block> prepared; // by buffer; empty for other kinds
  Block arena;
  Block scratch;
  int64_t scratchStride = 0; // bytes from one thread's scratch to the next's

  std::vector<void *> addresses;      // by buffer; inputs and outputs per call
  std::vector<void *> pointers;       // buffers of all steps, in order
  std::vector<int32_t> pointersBegin; // by step: position in `pointers`
  std::vector<CallerPointer> callerPointers;
  std::vector<int64_t> arenaOffsets; // by buffer

  std::unique_ptr<DnnlContext> dnnl;
  std::vector<std::unique_ptr<LibrarySite>> sites; // by step; null for others
  PluginWorkspace workspace;
  std::vector<std::unique_ptr<PluginSite>> plugins; // by step, as `sites`
  /// By buffer: how many steps of a run read it as it is. At 0, memory of
  /// parameters and prepared buffers is given back.
  std::vector<int32_t> rawReaders;
  std::vector<bool> countedRaw; // by step: its site is among the raw readers
};

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_CPUMODEL_H
