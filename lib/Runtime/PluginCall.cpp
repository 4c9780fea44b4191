//===- PluginCall.cpp - a plug-in call ------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PluginCall.h"

#include "Process.h"
#include "tenon/Runtime/Parallel.h"

#include <algorithm>

using namespace tenon::artifact;

namespace tenon::runtime {

/// The plug-in's state for one set of sizes.
struct PluginCall::State {
  ~State() {
    if (created && plugin.destroy)
      plugin.destroy(data);
  }
  explicit State(const tenon_backend &plugin) : plugin(plugin) {}
  State(const State &) = delete;
  State &operator=(const State &) = delete;

  const tenon_backend &plugin;
  std::vector<int64_t> key; // the numbers that call.sizes wrote
  std::vector<int64_t> strides;
  std::vector<tenon_backend_operand> operands;
  tenon_backend_problem problem = {};
  /// Bytes from one item to the next; 0 if all items share the buffer.
  std::vector<int64_t> itemBytes;
  bool isEmpty = false; // no result has elements
  int64_t workspaceBytes = 0;
  bool created = false;
  void *data = nullptr;
  uint64_t lastUse = 0;
};

Status PluginWorkspace::reserve(int64_t bytes) {
  if (block.size() >= bytes)
    return Status::success();
  block = Block(); // release first, so that both never exist together
  Expected<Block> grown =
      Block::allocate(memory, bytes, "the workspace of plug-ins");
  if (!grown)
    return grown.takeError();
  block = std::move(*grown);
  return Status::success();
}

PluginCall::PluginCall(const tenon_step &step, int threads,
                       PluginWorkspace &workspace)
    : step(step), call(*step.plugin), threads(threads), workspace(workspace) {}
PluginCall::~PluginCall() = default;

Error PluginCall::fail(const std::string &what) const {
  return makeError("step '", step.name, "': ", what);
}

Expected<std::unique_ptr<PluginCall>>
PluginCall::create(const tenon_step &step, int threads,
                   PluginWorkspace &workspace, const std::string &folder) {
  std::unique_ptr<PluginCall> made(new PluginCall(step, threads, workspace));
  const tenon_plugin_call &call = *step.plugin;
  if (call.num_operands + call.num_results != step.num_buffers)
    return made->fail(concat("expected ", call.num_operands + call.num_results,
                             " buffers, but got ", step.num_buffers));
  Expected<const tenon_backend *> plugin = openPlugin(call, folder);
  if (!plugin)
    return made->fail(plugin.error());
  made->plugin = *plugin;
  size_t count = 1 + call.num_symbols;
  for (int32_t i = 0; i < step.num_buffers; ++i)
    count += call.operands[i].rank;
  made->values.resize(count);
  made->moved.resize(step.num_buffers);
  return made;
}

Status PluginCall::select(const int64_t *symbols, void *const *buffers) {
  call.sizes(symbols, values.data());
  ++clock;
  for (const std::unique_ptr<State> &state : states)
    if (state->key == values) {
      state->lastUse = clock;
      selected = state.get();
      return reserve(*state);
    }
  selected = nullptr;
  if (states.size() == maxStates)
    states.erase(std::min_element(
        states.begin(), states.end(),
        [](const auto &a, const auto &b) { return a->lastUse < b->lastUse; }));
  auto state = std::make_unique<State>(*plugin);
  state->key = values;
  state->lastUse = clock;
  if (Status status = makeState(*state, buffers); !status)
    return status;
  states.push_back(std::move(state));
  selected = states.back().get();
  return Status::success();
}

Status PluginCall::makeState(State &state, void *const *buffers) {
  for (int64_t value : state.key)
    if (value < 0)
      return fail(concat("an operand would have the size ", value));
  tenon_backend_problem &problem = state.problem;
  const int64_t *next = state.key.data();
  problem.struct_size = sizeof(problem);
  problem.pattern = call.pattern;
  problem.num_operands = call.num_operands;
  problem.num_results = call.num_results;
  problem.items = *next++;
  problem.num_symbols = call.num_symbols;
  problem.symbol_names = call.symbol_names;
  problem.symbols = next;
  problem.threads = threads;
  next += call.num_symbols;

  const int64_t *shapes = next;
  state.strides.resize(state.key.data() + state.key.size() - shapes);
  state.isEmpty = problem.items == 0;
  bool anyElements = false;
  std::vector<const void *> constants(step.num_buffers, nullptr);
  for (int32_t i = 0; i < step.num_buffers; ++i) {
    const tenon_plugin_operand &table = call.operands[i];
    int64_t *strides = state.strides.data() + (next - shapes);
    int64_t elements = 1;
    for (int32_t axis = table.rank; axis-- > 0;) {
      strides[axis] = elements;
      elements *= next[axis];
    }
    state.operands.push_back({table.dtype, table.rank, next, strides,
                              table.is_constant, table.is_lifted});
    state.itemBytes.push_back(
        table.is_lifted ? elements * ((table.dtype.bits + 7) / 8) : 0);
    if (table.is_constant)
      constants[i] = buffers[i];
    anyElements |= i >= call.num_operands && elements > 0;
    next += table.rank;
  }
  problem.operands = state.operands.data();
  state.isEmpty |= !anyElements;
  if (state.isEmpty)
    return Status::success();

  int64_t bytes = plugin->workspace ? plugin->workspace(&problem) : 0;
  if (bytes < 0)
    return fail(concat("the backend '", call.backend,
                       "' asks for a workspace of ", bytes, " bytes"));
  state.workspaceBytes = bytes;
  if (Status status = reserve(state); !status)
    return status;
  if (!plugin->create)
    return Status::success();
  char reason[512] = "";
  ThreadScope scope(threads);
  if (plugin->create(&problem, constants.data(), &state.data, reason,
                     sizeof reason) != 0)
    return fail(concat("the backend '", call.backend, "' can't run '",
                       call.pattern, "': ", *reason ? reason : "no reason"));
  state.created = true;
  return Status::success();
}

/// Another call, or the same call for other sizes, may have failed to reserve
/// more memory, which releases the old memory.
Status PluginCall::reserve(const State &state) {
  if (Status status = workspace.reserve(state.workspaceBytes); !status)
    return fail(status.error());
  return Status::success();
}

Status PluginCall::run(void *const *buffers) {
  State &state = *selected;
  if (state.isEmpty)
    return Status::success();
  if (Status status = reserve(state); !status)
    return status;
  // A child that is forked now would also inherit the plug-in's locks.
  LibraryWork work;
  ThreadScope scope(threads);
  std::copy(buffers, buffers + step.num_buffers, moved.begin());
  for (int64_t item = 0; item < state.problem.items; ++item) {
    char reason[512] = "";
    if (plugin->run(&state.problem, state.data, moved.data(), workspace.data(),
                    reason, sizeof reason) != 0)
      return fail(concat("the backend '", call.backend,
                         "' failed: ", *reason ? reason : "no reason"));
    for (size_t i = 0; i < moved.size(); ++i)
      moved[i] = static_cast<char *>(moved[i]) + state.itemBytes[i];
  }
  return Status::success();
}

} // namespace tenon::runtime
