//===- Parameters.cpp - the parameters of an instance -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parameters.h"

#include "tenon/Artifact/DType.h"
#include "tenon/Artifact/Philox.h"
#include "tenon/Artifact/TensorData.h"
#include "tenon/Runtime/Parallel.h"

#include <algorithm>
#include <cstring>

using namespace tenon::artifact;

namespace tenon::runtime {

Status Parameters::open(const tenon_program &program, const std::string &path) {
  Expected<SafetensorsFile> opened = SafetensorsFile::open(path);
  if (!opened)
    return makeError("parameters: ", opened.error());
  file = std::move(*opened);
  owned.resize(program.num_params);
  for (int32_t i = 0; i < program.num_params; ++i) {
    const tenon_value &value = program.params[i];
    const SafetensorsEntry *entry = file->find(value.name);
    if (!entry)
      return makeError("parameter '", value.name, "' is missing in '", path,
                       "'");
    std::optional<DType> dtype = fromDLDType(value.dtype);
    std::vector<int64_t> shape(value.shape, value.shape + value.rank);
    if (!dtype || *dtype != entry->dtype || shape != entry->shape)
      return makeError("parameter '", value.name, "' in '", path,
                       "': expected ",
                       dtype ? formatType(*dtype, shape) : "another type",
                       ", but got ", formatType(entry->dtype, entry->shape));
    const uint8_t *data = file->data(*entry);
    // Files of other writers may hold tensors at any byte.
    if (reinterpret_cast<uintptr_t>(data) % dtypeSize(*dtype) != 0) {
      Expected<Block> copy = Block::allocate(static_cast<int64_t>(entry->bytes),
                                             "a copy of a parameter");
      if (!copy)
        return copy.takeError();
      std::memcpy(copy->data(), data, entry->bytes);
      owned[i] = std::move(*copy);
      data = reinterpret_cast<const uint8_t *>(owned[i].data());
    }
    pointers.push_back(data);
    sizes.push_back(static_cast<int64_t>(entry->bytes));
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

Status Parameters::draw(const tenon_program &program, uint64_t seed,
                        int threads) {
  owned.resize(program.num_params);
  for (int32_t i = 0; i < program.num_params; ++i) {
    const tenon_value &value = program.params[i];
    std::optional<DType> dtype = fromDLDType(value.dtype);
    if (!dtype)
      return makeError("parameter '", value.name,
                       "' has an unknown element type");
    std::vector<int64_t> shape(value.shape, value.shape + value.rank);
    Expected<int64_t> count = countElements(shape, dtypeSize(*dtype));
    if (!count)
      return makeError("parameter '", value.name, "': ", count.error());
    int64_t bytes = *count * static_cast<int64_t>(dtypeSize(*dtype));
    Expected<Block> block = Block::allocate(bytes, "a drawn parameter");
    if (!block)
      return block.takeError();
    owned[i] = std::move(*block);
    Draw draw{owned[i].data(), *dtype, streamKey(seed, value.name),
              defaultParameterDistribution(*dtype, shape)};
    parallelFor(*count, 4096, threads, drawPart, &draw);
    pointers.push_back(owned[i].data());
    sizes.push_back(bytes);
  }
  return Status::success();
}

void Parameters::drop(int32_t index) {
  if (pointers[index] && !owned[index].data())
    dropPages(pointers[index], sizes[index]);
}

void Parameters::release(int32_t index) {
  drop(index);
  if (owned[index].data()) {
    owned[index] = Block();
    pointers[index] = nullptr;
  }
}

int64_t Parameters::ownedBytes() const {
  int64_t sum = 0;
  for (const Block &block : owned)
    sum += block.size();
  return sum;
}

} // namespace tenon::runtime
