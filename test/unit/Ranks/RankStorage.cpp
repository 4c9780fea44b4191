//===- RankStorage.cpp - the bytes of all ranks ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RankStorage.h"
#include "tenon/Interpret/TensorConversion.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::ranks;

/// Writers of a byte that are no ranks.
static constexpr int undefined = -1, caller = -2;
/// A NaN, if it fills a float.
static constexpr uint8_t fill = 0xff;

Value tenon::ranks::getWhole(Value buffer) {
  auto part = buffer.getDefiningOp<program::PartOp>();
  return part ? part.getWhole() : buffer;
}

Bytes tenon::ranks::toBytes(const interpret::Tensor &tensor) {
  artifact::TensorData data = interpret::toData(tensor, interpret::Domain());
  const auto *begin = reinterpret_cast<const uint8_t *>(data.bytes.data());
  return Bytes(begin, begin + data.bytes.size());
}

interpret::Tensor tenon::ranks::toTensor(const Bytes &bytes,
                                         RankedTensorType type) {
  return *interpret::fromBytes(
      bytes.data(), interpret::getDType(type.getElementType()),
      type.getElementType(), type.getShape(), interpret::Domain());
}

static size_t countBytes(RankedTensorType type) {
  return static_cast<size_t>(*program::countBytes(type).getConstant());
}

RankStorage::Storage *RankStorage::addStorage(size_t size) {
  Storage &storage = storages.emplace_back();
  storage.bytes.assign(size, fill);
  storage.writers.assign(size, undefined);
  return &storage;
}

RankStorage::RankStorage(program::RanksOp ranks,
                         ArrayRef<interpret::Tensor> inputs) {
  size_t number = 0;
  for (Operation &op : ranks.getBody().front()) {
    if (isa<program::RankOp>(op))
      break;
    Storage *storage =
        addStorage(::countBytes(program::getTensorType(op.getResult(0))));
    places[op.getResult(0)] = {storage, 0};
    if (!isa<program::InputOp>(op))
      continue;
    storage->bytes = toBytes(inputs[number++]);
    storage->writers.assign(storage->bytes.size(), caller);
  }
  for (program::RankOp rank : ranks.getRanks()) {
    Storage *shared = addStorage(0);
    arenas.emplace_back();
    for (auto arena : rank.getBody().getOps<program::ArenaOp>()) {
      size_t size = ::countBytes(program::getTensorType(arena));
      arenas.back().push_back(arena);
      if (!arena.getOffset()) {
        places[arena] = {addStorage(size), 0};
        continue;
      }
      auto offset = static_cast<size_t>(*arena.getOffset());
      if (shared->bytes.size() < offset + size) {
        shared->bytes.resize(offset + size, fill);
        shared->writers.resize(offset + size, undefined);
      }
      places[arena] = {shared, offset};
    }
  }
}

void RankStorage::beginStep(unsigned rank, int64_t number) {
  for (program::ArenaOp arena : arenas[rank]) {
    if (static_cast<int64_t>(arena.getFirst()) != number)
      continue;
    for (const Range &range : getRanges(arena))
      for (size_t i = range.begin; i < range.end; ++i) {
        range.storage->bytes[i] = fill;
        range.storage->writers[i] = undefined;
      }
  }
}

RankStorage::Ranges RankStorage::getRanges(Value buffer) const {
  RankedTensorType type = program::getTensorType(buffer);
  auto part = buffer.getDefiningOp<program::PartOp>();
  Place place = places.lookup(getWhole(buffer));
  if (!part)
    return {{place.storage, place.offset, place.offset + ::countBytes(type)}};
  RankedTensorType whole = program::getTensorType(part.getWhole());
  auto axis = static_cast<int64_t>(part.getAxis());
  size_t outer = 1, inner = (type.getElementTypeBitWidth() + 7) / 8;
  for (int64_t i = 0; i < type.getRank(); ++i)
    (i < axis ? outer : inner) *= i == axis ? 1 : type.getDimSize(i);
  Ranges ranges;
  for (size_t i = 0; i < outer; ++i) {
    size_t begin =
        place.offset + (i * whole.getDimSize(axis) + part.getBegin()) * inner;
    ranges.push_back(
        {place.storage, begin, begin + type.getDimSize(axis) * inner});
  }
  return ranges;
}

