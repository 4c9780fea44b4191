//===- DnnlContext.cpp - what oneDNN calls of an instance share
//-------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DnnlContext.h"

using namespace tenon::artifact;

namespace tenon::runtime {

Expected<std::unique_ptr<DnnlContext>> DnnlContext::create() {
  const char *error;
  const OneDnn *functions = OneDnn::get(error);
  if (!functions)
    return makeError(error);
  std::unique_ptr<DnnlContext> context(new DnnlContext(*functions));
  dnnl_status_t status =
      functions->engine_create(context->engineHandle.out(), dnnl_cpu, 0);
  if (status == dnnl_success)
    status =
        functions->stream_create(context->streamHandle.out(), context->engine(),
                                 dnnl_stream_default_flags);
  if (status != dnnl_success)
    return makeError("cannot start oneDNN: ", oneDnnStatusText(status));
  return context;
}

Expected<char *> DnnlContext::scratchpad(int64_t bytes) {
  if (scratch.size() < bytes) {
    scratch = Block(); // not both at once
    Expected<Block> grown =
        Block::allocate(bytes, "the scratch memory of library calls");
    if (!grown)
      return grown.takeError();
    scratch = std::move(*grown);
  }
  return scratch.data();
}

Expected<const void *> DnnlContext::pack(int32_t buffer, const void *raw,
                                         const dnnl_memory_desc_t &plain,
                                         const dnnl_memory_desc_t &wanted) {
  const dnnl_memory_desc_t *from = &plain;
  for (const Packed &existing : packed) {
    if (existing.buffer != buffer)
      continue;
    if (dnnl().memory_desc_equal(&existing.layout, &wanted))
      return static_cast<const void *>(existing.data.data());
    if (!raw) {
      raw = existing.data.data();
      from = &existing.layout;
    }
  }
  Expected<Block> data = Block::allocate(
      static_cast<int64_t>(dnnl().memory_desc_get_size(&wanted)),
      "a packed weight");
  if (!data)
    return data.takeError();
  Reorder reorder;
  if (Status status = reorder.create(*this, *from, wanted); !status)
    return status.takeError();
  if (Status status = reorder.run(*this, raw, data->data()); !status)
    return status.takeError();
  packed.push_back({buffer, wanted, std::move(*data)});
  return static_cast<const void *>(packed.back().data.data());
}

int64_t DnnlContext::memoryBytes() const {
  int64_t sum = scratch.size();
  for (const Packed &weight : packed)
    sum += weight.data.size();
  return sum;
}

Status Reorder::create(const DnnlContext &context,
                       const dnnl_memory_desc_t &from,
                       const dnnl_memory_desc_t &to) {
  const OneDnn &dnnl = context.dnnl();
  DnnlHandle<dnnl_primitive_desc_t> descriptor(dnnl.primitive_desc_destroy);
  primitive = DnnlHandle<dnnl_primitive_t>(dnnl.primitive_destroy);
  source = DnnlHandle<dnnl_memory_t>(dnnl.memory_destroy);
  target = DnnlHandle<dnnl_memory_t>(dnnl.memory_destroy);
  dnnl_status_t status = dnnl.reorder_primitive_desc_create(
      descriptor.out(), &from, context.engine(), &to, context.engine(),
      nullptr);
  if (status == dnnl_success)
    status = dnnl.primitive_create(primitive.out(), descriptor.get());
  if (status == dnnl_success)
    status = dnnl.memory_create(source.out(), &from, context.engine(),
                                DNNL_MEMORY_NONE);
  if (status == dnnl_success)
    status = dnnl.memory_create(target.out(), &to, context.engine(),
                                DNNL_MEMORY_NONE);
  if (status != dnnl_success)
    return makeError("cannot pack weights: ", oneDnnStatusText(status));
  return Status::success();
}

Status Reorder::run(const DnnlContext &context, const void *from, void *to) {
  const OneDnn &dnnl = context.dnnl();
  dnnl_status_t status =
      dnnl.memory_set_data_handle(source.get(), const_cast<void *>(from));
  if (status == dnnl_success)
    status = dnnl.memory_set_data_handle(target.get(), to);
  dnnl_exec_arg_t args[] = {{DNNL_ARG_FROM, source.get()},
                            {DNNL_ARG_TO, target.get()}};
  if (status == dnnl_success)
    status = dnnl.primitive_execute(primitive.get(), context.stream(), 2, args);
  if (status != dnnl_success)
    return makeError("cannot pack weights: ", oneDnnStatusText(status));
  return Status::success();
}

} // namespace tenon::runtime
