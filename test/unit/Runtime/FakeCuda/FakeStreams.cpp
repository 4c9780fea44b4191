//===- FakeStreams.cpp - streams, graphs and events ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeState.h"

#include <algorithm>

int check(const Stream *stream) {
  if (int error = check())
    return error;
  auto found = std::find(state.streams.begin(), state.streams.end(), stream);
  if (found == state.streams.end())
    return InvalidValue;
  return stream->queue->device == currentDevice() ? Success : InvalidContext;
}

//===----------------------------------------------------------------------===//
// Streams and graphs
//===----------------------------------------------------------------------===//

FAKE cuStreamCreate(Stream **stream, unsigned) {
  CHECK;
  *stream = new Stream();
  (*stream)->queue = std::make_shared<Queue>();
  (*stream)->queue->device = currentDevice();
  state.streams.push_back(*stream);
  ++state.liveStreams;
  return Success;
}
FAKE cuStreamDestroy_v2(Stream *stream) {
  Locked locked;
  if (currentDevice() < 0)
    return InvalidContext;
  flush(stream->queue);
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
  flush(stream->queue);
  return state.stickyError;
}
FAKE cuStreamBeginCapture_v2(Stream *stream, int) {
  CHECK_STREAM(stream);
  if (state.failCapture)
    return CaptureUnsupported;
  stream->capture = new Graph();
  stream->isDisturbed = state.invalidateCaptures > 0;
  state.invalidateCaptures -= stream->isDisturbed;
  ++state.liveGraphs;
  stream->capture->capture = ++state.captures;
  return Success;
}
FAKE cuStreamEndCapture(Stream *stream, Graph **graph) {
  Locked locked;
  *graph = nullptr;
  if (!stream->capture || stream->hasJoined)
    return InvalidValue;
  *graph = stream->capture;
  for (Stream *other : state.streams)
    if (other->capture == *graph) {
      other->capture = nullptr;
      other->hasJoined = false;
    }
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
  CHECK_STREAM(stream);
  ++state.graphLaunches;
  for (const Work &work : executable->nodes)
    put(stream, work);
  return Success;
}
static int destroyGraph(Graph *graph) {
  Locked locked;
  if (currentDevice() < 0)
    return InvalidContext;
  delete graph;
  --state.liveGraphs;
  return Success;
}
FAKE cuGraphExecDestroy(Graph *executable) { return destroyGraph(executable); }
FAKE cuGraphDestroy(Graph *graph) { return destroyGraph(graph); }

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

FAKE cuEventCreate(Event **event, unsigned) {
  CHECK;
  *event = new Event();
  (*event)->device = currentDevice();
  ++state.liveEvents;
  return Success;
}
FAKE cuEventDestroy_v2(Event *event) {
  Locked locked;
  if (currentDevice() < 0)
    return InvalidContext;
  delete event;
  --state.liveEvents;
  return Success;
}
FAKE cuEventRecord(Event *event, Stream *stream) {
  CHECK;
  event->recorded = nullptr;
  event->capture = 0;
  // The default stream, where nothing waits.
  if (!stream)
    return Success;
  if (int error = check(stream))
    return error;
  if (event->device != stream->queue->device)
    return InvalidContext;
  putReady(stream, [time = event->milliseconds] { *time = state.clock; });
  if (stream->capture) {
    event->capture = stream->capture->capture;
  } else {
    event->recorded = stream->queue;
    event->ticket = stream->queue->put;
  }
  return Success;
}
/// With the flag 1, the event is the node of a graph, and its time is that of
/// the graph's last launch.
FAKE cuEventRecordWithFlags(Event *event, Stream *stream, unsigned flags) {
  CHECK_STREAM(stream);
  if ((flags == 1) != (stream->capture != nullptr))
    return InvalidValue;
  if (flags == 0)
    return cuEventRecord(event, stream);
  putReady(stream, [time = event->milliseconds] { *time = state.clock; });
  return Success;
}
/// A wait within a capture, for an event of it. The graph does its work in the
/// order in which it was captured, whatever the stream.
static int joinCapture(Stream *stream, long capture) {
  if (stream->capture)
    return stream->capture->capture == capture ? Success : CaptureIsolation;
  for (Stream *other : state.streams)
    if (other->capture && other->capture->capture == capture) {
      stream->capture = other->capture;
      stream->hasJoined = true;
      return Success;
    }
  return CapturedEvent;
}
/// What the event's stream held when it was recorded is done first.
FAKE cuStreamWaitEvent(Stream *stream, Event *event, unsigned) {
  CHECK;
  if (!stream)
    return Success;
  if (event->capture)
    return joinCapture(stream, event->capture);
  if (!event->recorded)
    return Success;
  if (stream->capture)
    return CaptureIsolation;
  put(stream, [other = event->recorded, ticket = event->ticket] {
    return progress(*other, ticket);
  });
  return Success;
}
FAKE cuEventQuery(Event *event) {
  CHECK;
  if (event->capture)
    return CapturedEvent;
  if (!event->recorded)
    return Success;
  bool isDone = progress(*event->recorded, event->ticket);
  return state.stickyError ? state.stickyError : isDone ? Success : NotReady;
}
FAKE cuEventElapsedTime(float *milliseconds, Event *from, Event *to) {
  CHECK;
  *milliseconds = static_cast<float>(*to->milliseconds - *from->milliseconds);
  return Success;
}
