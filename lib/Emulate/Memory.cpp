//===- Memory.cpp - global memory of emulated kernels ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Emulate/Memory.h"

#include "Shadow.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>

using namespace tenon::emulate;
using llvm::ArrayRef;
using llvm::MutableArrayRef;

/// The stamp of the host's writes, in the phase before those of all launches.
static constexpr Stamp hostStamp = Stamp(1) << phaseShift;

void Allocation::refine(uint64_t bits) {
  unsigned finer = llvm::countr_zero(bits);
  if (!cells) {
    granule = finer;
    return;
  }
  unsigned ratio = 1u << (granule - finer);
  uint64_t oldCount = getCellCount();
  granule = finer;
  uint64_t count = getCellCount();
  auto fine = allocateZeros<Cell>(count);
  for (uint64_t old = 0; old < oldCount; ++old) {
    // These cells are already zero, and writing them would touch their pages.
    if (!cells[old].writer && !cells[old].reader)
      continue;
    for (uint64_t cell = old * ratio, end = std::min(cell + ratio, count);
         cell < end; ++cell)
      fine[cell] = cells[old];
  }
  cells = std::move(fine);
}

Memory::Memory() : state(std::make_unique<MemoryState>()) {}
Memory::~Memory() = default;
Memory::Memory(Memory &&) = default;
Memory &Memory::operator=(Memory &&) = default;

Pointer Memory::allocate(llvm::StringRef name, uint64_t bytes,
                         AllocationOptions options) {
  if (!llvm::isPowerOf2_64(options.alignment) || options.alignment > 4096)
    llvm::report_fatal_error("alignment of emulated memory: expected a power "
                             "of two of at most 4096");
  auto allocation = std::make_unique<Allocation>();
  allocation->name = name.str();
  allocation->bytes = bytes;
  allocation->data = allocateZeros<uint8_t>(bytes);
  allocation->initialized = options.initialized;
  allocation->readOnly = options.readOnly;
  allocation->alignment = options.alignment;
  if (!options.readOnly || !options.initialized)
    allocation->cells = allocateZeros<Cell>(allocation->getCellCount());
  allocation->start = makeStart(firstGlobalNumber + state->allocations.size(),
                                options.alignment);
  state->allocations.push_back(std::move(allocation));
  return state->allocations.back()->start;
}

Pointer Memory::allocate(llvm::StringRef name, ArrayRef<uint8_t> contents,
                         AllocationOptions options) {
  options.initialized = true;
  Pointer start = allocate(name, contents.size(), options);
  if (!contents.empty())
    std::memcpy(getBytes(start).data(), contents.data(), contents.size());
  return start;
}

static Allocation &get(const MemoryState &state, Pointer pointer) {
  Allocation *allocation = state.find(pointer.bits);
  if (!allocation)
    llvm::report_fatal_error("the host uses a pointer to no emulated memory");
  return *allocation;
}

void Memory::release(Pointer start) {
  get(*state, start);
  state->allocations[getNumber(start.bits) - firstGlobalNumber].reset();
}

MutableArrayRef<uint8_t> Memory::getBytes(Pointer pointer) {
  Allocation &allocation = get(*state, pointer);
  return {allocation.data.get(), static_cast<size_t>(allocation.bytes)};
}

ArrayRef<uint8_t> Memory::getBytes(Pointer pointer) const {
  const Allocation &allocation = get(*state, pointer);
  return {allocation.data.get(), static_cast<size_t>(allocation.bytes)};
}

void Memory::write(Pointer pointer, ArrayRef<uint8_t> contents) {
  Allocation &allocation = get(*state, pointer);
  uint64_t offset = pointer.bits - allocation.start.bits;
  if (offset > allocation.bytes || contents.size() > allocation.bytes - offset)
    llvm::report_fatal_error("the host writes outside of emulated memory");
  if (contents.empty())
    return;
  std::memcpy(allocation.data.get() + offset, contents.data(), contents.size());
  if (!allocation.cells)
    return;
  // The last cell may extend beyond the allocation's end.
  uint64_t end = offset + contents.size();
  allocation.refineFor(offset | (end == allocation.bytes ? 0 : end));
  uint64_t last = (end - 1) >> allocation.granule;
  for (uint64_t cell = offset >> allocation.granule; cell <= last; ++cell)
    if (!allocation.cells[cell].writer)
      allocation.cells[cell].writer = hostStamp;
}

void Memory::forget(Pointer pointer) {
  Allocation &allocation = get(*state, pointer);
  allocation.initialized = false;
  allocation.cells = allocateZeros<Cell>(allocation.getCellCount());
}

std::optional<uint64_t> Memory::findUninitialized(Pointer pointer) const {
  const Allocation &allocation = get(*state, pointer);
  if (allocation.initialized)
    return std::nullopt;
  for (uint64_t cell = 0; cell < allocation.getCellCount(); ++cell)
    if (!allocation.cells[cell].writer)
      return cell << allocation.granule;
  return std::nullopt;
}
