//===- TestProgram.cpp - programs written by hand -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestProgram.h"

#include <array>

using namespace tenon::runtime;

// The functions of the tables have no context: each entry has a slot with
// functions of its own, which call the test's.
static constexpr size_t numSlots = 512, entrySlots = 4;

namespace {
struct Slot {
  const TestProgram *test;
  size_t entry;
};
} // namespace

static Slot slots[numSlots];

template <size_t number>
static void getBytesOfSlot(const int64_t *symbols, int64_t *out) {
  slots[number].test->getBytes(slots[number].entry, symbols, out);
}

template <size_t number>
static void getExtentsOfSlot(const int64_t *symbols, int64_t *out) {
  slots[number].test->getExtents(slots[number].entry, symbols, out);
}

template <size_t... numbers>
static constexpr auto listSizes(std::index_sequence<numbers...>) {
  return std::array<std::pair<tenon_sizes_fn, tenon_sizes_fn>, numSlots>{
      {{getBytesOfSlot<numbers>, getExtentsOfSlot<numbers>}...}};
}
static constexpr auto sizesOfSlots =
    listSizes(std::make_index_sequence<numSlots>());

size_t TestProgram::getNextSlot() {
  static size_t next = 0;
  return next++ * entrySlots % numSlots;
}

void TestProgram::getBytes(size_t number, const int64_t *symbols,
                           int64_t *out) const {
  std::vector<int64_t> bytes;
  for (const tenon_buffer &buffer : added)
    bytes.push_back(buffer.bytes);
  kept[number].table.buffer_bytes(symbols, bytes.data());
  const tenon_entry &table = entries[number];
  for (size_t i = 0; i < bytes.size(); ++i)
    if (int32_t place = places[i];
        place >= table.first_buffer && place < table.end_buffer)
      out[place - table.first_buffer] = bytes[i];
}

void TestProgram::getExtents(size_t number, const int64_t *symbols,
                             int64_t *out) const {
  std::vector<int64_t> extents;
  for (const tenon_step &step : steps)
    extents.push_back(step.extent);
  kept[number].table.step_extents(symbols, extents.data());
  const tenon_entry &table = entries[number];
  std::copy(extents.begin() + table.first_step,
            extents.begin() + table.end_step, out);
}

void TestProgram::fill() {
  places.assign(added.size(), -1);
  buffers.clear();
  auto place = [&](size_t i) {
    places[i] = static_cast<int32_t>(buffers.size());
    buffers.push_back(added[i]);
  };
  for (size_t i = 0; i < added.size(); ++i)
    if (isShared(added[i]))
      place(i);
  program.prepare = {};
  program.prepare.name = "prepare";
  program.prepare.first_buffer = static_cast<int32_t>(buffers.size());
  for (size_t i = 0; i < added.size(); ++i)
    if (isOfPrepare(added[i]))
      place(i);
  program.prepare.end_buffer = static_cast<int32_t>(buffers.size());
  program.prepare.end_step = numPrepareSteps;
  program.prepare.arena_bytes = finished[0].table.arena_bytes;
  entries.clear();
  for (size_t n = 0; n < finished.size(); ++n) {
    Finished &from = finished[n];
    tenon_entry table = from.table;
    table.num_inputs = static_cast<int32_t>(from.inputs.size());
    table.inputs = from.inputs.data();
    table.num_outputs = static_cast<int32_t>(from.outputs.size());
    table.outputs = from.outputs.data();
    table.first_buffer = static_cast<int32_t>(buffers.size());
    for (int32_t i = from.firstBuffer; i < from.endBuffer; ++i)
      if (places[i] < 0)
        place(i);
    table.end_buffer = static_cast<int32_t>(buffers.size());
    table.first_step = n == 0 ? numPrepareSteps : from.firstStep;
    table.end_step = from.endStep;
    entries.push_back(table);
  }
  kept = finished;
  for (size_t n = 0; n < entries.size(); ++n) {
    auto [bytes, extents] = sizesOfSlots[slot + n % entrySlots];
    slots[slot + n % entrySlots] = {this, n};
    if (entries[n].buffer_bytes)
      entries[n].buffer_bytes = bytes;
    if (entries[n].step_extents)
      entries[n].step_extents = extents;
  }
  for (size_t n = 0; n < entries.size(); ++n) {
    entries[n].inputs = kept[n].inputs.data();
    entries[n].outputs = kept[n].outputs.data();
  }
  placedLists.clear();
  placedSteps = steps;
  for (tenon_step &step : placedSteps) {
    std::vector<int32_t> list;
    for (int32_t j = 0; j < step.num_buffers; ++j) {
      int32_t buffer = step.buffers[j];
      bool isKnown = buffer >= 0 && static_cast<size_t>(buffer) < places.size();
      list.push_back(isKnown ? places[buffer] : buffer);
    }
    placedLists.push_back(std::move(list));
    step.buffers = placedLists.back().data();
  }
  placedChecks = checks;
  for (tenon_check &check : placedChecks)
    if (check.buffer >= 0 && static_cast<size_t>(check.buffer) < places.size())
      check.buffer = places[check.buffer];
  program.num_params = static_cast<int32_t>(params.size());
  program.params = params.data();
  program.num_states = static_cast<int32_t>(states.size());
  program.states = states.data();
  program.num_buffers = static_cast<int32_t>(buffers.size());
  program.buffers = buffers.data();
  program.num_steps = static_cast<int32_t>(placedSteps.size());
  program.steps = placedSteps.data();
  program.num_images = static_cast<int32_t>(images.size());
  program.images = images.data();
  program.num_checks = static_cast<int32_t>(placedChecks.size());
  program.checks = placedChecks.data();
  program.num_entries = static_cast<int32_t>(entries.size());
  program.entries = entries.data();
  entry.num_inputs = static_cast<int32_t>(inputs.size());
  entry.inputs = inputs.data();
  entry.num_outputs = static_cast<int32_t>(outputs.size());
  entry.outputs = outputs.data();
  entry.donations = donations.empty() ? nullptr : donations.data();
}
