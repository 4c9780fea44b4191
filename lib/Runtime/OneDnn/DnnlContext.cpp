//===- DnnlContext.cpp - state shared by an instance's oneDNN calls -------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DnnlContext.h"

using namespace tenon::artifact;

namespace tenon::runtime {

Expected<std::unique_ptr<DnnlContext>>
DnnlContext::create(HostMemory &memory, SharedWeights &weights,
                    std::vector<std::string> origins) {
  Expected<const OneDnn *> functions = OneDnn::get();
  if (!functions)
    return functions.takeError();
  std::unique_ptr<DnnlContext> context(
      new DnnlContext(**functions, memory, weights, std::move(origins)));
  dnnl_status_t status =
      (*functions)->engine_create(context->engineHandle.out(), dnnl_cpu, 0);
  if (status == dnnl_success)
    status = (*functions)
                 ->stream_create(context->streamHandle.out(), context->engine(),
                                 dnnl_stream_default_flags);
  if (status != dnnl_success)
    return makeError("cannot start oneDNN: ", oneDnnStatusText(status));
  return context;
}

Expected<char *> DnnlContext::scratchpad(int64_t bytes) {
  if (scratch.size() < bytes) {
    scratch = Block(); // release first, so that both never exist together
    Expected<Block> grown = Block::allocate(
        ownMemory, bytes, "the scratch memory of library calls");
    if (!grown)
      return grown.takeError();
    scratch = std::move(*grown);
  }
  return scratch.data();
}

const void *DnnlContext::findPacked(int32_t buffer, const std::string &kind,
                                    const dnnl_memory_desc_t &plain,
                                    const dnnl_memory_desc_t &wanted) const {
  // One square weight may be read as it is and transposed: the plain layouts
  // differ, the wanted ones don't.
  for (const Packed &weight : packed)
    if (weight.buffer == buffer && weight.kind == kind &&
        dnnl().memory_desc_equal(&weight.plain, &plain) &&
        dnnl().memory_desc_equal(&weight.layout, &wanted))
      return weight.data.data();
  return nullptr;
}

std::string DnnlContext::keyOf(int32_t buffer, const std::string &kind,
                               const dnnl_memory_desc_t &plain,
                               const dnnl_memory_desc_t &wanted) const {
  const dnnl_version_t &version = *dnnl().version();
  std::string key =
      concat("onednn ", version.major, ".", version.minor, ".", version.patch,
             " ", version.hash ? version.hash : "", " ", kind, " ");
  for (const dnnl_memory_desc_t *layout : {&plain, &wanted})
    key.append(reinterpret_cast<const char *>(layout), sizeof *layout);
  return key + origins[buffer];
}

Status DnnlContext::convert(const dnnl_memory_desc_t &from, const void *source,
                            const dnnl_memory_desc_t &to, void *target) const {
  Reorder reorder;
  if (Status status = reorder.create(*this, from, to); !status)
    return status;
  if (ownMemory.isPlanned())
    return Status::success();
  return reorder.run(*this, source, target);
}

Expected<const void *> DnnlContext::pack(int32_t buffer,
                                         const std::string &kind,
                                         const RawSource &source,
                                         const dnnl_memory_desc_t &plain,
                                         const dnnl_memory_desc_t &wanted) {
  if (const void *found = findPacked(buffer, kind, plain, wanted))
    return found;
  const Packed *existing = nullptr;
  for (const Packed &weight : packed)
    if (weight.buffer == buffer && weight.kind == kind)
      existing = &weight;
  auto sizeOf = [&](const dnnl_memory_desc_t &layout) {
    return static_cast<int64_t>(dnnl().memory_desc_get_size(&layout));
  };
  auto make = [&](void *target) -> Status {
    Expected<const void *> raw = source();
    if (!raw)
      return raw.takeError();
    // All plain layouts of a kind, of any number of axes, describe the same
    // bytes.
    // They are used if one packed layout cannot be converted to the other.
    Block unpacked;
    if (!*raw && existing) {
      Expected<Block> bytes = Block::allocate(
          ownMemory, sizeOf(existing->plain), "an unpacked weight");
      if (!bytes)
        return bytes.takeError();
      unpacked = std::move(*bytes);
      if (Status status = convert(existing->layout, existing->data.data(),
                                  existing->plain, unpacked.data());
          !status)
        return status;
      *raw = unpacked.data();
    }
    if (!*raw) {
      missedRaw = true;
      return makeError("a weight was given back before it was packed");
    }
    return convert(plain, *raw, wanted, target);
  };
  Expected<SharedWeights::Piece> data =
      weights.acquire(keyOf(buffer, kind, plain, wanted), sizeOf(wanted), make);
  if (!data)
    return data.takeError();
  packed.push_back({buffer, kind, plain, wanted, std::move(*data)});
  return packed.back().data.data();
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
    if (Status created =
            dnnl.createPrimitive(primitive.out(), descriptor.get());
        !created)
      return makeError("cannot pack weights: ", created.error());
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
