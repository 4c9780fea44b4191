//===- PluginCall.h - a plug-in call --------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_PLUGINCALL_H
#define TENON_LIB_RUNTIME_PLUGINCALL_H

#include "Memory.h"
#include "Plugin.h"

#include <memory>
#include <vector>

namespace tenon::runtime {

/// The workspace that the plug-in calls of an instance share, one at a time.
class PluginWorkspace {
public:
  explicit PluginWorkspace(HostMemory &memory) : memory(memory) {}
  /// If the allocation fails, the old memory is gone as well.
  artifact::Status reserve(int64_t bytes);
  void *data() const { return block.data(); }
  int64_t size() const { return block.size(); }

private:
  HostMemory &memory;
  Block block;
};

/// One step that calls a plug-in. It keeps the plug-in's states for the last
/// `maxStates` sets of sizes, so that calls with known sizes create nothing.
class PluginCall {
public:
  static artifact::Expected<std::unique_ptr<PluginCall>>
  create(const tenon_step &step, int threads, PluginWorkspace &workspace,
         const std::string &folder);

  ~PluginCall();

  /// Selects the state for these symbols, or makes it. `buffers` are as in
  /// `run`; only constant operands are used.
  artifact::Status select(const int64_t *symbols, void *const *buffers);

  /// Runs the kernel on every item; `buffers` are as in tenon_kernel_fn.
  artifact::Status run(void *const *buffers);

  /// For example "openblas".
  const char *backend() const { return call.backend; }
  const char *pattern() const { return call.pattern; }

private:
  struct State;

  static constexpr size_t maxStates = 32;

  PluginCall(const tenon_step &step, int threads, PluginWorkspace &workspace);

  artifact::Error fail(const std::string &what) const;
  artifact::Status makeState(State &state, void *const *buffers);
  artifact::Status reserve(const State &state);

  const tenon_step &step;
  const tenon_plugin_call &call;
  int threads;
  PluginWorkspace &workspace;
  const tenon_backend *plugin = nullptr;
  std::vector<int64_t> values; // from the last `select`, in the format of
                               // call.sizes
  std::vector<void *> moved;   // buffers of the current item
  std::vector<std::unique_ptr<State>> states;
  State *selected = nullptr;
  uint64_t clock = 0;
};

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_PLUGINCALL_H
