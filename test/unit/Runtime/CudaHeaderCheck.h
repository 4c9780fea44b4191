//===- CudaHeaderCheck.h - own declarations against real ones -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TEST_UNIT_RUNTIME_CUDAHEADERCHECK_H
#define TENON_TEST_UNIT_RUNTIME_CUDAHEADERCHECK_H

#include <gtest/gtest.h>

#include <dlfcn.h>
#include <type_traits>

/// Whether two types are passed in the same way: pointers, enumerations and
/// integers of one size, floats.
template <typename A, typename B> constexpr bool isPassedAlike() {
  if constexpr (std::is_void_v<A> || std::is_void_v<B>)
    return std::is_void_v<A> && std::is_void_v<B>;
  else
    return sizeof(A) == sizeof(B) &&
           std::is_pointer_v<A> == std::is_pointer_v<B> &&
           std::is_floating_point_v<A> == std::is_floating_point_v<B>;
}

template <typename A, typename B> struct IsCalledAlike : std::false_type {};
template <typename R, typename... A, typename S, typename... B>
struct IsCalledAlike<R (*)(A...), S (*)(B...)> {
  static constexpr bool compare() {
    if constexpr (sizeof...(A) != sizeof...(B))
      return false;
    else
      return isPassedAlike<R, S>() && (isPassedAlike<A, B>() && ...);
  }
  static constexpr bool value = compare();
};

#endif // TENON_TEST_UNIT_RUNTIME_CUDAHEADERCHECK_H
