//===- FakeStreams.cpp - streams, graphs, events and kernels ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeState.h"

#include <algorithm>
#include <cstring>
#include <sstream>

void flush(Stream *stream) {
  // Work never adds work, but may wait for another stream, which waits for
  // this.
  auto queue = std::move(stream->queue);
  stream->queue.clear();
  for (const Work &work : queue)
    if (!state.stickyError)
      work();
}

void put(Stream *stream, Work work) {
  if (stream->capture)
    stream->capture->nodes.push_back(std::move(work));
  else
    stream->queue.push_back(std::move(work));
}

//===----------------------------------------------------------------------===//
// For the libraries of tests (FakeLibrary.h)
//===----------------------------------------------------------------------===//

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT void tenon_fake_put(Stream *stream, const Work *work) {
  put(stream, *work);
}
EXPORT bool tenon_fake_holds(uint64_t address, int64_t bytes) {
  return isFakeMemory(address, bytes);
}
EXPORT bool tenon_fake_is_capturing(Stream *stream) {
  return stream->capture != nullptr;
}
EXPORT void tenon_fake_fault() { state.stickyError = IllegalAddress; }

//===----------------------------------------------------------------------===//
// Streams and graphs
//===----------------------------------------------------------------------===//

FAKE cuStreamCreate(Stream **stream, unsigned) {
  CHECK;
  *stream = new Stream();
  state.streams.push_back(*stream);
  ++state.liveStreams;
  return Success;
}
FAKE cuStreamDestroy_v2(Stream *stream) {
  if (contextDepth == 0)
    return InvalidContext;
  flush(stream);
  state.streams.erase(
      std::find(state.streams.begin(), state.streams.end(), stream));
  delete stream;
  --state.liveStreams;
  return Success;
}
FAKE cuStreamSynchronize(Stream *stream) {
  CHECK;
  if (stream->capture)
    return CaptureUnsupported;
  ++state.synchronizations;
  flush(stream);
  return state.stickyError;
}
FAKE cuStreamBeginCapture_v2(Stream *stream, int) {
  CHECK;
  if (state.failCapture)
    return CaptureUnsupported;
  stream->capture = new Graph();
  stream->isDisturbed = state.invalidateCaptures > 0;
  state.invalidateCaptures -= stream->isDisturbed;
  ++state.liveGraphs;
  ++state.captures;
  return Success;
}
FAKE cuStreamEndCapture(Stream *stream, Graph **graph) {
  *graph = stream->capture;
  stream->capture = nullptr;
  if (!stream->isDisturbed)
    return check();
  stream->isDisturbed = false;
  delete *graph;
  *graph = nullptr;
  --state.liveGraphs;
  return CaptureInvalidated;
}
FAKE cuGraphInstantiateWithFlags(Graph **executable, Graph *graph,
                                 unsigned long long) {
  CHECK;
  *executable = new Graph(*graph);
  ++state.liveGraphs;
  return Success;
}
FAKE cuGraphLaunch(Graph *executable, Stream *stream) {
  CHECK;
  ++state.graphLaunches;
  for (const Work &work : executable->nodes)
    put(stream, work);
  return Success;
}
static int destroyGraph(Graph *graph) {
  if (contextDepth == 0)
    return InvalidContext;
  delete graph;
  --state.liveGraphs;
  return Success;
}
FAKE cuGraphExecDestroy(Graph *executable) { return destroyGraph(executable); }
FAKE cuGraphDestroy(Graph *graph) { return destroyGraph(graph); }

FAKE cuEventCreate(Event **event, unsigned) {
  CHECK;
  *event = new Event();
  ++state.liveEvents;
  return Success;
}
FAKE cuEventDestroy_v2(Event *event) {
  if (contextDepth == 0)
    return InvalidContext;
  delete event;
  --state.liveEvents;
  return Success;
}
FAKE cuEventRecord(Event *event, Stream *stream) {
  CHECK;
  event->recorded = stream;
  if (stream)
    put(stream, [=] { event->milliseconds = state.clock; });
  return Success;
}
/// What the event's stream holds by then is done first.
FAKE cuStreamWaitEvent(Stream *stream, Event *event, unsigned) {
  CHECK;
  Stream *other = event->recorded;
  if (stream && other)
    put(stream, [=] { flush(other); });
  return Success;
}
FAKE cuEventElapsedTime(float *milliseconds, Event *from, Event *to) {
  CHECK;
  *milliseconds = static_cast<float>(to->milliseconds - from->milliseconds);
  return Success;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

FAKE cuModuleLoadDataEx(Module **module, const void *image, unsigned count,
                        int *options, void **values) {
  CHECK;
  std::istringstream text(static_cast<const char *>(image));
  Module loaded;
  std::string name;
  int numArguments;
  while (text >> name >> numArguments) {
    if (name == "too-new-ptx") {
      for (unsigned i = 0; i < count; ++i)
        if (options[i] == 5)
          std::strcpy(static_cast<char *>(values[i]), "unsupported .version\n");
      return UnsupportedPtxVersion;
    }
    if (name == "too-new-binary")
      return NoBinaryForGpu;
    if (name == "takes-all-memory")
      return OutOfMemory;
    if (name == "loses-device")
      return state.stickyError = LaunchFailed;
    // Found out late, by a driver that loads lazily.
    loaded.refusesKernels |= name == "too-new-kernels";
    loaded.functions[name] = {name, numArguments, findFakeKernel(name.c_str())};
  }
  *module = new Module(loaded);
  ++state.liveModules;
  return Success;
}
FAKE cuModuleUnload(Module *module) {
  if (contextDepth == 0)
    return InvalidContext;
  delete module;
  --state.liveModules;
  return Success;
}
FAKE cuModuleGetFunction(Function **function, Module *module,
                         const char *name) {
  CHECK;
  if (module->refusesKernels)
    return NoBinaryForGpu;
  auto found = module->functions.find(name);
  if (found == module->functions.end() || !found->second.kernel)
    return NotFound;
  *function = &found->second;
  return Success;
}
FAKE cuFuncGetAttribute(int *value, int attribute, Function *) {
  // Threads of a block; shared memory that the kernel declares.
  *value = attribute == 0 ? 512 : 1024;
  return check();
}
FAKE cuFuncSetAttribute(Function *, int, int value) {
  CHECK;
  if (value > state.maxSharedBytes)
    return InvalidValue;
  state.allowedShared = std::max(state.allowedShared, value);
  return Success;
}
FAKE cuLaunchKernel(Function *function, unsigned blocks, unsigned, unsigned,
                    unsigned threads, unsigned, unsigned, unsigned shared,
                    Stream *stream, void **arguments, void **) {
  CHECK;
  if (stream->isDisturbed)
    return CaptureInvalidated;
  if (blocks == 0 || threads == 0 ||
      static_cast<int>(shared) > std::max(48128, state.allowedShared))
    return InvalidValue;
  if (!stream->capture)
    ++state.launches;
  std::vector<uint64_t> values;
  for (int i = 0; i < function->numArguments; ++i)
    values.push_back(*static_cast<const uint64_t *>(arguments[i]));
  if (!stream->capture && state.failLaunch > 0 && state.launchError < 700 &&
      --state.failLaunch == 0)
    return state.launchError;
  put(stream, [=] {
    ++state.kernels;
    state.clock += 1;
    if (state.launchError >= 700 && state.failLaunch > 0 &&
        --state.failLaunch == 0)
      state.stickyError = state.launchError;
    else if (!function->kernel(values.data(), function->numArguments,
                               int64_t(blocks) * threads))
      state.stickyError = IllegalAddress;
  });
  return Success;
}
