//===- RunShuffle.cpp - exchange of values in a warp ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Implements gpu.shuffle as its lowering to NVVM's shfl.sync does: exactly the
// first `width` lanes must take part. The result is undefined if the source is
// not one of these lanes and, for `up`, if the source is before lane 32 -
// width.
//
//===----------------------------------------------------------------------===//

#include "Handlers.h"
#include "Lanes.h"

using namespace tenon::emulate;
using llvm::Twine;

/// Checks that exactly the first `width` lanes run the shuffle.
static bool checkLanes(Warp &warp, const Instruction &instruction,
                       uint32_t width) {
  unsigned first = llvm::countr_zero(warp.active);
  Mask members = width == warpSize ? ~0u : (1u << width) - 1;
  if (Mask missing = members & warp.existing & ~warp.active)
    return warp.execution->fail(
        warp, instruction, first, ErrorKind::Divergent,
        "runs a shuffle of width " + Twine(width) + " that " +
            warp.execution->describeThread(warp.firstThread +
                                           llvm::countr_zero(missing)) +
            " does not take part in");
  if (Mask strangers = warp.active & ~members)
    return warp.execution->fail(
        warp, instruction, llvm::countr_zero(strangers), ErrorKind::Divergent,
        "runs a shuffle of the first " + Twine(width) + " lanes of its warp");
  return true;
}

template <typename T>
static bool runShuffle(Warp &warp, const Instruction &instruction) {
  auto *result = warp.get<T>(instruction.result);
  const auto *value = warp.get<T>(instruction.operands[0]);
  const auto *offsets = warp.get<uint32_t>(instruction.operands[1]);
  const auto *widths = warp.get<uint32_t>(instruction.operands[2]);
  auto *undefined = warp.get<uint32_t>(instruction.extra);
  auto mode = static_cast<ShuffleMode>(instruction.immediate);
  uint32_t width = widths[llvm::countr_zero(warp.active)];
  bool fine = forEachLane(warp.active, [&](unsigned lane) {
    if (widths[lane] == width && width >= 1 && width <= warpSize)
      return true;
    return warp.execution->fail(
        warp, instruction, lane, ErrorKind::Divergent,
        "runs a shuffle of width " + Twine(widths[lane]) + ": expected " +
            (width >= 1 && width <= warpSize
                 ? Twine(width) + ", the width of another lane"
                 : Twine("1 to 32")));
  });
  if (!fine || !checkLanes(warp, instruction, width))
    return false;
  return forEachLane(warp.active, [&](unsigned lane) {
    int offset = offsets[lane] & (warpSize - 1), source = offset;
    int own = static_cast<int>(lane), end = static_cast<int>(width);
    if (mode == ShuffleMode::Xor)
      source = own ^ offset;
    else if (mode == ShuffleMode::Down)
      source = own + offset;
    else if (mode == ShuffleMode::Up)
      source = own - offset;
    bool valid = mode == ShuffleMode::Up
                     ? source >= static_cast<int>(warpSize) - end
                     : source < end;
    undefined[lane] = !valid;
    if (!valid) {
      result[lane] = value[lane];
      return true;
    }
    if (!(warp.existing & (1u << source)))
      return warp.execution->fail(
          warp, instruction, lane, ErrorKind::Divergent,
          "reads lane " + Twine(source) +
              " of its warp in a shuffle, which has no thread");
    result[lane] = value[source];
    return true;
  });
}

Handler tenon::emulate::findShuffleHandler(Kind kind) {
  return isWide(kind) ? Handler(runShuffle<uint64_t>) : runShuffle<uint32_t>;
}
