//===- RankStorage.h - the bytes of all ranks -------------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arena of a rank is one array of bytes, so that buffers that overlap
// destroy each other. Each byte knows which rank has written it: a rank may
// read only what the caller gave or what it has written itself, since ranks may
// be processes that share no memory.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TEST_UNIT_RANKS_RANKSTORAGE_H
#define TENON_TEST_UNIT_RANKS_RANKSTORAGE_H

#include "tenon/Dialect/Program/IR/Program.h"
#include "tenon/Interpret/Tensor.h"

#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace tenon::ranks {

using Bytes = std::vector<uint8_t>;

/// The buffer that a value is, or is a part of.
mlir::Value getWhole(mlir::Value buffer);

/// The bytes of a tensor of domain f64, in its own element type.
Bytes toBytes(const interpret::Tensor &tensor);
interpret::Tensor toTensor(const Bytes &bytes, mlir::RankedTensorType type);

class RankStorage {
public:
  /// `inputs` are those of the program, in order.
  RankStorage(program::RanksOp ranks, llvm::ArrayRef<interpret::Tensor> inputs);

  /// Buffers of the rank whose life begins with this step lose their contents.
  void beginStep(unsigned rank, int64_t number);

  /// Returns nothing, with a reason in `error`, if a byte has no value, or if a
  /// message still writes it.
  std::optional<Bytes> read(unsigned rank, mlir::Value buffer,
                            std::string &error) const;
  /// Fails, with a reason in `error`, if a message still uses a byte.
  bool write(unsigned rank, mlir::Value buffer, const Bytes &bytes,
             std::string &error);

  /// Whether two buffers have bytes in common.
  bool overlap(mlir::Value one, mlir::Value other) const;

  /// A message uses a buffer from its step to its wait. Fails as `read`, if the
  /// message is a send, or else as `write`.
  bool beginUse(unsigned rank, mlir::Operation *message, std::string &error);
  void endUse(mlir::Operation *message);
  /// What the message itself does meanwhile.
  std::optional<Bytes> fetch(unsigned rank, mlir::Operation *send,
                             std::string &error) const;
  void store(unsigned rank, mlir::Operation *receive, const Bytes &bytes);

  /// What is in an output after the run; nothing if a byte has no value.
  std::optional<Bytes> getOutput(program::OutputOp output) const;
  /// Whether a rank has written to it.
  bool isWritten(program::OutputOp output) const;

private:
  struct Storage {
    Bytes bytes;
    std::vector<int> writers; // by byte
  };
  /// Where a buffer, or that of which it is a part, lies.
  struct Place {
    Storage *storage = nullptr;
    size_t offset = 0;
  };
  /// A range of bytes of a storage.
  struct Range {
    Storage *storage;
    size_t begin, end;
  };
  using Ranges = std::vector<Range>;
  struct Use {
    mlir::Operation *message;
    bool writes;
    Ranges ranges;
  };

  Storage *addStorage(size_t size);
  Ranges getRanges(mlir::Value buffer) const;
  bool isFree(const Ranges &ranges, bool writes, std::string &error) const;
  std::optional<Bytes> load(unsigned rank, const Ranges &ranges,
                            std::string &error) const;
  void save(unsigned rank, const Ranges &ranges, const Bytes &bytes);

  std::deque<Storage> storages;
  llvm::DenseMap<mlir::Value, Place> places;
  /// By rank: the buffers of its arena.
  std::vector<std::vector<program::ArenaOp>> arenas;
  std::vector<Use> uses;
};

} // namespace tenon::ranks

#endif // TENON_TEST_UNIT_RANKS_RANKSTORAGE_H
