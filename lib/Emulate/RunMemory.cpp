//===- RunMemory.cpp - loads and stores -----------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "Handlers.h"
#include "Lanes.h"

using namespace tenon::emulate;
using llvm::Twine;

static const char *getVerb(bool isWrite) {
  return isWrite ? "writes " : "reads ";
}

bool Accesses::failNowhere(unsigned lane, uint64_t pointer, uint64_t bytes,
                           bool isWrite) {
  return execution.fail(warp, instruction, lane, ErrorKind::OutOfBounds,
                        getVerb(isWrite) + Twine(bytes) + " bytes at " +
                            (pointer == 0 ? Twine("the null pointer")
                                          : "0x" + Twine::utohexstr(pointer) +
                                                ", an address of no memory"));
}

bool Accesses::failOutside(unsigned lane, uint64_t bytes, bool isWrite) {
  int64_t distance = static_cast<int64_t>(offset);
  return execution.fail(warp, instruction, lane, ErrorKind::OutOfBounds,
                        getVerb(isWrite) + Twine(bytes) + " bytes at @" +
                            allocation->name + (distance < 0 ? "" : "+") +
                            Twine(distance) + ", which has " +
                            Twine(allocation->bytes) + " bytes");
}

bool Accesses::failMisaligned(unsigned lane, uint64_t bytes, uint64_t alignment,
                              bool isWrite) {
  return execution.fail(warp, instruction, lane, ErrorKind::Misaligned,
                        getVerb(isWrite) + Twine(bytes) + " bytes at @" +
                            allocation->name + "+" + Twine(offset) +
                            ": expected an address that is a multiple of " +
                            Twine(alignment) + ", but the start is one of " +
                            Twine(allocation->alignment));
}

bool Accesses::failReadOnly(unsigned lane, uint64_t bytes) {
  return execution.fail(warp, instruction, lane, ErrorKind::ReadOnly,
                        "writes " + Twine(bytes) + " bytes at @" +
                            allocation->name + "+" + Twine(offset) +
                            ", which is read-only");
}

namespace {
/// The types of an element in memory and in a register.
template <Kind kind> struct Element;
#define PLAIN_ELEMENT(KIND, MEMORY, LANE)                                      \
  template <> struct Element<Kind::KIND> {                                     \
    using Memory = MEMORY;                                                     \
    using Lane = LANE;                                                         \
    static Lane load(Memory bits) { return bits; }                             \
    static Memory store(Lane value) { return static_cast<Memory>(value); }     \
  };
PLAIN_ELEMENT(I8, uint8_t, uint32_t)
PLAIN_ELEMENT(I16, uint16_t, uint32_t)
PLAIN_ELEMENT(I32, uint32_t, uint32_t)
PLAIN_ELEMENT(I64, uint64_t, uint64_t)
PLAIN_ELEMENT(F32, float, float)
PLAIN_ELEMENT(F64, double, double)
#undef PLAIN_ELEMENT
template <> struct Element<Kind::Bit> {
  using Memory = uint8_t;
  using Lane = uint32_t;
  static Lane load(Memory bits) { return bits & 1; }
  static Memory store(Lane value) { return value; }
};
template <> struct Element<Kind::F16> {
  using Memory = uint16_t;
  using Lane = float;
  static Lane load(Memory bits) { return halfOf(bits); }
  static Memory store(Lane value) { return halfBits(value); }
};
template <> struct Element<Kind::BF16> {
  using Memory = uint16_t;
  using Lane = float;
  static Lane load(Memory bits) { return floatOf(uint32_t(bits) << 16); }
  static Memory store(Lane value) { return bitsOf(value) >> 16; }
};
} // namespace

