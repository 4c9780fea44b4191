//===- Parameters.cpp - the parameters of an instance -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parameters.h"
#include "Tables.h"

#include "tenon/Artifact/DType.h"
#include "tenon/Artifact/Philox.h"
#include "tenon/Artifact/TensorData.h"
#include "tenon/Runtime/Parallel.h"

using namespace tenon::artifact;

namespace tenon::runtime {

Status Parameters::open() {
  for (int32_t i = 0; i < program.num_params; ++i) {
    Expected<SharedWeights::Piece> piece = weights.find(program.params[i]);
    if (!piece)
      return piece.takeError();
    Expected<int64_t> bytes = countBytes(program.params[i]);
    if (!bytes)
      return makeError("parameter ", bytes.error());
    pieces.push_back(std::move(*piece));
    pointers.push_back(pieces.back().data());
    sizes.push_back(*bytes);
  }
  return Status::success();
}

namespace {
struct Draw {
  char *data;
  DType dtype;
  uint64_t key;
  Distribution distribution;
};
} // namespace

static void drawPart(void *data, int, int64_t lo, int64_t hi) {
  const Draw &draw = *static_cast<const Draw *>(data);
  fillRandom(draw.data + lo * dtypeSize(draw.dtype), draw.dtype, lo, hi,
             draw.key, draw.distribution);
}

Status Parameters::listSizes() {
  drawn.resize(program.num_params);
  pointers.resize(program.num_params);
  for (int32_t i = 0; i < program.num_params; ++i) {
    const tenon_value &value = program.params[i];
    if (!fromDLDType(value.dtype))
      return makeError("parameter '", value.name,
                       "' has an unknown element type");
    Expected<int64_t> bytes = countBytes(value);
    if (!bytes)
      return makeError("parameter ", bytes.error());
    sizes.push_back(*bytes);
  }
  return Status::success();
}

Status Parameters::draw(uint64_t seed, int threads) {
  drawSeed = seed;
  drawThreads = threads;
  return listSizes();
}

Status Parameters::plan(HostMemory &inPlace) {
  plannedPlace = &inPlace;
  return listSizes();
}

Status Parameters::drawOne(int32_t index) {
  Expected<Block> block = Block::allocate(plannedPlace ? *plannedPlace : memory,
                                          sizes[index], "a drawn parameter");
  if (!block)
    return block.takeError();
  drawn[index] = std::move(*block);
  pointers[index] = drawn[index].data();
  if (memory.isPlanned())
    return Status::success();
  const tenon_value &value = program.params[index];
  DType dtype = *fromDLDType(value.dtype);
  std::vector<int64_t> shape(value.shape, value.shape + value.rank);
  Draw draw{drawn[index].data(), dtype, streamKey(drawSeed, value.name),
            defaultParameterDistribution(dtype, shape)};
  parallelFor(sizes[index] / static_cast<int64_t>(dtypeSize(dtype)), 4096,
              drawThreads, drawPart, &draw);
  return Status::success();
}

void Parameters::drop(int32_t index) {
  if (drawn.empty() && pointers[index])
    weights.drop(pieces[index]);
}

void Parameters::release(int32_t index) {
  drop(index);
  if (!drawn.empty())
    drawn[index] = Block();
  else if (pieces[index].size() > 0)
    pieces[index] = SharedWeights::Piece();
  else
    return; // the file's
  pointers[index] = nullptr;
}

Status Parameters::reload(int32_t index) {
  if (pointers[index] || sizes[index] == 0)
    return Status::success();
  if (!drawn.empty())
    return drawOne(index);
  Expected<SharedWeights::Piece> piece = weights.find(program.params[index]);
  if (!piece)
    return piece.takeError();
  pieces[index] = std::move(*piece);
  pointers[index] = pieces[index].data();
  return Status::success();
}

void Parameters::releaseAll() {
  for (int32_t i = 0; i < static_cast<int32_t>(pointers.size()); ++i)
    release(i);
}

int64_t Parameters::ownedBytes() const {
  int64_t sum = 0;
  for (const Block &block : drawn)
    sum += block.size();
  for (const SharedWeights::Piece &piece : pieces)
    sum += piece.size();
  return sum;
}

} // namespace tenon::runtime
