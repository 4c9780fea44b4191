//===- OneDnn.h - oneDNN, loaded at run time ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C functions of oneDNN 2, looked up in libdnnl.so.2, so that artifacts
// start on a machine without it and report that it is missing.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_ONEDNN_ONEDNN_H
#define TENON_LIB_RUNTIME_ONEDNN_ONEDNN_H

#include "tenon/Artifact/Status.h"

#include <dnnl.h>

namespace tenon::runtime {

#define TENON_ONEDNN_FUNCTIONS(X)                                              \
  X(version)                                                                   \
  X(get_effective_cpu_isa)                                                     \
  X(engine_create)                                                             \
  X(engine_destroy)                                                            \
  X(stream_create)                                                             \
  X(stream_destroy)                                                            \
  X(memory_desc_init_by_strides)                                               \
  X(memory_desc_equal)                                                         \
  X(memory_desc_get_size)                                                      \
  X(memory_create)                                                             \
  X(memory_destroy)                                                            \
  X(memory_set_data_handle)                                                    \
  X(matmul_desc_init)                                                          \
  X(dilated_convolution_forward_desc_init)                                     \
  X(dilated_convolution_backward_weights_desc_init)                            \
  X(dilated_deconvolution_forward_desc_init)                                   \
  X(pooling_forward_desc_init)                                                 \
  X(lrn_forward_desc_init)                                                     \
  X(softmax_v2_forward_desc_init)                                              \
  X(layer_normalization_forward_desc_init)                                     \
  X(primitive_attr_create)                                                     \
  X(primitive_attr_destroy)                                                    \
  X(primitive_attr_set_scratchpad_mode)                                        \
  X(primitive_attr_set_post_ops)                                               \
  X(post_ops_create)                                                           \
  X(post_ops_destroy)                                                          \
  X(post_ops_append_eltwise)                                                   \
  X(post_ops_append_binary)                                                    \
  X(post_ops_append_sum)                                                       \
  X(primitive_desc_create)                                                     \
  X(primitive_desc_destroy)                                                    \
  X(primitive_desc_query)                                                      \
  X(primitive_desc_query_md)                                                   \
  X(reorder_primitive_desc_create)                                             \
  X(primitive_create)                                                          \
  X(primitive_destroy)                                                         \
  X(primitive_execute)                                                         \
  X(get_primitive_cache_capacity)                                              \
  X(set_primitive_cache_capacity)

/// The library's functions, named without the prefix `dnnl_`.
struct OneDnn {
#define X(name) decltype(&::dnnl_##name) name = nullptr;
  TENON_ONEDNN_FUNCTIONS(X)
#undef X

  /// Loads the library once per process. After a failure, the next call tries
  /// again.
  static artifact::Expected<const OneDnn *> get();

  /// Calls primitive_create such that the same primitive can be created after a
  /// failure: oneDNN's cache would otherwise keep the incomplete entry and
  /// refuse it from then on.
  artifact::Status
  createPrimitive(dnnl_primitive_t *primitive,
                  const_dnnl_primitive_desc_t descriptor) const;

  /// The capacity when the library was loaded.
  int cacheCapacity = 0;
};

/// Returns the text of a failure: "out of memory", "unimplemented", ...
const char *oneDnnStatusText(dnnl_status_t status);

/// Owns a oneDNN handle.
template <typename T> class DnnlHandle {
public:
  using Destroy = dnnl_status_t (*)(T);

  DnnlHandle() = default;
  explicit DnnlHandle(Destroy destroy) : destroy(destroy) {}
  DnnlHandle(DnnlHandle &&other) noexcept
      : handle(other.handle), destroy(other.destroy) {
    other.handle = nullptr;
  }
  DnnlHandle &operator=(DnnlHandle &&other) noexcept {
    T moved = other.handle;
    other.handle = handle;
    handle = moved;
    Destroy movedDestroy = other.destroy;
    other.destroy = destroy;
    destroy = movedDestroy;
    return *this;
  }
  ~DnnlHandle() {
    if (handle)
      destroy(handle);
  }

  T get() const { return handle; }
  /// Returns the address where a create function writes the handle. May be used
  /// only once.
  T *out() { return &handle; }

private:
  T handle = nullptr;
  Destroy destroy = nullptr;
};

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_ONEDNN_ONEDNN_H
