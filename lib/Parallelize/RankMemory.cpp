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

bool tenon::parallelize::isCover(std::vector<Samples> list, int64_t count) {
  llvm::sort(list);
  int64_t next = 0;
  for (const Samples &samples : list) {
    if (samples.begin != next || samples.end <= next)
      return false;
    next = samples.end;
  }
  return next == count;
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

std::optional<Content> BufferContents::read(Value buffer) const {
  Place place = getPlace(buffer);
  auto found = pieces.find(place.whole);
  if (found == pieces.end())
    return std::nullopt;
  for (const Piece &piece : found->second)
    if (piece.axis == place.axis && piece.begin == place.begin &&
        piece.end == place.end)
      return piece.content;
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
      if (rows.axis < 0 || !isSame ||
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
