//===- PieceCache.h - what is known of pieces of graphs ---------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A search places many graphs that are equal in most of their ops. Whether ops
// make a good kernel and what a candidate costs depends on the ops' attributes,
// their types, and how they are connected, so that it is computed once for all
// equal sets of ops. The keys are exact: two sets have the same key only if
// they are equal.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PLACE_PIECECACHE_H
#define TENON_LIB_PLACE_PIECECACHE_H

#include "tenon/Cost/CostModel.h"

#include "mlir/IR/Block.h"
#include "llvm/ADT/Hashing.h"

#include <map>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace tenon::place {

/// Valid for one MLIR context and one cost model, which the owner chooses. Any
/// thread may use it.
class PieceCache {
public:
  using Key = std::vector<unsigned>;
  struct Price {
    cost::Cost cost;
    /// By the roofline alone if the cost was measured or scaled.
    double roofline = 0;
  };

  /// A number for what an op is, apart from which values it reads. Equal
  /// numbers: the same op with the same attributes and types.
  unsigned numberOp(mlir::Operation *op);
  unsigned numberText(llvm::StringRef text);

  /// Computed by `decide` if it is not known, by two threads perhaps.
  bool isGood(const Key &key, llvm::function_ref<bool()> decide);
  const Price &getPrice(const Key &key, llvm::function_ref<Price()> compute);

  /// One for the same cost model without its database.
  std::shared_ptr<PieceCache> getUnmeasured() {
    std::lock_guard lock(mutex);
    if (!unmeasured)
      unmeasured = std::make_shared<PieceCache>();
    return unmeasured;
  }

private:
  struct HashKey {
    size_t operator()(const Key &key) const {
      return llvm::hash_combine_range(key.begin(), key.end());
    }
  };

  std::mutex mutex;
  /// Name, attributes, number of results, and the types of results and
  /// operands; all of them are unique in a context.
  std::map<std::vector<const void *>, unsigned> ops;
  std::map<std::string, unsigned, std::less<>> texts;
  std::unordered_map<Key, bool, HashKey> good;
  std::unordered_map<Key, Price, HashKey> prices;
  std::shared_ptr<PieceCache> unmeasured;
};

/// Makes keys of sets of ops of one block, as long as the block's ops are not
/// changed.
class PieceKeys {
public:
  PieceKeys(mlir::Block &block, std::shared_ptr<PieceCache> cache);

  /// `ops` in the order in which a kernel would have them.
  PieceCache::Key getKey(llvm::ArrayRef<mlir::Operation *> ops) const;
  /// The same for a kernel of a backend.
  PieceCache::Key getKey(llvm::ArrayRef<mlir::Operation *> ops,
                         llvm::StringRef backend,
                         llvm::StringRef pattern) const;
  /// Where an op is in the block.
  unsigned getPosition(mlir::Operation *op) const {
    return forms.lookup(op).position;
  }
  bool runsAtLoad(mlir::Operation *op) const {
    return forms.lookup(op).runsAtLoad;
  }
  PieceCache &getCache() const { return *cache; }

private:
  struct Form {
    unsigned number = 0, position = 0;
    bool runsAtLoad = false;
  };

  std::shared_ptr<PieceCache> cache;
  llvm::DenseMap<mlir::Operation *, Form> forms;
};

} // namespace tenon::place

#endif // TENON_LIB_PLACE_PIECECACHE_H
