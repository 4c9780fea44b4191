//===- ProgramSlice.cpp - some entries of a program -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramSlice.h"

namespace tenon::runtime {

/// Numbers what is needed, from 0.
static int32_t number(const std::vector<bool> &needed, size_t begin, size_t end,
                      std::vector<int32_t> &numbers, int32_t next) {
  for (size_t i = begin; i < end; ++i)
    numbers[i] = needed[i] ? next++ : -1;
  return next;
}

void ProgramSlice::need(const tenon_step &step) {
  for (int32_t i = 0; i < step.num_buffers; ++i)
    neededBuffers[step.buffers[i]] = true;
}

/// Whether a step of load makes something that is needed: it uses a buffer that
/// load writes.
static bool makesNeeded(const tenon_program &program, const tenon_step &step,
                        const std::vector<bool> &needed) {
  for (int32_t i = 0; i < step.num_buffers; ++i) {
    int32_t kind = program.buffers[step.buffers[i]].kind;
    if (needed[step.buffers[i]] &&
        (kind == TENON_BUFFER_PREPARED || kind == TENON_BUFFER_ARENA))
      return true;
  }
  return false;
}

void ProgramSlice::findNeeded(const std::vector<int32_t> &entries) {
  neededBuffers.assign(program.num_buffers, false);
  neededSteps.assign(program.num_steps, false);
  for (int32_t entry : entries) {
    const tenon_entry &table = program.entries[entry];
    for (int32_t i = table.first_buffer; i < table.end_buffer; ++i)
      neededBuffers[i] = true;
    for (int32_t i = table.first_step; i < table.end_step; ++i) {
      neededSteps[i] = true;
      need(program.steps[i]);
    }
  }
  // Indices that load checks are those of constants or parameters, which
  // entries read.
  for (int32_t i = 0; i < program.num_checks; ++i) {
    const tenon_step &step = program.steps[program.checks[i].step];
    bool isNeeded = false;
    for (int32_t j = 0; j < step.num_buffers; ++j)
      isNeeded |= neededBuffers[step.buffers[j]];
    if (isNeeded && program.checks[i].step < program.prepare.end_step)
      neededBuffers[program.checks[i].buffer] = true;
  }
  // What a step reads was made before it.
  for (int32_t i = program.prepare.end_step - 1; i >= 0; --i)
    if (makesNeeded(program, program.steps[i], neededBuffers)) {
      neededSteps[i] = true;
      need(program.steps[i]);
    }
}

/// Parameters and states, and the buffers that all entries share.
void ProgramSlice::addShared(const std::vector<int32_t> &moreStates) {
  std::vector<bool> neededParams(program.num_params);
  std::vector<bool> neededStates(program.num_states);
  for (int32_t state : moreStates)
    neededStates[state] = true;
  for (int32_t i = 0; i < program.prepare.first_buffer; ++i) {
    const tenon_buffer &buffer = program.buffers[i];
    if (neededBuffers[i] && buffer.kind == TENON_BUFFER_PARAM)
      neededParams[buffer.index] = true;
    if (neededBuffers[i] && buffer.kind == TENON_BUFFER_STATE)
      neededStates[buffer.index] = true;
  }
  for (int32_t i = 0; i < program.num_states; ++i)
    if (neededStates[i] && program.states[i].param >= 0)
      neededParams[program.states[i].param] = true;
  number(neededParams, 0, neededParams.size(), paramNumbers, 0);
  number(neededStates, 0, neededStates.size(), stateNumbers, 0);
  for (int32_t i = 0; i < program.num_params; ++i)
    if (neededParams[i])
      params.push_back(program.params[i]);
  for (int32_t i = 0; i < program.num_states; ++i) {
    if (!neededStates[i])
      continue;
    states.push_back(program.states[i]);
    if (states.back().param >= 0)
      states.back().param = paramNumbers[states.back().param];
  }
  for (int32_t i = 0; i < program.prepare.first_buffer; ++i) {
    if (!neededBuffers[i])
      continue;
    tenon_buffer &buffer = buffers.emplace_back(program.buffers[i]);
    if (buffer.kind == TENON_BUFFER_PARAM)
      buffer.index = paramNumbers[buffer.index];
    if (buffer.kind == TENON_BUFFER_STATE)
      buffer.index = stateNumbers[buffer.index];
  }
}

void ProgramSlice::addPart(const tenon_entry &part, tenon_entry &made) {
  made = part;
  made.ranks = nullptr;
  made.first_buffer = static_cast<int32_t>(buffers.size());
  for (int32_t i = part.first_buffer; i < part.end_buffer; ++i) {
    if (!neededBuffers[i])
      continue;
    tenon_buffer &buffer = buffers.emplace_back(program.buffers[i]);
    if (buffer.kind != TENON_BUFFER_ARENA)
      continue;
    // Its life begins and ends at steps that are there.
    while (buffer.first_step < buffer.last_step &&
           !neededSteps[buffer.first_step])
      ++buffer.first_step;
    while (buffer.last_step > buffer.first_step &&
           !neededSteps[buffer.last_step])
      --buffer.last_step;
    buffer.first_step = stepNumbers[buffer.first_step];
    buffer.last_step = stepNumbers[buffer.last_step];
  }
  made.end_buffer = static_cast<int32_t>(buffers.size());
  made.first_step = static_cast<int32_t>(steps.size());
  for (int32_t i = part.first_step; i < part.end_step; ++i) {
    if (!neededSteps[i])
      continue;
    tenon_step &step = steps.emplace_back(program.steps[i]);
    std::vector<int32_t> &own = stepBuffers.emplace_back();
    for (int32_t j = 0; j < step.num_buffers; ++j)
      own.push_back(bufferNumbers[step.buffers[j]]);
    step.buffers = own.data();
  }
  made.end_step = static_cast<int32_t>(steps.size());
}

void ProgramSlice::addChecks() {
  for (int32_t i = 0; i < program.num_checks; ++i) {
    tenon_check check = program.checks[i];
    check.step = stepNumbers[check.step];
    if (check.step < 0)
      continue;
    check.buffer = bufferNumbers[check.buffer];
    if (buffers[check.buffer].kind == TENON_BUFFER_CHECK)
      buffers[check.buffer].index = static_cast<int32_t>(checks.size());
    checks.push_back(check);
  }
}

ProgramSlice::ProgramSlice(const tenon_program &program,
                           const std::vector<int32_t> &entries,
                           const std::vector<int32_t> &moreStates)
    : program(program), sliced(program), bufferNumbers(program.num_buffers, -1),
      stepNumbers(program.num_steps, -1), paramNumbers(program.num_params, -1),
      stateNumbers(program.num_states, -1) {
  findNeeded(entries);
  number(neededBuffers, 0, neededBuffers.size(), bufferNumbers, 0);
  number(neededSteps, 0, neededSteps.size(), stepNumbers, 0);
  addShared(moreStates);
  addPart(program.prepare, sliced.prepare);
  for (int32_t entry : entries)
    addPart(program.entries[entry], parts.emplace_back());
  addChecks();
  sliced.num_params = static_cast<int32_t>(params.size());
  sliced.params = params.data();
  sliced.num_states = static_cast<int32_t>(states.size());
  sliced.states = states.data();
  sliced.num_buffers = static_cast<int32_t>(buffers.size());
  sliced.buffers = buffers.data();
  sliced.num_steps = static_cast<int32_t>(steps.size());
  sliced.steps = steps.data();
  sliced.num_entries = static_cast<int32_t>(parts.size());
  sliced.entries = parts.data();
  sliced.num_checks = static_cast<int32_t>(checks.size());
  sliced.checks = checks.data();
  // It has no ranks itself.
  sliced.num_ranks = 0;
  sliced.num_tasks = 0;
}

} // namespace tenon::runtime
