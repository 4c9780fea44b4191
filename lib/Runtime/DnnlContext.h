//===- DnnlContext.h - what oneDNN calls of an instance share -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_DNNLCONTEXT_H
#define TENON_LIB_RUNTIME_DNNLCONTEXT_H

#include "Memory.h"
#include "OneDnn.h"

#include <memory>
#include <vector>

namespace tenon::runtime {

/// One oneDNN engine with its stream, and the memory that the library calls of
/// an instance share.
class DnnlContext {
public:
  static artifact::Expected<std::unique_ptr<DnnlContext>> create();

  const OneDnn &dnnl() const { return *functions; }
  dnnl_engine_t engine() const { return engineHandle.get(); }
  dnnl_stream_t stream() const { return streamHandle.get(); }

  /// Memory of at least `bytes` for the intermediate results of one call at a
  /// time; it may move when it grows. If there is no memory for it, what was
  /// there is gone: every run asks again.
  artifact::Expected<char *> scratchpad(int64_t bytes);

  /// The weights of buffer `buffer` in the layout `wanted`, converted on the
  /// first request. `raw` is their data in the layout `plain`, or null once it
  /// is gone; then they are converted from a copy made before.
  artifact::Expected<const void *> pack(int32_t buffer, const void *raw,
                                        const dnnl_memory_desc_t &plain,
                                        const dnnl_memory_desc_t &wanted);

  /// What `pack` made of buffer `buffer` for this layout; null: nothing yet.
  const void *findPacked(int32_t buffer,
                         const dnnl_memory_desc_t &wanted) const;

  int64_t memoryBytes() const;

private:
  explicit DnnlContext(const OneDnn &functions)
      : functions(&functions), engineHandle(functions.engine_destroy),
        streamHandle(functions.stream_destroy) {}

  struct Packed {
    int32_t buffer;
    dnnl_memory_desc_t plain; // of the raw bytes
    dnnl_memory_desc_t layout;
    Block data;
  };

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

#endif // TENON_LIB_RUNTIME_DNNLCONTEXT_H
