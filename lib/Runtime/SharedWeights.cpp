//===- SharedWeights.cpp - the weights that an instance uses --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedWeights.h"
#include "WeightsStore.h"

#include <cstdio>
#include <utility>

using namespace tenon::artifact;

namespace tenon::runtime {

static constexpr const char *sharedWeight = "a shared weight";

SharedWeights::Piece::~Piece() {
  if (!owner || !piece.handle)
    return;
  noteMemoryChange();
  if (!owner->isOwn)
    owner->memory.give(static_cast<int64_t>(piece.bytes), sharedWeight);
  owner->weights->table->give_back(owner->weights, &piece);
}

void SharedWeights::Piece::swap(Piece &other) {
  std::swap(owner, other.owner);
  std::swap(piece, other.piece);
}

SharedWeights::~SharedWeights() { close(); }

void SharedWeights::close() {
  if (tenon_weights *open = std::exchange(weights, nullptr))
    open->table->release(open);
}

Status SharedWeights::use(tenon_weights *given) {
  const tenon_weights_table *table = given->table;
  if (!table || table->struct_size < sizeof(tenon_weights_table))
    return makeError("weights: expected a pointer from tenon_open_weights");
  if (table->version != TENON_WEIGHTS_VERSION)
    return makeError("weights: expected version ", TENON_WEIGHTS_VERSION,
                     ", but got ", table->version,
                     ": open them with a newer artifact");
  table->retain(given);
  weights = given;
  return Status::success();
}

Status SharedWeights::useFile(const std::string &path) {
  isOwn = path.empty() || !memory.isSystem() || memory.isPlanned();
  Expected<WeightsStore *> store =
      isOwn ? WeightsStore::openOwn(memory, path) : WeightsStore::share(path);
  if (!store)
    return store.takeError();
  weights = *store;
  return Status::success();
}

void SharedWeights::describe(const std::string &reason,
                             tenon_weights_error *error) {
  std::snprintf(error->reason, error->reason_bytes, "%s", reason.c_str());
}

Expected<SharedWeights::Piece> SharedWeights::count(tenon_weights_piece piece) {
  if (piece.handle && !isOwn)
    if (Status status =
            memory.take(static_cast<int64_t>(piece.bytes), sharedWeight);
        !status) {
      weights->table->give_back(weights, &piece);
      return status.takeError();
    }
  Piece result;
  result.owner = this;
  result.piece = piece;
  if (piece.handle)
    noteMemoryChange();
  return result;
}

Expected<SharedWeights::Piece> SharedWeights::find(const tenon_value &value) {
  tenon_tensor expected = {};
  expected.device_type = TENON_DEVICE_CPU;
  expected.ndim = value.rank;
  expected.dtype = value.dtype;
  expected.shape = const_cast<int64_t *>(value.shape);
  tenon_weights_piece piece = {};
  char reason[2048] = "";
  tenon_weights_error error = {reason, sizeof reason};
  if (weights->table->find(weights, value.name, &expected, &piece, &error) != 0)
    return makeError(reason);
  return count(piece);
}

void SharedWeights::drop(const Piece &piece) {
  weights->table->drop(weights, &piece.piece);
}

Expected<SharedWeights::Piece>
SharedWeights::acquireWith(const std::string &key, int64_t bytes,
                           MakeFunction make, void *context) {
  tenon_weights_piece piece = {};
  char reason[2048] = "";
  tenon_weights_error error = {reason, sizeof reason};
  if (weights->table->acquire(weights, key.data(), key.size(),
                              static_cast<uint64_t>(bytes), make, context,
                              &piece, &error) != 0)
    return makeError(reason);
  return count(piece);
}

} // namespace tenon::runtime
