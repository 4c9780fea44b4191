//===- SharedWeights.h - the weights that an instance uses ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_SHAREDWEIGHTS_H
#define TENON_LIB_RUNTIME_SHAREDWEIGHTS_H

#include "Memory.h"

#include "tenon/Artifact/Program.h"
#include "tenon/Artifact/Weights.h"

#include <exception>
#include <string>

namespace tenon::runtime {

/// The use of a tenon_weights of this or another copy of the runtime.
class SharedWeights {
public:
  /// The use of a part of the weights, which ends with the object.
  class Piece {
  public:
    Piece() = default;
    Piece(Piece &&other) noexcept { swap(other); }
    Piece &operator=(Piece &&other) noexcept {
      Piece moved(static_cast<Piece &&>(other));
      swap(moved);
      return *this;
    }
    ~Piece();

    const void *data() const { return piece.data; }
    bool isThere() const { return piece.handle || piece.data; }
    /// Returns the bytes that it holds in addition to the file.
    int64_t size() const {
      return piece.handle ? static_cast<int64_t>(piece.bytes) : 0;
    }

  private:
    friend class SharedWeights;
    void swap(Piece &other);

    SharedWeights *owner = nullptr;
    tenon_weights_piece piece = {};
  };

  /// Memory in use is counted in `memory`, unless the weights belong to this
  /// instance.
  explicit SharedWeights(HostMemory &memory) : memory(memory) {}
  SharedWeights(const SharedWeights &) = delete;
  SharedWeights &operator=(const SharedWeights &) = delete;
  ~SharedWeights();

  /// Uses the caller's weights, which the caller may close; or those of a file,
  /// shared with others unless the memory has an allocator; or none, if the
  /// path is empty.
  artifact::Status use(tenon_weights *given);
  artifact::Status useFile(const std::string &path);

  /// Requires that all parts were given back.
  void close();

  artifact::Expected<Piece> find(const tenon_value &value);
  void drop(const Piece &piece);

  /// Returns derived data, which `make` (void *data -> Status) writes if no
  /// other user has it. `look` only looks it up: the result may be empty.
  template <typename Make>
  artifact::Expected<Piece> acquire(const std::string &key, int64_t bytes,
                                    Make make) {
    struct Call {
      Make &make;
    } call{make};
    return acquireWith(
        key, bytes,
        [](void *context, void *data, tenon_weights_error *error) -> int32_t {
          return callMake(
              [&] { return static_cast<Call *>(context)->make(data); }, error);
        },
        &call);
  }
  artifact::Expected<Piece> look(const std::string &key) {
    return acquireWith(key, 0, nullptr, nullptr);
  }

private:
  using MakeFunction = int32_t (*)(void *context, void *data,
                                   tenon_weights_error *error);
  artifact::Expected<Piece> acquireWith(const std::string &key, int64_t bytes,
                                        MakeFunction make, void *context);
  artifact::Expected<Piece> count(tenon_weights_piece piece);
  static void describe(const std::string &reason, tenon_weights_error *error);
  template <typename Function>
  static int32_t callMake(Function function, tenon_weights_error *error) {
    // Exceptions must not pass through another copy of the runtime.
    try {
      artifact::Status status = function();
      if (status)
        return 0;
      describe(status.error(), error);
    } catch (const std::exception &failure) {
      describe(failure.what(), error);
    }
    return 1;
  }

  HostMemory &memory;
  tenon_weights *weights = nullptr;
  bool isOwn = false; // already counted by the memory
};

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_SHAREDWEIGHTS_H
