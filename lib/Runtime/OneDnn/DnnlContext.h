//===- DnnlContext.h - state shared by an instance's oneDNN calls ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_ONEDNN_DNNLCONTEXT_H
#define TENON_LIB_RUNTIME_ONEDNN_DNNLCONTEXT_H

#include "../Memory.h"
#include "../SharedWeights.h"
#include "OneDnn.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tenon::runtime {

/// A oneDNN engine with its stream, and the memory that the library calls of an
/// instance share.
class DnnlContext {
public:
  /// `origins`, by buffer: the keys of the weights among all users of
  /// `weights`.
  static artifact::Expected<std::unique_ptr<DnnlContext>>
  create(HostMemory &memory, SharedWeights &weights,
         std::vector<std::string> origins);

  HostMemory &memory() const { return ownMemory; }

  const OneDnn &dnnl() const { return *functions; }
  dnnl_engine_t engine() const { return engineHandle.get(); }
  dnnl_stream_t stream() const { return streamHandle.get(); }

  /// Returns memory of at least `bytes` for the intermediate results of one
  /// call at a time. It may move when it grows. If the allocation fails, the
  /// old memory is gone as well; every run requests it again.
  artifact::Expected<char *> scratchpad(int64_t bytes);
  const Block &scratchMemory() const { return scratch; }

  /// Returns raw data, or null after it was released.
  using RawSource = std::function<artifact::Expected<const void *>()>;

  /// Returns the weights of buffer `buffer` in the layout `wanted`. They are
  /// converted on the first request, unless another instance has done so. `raw`
  /// returns their data in the layout `plain`; if it was released, they are
  /// converted from an earlier packed copy. `kind` distinguishes data of the
  /// same layout.
  artifact::Expected<const void *> pack(int32_t buffer, const std::string &kind,
                                        const RawSource &raw,
                                        const dnnl_memory_desc_t &plain,
                                        const dnnl_memory_desc_t &wanted);

  /// Returns whether `pack` has failed for lack of raw data since the last
  /// call.
  bool takeMissedRaw() { return std::exchange(missedRaw, false); }

  /// Returns what `pack` made for the same arguments; null if nothing yet.
  const void *findPacked(int32_t buffer, const std::string &kind,
                         const dnnl_memory_desc_t &plain,
                         const dnnl_memory_desc_t &wanted) const;

  int64_t memoryBytes() const;

private:
  DnnlContext(const OneDnn &functions, HostMemory &memory,
              SharedWeights &weights, std::vector<std::string> origins)
      : ownMemory(memory), weights(weights), origins(std::move(origins)),
        functions(&functions), engineHandle(functions.engine_destroy),
        streamHandle(functions.stream_destroy) {}

  struct Packed {
    int32_t buffer;
    std::string kind;
    dnnl_memory_desc_t plain; // layout of the bytes that the kind starts from
    dnnl_memory_desc_t layout;
    SharedWeights::Piece data;
  };

  std::string keyOf(int32_t buffer, const std::string &kind,
                    const dnnl_memory_desc_t &plain,
                    const dnnl_memory_desc_t &wanted) const;
  artifact::Status convert(const dnnl_memory_desc_t &from, const void *source,
                           const dnnl_memory_desc_t &to, void *target) const;

  HostMemory &ownMemory;
  SharedWeights &weights;
  const std::vector<std::string> origins;
  bool missedRaw = false;
  const OneDnn *functions;
  DnnlHandle<dnnl_engine_t> engineHandle;
  DnnlHandle<dnnl_stream_t> streamHandle;
  Block scratch;
  std::vector<Packed> packed;
};

/// A conversion between two layouts of the same values.
class Reorder {
public:
  artifact::Status create(const DnnlContext &context,
                          const dnnl_memory_desc_t &from,
                          const dnnl_memory_desc_t &to);
  artifact::Status run(const DnnlContext &context, const void *from, void *to);

private:
  DnnlHandle<dnnl_primitive_t> primitive;
  DnnlHandle<dnnl_memory_t> source, target;
};

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_ONEDNN_DNNLCONTEXT_H
