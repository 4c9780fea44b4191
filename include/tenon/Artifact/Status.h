//===- Status.h - errors as values ----------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Artifact and Runtime report errors as values: no exception leaves their
// functions. Messages are lower-case and have no full stop.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_ARTIFACT_STATUS_H
#define TENON_ARTIFACT_STATUS_H

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tenon::artifact {

/// The reason of a failure.
struct Error {
  std::string message;
};

/// Success, or an error.
class [[nodiscard]] Status {
public:
  Status() = default;
  Status(Error error) : failed(true), message(std::move(error.message)) {}

  static Status success() { return Status(); }
  explicit operator bool() const { return !failed; }
  bool ok() const { return !failed; }
  /// Empty on success.
  const std::string &error() const { return message; }
  Error takeError() { return Error{std::move(message)}; }

private:
  bool failed = false;
  std::string message;
};

/// A value, or an error.
template <typename T> class [[nodiscard]] Expected {
public:
  Expected(T value) : state(std::in_place_index<0>, std::move(value)) {}
  Expected(Error error) : state(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return state.index() == 0; }
  bool ok() const { return state.index() == 0; }
  T &operator*() { return *std::get_if<0>(&state); }
  const T &operator*() const { return *std::get_if<0>(&state); }
  T *operator->() { return std::get_if<0>(&state); }
  const T *operator->() const { return std::get_if<0>(&state); }
  /// May be called only on failure.
  const std::string &error() const { return std::get_if<1>(&state)->message; }
  Error takeError() { return std::move(*std::get_if<1>(&state)); }

private:
  std::variant<T, Error> state;
};

namespace detail {
inline void append(std::string &out, std::string_view text) { out += text; }
inline void append(std::string &out, const char *text) { out += text; }
inline void append(std::string &out, char c) { out += c; }
void append(std::string &out, double value);
template <typename T>
std::enable_if_t<std::is_integral_v<T>> append(std::string &out, T value) {
  out += std::to_string(value);
}
} // namespace detail

/// Concatenates all arguments (text, integers, doubles).
template <typename... Args> std::string concat(const Args &...args) {
  std::string out;
  (detail::append(out, args), ...);
  return out;
}

template <typename... Args> Error makeError(const Args &...args) {
  return Error{concat(args...)};
}

/// For example "2x3x4"; "scalar" for rank 0. An unknown size (negative) is "?".
std::string formatShape(const std::vector<int64_t> &shape);

} // namespace tenon::artifact

#endif // TENON_ARTIFACT_STATUS_H
