//===- PipelineProcesses.cpp - what processes of a pipeline exchange ------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every process makes the same calls in the same order. What a caller is given
// goes from the ranks that have it to all others, so that all go on alike.
//
//===----------------------------------------------------------------------===//

#include "../StridedCopy.h"
#include "../Tables.h"
#include "PipelineModel.h"

using namespace tenon::artifact;

namespace tenon::runtime {

/// The tag behind those of links and sums.
static int getTag(const Pipeline &pipeline) {
  return static_cast<int>(2 * (pipeline.numLinks + pipeline.stages.size()));
}

Status PipelineModel::transfer(int peer, bool isSend, void *data,
                               size_t bytes) {
  int tag = getTag(pipeline);
  Expected<Transport::Ticket> ticket =
      isSend ? mpi->send(peer, tag, data, bytes)
             : mpi->receive(peer, tag, data, bytes);
  // The message's memory may be gone when this returns.
  return endAll(ticket ? mpi->wait(*ticket) : ticket.takeError());
}

Status PipelineModel::endAll(Status status) {
  if (!status && mpi)
    mpi->giveUp(status.error());
  return status;
}

/// How many losses a rank has in an iteration.
static size_t countLosses(const Pipeline &pipeline, size_t rank) {
  size_t count = 0;
  for (const PipelineStep &step : pipeline.ranks[rank])
    count += step.isForward() && step.stage == pipeline.lossStage;
  return count;
}

/// The first rank hears of all others that they have ended their tasks, and
/// tells all of the losses. So no rank goes on before all have come here.
Status PipelineModel::collectLosses(std::vector<PartialLoss> &losses) {
  int rank = mpi->getRank(), size = mpi->getSize();
  size_t own = losses.size(), all = 0;
  for (int other = 0; other < size; ++other)
    all += countLosses(pipeline, other);
  if (rank > 0) {
    if (Status status = transfer(0, /*isSend=*/true, losses.data(),
                                 own * sizeof(PartialLoss));
        !status)
      return status;
    losses.resize(all);
    return transfer(0, /*isSend=*/false, losses.data(),
                    all * sizeof(PartialLoss));
  }
  losses.resize(all);
  for (int other = 1; other < size; ++other) {
    size_t count = countLosses(pipeline, other);
    if (Status status = transfer(other, /*isSend=*/false, losses.data() + own,
                                 count * sizeof(PartialLoss));
        !status)
      return status;
    own += count;
  }
  for (int other = 1; other < size; ++other)
    if (Status status = transfer(other, /*isSend=*/true, losses.data(),
                                 all * sizeof(PartialLoss));
        !status)
      return status;
  return Status::success();
}

/// Every part goes from its rank to all others, in an order that all know.
Status PipelineModel::shareOutputs(tenon_tensor *outputs) {
  for (size_t owner = 0; owner < pipeline.ranks.size(); ++owner)
    for (const PipelineStep &step : pipeline.ranks[owner]) {
      if (!step.isForward())
        continue;
      for (const PipelineResult &result : pipeline.stages[step.stage].results)
        for (int64_t output : result.outputs) {
          PlanTensor place;
          place.dtype = result.dtype;
          place.shape = result.getShape(step.end - step.begin);
          place.axis = result.samples.axis;
          place.begin = step.begin * result.samples.rows;
          std::vector<int64_t> strides;
          tenon_tensor part = getPart(outputs[output], place, strides);
          if (place.getBytes() == 0)
            continue;
          std::vector<char> dense(place.getBytes());
          bool isOwner = mpi->getRank() == static_cast<int>(owner);
          if (isOwner)
            gather(part, dense.data());
          for (int peer = 0; peer < mpi->getSize(); ++peer) {
            if (peer == mpi->getRank() ||
                (!isOwner && peer != static_cast<int>(owner)))
              continue;
            if (Status status =
                    transfer(peer, isOwner, dense.data(), dense.size());
                !status)
              return status;
          }
          if (!isOwner)
            scatter(dense.data(), part);
        }
    }
  return Status::success();
}

/// A state goes from the first rank that has it to all others, or only to the
/// first rank of all.
Status PipelineModel::shareState(int32_t state, void *data) {
  Expected<int64_t> bytes = countBytes(states[state].value);
  if (!bytes)
    return bytes.takeError();
  int owner = 0, rank = mpi->getRank();
  while (owner < mpi->getSize() && !hasState(owner, state))
    ++owner;
  for (int peer = 0; peer < (isSaving ? 1 : mpi->getSize()); ++peer) {
    if (peer == owner || (rank != owner && rank != peer))
      continue;
    if (Status status = transfer(rank == owner ? peer : owner, rank == owner,
                                 data, static_cast<size_t>(*bytes));
        !status)
      return status;
  }
  return Status::success();
}

/// The first rank writes the file. All of them end together, so that a rank
/// that continues finds it complete.
Status PipelineModel::saveStates(const char *path) {
  if (!mpi)
    return Impl::saveStates(path);
  isSaving = true;
  Status status;
  if (mpi->getRank() == 0) {
    status = Impl::saveStates(path);
  } else {
    std::vector<char> data;
    for (size_t i = 0; i < states.size() && status; ++i) {
      Expected<int64_t> bytes = countBytes(states[i].value);
      if (!bytes)
        return bytes.takeError();
      data.resize(*bytes);
      if (*bytes > 0)
        status = readState(static_cast<int32_t>(i), data.data());
    }
  }
  isSaving = false;
  // A failure of the first rank ends the others.
  (void)endAll(status);
  char done = 0;
  for (int peer = 1; peer < mpi->getSize() && status; ++peer) {
    if (mpi->getRank() == 0)
      status = transfer(peer, /*isSend=*/true, &done, 1);
    else if (mpi->getRank() == peer)
      status = transfer(0, /*isSend=*/false, &done, 1);
  }
  return status;
}

} // namespace tenon::runtime
