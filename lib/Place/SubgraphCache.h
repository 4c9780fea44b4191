//===- SubgraphCache.h - cached properties of subgraphs --------*- C++ -*--===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A search places many graphs that are equal in most of their ops. Whether ops
// make a good kernel, and what a candidate costs, depends only on the ops'
// attributes, their types, and their connections, so that it is computed once
// for all equal sets of ops. The keys are exact: two sets have the same key
// only if they are equal.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PLACE_SUBGRAPHCACHE_H
#define TENON_LIB_PLACE_SUBGRAPHCACHE_H

#include "tenon/Cost/CostModel.h"

#include "mlir/IR/Block.h"
#include "llvm/ADT/Hashing.h"

#include <map>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace tenon::place {

/// Valid for one MLIR context and one cost model, which the owner chooses.
/// Thread-safe.
class SubgraphCache {
public:
  using Key = std::vector<unsigned>;
  struct Price {
    cost::Cost cost;
    /// The roofline cost, if the cost was measured or scaled.
    double roofline = 0;
  };

  /// Returns a number that identifies an op, independent of the values that it
  /// reads. Ops with equal numbers have the same name, attributes and types.
  unsigned numberOp(mlir::Operation *op);
  unsigned numberText(llvm::StringRef text);

  /// If the result is not known, computes it by `decide`. Two threads may do so
  /// at the same time.
  bool isGood(const Key &key, llvm::function_ref<bool()> decide);
  const Price &getPrice(const Key &key, llvm::function_ref<Price()> compute);

  /// Returns the cache for the same cost model without its database.
  std::shared_ptr<SubgraphCache> getUnmeasured() {
    std::lock_guard lock(mutex);
    if (!unmeasured)
      unmeasured = std::make_shared<SubgraphCache>();
    return unmeasured;
  }

private:
  struct HashKey {
    size_t operator()(const Key &key) const {
      return llvm::hash_combine_range(key.begin(), key.end());
    }
  };

  std::mutex mutex;
  /// The key is name, attributes, number of results, and the types of results
  /// and operands, all of which are unique in a context.
  std::map<std::vector<const void *>, unsigned> ops;
  std::map<std::string, unsigned, std::less<>> texts;
  std::unordered_map<Key, bool, HashKey> good;
  std::unordered_map<Key, Price, HashKey> prices;
  std::shared_ptr<SubgraphCache> unmeasured;
};

/// Computes keys of sets of ops of one block. Valid until the block's ops are
/// changed.
class SubgraphKeys {
public:
  SubgraphKeys(mlir::Block &block, std::shared_ptr<SubgraphCache> cache);

  /// `ops` must be in the order that they would have in a kernel.
  SubgraphCache::Key getKey(llvm::ArrayRef<mlir::Operation *> ops) const;
  /// Returns the key of a kernel of a backend.
  SubgraphCache::Key getKey(llvm::ArrayRef<mlir::Operation *> ops,
                            llvm::StringRef backend,
                            llvm::StringRef pattern) const;
  /// Returns the position of an op in the block.
  unsigned getPosition(mlir::Operation *op) const {
    return forms.lookup(op).position;
  }
  bool runsAtLoad(mlir::Operation *op) const {
    return forms.lookup(op).runsAtLoad;
  }
  SubgraphCache &getCache() const { return *cache; }

private:
  struct Form {
    unsigned number = 0, position = 0;
    bool runsAtLoad = false;
  };

  std::shared_ptr<SubgraphCache> cache;
  llvm::DenseMap<mlir::Operation *, Form> forms;
};

} // namespace tenon::place

#endif // TENON_LIB_PLACE_SUBGRAPHCACHE_H
