//===- CudaModel.h - an instance that runs on a CUDA device -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_CUDA_CUDAMODEL_H
#define TENON_LIB_RUNTIME_CUDA_CUDAMODEL_H

#include "../ModelImpl.h"
#include "CudaPlan.h"
#include "Device.h"
#include "Kernels.h"
#include "LibrarySite.h"

#include <memory>
#include <vector>

namespace tenon::runtime::cuda {

class CudaModel : public Model::Impl {
public:
  CudaModel(const tenon_program &program,
            std::vector<const tenon_gpu_image *> images,
            const LoadSettings &settings, std::unique_ptr<Device> device);
  ~CudaModel() override;

  artifact::Status run(EntryState &entry, const tenon_tensor *inputs,
                       size_t numInputs, tenon_tensor *outputs,
                       size_t numOutputs) override;
  artifact::Status runOnStream(EntryState &entry, const tenon_tensor *inputs,
                               size_t numInputs, tenon_tensor *outputs,
                               size_t numOutputs, void *stream) override;
  artifact::Status finish() override;
  artifact::Status planFor(EntryState &entry, const tenon_tensor *inputs,
                           size_t numInputs) override;
  uint64_t memoryBytes() const override;

protected:
  artifact::Status prepare() override;
  artifact::Status readState(int32_t state, void *data) override;
  artifact::Status writeState(int32_t state, const void *data) override;
  artifact::Expected<const void *> fetchBuffer(int32_t buffer) override;

private:
  /// A tensor of the call.
  struct Tensor {
    int32_t buffer = -1;      // the first of it; -1: no step uses it
    DeviceAddress caller = 0; // not 0: on the device already
    char *host = nullptr;     // of this call
    /// Not 0: on the device, but it goes through `staging`, too, because it is
    /// not at a multiple of what kernels rely on, or for the run to be a graph.
    DeviceAddress copied = 0;
    const tenon_tensor *given = nullptr; // of this call, on the device
  };

  /// An entry of the program.
  struct EntryRun {
    EntryState *state = nullptr;
    std::vector<Tensor> tensors; // inputs, outputs, then what `checks` write
    std::vector<int32_t> checks; // numbers in the program
    std::vector<std::unique_ptr<CudaPlan>> plans;
    CudaPlan *plan = nullptr; // of the bound symbols
  };

  // Loading (CudaModelLoad.cpp).
  void layOutArguments();
  artifact::Status createSites();
  artifact::Status loadResidents();
  artifact::Status loadStates();
  artifact::Status allocateTemporary(int32_t buffer);
  artifact::Status runPrepareSteps();
  artifact::Status examinePrepared(int32_t check);
  artifact::Status createEvents();
  artifact::Status planStaticEntries();
  /// A copy of the device's memory.
  artifact::Expected<PinnedBlock> fetch(DeviceAddress from, int64_t bytes,
                                        const char *failure);

  // Planning for the sizes of a call (CudaModelPlan.cpp).
  /// Of the current entry.
  artifact::Status selectPlan();
  artifact::Status makePlan(std::unique_ptr<CudaPlan> &plan);
  void adoptPlan();
  artifact::Status growArena(const EntryState &entry);
  artifact::Status growWorkspace(const EntryState &entry);
  artifact::Status grow(DeviceBlock &block, int64_t bytes, const char *what);
  artifact::Status growStaging(bool fromHost);
  void dropPlans();

  // Running (CudaModel.cpp).
  const tenon_entry &table() const { return current->state->table; }
  int32_t findTensor(const EntryRun &run, const tenon_buffer &buffer) const;
  artifact::Status examineChecks() const;
  artifact::Status placeTensors(const tenon_tensor *inputs,
                                const tenon_tensor *outputs);
  artifact::Status enqueueRun();
  artifact::Status copyOnDevice(bool toStaging);
  void fetchChecks();

  // On streams of callers (CudaModelStream.cpp).
  artifact::Status settle();
  artifact::Status makeStreamEvents();
  artifact::Status putBehind(Stream stream, Stream other, Event event);
  artifact::Status enqueueCopies(bool toDevice);
  artifact::Status enqueueStep(const EntryState &entry, int32_t step);
  artifact::Status enqueueKernel(int32_t step, void **parameters);

  // As graphs (CudaModelGraph.cpp), and for traces (CudaModelTrace.cpp).
  artifact::Status launch();
  artifact::Status launchSingly();
  bool mayCapture() const;
  void writeGraphKey();
  bool shouldCopy();
  void copyAll();
  artifact::Status capture(CudaGraph *&graph);

  artifact::Error failStep(Result result, int32_t step, const char *what);

  // First, since all others need it to be freed.
  std::unique_ptr<Device> device;
  /// That suit the device, the best first; none: the program launches nothing.
  std::vector<const tenon_gpu_image *> images;
  Kernels kernels;
  Libraries libraries;
  std::vector<std::unique_ptr<LibrarySite>> sites; // by step; null for others
  bool callsLibraries = false;                     // in a run, not only at load
  bool usesGraphs;                                 // not if captures fail
  int captureFailures = 0;                         // one after the other
  bool waitsAfterStep; // to find out where an error comes from

  DeviceBlock residents; // parameters, constants, prepared: what runs read
  std::vector<DeviceBlock> temporaries; // by buffer: what prepare alone reads
  std::vector<int32_t>
      owners; // by buffer: the first that is the same parameter
  std::vector<DeviceAddress> residentAddresses; // by buffer
  DeviceBlock arena, workspace;
  std::vector<DeviceBlock> stateData; // by state
  std::vector<int64_t> arenaOffsets;  // by buffer
  std::vector<PinnedBlock> fetched;   // for the observer, of one step

  uint64_t clock = 0;

  std::vector<EntryRun> runs;      // by entry; prepare has none
  EntryRun *current = nullptr;     // of this call
  std::vector<int64_t> checkWords; // of all checks, on the host
  std::vector<size_t> checkBegin;  // by check, in `checkWords`
  DeviceBlock staging;             // copies of tensors in host memory ...
  PinnedBlock pinned;              // ... on their way, at the same offsets

  std::vector<DeviceAddress> addresses; // by buffer, of the current call
  std::vector<uint64_t> arguments;      // of the kernels of all steps
  std::vector<void *> argumentPointers; // to each of them
  std::vector<size_t> argumentsBegin;   // by step
  GraphKey graphKey;                    // of the current call ...
  bool isWorthGraph = false;            // ... which may come again
  /// A run that was not waited for, and whether it looks for wrong indices.
  EntryRun *pending = nullptr;
  Event beginEvent = nullptr, endEvent = nullptr; // of the caller's stream
  std::vector<Event> events; // only for traces: one more than steps
};

} // namespace tenon::runtime::cuda

#endif // TENON_LIB_RUNTIME_CUDA_CUDAMODEL_H
