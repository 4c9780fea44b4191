//===- CpuModel.h - an instance that runs on the CPU ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_CPUMODEL_H
#define TENON_LIB_RUNTIME_CPUMODEL_H

#include "CpuLibrary.h"
#include "Memory.h"
#include "ModelImpl.h"
#include "PluginCall.h"

#include <memory>
#include <vector>

namespace tenon::runtime {

class CpuModel : public Model::Impl {
public:
  CpuModel(const tenon_program &program, const LoadSettings &settings)
      : Impl(program, settings, /*cudaDevice=*/-1), plans(entries.size()) {}

  artifact::Status run(EntryState &entry, const tenon_tensor *inputs,
                       size_t numInputs, tenon_tensor *outputs,
                       size_t numOutputs) override;
  artifact::Status planFor(EntryState &entry, const tenon_tensor *inputs,
                           size_t numInputs) override;
  artifact::Status reserveStaging(int64_t bytes) override;
  uint64_t memoryBytes() const override;

protected:
  artifact::Status prepare() override;
  artifact::Status readState(int32_t state, void *data) override;
  artifact::Status writeState(int32_t state, const void *data) override;
  artifact::Status clearState(int32_t state) override;
  artifact::Expected<const void *> fetchBuffer(int32_t buffer) override;

private:
  /// A use of an input or output by a step.
  struct CallerPointer {
    int32_t position; // position in `pointers`
    int32_t buffer;
  };

  /// The plan of an entry, in addition to the vectors by buffer and by step.
  struct EntryPlan {
    std::vector<CallerPointer> callerPointers;
    int64_t arenaBytes = 0;          // 0: not planned yet
    const char *arenaBase = nullptr; // the base of `addresses`
    int64_t scratchStride = 0; // bytes from one thread's scratch to the next
  };

  // Loading (CpuModelLoad.cpp).
  void layOutPointers();
  artifact::Status allocateKept();
  artifact::Status createCalls();
  artifact::Status createCall(int32_t step);
  std::vector<std::string> listOrigins() const;
  artifact::Status obtainPrepared();
  artifact::Status allocatePrepared(bool isShared);
  artifact::Status runPrepareSteps();
  artifact::Status prepareAgain();
  void countRawReaders();

  // Planning for the sizes of an entry (CpuModelPlan.cpp).
  EntryPlan &planOf(const EntryState &entry) { return plans[entry.index]; }
  artifact::Status plan(EntryState &entry);
  artifact::Status planArena(EntryState &entry);
  artifact::Status planScratch(EntryState &entry);
  void dropPlans();
  artifact::Status selectStep(EntryState &entry, int32_t step);
  artifact::Status selectCall(EntryState &entry, int32_t step);
  artifact::Status selectPlugin(EntryState &entry, int32_t step);
  artifact::Status recoverRaw(int32_t buffer);
  void releaseBuffer(int32_t buffer);
  void touchMemory();
  /// Updates the addresses after the arena has moved.
  void rebase(EntryState &entry);
  void refreshPointers(const EntryState &entry);

  // Running.
  artifact::Status stageTensors(EntryState &entry, const tenon_tensor *inputs);
  void unstageOutputs(const EntryState &entry,
                      const tenon_tensor *outputs) const;
  artifact::Status runSteps(EntryState &entry);
  artifact::Status runStep(EntryState &entry, int32_t step);
  artifact::Status runKernel(EntryState &entry, int32_t step);
  bool joinsNext(const EntryState &entry, int32_t step) const;

  /// Returns the number of threads of library calls.
  int libraryThreads() const {
    return executor.get() || settings.options.deterministic ? 1 : threads;
  }

  std::vector<EntryPlan> plans; // by entry
  /// By buffer, empty for other kinds: prepared buffers shared with instances
  /// of the same program and weights, and those that are not shared.
  std::vector<SharedWeights::Piece> sharedPrepared;
  std::vector<Block> prepared;
  SharedWeights::Piece prepareMark; // held while `sharedPrepared` may be used
  std::vector<Block> stateData;     // by state
  Block arena;                      // used by one entry at a time
  Block scratch;
  Block staging;                       // dense copies of tensors with gaps
  std::vector<int64_t> stagingOffsets; // by tensor of the call; -1: none

  std::vector<void *> addresses;      // by buffer; inputs and outputs: per call
  std::vector<void *> pointers;       // the buffers of all steps, in order
  std::vector<int32_t> pointersBegin; // by step: position in `pointers`
  std::vector<int64_t> arenaOffsets;  // by buffer

  std::unique_ptr<CpuLibraries> libraries;
  std::vector<std::unique_ptr<LibraryCall>> calls; // by step; may be null
  PluginWorkspace workspace{memory};
  std::vector<std::unique_ptr<PluginCall>> plugins; // by step, as `calls`
  /// By buffer: how many steps of a run read it unpacked. At 0, the memory of
  /// parameters and prepared buffers is released.
  std::vector<int32_t> rawReaders;
  /// By buffer: how many of these steps are not library calls. (Library calls
  /// may find the buffer packed.)
  std::vector<int32_t> firmReaders;
  std::vector<bool> countedRaw; // by step: whether its call is counted in
                                // `rawReaders`
};

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_CPUMODEL_H
