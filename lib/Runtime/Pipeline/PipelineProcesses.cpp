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

Status PipelineModel::transfer(int peer, bool isSend, void *data,
                               size_t bytes) {
  Expected<Transport::Ticket> ticket =
      isSend ? mpi->send(peer, controlTag, data, bytes)
             : mpi->receive(peer, controlTag, data, bytes);
  // The message's memory may be gone when this returns.
  return endAll(ticket ? mpi->wait(*ticket) : ticket.takeError());
}

Status PipelineModel::endAll(Status status) {
  if (!status && mpi)
    mpi->giveUp(status.error());
  return status;
}

/// How often a rank adds to outputs in a part of its steps, which ends at a
/// barrier or with them.
size_t PipelineModel::countAddends(int32_t entry, int rank, size_t part) const {
  const tenon_rank_program &table = whole.entries[entry].ranks[rank];
  size_t count = 0, current = 0;
  for (int32_t i = 0; i < table.num_steps; ++i) {
    count += current == part && table.steps[i].kind == TENON_RANK_ADD;
    current += table.steps[i].kind == TENON_RANK_BARRIER;
  }
  return count;
}

/// The first rank hears of all others that they have come to the barrier, and
/// tells all what was added to outputs before it. So no rank continues before
/// all have come there. At the end of a run, there may be nothing to tell.
Status PipelineModel::collectAddends(int32_t entry, size_t part,
                                     bool hasEnded) {
  int rank = mpi->getRank(), size = mpi->getSize();
  std::vector<size_t> counts;
  size_t all = 0;
  for (int other = 0; other < size; ++other) {
    counts.push_back(countAddends(entry, other, part));
    all += counts.back();
  }
  if (hasEnded && all == 0)
    return Status::success();
  // Behind what a rank has added, how often it has restored states. Ranks that
  // differ would train on two sets of numbers.
  const std::vector<Addend> &own = runners.front()->getAddends();
  std::vector<Addend> told(own.end() - static_cast<int64_t>(counts[rank]),
                           own.end());
  auto exchange = [&](int peer, bool isSend, size_t begin, size_t count) {
    return transfer(peer, isSend, told.data() + begin, count * sizeof(Addend));
  };
  Status status;
  if (rank > 0) {
    told.push_back({-1, numRestores, rank, 0, 0});
    status = exchange(0, /*isSend=*/true, 0, told.size());
    told.resize(all);
    if (status)
      status = exchange(0, /*isSend=*/false, 0, all);
  } else {
    told.resize(all + 1);
    size_t begin = counts[0];
    for (int other = 1; other < size && status; ++other) {
      status = exchange(other, /*isSend=*/false, begin, counts[other] + 1);
      begin += counts[other];
      if (int64_t times = told[begin].begin; status && times != numRestores)
        status = endAll(makeError("rank ", other, " has restored states ",
                                  times, " times, but rank 0 ", numRestores,
                                  "; every process needs the file"));
    }
    told.resize(all);
    for (int other = 1; other < size && status; ++other)
      status = exchange(other, /*isSend=*/true, 0, all);
  }
  addends.insert(addends.end(), told.begin(), told.end());
  return status;
}

/// A tensor goes from its owner to all others.
Status PipelineModel::shareTensor(int owner, const tenon_tensor &tensor,
                                  int64_t bytes) {
  std::vector<char> dense(bytes);
  bool isOwner = mpi->getRank() == owner;
  if (isOwner)
    gather(tensor, dense.data());
  for (int peer = 0; peer < mpi->getSize(); ++peer) {
    if (peer == mpi->getRank() || (!isOwner && peer != owner))
      continue;
    if (Status status = transfer(peer, isOwner, dense.data(), dense.size());
        !status)
      return status;
  }
  if (!isOwner)
    scatter(dense.data(), tensor);
  return Status::success();
}

/// Every part of an output goes from its rank to all others, in an order that
/// all know.
Status PipelineModel::shareOutputs(const Run &run) {
  for (int owner = 0; owner < mpi->getSize(); ++owner) {
    const tenon_rank_program &table = whole.entries[run.entry].ranks[owner];
    Status status;
    for (int32_t i = 0; i < table.num_steps && status; ++i)
      forEachOutput(whole, table, table.steps[i], [&](int32_t number) {
        const tenon_rank_tensor &tensor = table.tensors[number];
        int64_t bytes = getBytes(tensor);
        std::vector<int64_t> strides;
        if (bytes > 0 && status)
          status = shareTensor(
              owner, getPart(run.outputs[tensor.index], tensor, strides),
              bytes);
      });
    if (!status)
      return status;
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

/// A failure of one rank ends the others, which would wait for it.
Status PipelineModel::restoreStates(const char *path) {
  ++numRestores;
  return endAll(Impl::restoreStates(path));
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
