//===- RankMemory.cpp - what buffers and states hold ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RankMemory.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::parallelize;

bool tenon::parallelize::isCover(const std::vector<Samples> &list,
                                 int64_t count, int64_t times) {
  // How many more there are from a sample on.
  std::map<int64_t, int64_t> changes;
  for (const Samples &samples : list) {
    if (samples.begin >= samples.end)
      return false;
    ++changes[samples.begin];
    --changes[samples.end];
  }
  int64_t now = 0, last = 0;
  for (auto [sample, change] : changes) {
    if (sample > last && now != times)
      return false;
    now += change;
    last = sample;
  }
  return !changes.empty() && changes.begin()->first == 0 && last == count;
}

namespace {
/// What a value is a part of, and which.
struct Place {
  Value whole;
  int64_t axis = -1, begin = 0, end = 0;
};
} // namespace

static Place getPlace(Value buffer) {
  auto part = buffer.getDefiningOp<program::PartOp>();
  if (!part)
    return {buffer};
  auto axis = static_cast<int64_t>(part.getAxis());
  auto begin = static_cast<int64_t>(part.getBegin());
  int64_t size = program::getTensorType(buffer).getDimSize(axis);
  RankedTensorType whole = program::getTensorType(part.getWhole());
  if (size == whole.getDimSize(axis))
    return {part.getWhole()};
  return {part.getWhole(), axis, begin, begin + size};
}

bool BufferContents::write(Value buffer, const Content &content, int64_t rank) {
  Place place = getPlace(buffer);
  std::vector<Piece> &held = pieces[place.whole];
  bool isOwn = true;
  llvm::erase_if(held, [&](const Piece &piece) {
    bool isApart = piece.axis >= 0 && piece.axis == place.axis &&
                   (piece.end <= place.begin || place.end <= piece.begin);
    isOwn &= isApart || piece.rank == rank;
    return !isApart;
  });
  held.push_back({place.axis, place.begin, place.end, content, rank});
  return isOwn;
}

std::optional<Content> BufferContents::readBlock(const Piece &piece,
                                                 int64_t axis, int64_t begin,
                                                 int64_t end) const {
  Content content = piece.content;
  Rows rows = model.getRows(content.value);
  int64_t size = (content.samples.end - content.samples.begin) * rows.count;
  if (rows.blocks == 1 || piece.axis >= 0 || content.block >= 0 ||
      axis != rows.axis || size == 0 || begin % size != 0 ||
      end != begin + size)
    return std::nullopt;
  content.block = begin / size;
  return content;
}

std::optional<Content>
BufferContents::joinBlocks(const std::vector<Piece> &held) const {
  if (held.empty() || held.front().content.block < 0)
    return std::nullopt;
  ModelValues::Number value = held.front().content.value;
  Rows rows = model.getRows(value);
  int64_t samples = model.getMiniBatch(), next = 0;
  std::vector<Piece> sorted = held;
  llvm::sort(sorted,
             [](const Piece &a, const Piece &b) { return a.begin < b.begin; });
  for (const Piece &piece : sorted) {
    const Content &content = piece.content;
    int64_t count = content.samples.end - content.samples.begin;
    if (!(content.value == value) || piece.axis != rows.axis ||
        piece.begin != next ||
        next != (content.block * samples + content.samples.begin) * rows.count)
      return std::nullopt;
    next += count * rows.count;
  }
  if (next != rows.blocks * samples * rows.count)
    return std::nullopt;
  return Content{value, {0, samples}, {}};
}

std::optional<Content> BufferContents::read(Value buffer) const {
  Place place = getPlace(buffer);
  auto found = pieces.find(place.whole);
  if (found == pieces.end())
    return std::nullopt;
  for (const Piece &piece : found->second)
    if (piece.axis == place.axis && piece.begin == place.begin &&
        piece.end == place.end)
      return piece.content;
  if (place.axis < 0) {
    if (std::optional<Content> joined = joinBlocks(found->second))
      return joined;
  } else if (found->second.size() == 1) {
    if (std::optional<Content> block = readBlock(
            found->second.front(), place.axis, place.begin, place.end))
      return block;
  }
  // Consecutive samples of one value, from one piece to the next; what is equal
  // for all samples, or zero, has no order.
  auto isZero = [&](const Content &content) {
    return model.expressions.isZero(model.getId(content.value, 0));
  };
  RankedTensorType type = program::getTensorType(place.whole);
  std::optional<Content> made;
  int64_t next = place.begin, end = place.end;
  do {
    bool goesOn = false;
    for (const Piece &piece : found->second) {
      Rows rows = model.getRows(piece.content.value);
      bool areZeros = isZero(piece.content);
      if (areZeros)
        rows = {piece.axis >= 0 ? piece.axis : place.axis, 1, true};
      bool isSame = !made || made->value == piece.content.value ||
                    (areZeros && isZero(*made));
      if (rows.axis < 0 || rows.blocks != 1 || !isSame ||
          (place.axis >= 0 && place.axis != rows.axis) ||
          (piece.axis >= 0 && piece.axis != rows.axis))
        continue;
      if (place.axis < 0)
        end = type.getDimSize(rows.axis);
      int64_t first = piece.axis < 0 ? 0 : piece.begin;
      int64_t last = piece.axis < 0 ? type.getDimSize(rows.axis) : piece.end;
      last = std::min(last, end);
      if (next < first || next >= last || (next - first) % rows.count != 0 ||
          (last - first) % rows.count != 0)
        continue;
      Samples samples;
      if (!rows.areEqual) {
        samples = {piece.content.samples.begin + (next - first) / rows.count,
                   piece.content.samples.begin + (last - first) / rows.count};
        if (made && made->samples.end != samples.begin)
          continue;
      }
      if (made)
        made->samples.end = samples.end;
      else
        made = Content{piece.content.value, samples, {}};
      next = last;
      goesOn = true;
    }
    if (!goesOn)
      return std::nullopt;
  } while (next < end);
  if (isZero(*made))
    made->value = {false,
                   model.expressions.getZero(program::getTensorType(buffer))};
  return made;
}
