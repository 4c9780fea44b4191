//===- PipelineModel.h - an instance whose ranks run a pipeline -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// To its callers, a pipeline is a model like others: an entry is run on the
// whole mini-batch, and has states. The ranks are threads of this process, or
// run one after the other on the calling thread, or are processes under mpirun,
// each of which makes the same calls and is given the same results.
//
// A run that fails before a barrier changes nothing that steps behind it would:
// no rank continues before all have come there. So a training step that fails
// changes no trained parameter. Only the statistics of batch norms, which
// forward tasks write, may have changed.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_PIPELINE_PIPELINEMODEL_H
#define TENON_LIB_RUNTIME_PIPELINE_PIPELINEMODEL_H

#include "../ModelImpl.h"
#include "RankRunner.h"
#include "RankThreads.h"
#include "Transport.h"

namespace tenon::runtime {

/// What callers see of the program of a pipeline, and what each rank has of it.
struct PipelineTables {
  /// `checkRanks` must have accepted the program.
  explicit PipelineTables(const tenon_program &program);

  /// Whether the program of a rank has a state of callers.
  bool hasState(size_t rank, int32_t state) const;

  const tenon_program &whole;
  const int controlTag; // of messages that are no steps of ranks
  ProgramSlice called;  // the entries of callers
  /// Without transient states, which only tasks see.
  std::vector<tenon_state> states;
  tenon_program visible;
  std::vector<std::shared_ptr<const ProgramSlice>> slices; // by rank
};

class PipelineModel : private PipelineTables, public Model::Impl {
public:
  /// `hasCpu` has the same meaning as for DeviceRuntime::createModel.
  PipelineModel(const tenon_program &program, const LoadSettings &settings,
                bool hasCpu)
      : PipelineTables(program), Impl(visible, settings, /*cudaDevice=*/-1),
        hasCpu(hasCpu) {
    threads = 1; // of the calling thread
  }
  ~PipelineModel() override;

  artifact::Status run(EntryState &entry, const tenon_tensor *inputs,
                       size_t numInputs, tenon_tensor *outputs,
                       size_t numOutputs) override;
  artifact::Status planFor(EntryState &entry, const tenon_tensor *inputs,
                           size_t numInputs) override;
  artifact::Status resetStates() override;
  artifact::Status saveStates(const char *path) override;
  artifact::Status restoreStates(const char *path) override;
  artifact::Status observe(tenon_observer callback, void *context) override;
  const char *traceJson() override;
  void countUnplanned(tenon_memory_plan &plan) const override {
    runners.front()->getModel().countUnplanned(plan);
  }
  uint64_t memoryBytes() const override;

protected:
  artifact::Status prepare() override;
  artifact::Status readState(int32_t state, void *data) override;
  artifact::Status writeState(int32_t state, const void *data) override;
  artifact::Expected<const void *> fetchBuffer(int32_t buffer) override;

private:
  // Loading (PipelineLoad.cpp).
  bool isNccl() const {
    return settings.options.channels == TENON_CHANNELS_NCCL;
  }
  bool hasProcesses() const;
  artifact::Status checkChannels() const;
  artifact::Status openTransports();
  artifact::Expected<int32_t> chooseDevice(size_t rank) const;
  std::unique_ptr<RankRunner> makeRank(size_t rank);
  artifact::Status loadRanks();
  artifact::Status planRank();
  RankRunner *findRunner(int32_t state);
  tenon_tensor makeTensor(int32_t state, std::vector<int64_t> &shape,
                          void *data) const;

  // Runs of the ranks of this process.
  struct Run {
    int32_t entry;
    const tenon_tensor *inputs;
    tenon_tensor *outputs;
  };
  artifact::Status runRanks(const Run &run);
  artifact::Expected<RankState> advanceRanks(const Run &run, bool isFirst);
  artifact::Expected<RankState> advanceThreads(const Run &run, bool isFirst);
  artifact::Expected<RankState> advanceInTurn(const Run &run, bool isFirst);
  artifact::Expected<RankState> advanceRank(RankRunner &runner, const Run &run,
                                            bool isFirst);
  void writeSums(tenon_tensor *outputs);

  // Between processes (PipelineProcesses.cpp).
  size_t countAddends(int32_t entry, int rank, size_t part) const;
  artifact::Status collectAddends(int32_t entry, size_t part, bool hasEnded);
  artifact::Status shareOutputs(const Run &run);
  artifact::Status shareTensor(int owner, const tenon_tensor &tensor,
                               int64_t bytes);
  artifact::Status shareState(int32_t state, void *data);
  artifact::Status collectTrace(std::vector<char> &records);
  artifact::Status transfer(int peer, bool isSend, void *data, size_t bytes);
  /// Under MPI, a failure of one process ends all, which else would wait.
  artifact::Status endAll(artifact::Status status);

  const bool hasCpu;
  std::unique_ptr<LocalTransports> local;
  Transport *mpi = nullptr;
  std::vector<std::unique_ptr<RankRunner>> runners; // of this process
  RankThreads rankThreads;
  int64_t numRestores = 0;
  std::vector<Addend> addends; // of all ranks, in this run
  /// Whether a run was not completed, so that transient states may not be zero.
  bool wasInterrupted = false;
  /// While states are saved, they are sent to the first rank alone.
  bool isSaving = false;
  std::string traceText;
};

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_PIPELINE_PIPELINEMODEL_H
