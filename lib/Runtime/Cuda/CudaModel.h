//===- CudaModel.h - an instance that runs on a CUDA device ---------------===//
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
#include "LibraryCall.h"

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
  artifact::Expected<void *> placeOfState(int32_t state) override;
  artifact::Expected<const void *> fetchBuffer(int32_t buffer) override;

private:
  /// A tensor of the call.
  struct Tensor {
    int32_t buffer = -1;      // its first buffer; -1: no step uses it
    DeviceAddress caller = 0; // not 0: already on the device
    char *host = nullptr;     // in host memory, of this call
    /// Not 0: the tensor is on the device, but is still copied through
    /// `staging`, because it is not aligned as kernels require, or so that the
    /// run can use an existing graph.
    DeviceAddress copied = 0;
    const tenon_tensor *given = nullptr; // of this call, on the device
  };

  /// An entry of the program.
  struct EntryRun {
    EntryState *state = nullptr;
    std::vector<Tensor> tensors; // inputs, outputs, then results of `checks`
    std::vector<int32_t> checks; // numbers in the program
    std::vector<std::unique_ptr<CudaPlan>> plans;
    CudaPlan *plan = nullptr; // plan of the bound symbols
  };

  // Loading (CudaModelLoad.cpp).
  void layOutArguments();
  artifact::Status createCalls();
  artifact::Status loadResidents();
  artifact::Status loadStates();
  artifact::Status allocateTemporary(int32_t buffer);
  artifact::Status runPrepareSteps();
  artifact::Status examinePrepared(int32_t check);
  artifact::Status createEvents();
  artifact::Status planStaticEntries();
  artifact::Status planStateCopy();
  /// Returns a host copy of device memory.
  artifact::Expected<PinnedBlock> fetch(DeviceAddress from, int64_t bytes,
                                        const char *failure);

  // Planning for the sizes of a call (CudaModelPlan.cpp).
  /// Functions for the current entry.
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
  /// `recordFlags`: of the events of a trace.
  artifact::Status enqueueRun(unsigned recordFlags = 0);
  artifact::Status copyOnDevice(bool toStaging);
  void fetchChecks();

  // Runs on streams of callers (CudaModelStream.cpp).
  artifact::Status settle();
  artifact::Status makeStreamEvents();
  artifact::Status putBehind(Stream stream, Stream other, Event event);
  artifact::Status enqueueCopies(bool toDevice);
  artifact::Status enqueueStep(const EntryState &entry, int32_t step);
  artifact::Status enqueueKernel(int32_t step, void **parameters);

  // Runs as graphs (CudaModelGraph.cpp), and for traces (CudaModelTrace.cpp).
  artifact::Status launch();
  artifact::Status launchObserved();
  artifact::Status launchTraced();
  artifact::Status record(int32_t event, unsigned flags);
  void addTrace(int64_t origin);
  bool mayCapture() const;
  void writeGraphKey();
  bool shouldCopy();
  void copyAll();
  artifact::Status capture(CudaGraph *&graph);

  artifact::Error failStep(Result result, int32_t step, const char *what);

  // The first member, because all others need it when they are freed.
  std::unique_ptr<Device> device;
  /// Images that suit the device, the best first; empty if the program launches
  /// no kernels.
  std::vector<const tenon_gpu_image *> images;
  Kernels kernels;
  Libraries libraries;
  std::vector<std::unique_ptr<LibraryCall>> calls; // by step; may be null
  bool callsLibraries = false;                     // in runs, not only at load
  const bool staysOnDevice; // tensors of calls are never in host memory
  bool usesGraphs;          // false if captures fail
  int captureFailures = 0;  // consecutive failures
  bool waitsAfterStep;      // to locate the step that caused an error

  DeviceBlock residents; // parameters, constants and prepared buffers of runs
  std::vector<DeviceBlock> temporaries; // by buffer: read only by prepare
  std::vector<int32_t>
      owners; // by buffer: the first buffer of the same parameter
  std::vector<DeviceAddress> residentAddresses; // by buffer
  DeviceBlock arena, workspace;
  std::vector<DeviceBlock> stateData; // by state
  std::vector<int64_t> arenaOffsets;  // by buffer
  std::vector<PinnedBlock> fetched;   // values of one step, for the observer

  uint64_t clock = 0;

  std::vector<EntryRun> runs;      // by entry, without prepare
  EntryRun *current = nullptr;     // the entry of this call
  std::vector<int64_t> checkWords; // words of all checks, on the host
  std::vector<size_t> checkBegin;  // by check: position in `checkWords`
  DeviceBlock staging;             // device copies of tensors in host memory
  PinnedBlock pinned;              // their host buffers, at the same offsets
  PinnedBlock plannedCopy;         // if memory is planned

  std::vector<DeviceAddress> addresses; // by buffer, of the current call
  std::vector<uint64_t> arguments;      // arguments of the kernels of all steps
  std::vector<void *> argumentPointers; // pointers to each of them
  std::vector<size_t> argumentsBegin;   // by step
  GraphKey graphKey;                    // key of the current call
  bool isWorthGraph = false;            // whether that key is likely to recur
  /// A run that was not waited for, and whether it checks indices.
  EntryRun *pending = nullptr;
  Event beginEvent = nullptr, endEvent = nullptr; // for the caller's stream
  std::vector<Event> events; // only for traces: one more than there are steps
};

} // namespace tenon::runtime::cuda

#endif // TENON_LIB_RUNTIME_CUDA_CUDAMODEL_H
