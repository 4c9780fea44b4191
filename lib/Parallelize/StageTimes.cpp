//===- StageTimes.cpp - seconds and bytes of a planned stage --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageTimes.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

using namespace tenon::parallelize;

Place tenon::parallelize::getPlace(const Cluster &cluster,
                                   llvm::ArrayRef<unsigned> devices) {
  Place place;
  place.least = cluster.getLeast(devices);
  for (unsigned device : devices) {
    place.firstNode = std::min(place.firstNode, device / cluster.perNode);
    place.lastNode = std::max(place.lastNode, device / cluster.perNode);
  }
  return place;
}

const OperatorSet *OperatorSets::get(std::vector<unsigned> operators) {
  auto [place, isNew] = sets.try_emplace(std::move(operators));
  if (isNew) {
    place->second = std::make_unique<OperatorSet>();
    place->second->operators = place->first;
    for (unsigned op : place->first) {
      place->second->bytes.add(graph[op]);
      place->second->updateSeconds += graph[op].updateSeconds;
    }
  }
  return place->second.get();
}

/// The times for the samples of a device that has the most of them.
static TaskSeconds getSeconds(const OperatorGraph &graph,
                              const Cluster &cluster,
                              const TrainingOptions &options,
                              const StageView &view, int64_t all) {
  auto samples = static_cast<int64_t>(
      llvm::divideCeil(static_cast<uint64_t>(all), uint64_t(view.numDevices)));
  auto number = static_cast<double>(samples);
  auto [place, isNew] = view.set->seconds.try_emplace(samples);
  if (isNew)
    for (unsigned op : view.set->operators) {
      TaskSeconds &sum = place->second;
      sum.forward += graph[op].forward.getSeconds(number);
      sum.backwardInput += graph[op].backwardInput.getSeconds(number);
      sum.backwardWeight += graph[op].backwardWeight.getSeconds(number);
    }
  TaskSeconds seconds = place->second;
  seconds.forward /= view.place.least.speed;
  seconds.backwardInput /= view.place.least.speed;
  seconds.backwardWeight /= view.place.least.speed;
  if (options.forwardOnly) {
    seconds.backwardInput = seconds.backwardWeight = 0;
  } else if (view.recompute) {
    seconds.backwardInput += seconds.forward;
  } else if (view.offload) {
    double copy = number * static_cast<double>(view.set->bytes.saved) /
                  cluster.hostBytesPerSecond;
    seconds.forward = std::max(seconds.forward, copy);
    seconds.backwardInput =
        std::max(seconds.backwardInput, copy - seconds.backwardWeight);
  }
  return seconds;
}

Stage tenon::parallelize::getStageTimes(const OperatorGraph &graph,
                                        const Cluster &cluster,
                                        const TrainingOptions &options,
                                        const StageView &view) {
  TaskSeconds seconds =
      getSeconds(graph, cluster, options, view, view.microBatch);
  Stage stage;
  stage.microBatch = view.microBatch;
  stage.lane = view.lane;
  stage.forward = seconds.forward;
  stage.backwardInput = seconds.backwardInput;
  stage.backwardWeight = seconds.backwardWeight;
  if (int64_t left = options.miniBatch % view.microBatch)
    stage.last = getSeconds(graph, cluster, options, view, left);
  return stage;
}

void OperatorBytes::add(const Operator &other) {
  weights += other.weightBytes;
  allWeights += other.weightBytes;
  for (auto [parameter, bytes] : other.sharedParameters) {
    if (llvm::is_contained(shared, parameter))
      weights -= bytes;
    else
      shared.push_back(parameter);
  }
  for (auto [sum, bytes] : llvm::zip(packed, other.packedBytes))
    sum += bytes;
  largestWeight = std::max(largestWeight, other.largestWeightBytes);
  saved += other.savedBytes;
  // Operators work one after the other.
  forwardWork = std::max(forwardWork, other.forwardWorkBytes);
  backwardWork = std::max(backwardWork, other.backwardWorkBytes);
  gradient = std::max(gradient, other.gradientBytes);
}

static int64_t getPacked(const OperatorBytes &bytes, double samples) {
  auto number = static_cast<size_t>(std::log2(std::max(1.0, samples)));
  return bytes.packed[std::min(number, bytes.packed.size() - 1)];
}

/// Gradients that devices sum are copied, and as many come from the others.
/// (NCCL sums them in place.)
static constexpr double kSumBytes = 2;

int64_t tenon::parallelize::getLastingBytes(const TrainingOptions &options,
                                            const StageView &view) {
  const OperatorBytes &bytes = view.set->bytes;
  auto devices = static_cast<double>(view.numDevices);
  double samples = std::ceil(static_cast<double>(view.microBatch) / devices);
  if (options.forwardOnly)
    return options.givenBytes + bytes.weights + getPacked(bytes, samples) +
           static_cast<int64_t>(samples *
                                static_cast<double>(bytes.forwardWork));
  double factor = 1 + options.stateFactor + (devices > 1 ? kSumBytes : 0);
  double work = samples * static_cast<double>(bytes.backwardWork) +
                static_cast<double>(bytes.gradient);
  double states = static_cast<double>(bytes.weights) * factor;
  // A stage without parameters has a buffer of one gradient, too.
  return options.givenBytes + bytes.largestWeight +
         static_cast<int64_t>(std::max(4.0, states) + work);
}

int64_t tenon::parallelize::getStageBytes(const TrainingOptions &options,
                                          const StageView &view,
                                          int64_t inFlight,
                                          int64_t inputBytes) {
  const OperatorBytes &bytes = view.set->bytes;
  double saved = options.forwardOnly ? 0 : static_cast<double>(bytes.saved);
  double inputs = static_cast<double>(inputBytes);
  double flying = static_cast<double>(inFlight);
  double micro = static_cast<double>(view.microBatch);
  // What is read of other stages is kept where it came in.
  double kept = flying * (inputs + saved);
  // What one task works on, and what is copied meanwhile.
  if (view.offload)
    kept = (inputs + saved) * std::min(flying, 2 * micro);
  if (view.recompute)
    kept = flying * inputs + micro * saved;
  double most = std::ceil(micro / static_cast<double>(view.numDevices));
  return getLastingBytes(options, view) +
         static_cast<int64_t>(kept * most / micro);
}
