//===- RankMemory.h - what buffers and states hold --------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PARALLELIZE_RANKMEMORY_H
#define TENON_LIB_PARALLELIZE_RANKMEMORY_H

#include "ModelValues.h"
#include "tenon/Dialect/Program/IR/Program.h"

namespace tenon::parallelize {

/// Whether each of `count` samples is in `times` of them.
bool isCover(const std::vector<Samples> &list, int64_t count,
             int64_t times = 1);

/// That a value was computed from a state of a rank to which tasks add, after
/// so many writes.
struct SumRead {
  int64_t rank = 0;
  llvm::StringRef state;
  unsigned numWrites = 0;
};

/// A value of the model or another one; if it has samples, of these.
struct Content {
  ModelValues::Number value;
  Samples samples;
  /// It has a meaning only until one of these states changes.
  std::vector<SumRead> sums;
  /// Which block of the samples it is (Rows::blocks); -1: all of them.
  int64_t block = -1;
  bool operator==(const Content &other) const {
    return value == other.value && samples == other.samples &&
           block == other.block;
  }
};

/// What the parts of buffers hold.
class BufferContents {
public:
  explicit BufferContents(const ModelValues &model) : model(model) {}

  /// A buffer, or a part of one, holds the content from now on. Returns false
  /// if another rank has written to it.
  bool write(mlir::Value buffer, const Content &content, int64_t rank);
  /// Returns nothing if it does not hold one value, or no consecutive samples
  /// of one.
  std::optional<Content> read(mlir::Value buffer) const;

private:
  struct Piece {
    int64_t axis, begin, end; // axis -1: the whole
    Content content;
    int64_t rank;
  };
  /// One block of a whole value, or a value of all samples, from its blocks.
  std::optional<Content> readBlock(const Piece &piece, int64_t axis,
                                   int64_t begin, int64_t end) const;
  std::optional<Content> joinBlocks(const std::vector<Piece> &held) const;

  const ModelValues &model;
  llvm::DenseMap<mlir::Value, std::vector<Piece>> pieces;
};

/// How far a state of a rank is on its way from one mini-batch to the next.
struct StateContent {
  bool isUpdated = false;
  /// Samples whose statistics, or gradients, it has, by addend
  /// (ModelValues::addends).
  std::map<unsigned, std::vector<Samples>> samples;
  bool isSummed = false; // over ranks
  bool isOnItsWay = false;

  bool isFresh() const { return !isUpdated && samples.empty(); }
};

} // namespace tenon::parallelize

#endif // TENON_LIB_PARALLELIZE_RANKMEMORY_H
