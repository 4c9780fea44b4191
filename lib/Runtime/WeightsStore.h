//===- WeightsStore.h - weights and data derived from them ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_WEIGHTSSTORE_H
#define TENON_LIB_RUNTIME_WEIGHTSSTORE_H

#include "Memory.h"

#include "tenon/Artifact/Safetensors.h"
#include "tenon/Artifact/Weights.h"

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace tenon::runtime {

/// A tenon_weights of this runtime: tensors of a file, of a caller's memory or
/// of a caller's function, and derived data. It is reference-counted, and
/// deleted by its last user.
class WeightsStore : public tenon_weights {
public:
  /// Opens the weights that the options name, for tenon_open_weights.
  static artifact::Expected<WeightsStore *>
  open(const tenon_weights_options &options);

  /// Returns the store of a file, which all users of the same file share.
  static artifact::Expected<WeightsStore *> share(const std::string &path);

  /// Creates a store for one instance, whose memory must outlive it; without a
  /// path, it has no tensors.
  static artifact::Expected<WeightsStore *> openOwn(HostMemory &memory,
                                                    const std::string &path);

  void retain();
  void release();

private:
  /// Memory that some users share. If it is not ready, it is being made.
  struct Piece {
    Block block;
    const void *data = nullptr; // the block's data, or the caller's
    uint64_t bytes = 0;
    int64_t users = 0;
    bool isReady = false;
  };
  using Pieces = std::map<std::string, Piece>;
  using Make = std::function<artifact::Status(Piece &piece)>;

  WeightsStore();
  ~WeightsStore() = default;

  artifact::Status openFile(const std::string &path);
  artifact::Status find(const char *name, const tenon_tensor &expected,
                        tenon_weights_piece &piece);
  artifact::Status readTensor(const char *name, const tenon_tensor &expected,
                              uint64_t bytes, Piece &piece);
  void drop(const tenon_weights_piece &piece);
  /// If `make` is null, only looks the data up.
  artifact::Status acquire(std::string key, const Make &make,
                           tenon_weights_piece &piece);
  void giveBack(tenon_weights_piece &piece);

  static const tenon_weights_table functions;
  struct Table;

  HostMemory ownMemory;
  HostMemory *memory = &ownMemory;
  std::string name; // for messages
  std::optional<artifact::SafetensorsFile> file;
  bool isMapped = false; // a file whose pages can be dropped
  tenon_read_weight read = nullptr;
  void *context = nullptr;

  int64_t users = 1; // protected by the registry's lock
  std::mutex mutex;  // protects the pieces
  std::condition_variable changed;
  Pieces pieces;
};

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_WEIGHTSSTORE_H