template <Kind kind>
static bool runLoad(Warp &warp, const Instruction &instruction) {
  using E = Element<kind>;
  const auto *addresses = warp.get<uint64_t>(instruction.operands[0]);
  unsigned count = instruction.operands[1];
  uint64_t bytes = count * sizeof(typename E::Memory);
  Accesses accesses(warp, instruction);
  constexpr unsigned units = sizeof(typename E::Lane) / sizeof(uint32_t);
  bool fine = forEachLane(warp.active, [&](unsigned lane) {
    if (!accesses.locate(lane, addresses[lane], bytes, instruction.immediate,
                         /*isWrite=*/false) ||
        !accesses.note<false>(lane, accesses.offset, bytes))
      return false;
    const uint8_t *data = accesses.getData();
    for (unsigned i = 0; i < count; ++i) {
      typename E::Memory value;
      std::memcpy(&value, data + i * sizeof(value), sizeof(value));
      warp.get<typename E::Lane>(instruction.result + i * units)[lane] =
          E::load(value);
    }
    return true;
  });
  if (fine) {
    LaunchStatistics &statistics = warp.execution->statistics;
    (accesses.isShared() ? statistics.sharedReadBytes
                         : statistics.globalReadBytes) +=
        bytes * warp.activeCount;
  }
  return fine;
}

template <Kind kind>
static bool runStore(Warp &warp, const Instruction &instruction) {
  using E = Element<kind>;
  const auto *addresses = warp.get<uint64_t>(instruction.operands[0]);
  const uint32_t *values =
      warp.execution->program.lists.data() + instruction.operands[1];
  unsigned count = instruction.operands[2];
  uint64_t bytes = count * sizeof(typename E::Memory);
  Accesses accesses(warp, instruction);
  bool fine = forEachLane(warp.active, [&](unsigned lane) {
    if (!accesses.locate(lane, addresses[lane], bytes, instruction.immediate,
                         /*isWrite=*/true) ||
        !accesses.note<true>(lane, accesses.offset, bytes))
      return false;
    uint8_t *data = accesses.getData();
    for (unsigned i = 0; i < count; ++i) {
      typename E::Memory value =
          E::store(warp.get<typename E::Lane>(values[i])[lane]);
      std::memcpy(data + i * sizeof(value), &value, sizeof(value));
    }
    return true;
  });
  if (fine) {
    LaunchStatistics &statistics = warp.execution->statistics;
    (accesses.isShared() ? statistics.sharedWrittenBytes
                         : statistics.globalWrittenBytes) +=
        bytes * warp.activeCount;
  }
  return fine;
}

#define ALL_KINDS(FUNCTION)                                                    \
  {FUNCTION<Kind::Bit>,  FUNCTION<Kind::I8>,  FUNCTION<Kind::I16>,             \
   FUNCTION<Kind::I32>,  FUNCTION<Kind::I64>, FUNCTION<Kind::F16>,             \
   FUNCTION<Kind::BF16>, FUNCTION<Kind::F32>, FUNCTION<Kind::F64>}

Handler tenon::emulate::findLoadHandler(Kind kind) {
  static constexpr Handler handlers[kindCount] = ALL_KINDS(runLoad);
  return handlers[static_cast<unsigned>(kind)];
}

Handler tenon::emulate::findStoreHandler(Kind kind) {
  static constexpr Handler handlers[kindCount] = ALL_KINDS(runStore);
  return handlers[static_cast<unsigned>(kind)];
}

template <typename K>
static bool runAddress(Warp &warp, const Instruction &instruction) {
  uint64_t scale = instruction.immediate;
  mapLanes(warp.get<uint64_t>(instruction.result),
           warp.get<uint64_t>(instruction.operands[0]),
           warp.get<typename K::Lane>(instruction.operands[1]),
           [=](uint64_t base, typename K::Lane index) {
             return base +
                    static_cast<uint64_t>(int64_t(K::sign(index))) * scale;
           });
  return true;
}

Handler tenon::emulate::findAddressHandler(Kind kind) {
  return visitInteger(
      kind, [](auto tag) -> Handler { return runAddress<decltype(tag)>; });
}

bool tenon::emulate::runAddConstant(Warp &warp,
                                    const Instruction &instruction) {
  uint64_t addend = instruction.immediate;
  mapLanes(warp.get<uint64_t>(instruction.result),
           warp.get<uint64_t>(instruction.operands[0]),
           [=](uint64_t base) { return base + addend; });
  return true;
}
