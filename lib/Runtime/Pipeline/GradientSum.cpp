//===- GradientSum.cpp - sums over ranks ----------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GradientSum.h"

#include <algorithm>
#include <cstring>

using namespace tenon::artifact;

namespace tenon::runtime {

/// Parts and summands begin at such offsets, so that no element is cut.
static constexpr size_t alignment = 64;

static size_t roundUp(size_t bytes) {
  return (bytes + alignment - 1) / alignment * alignment;
}

GradientSum::GradientSum(Model &model, Transport &transport, HostMemory &memory,
                         std::vector<int64_t> ranks, int tag,
                         std::vector<Summand> summands)
    : model(model), transport(transport), memory(memory),
      ranks(std::move(ranks)), tag(tag), summands(std::move(summands)) {
  for (const Summand &one : this->summands) {
    Place place;
    place.offset = dataBytes;
    place.count = 1;
    for (int64_t size : one.shape)
      place.count *= size;
    dataBytes = roundUp(dataBytes + place.count * dtypeSize(one.dtype));
    places.push_back(place);
  }
  own = std::find(this->ranks.begin(), this->ranks.end(), transport.getRank()) -
        this->ranks.begin();
}

Status GradientSum::allocate() {
  auto make = [&](Block &block, size_t bytes) -> Status {
    Expected<Block> made = Block::allocate(memory, static_cast<int64_t>(bytes),
                                           "sums of gradients");
    if (!made)
      return made.takeError();
    block = std::move(*made);
    return Status::success();
  };
  if (Status status = make(data, dataBytes); !status)
    return status;
  return make(inbox, ranks.size() * getPartBytes(own));
}

size_t GradientSum::getBegin(size_t part) const {
  size_t lines = dataBytes / alignment;
  return part * lines / ranks.size() * alignment;
}

static tenon_tensor makeTensor(Summand &state, void *data) {
  tenon_tensor tensor = {};
  tensor.data = data;
  tensor.device_type = TENON_DEVICE_CPU;
  tensor.ndim = static_cast<int32_t>(state.shape.size());
  tensor.dtype = toDLDType(state.dtype);
  tensor.shape = state.shape.data();
  return tensor;
}

Status GradientSum::begin(const std::vector<tenon_tensor> &tensors) {
  tickets.clear();
  buffers.assign(summands.size(), nullptr);
  for (size_t i = 0; i < summands.size(); ++i) {
    char *place = data.data() + places[i].offset;
    if (summands[i].tensor >= 0) {
      const tenon_tensor &tensor = tensors[summands[i].tensor];
      buffers[i] = static_cast<char *>(tensor.data) + tensor.byte_offset;
      // Without elements, it may have no memory.
      if (places[i].count > 0)
        std::memcpy(place, buffers[i],
                    places[i].count * dtypeSize(summands[i].dtype));
      continue;
    }
    tenon_tensor tensor = makeTensor(summands[i], place);
    if (Status status = model.getState(summands[i].name.c_str(), &tensor);
        !status)
      return status;
  }
  phase = Phase::Scatter;
  return exchange(/*isScatter=*/true);
}

/// Scatter: to each rank its part. Gather: the own part to all.
Status GradientSum::exchange(bool isScatter) {
  for (size_t i = 0; i < ranks.size(); ++i) {
    if (i == own)
      continue;
    int peer = static_cast<int>(ranks[i]), now = tag + !isScatter;
    size_t sent = isScatter ? i : own;
    char *target = isScatter ? inbox.data() + i * getPartBytes(own)
                             : data.data() + getBegin(i);
    Expected<Transport::Ticket> receive =
        transport.receive(peer, now, target, getPartBytes(isScatter ? own : i));
    if (!receive)
      return receive.takeError();
    tickets.push_back(*receive);
    Expected<Transport::Ticket> send = transport.send(
        peer, now, data.data() + getBegin(sent), getPartBytes(sent));
    if (!send)
      return send.takeError();
    tickets.push_back(*send);
  }
  return Status::success();
}

Expected<bool> GradientSum::waitForAll(bool mayWait) {
  while (!tickets.empty()) {
    if (mayWait) {
      if (Status status = transport.wait(tickets.back()); !status)
        return status.takeError();
    } else if (Expected<bool> isDone = transport.test(tickets.back());
               !isDone || !*isDone) {
      return isDone;
    }
    tickets.pop_back();
  }
  return true;
}

template <typename T>
static void sum(T *target, const std::vector<const char *> &sources,
                size_t offset, size_t count, bool isMean) {
  for (size_t i = 0; i < count; ++i) {
    T value = reinterpret_cast<const T *>(sources[0] + offset)[i];
    for (size_t source = 1; source < sources.size(); ++source)
      value += reinterpret_cast<const T *>(sources[source] + offset)[i];
    target[i] = isMean ? value / static_cast<T>(sources.size()) : value;
  }
}

void GradientSum::sumOwnPart() {
  size_t begin = getBegin(own), end = getBegin(own + 1);
  std::vector<const char *> sources;
  for (size_t i = 0; i < ranks.size(); ++i)
    sources.push_back(i == own ? data.data() + begin
                               : inbox.data() + i * getPartBytes(own));
  for (size_t i = 0; i < summands.size(); ++i) {
    size_t size = dtypeSize(summands[i].dtype);
    size_t first = std::max(begin, places[i].offset);
    size_t last = std::min(end, places[i].offset + places[i].count * size);
    if (first >= last)
      continue;
    char *target = data.data() + first;
    size_t count = (last - first) / size;
    if (summands[i].dtype == DType::F64)
      sum(reinterpret_cast<double *>(target), sources, first - begin, count,
          summands[i].isMean);
    else
      sum(reinterpret_cast<float *>(target), sources, first - begin, count,
          summands[i].isMean);
  }
}

Status GradientSum::writeSums() {
  for (size_t i = 0; i < summands.size(); ++i) {
    char *place = data.data() + places[i].offset;
    if (summands[i].tensor >= 0) {
      if (places[i].count > 0)
        std::memcpy(buffers[i], place,
                    places[i].count * dtypeSize(summands[i].dtype));
      continue;
    }
    tenon_tensor tensor = makeTensor(summands[i], place);
    if (Status status = model.setState(summands[i].name.c_str(), &tensor);
        !status)
      return status;
  }
  return Status::success();
}

Expected<bool> GradientSum::advance(bool mayWait) {
  while (phase != Phase::Idle) {
    Expected<bool> isDone = waitForAll(mayWait);
    if (!isDone || !*isDone)
      return isDone;
    Status status;
    if (phase == Phase::Scatter) {
      sumOwnPart();
      status = exchange(/*isScatter=*/false);
      phase = Phase::Gather;
    } else {
      status = writeSums();
      phase = Phase::Idle;
    }
    if (!status)
      return status.takeError();
  }
  return true;
}

} // namespace tenon::runtime
