//===- RunCasts.cpp - conversions over lanes ------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Handlers.h"
#include "Lanes.h"

#include "llvm/ADT/StringSwitch.h"

#include <limits>

using namespace tenon::emulate;

/// Converts a number to its bits in memory, and back.
template <typename K> static auto encode(typename K::Lane number) {
  if constexpr (std::is_same_v<K, HalfKind>) {
    return static_cast<uint32_t>(halfBits(number));
  } else if constexpr (std::is_same_v<K, BrainKind>) {
    return bitsOf(number) >> 16;
  } else if constexpr (std::is_same_v<K, DoubleKind>) {
    uint64_t bits;
    std::memcpy(&bits, &number, sizeof(bits));
    return bits;
  } else {
    return bitsOf(number);
  }
}
template <typename K, typename Bits> static typename K::Lane decode(Bits bits) {
  if constexpr (std::is_same_v<K, HalfKind>) {
    return halfOf(static_cast<uint16_t>(bits));
  } else if constexpr (std::is_same_v<K, BrainKind>) {
    return floatOf(static_cast<uint32_t>(bits) << 16);
  } else if constexpr (std::is_same_v<K, DoubleKind>) {
    double number;
    uint64_t wide = bits;
    std::memcpy(&number, &wide, sizeof(wide));
    return number;
  } else {
    return floatOf(static_cast<uint32_t>(bits));
  }
}

/// Converts like a GPU: towards zero, saturating, and NaN to 0.
template <typename K, bool isSigned>
static typename K::Lane toInteger(double number) {
  double limit = std::ldexp(1.0, K::bits - (isSigned ? 1 : 0));
  if (number != number)
    return 0;
  if constexpr (isSigned) {
    if (number >= limit)
      return (typename K::Lane(1) << (K::bits - 1)) - 1;
    if (number <= -limit)
      return typename K::Lane(1) << (K::bits - 1);
    return K::wrap(static_cast<typename K::Lane>(static_cast<int64_t>(number)));
  } else {
    if (number >= limit)
      return K::wrap(~typename K::Lane(0));
    return number <= 0
               ? 0
               : static_cast<typename K::Lane>(static_cast<uint64_t>(number));
  }
}

enum class Cast { Signed, Unsigned, Bits };

template <typename From, typename To, Cast cast>
static bool runCast(Warp &warp, const Instruction &instruction) {
  using A = typename From::Lane;
  using R = typename To::Lane;
  auto *result = warp.get<R>(instruction.result);
  const auto *a = warp.get<A>(instruction.operands[0]);
  mapLanes(result, a, [](A number) -> R {
    if constexpr (From::isFloat && To::isFloat) {
      return To::round(number);
    } else if constexpr (From::isFloat) {
      if constexpr (cast == Cast::Bits)
        return static_cast<R>(encode<From>(number));
      else
        return toInteger<To, cast == Cast::Signed>(number);
    } else if constexpr (To::isFloat) {
      if constexpr (cast == Cast::Bits)
        return decode<To>(number);
      // Convert to float directly, because a conversion through double would
      // round twice.
      else if constexpr (std::is_same_v<To, DoubleKind> ||
                         (sizeof(A) <= 4 && !std::is_same_v<To, SingleKind>))
        return To::round(cast == Cast::Signed
                             ? static_cast<double>(From::sign(number))
                             : static_cast<double>(number));
      else
        return To::round(cast == Cast::Signed
                             ? static_cast<float>(From::sign(number))
                             : static_cast<float>(number));
    } else {
      return To::wrap(cast == Cast::Signed ? static_cast<R>(From::sign(number))
                                           : static_cast<R>(number));
    }
  });
  return true;
}

Handler tenon::emulate::findCastHandler(llvm::StringRef name, Kind from,
                                        Kind to) {
  auto kindOf = [](auto fn, Kind kind) {
    return isFloat(kind) ? visitFloat(kind, fn) : visitInteger(kind, fn);
  };
  if (name == "bitcast") {
    if (getBitWidth(from) != getBitWidth(to))
      return nullptr;
    if (isFloat(from) && isFloat(to) && from != to)
      return nullptr;
  }
  Cast cast =
      llvm::StringSwitch<Cast>(name)
          .Cases({"extsi", "sitofp", "fptosi", "index_cast"}, Cast::Signed)
          .Case("bitcast", Cast::Bits)
          .Default(Cast::Unsigned);
  return kindOf(
      [&](auto fromTag) {
        return kindOf(
            [&](auto toTag) -> Handler {
              using From = decltype(fromTag);
              using To = decltype(toTag);
              if (cast == Cast::Signed)
                return runCast<From, To, Cast::Signed>;
              if (cast == Cast::Unsigned)
                return runCast<From, To, Cast::Unsigned>;
              return runCast<From, To, Cast::Bits>;
            },
            to);
      },
      from);
}

template <typename From, typename To>
static bool runShiftOut(Warp &warp, const Instruction &instruction) {
  using A = typename From::Lane;
  using R = typename To::Lane;
  unsigned shift = instruction.immediate;
  mapLanes(warp.get<R>(instruction.result),
           warp.get<A>(instruction.operands[0]),
           [=](A bits) { return To::wrap(static_cast<R>(bits >> shift)); });
  return true;
}

template <typename From, typename To>
static bool runShiftIn(Warp &warp, const Instruction &instruction) {
  using A = typename From::Lane;
  using R = typename To::Lane;
  unsigned shift = instruction.immediate;
  mapLanes(
      warp.get<R>(instruction.result), warp.get<R>(instruction.operands[0]),
      warp.get<A>(instruction.operands[1]),
      [=](R bits, A more) { return bits | static_cast<R>(more) << shift; });
  return true;
}

Handler tenon::emulate::findShiftOutHandler(Kind from, Kind to) {
  return visitInteger(from, [&](auto fromTag) {
    return visitInteger(to, [&](auto toTag) -> Handler {
      return runShiftOut<decltype(fromTag), decltype(toTag)>;
    });
  });
}

Handler tenon::emulate::findShiftInHandler(Kind from, Kind to) {
  return visitInteger(from, [&](auto fromTag) {
    return visitInteger(to, [&](auto toTag) -> Handler {
      return runShiftIn<decltype(fromTag), decltype(toTag)>;
    });
  });
}

uint64_t tenon::emulate::getRegisterBits(Kind kind, double number) {
  return visitFloat(kind, [&](auto tag) -> uint64_t {
    using K = decltype(tag);
    if constexpr (std::is_same_v<K, DoubleKind>)
      return encode<DoubleKind>(number);
    else
      return bitsOf(K::round(number));
  });
}
