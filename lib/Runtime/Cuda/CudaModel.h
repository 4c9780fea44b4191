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

/// An instance on the device that the options ask for, of the first of
/// `programs` (one or more) that has images for it. `hasCpu`: messages may
/// say that the artifact also has a program for the CPU.
artifact::Expected<std::unique_ptr<Model::Impl>>
createModel(const std::vector<const tenon_program *> &programs,
            const tenon_options &options, bool hasCpu);

class CudaModel : public Model::Impl {
public:
  CudaModel(const tenon_program &program,
            std::vector<const tenon_gpu_image *> images,
            const tenon_options &options, std::unique_ptr<Device> device);
  ~CudaModel() override;

  artifact::Status run(const tenon_tensor *inputs, size_t numInputs,
                       tenon_tensor *outputs, size_t numOutputs) override;
  uint64_t memoryBytes() const override;

protected:
  artifact::Status prepare() override;

private:
  // Loading (CudaModelLoad.cpp).
  void layOutArguments();
  artifact::Status createSites();
  artifact::Status loadResidents();
  artifact::Status allocateTemporary(int32_t buffer);
  artifact::Status runPrepareSteps();
  artifact::Status examinePrepared(int32_t check);
  artifact::Status createEvents();

  // Planning for the sizes of a call (CudaModelPlan.cpp).
  artifact::Status selectPlan();
  artifact::Status makePlan(std::unique_ptr<CudaPlan> &plan);
  artifact::Status growArena(int32_t firstStep, int32_t endStep,
                             std::vector<int64_t> &offsets);
  artifact::Status growWorkspace(int32_t firstStep, int32_t endStep);
  artifact::Status grow(DeviceBlock &block, int64_t bytes, const char *what);
  artifact::Status growStaging(bool fromHost);
  void dropPlans();

  // Running (CudaModel.cpp).
  int32_t findTensor(const tenon_buffer &buffer) const;
  artifact::Status examineChecks() const;
  artifact::Status placeTensors(const tenon_tensor *inputs,
                                const tenon_tensor *outputs);
  artifact::Status enqueueRun();
  artifact::Status copyOnDevice(bool toStaging);
  artifact::Status enqueueCopies(bool toDevice);
  artifact::Status enqueueStep(int32_t step);
  artifact::Status enqueueKernel(int32_t step, void **parameters);

  // As graphs (CudaModelGraph.cpp), and for traces (CudaModelTrace.cpp).
  artifact::Status launch();
  artifact::Status launchTraced();
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

  std::vector<std::unique_ptr<CudaPlan>> plans;
  CudaPlan *plan = nullptr; // of the bound symbols
  uint64_t clock = 0;

  /// A tensor of the call: inputs, then outputs, then what checks write.
  struct Tensor {
    int32_t buffer = -1;      // the first of it; -1: no step uses it
    DeviceAddress caller = 0; // not 0: on the device already
    char *host = nullptr;     // of this call
    /// Not 0: on the device, but it goes through `staging`, too, because it is
    /// not at a multiple of what kernels rely on, or for the run to be a graph.
    DeviceAddress copied = 0;
  };
  std::vector<Tensor> tensors;
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
  std::vector<Event> events;            // only for traces: one more than steps
};

} // namespace tenon::runtime::cuda

#endif // TENON_LIB_RUNTIME_CUDA_CUDAMODEL_H