bool RankStorage::overlap(Value one, Value other) const {
  for (const Range &a : getRanges(one))
    for (const Range &b : getRanges(other))
      if (a.storage == b.storage && a.begin < b.end && b.begin < a.end)
        return true;
  return false;
}

bool RankStorage::isFree(const Ranges &ranges, bool writes,
                         std::string &error) const {
  for (const Use &use : uses) {
    if (!writes && !use.writes)
      continue;
    for (const Range &used : use.ranges)
      for (const Range &range : ranges)
        if (used.storage == range.storage && used.begin < range.end &&
            range.begin < used.end) {
          error = writes ? "writes a buffer that a message still uses"
                         : "reads a buffer that a message still writes";
          return false;
        }
  }
  return true;
}

std::optional<Bytes> RankStorage::load(unsigned rank, const Ranges &ranges,
                                       std::string &error) const {
  Bytes bytes;
  for (const Range &range : ranges)
    for (size_t i = range.begin; i < range.end; ++i) {
      int writer = range.storage->writers[i];
      if (writer != caller && writer != static_cast<int>(rank)) {
        error = writer == undefined ? "reads what no step has written"
                                    : "reads what another rank has written";
        return std::nullopt;
      }
      bytes.push_back(range.storage->bytes[i]);
    }
  return bytes;
}

void RankStorage::save(unsigned rank, const Ranges &ranges,
                       const Bytes &bytes) {
  size_t next = 0;
  for (const Range &range : ranges)
    for (size_t i = range.begin; i < range.end; ++i) {
      range.storage->bytes[i] = bytes[next++];
      range.storage->writers[i] = static_cast<int>(rank);
    }
}

std::optional<Bytes> RankStorage::read(unsigned rank, Value buffer,
                                       std::string &error) const {
  Ranges ranges = getRanges(buffer);
  if (!isFree(ranges, /*writes=*/false, error))
    return std::nullopt;
  return load(rank, ranges, error);
}

bool RankStorage::write(unsigned rank, Value buffer, const Bytes &bytes,
                        std::string &error) {
  Ranges ranges = getRanges(buffer);
  if (!isFree(ranges, /*writes=*/true, error))
    return false;
  save(rank, ranges, bytes);
  return true;
}

bool RankStorage::beginUse(unsigned rank, Operation *message,
                           std::string &error) {
  bool writes = isa<program::ReceiveOp>(message);
  Ranges ranges = getRanges(message->getOperand(0));
  if (!isFree(ranges, writes, error))
    return false;
  if (!writes && !load(rank, ranges, error))
    return false;
  uses.push_back({message, writes, std::move(ranges)});
  return true;
}

void RankStorage::endUse(Operation *message) {
  llvm::erase_if(uses, [&](const Use &use) { return use.message == message; });
}

std::optional<Bytes> RankStorage::fetch(unsigned rank, Operation *send,
                                        std::string &error) const {
  return load(rank, getRanges(send->getOperand(0)), error);
}

void RankStorage::store(unsigned rank, Operation *receive, const Bytes &bytes) {
  save(rank, getRanges(receive->getOperand(0)), bytes);
}

std::optional<Bytes> RankStorage::getOutput(program::OutputOp output) const {
  const Storage &storage = *places.lookup(output).storage;
  if (llvm::is_contained(storage.writers, undefined))
    return std::nullopt;
  return storage.bytes;
}

bool RankStorage::isWritten(program::OutputOp output) const {
  const Storage &storage = *places.lookup(output).storage;
  return llvm::any_of(storage.writers,
                      [](int writer) { return writer != undefined; });
}
