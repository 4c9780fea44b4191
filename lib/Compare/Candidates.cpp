//===- Candidates.cpp - matching values by their origin -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Compare/Candidates.h"
#include "tenon/Artifact/DType.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <algorithm>
#include <tuple>

using namespace llvm;
using namespace tenon;
using namespace tenon::compare;

namespace {
using Places = std::vector<std::string>;

class PlaceIndex {
public:
  PlaceIndex(const Trace &trace, const std::vector<Label> &labels);

  std::vector<Candidates> find() const;

private:
  bool areLinesReliable() const;
  void pairOps(std::vector<Candidates> &result) const;
  std::vector<size_t> listLabels(size_t value) const;
  std::vector<Candidate> listCandidates(size_t value) const;
  void judge(size_t value, size_t ordinal, std::vector<Candidate> &list) const;

  const Trace &trace;
  const std::vector<Label> &labels;
  /// Sorted, by value and by label.
  std::vector<Places> placesOfValues, placesOfLabels;
  /// The places, op and number of elements as one text.
  std::vector<std::string> keysOfValues, keysOfLabels;
  StringMap<std::vector<size_t>> byPlace, byOp, byKey, byKind;
  StringMap<size_t> traced, tracedKinds; // by key
};
} // namespace

/// Returns the file of FILE:LINE:COLUMN; empty if the place is not a line.
static StringRef getFile(StringRef place) {
  for (int part = 0; part < 2; ++part) {
    auto [rest, number] = place.rsplit(':');
    if (number.empty() || !all_of(number, isDigit))
      return "";
    place = rest;
  }
  return place;
}

/// Returns the only file that places name; empty if there is none, or several.
static std::string findSingleFile(ArrayRef<Places> list) {
  StringRef file;
  for (const Places &places : list)
    for (const std::string &place : places)
      if (StringRef found = getFile(place); !found.empty()) {
        if (!file.empty() && file != found)
          return "";
        file = found;
      }
  return file.str();
}

static void dropFile(std::vector<Places> &list, size_t length) {
  for (Places &places : list)
    for (std::string &place : places)
      if (!getFile(place).empty())
        place.erase(0, length + 1);
}

/// Returns whether the place is LINE:COLUMN, with or without a file.
static bool isLine(StringRef place) {
  auto [rest, column] = place.rsplit(':');
  StringRef line = rest.rsplit(':').second;
  if (!rest.contains(':'))
    line = rest;
  return !column.empty() && !line.empty() && all_of(column, isDigit) &&
         all_of(line, isDigit);
}

static void dropLines(std::vector<Places> &list) {
  for (Places &places : list)
    llvm::erase_if(places, isLine);
}

static std::string getKey(const Places &places, const Origin &origin,
                          int64_t elements) {
  return join(places, "\t") + " " + origin.op + "#" +
         std::to_string(origin.result) + " " + std::to_string(elements);
}

PlaceIndex::PlaceIndex(const Trace &trace, const std::vector<Label> &labels)
    : trace(trace), labels(labels) {
  for (const TracedValue &value : trace.values)
    placesOfValues.push_back(value.origin.places);
  for (const Label &label : labels)
    placesOfLabels.push_back(label.origin.places);
  std::string file = findSingleFile(placesOfLabels),
              other = findSingleFile(placesOfValues);
  if (!file.empty() && !other.empty() && file != other) {
    dropFile(placesOfLabels, file.size());
    dropFile(placesOfValues, other.size());
  }
  if (!areLinesReliable()) {
    dropLines(placesOfLabels);
    dropLines(placesOfValues);
  }
  for (auto [number, value] : enumerate(trace.values)) {
    Places &places = placesOfValues[number];
    std::sort(places.begin(), places.end());
    keysOfValues.push_back(
        getKey(places, value.origin, value.data.numElements()));
    if (!value.output.empty())
      continue;
    ++traced[keysOfValues.back()];
    if (places.empty())
      ++tracedKinds[keysOfValues.back()];
  }
  for (auto [number, label] : enumerate(labels)) {
    Places &places = placesOfLabels[number];
    std::sort(places.begin(), places.end());
    keysOfLabels.push_back(getKey(places, label.origin, label.elements));
    byKey[keysOfLabels.back()].push_back(number);
    for (const std::string &place : places)
      byPlace[place].push_back(number);
    byOp[label.origin.op].push_back(number);
    byKind[getKey({}, label.origin, label.elements)].push_back(number);
  }
}

/// Returns whether most places that are lines have the same ops in both;
/// otherwise the lines of one of the two have moved.
bool PlaceIndex::areLinesReliable() const {
  StringMap<StringSet<>> ops;
  for (auto [number, label] : enumerate(labels))
    for (const std::string &place : placesOfLabels[number])
      if (isLine(place))
        ops[place].insert(label.origin.op);
  size_t common = 0, same = 0;
  for (auto [number, value] : enumerate(trace.values))
    for (const std::string &place : placesOfValues[number])
      if (auto it = ops.find(place); it != ops.end()) {
        ++common;
        same += it->second.contains(value.origin.op);
      }
  return 2 * same >= common;
}

/// In a trace of a model, pairs ops with those at the same places, even if they
/// were edited, if both have the same number of ops there.
void PlaceIndex::pairOps(std::vector<Candidates> &result) const {
  StringMap<std::pair<std::vector<size_t>, std::vector<size_t>>> groups;
  for (auto [number, label] : enumerate(labels))
    if (label.isOwn && label.isOfInputs && !placesOfLabels[number].empty())
      groups[join(placesOfLabels[number], "\t")].first.push_back(number);
  for (auto [number, places] : enumerate(placesOfValues))
    if (!places.empty())
      groups[join(places, "\t")].second.push_back(number);
  for (const auto &entry : groups) {
    const auto &[ofLabels, ofValues] = entry.second;
    if (ofLabels.size() != ofValues.size())
      continue;
    for (auto [label, value] : zip(ofLabels, ofValues)) {
      const artifact::TensorData &data = trace.values[value].data;
      if (labels[label].elements == data.numElements() &&
          labels[label].isFloat == artifact::isFloat(data.dtype))
        result[value].list.push_back({label, Evidence::SamePlace, true});
    }
  }
}

/// Returns the labels that share a place or, if there are none, the op.
std::vector<size_t> PlaceIndex::listLabels(size_t value) const {
  std::vector<size_t> found;
  for (const std::string &place : placesOfValues[value])
    if (auto it = byPlace.find(place); it != byPlace.end())
      append_range(found, it->second);
  const TracedValue &traced = trace.values[value];
  if (found.empty() && !traced.origin.op.empty())
    if (auto it = byOp.find(traced.origin.op); it != byOp.end())
      found = it->second;
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  bool isFloat = artifact::isFloat(traced.data.dtype);
  erase_if(found, [&](size_t number) {
    return labels[number].elements != traced.data.numElements() ||
           labels[number].isFloat != isFloat;
  });
  return found;
}

std::vector<Candidate> PlaceIndex::listCandidates(size_t value) const {
  std::vector<Candidate> candidates;
  const Places &places = placesOfValues[value];
  for (size_t number : listLabels(value)) {
    const Places &own = placesOfLabels[number];
    Evidence evidence = Evidence::SharedPlace;
    if (none_of(places, [&](auto &place) { return is_contained(own, place); }))
      evidence = Evidence::SameKind;
    else if (keysOfLabels[number] == keysOfValues[value])
      evidence = Evidence::Same;
    else if (own == places)
      evidence = Evidence::SamePlace;
    candidates.push_back({number, evidence, false});
  }
  return candidates;
}

/// Decides which candidates of a value are certain; `ordinal` values of its
/// kind came before it.
void PlaceIndex::judge(size_t value, size_t ordinal,
                       std::vector<Candidate> &list) const {
  auto ofPlace = count_if(list, [&](const Candidate &candidate) {
    return candidate.evidence <= Evidence::SamePlace &&
           labels[candidate.label].isOwn;
  });
  const std::string &key = keysOfValues[value];
  auto equal = byKey.find(key);
  for (Candidate &candidate : list) {
    const Label &label = labels[candidate.label];
    // A cast is placed where the value that it converts is computed.
    if (candidate.evidence == Evidence::SamePlace &&
        trace.values[value].origin.op == "graph.cast")
      candidate.isCertain = label.isOwn && ofPlace == 1;
    // The op must occur only once in both.
    if (candidate.evidence == Evidence::SameKind && trace.isOfModel)
      candidate.isCertain = label.isOwn && placesOfValues[value].empty() &&
                            byKind.lookup(key).size() == 1 &&
                            tracedKinds.lookup(key) == 1;
    if (candidate.evidence != Evidence::Same ||
        equal->second.size() != traced.lookup(key))
      continue;
    // A compiler may have reordered what a loop computes.
    candidate.isPaired = equal->second[ordinal] == candidate.label;
    candidate.isCertain = label.isLast && equal->second.size() == 1;
  }
}

std::vector<Candidates> PlaceIndex::find() const {
  std::vector<Candidates> result(trace.values.size());
  if (trace.isOfModel)
    pairOps(result);
  StringMap<size_t> passed; // by key
  for (auto [number, candidates] : enumerate(result)) {
    std::vector<Candidate> &list = candidates.list;
    candidates.hasPlace =
        any_of(placesOfValues[number], [&](const std::string &place) {
          return byPlace.count(place) != 0;
        });
    if (!trace.values[number].output.empty())
      continue;
    size_t ordinal = passed[keysOfValues[number]]++;
    if (!list.empty())
      continue;
    list = listCandidates(number);
    judge(number, ordinal, list);
    llvm::sort(list, [](const Candidate &a, const Candidate &b) {
      return std::make_tuple(!a.isCertain, !a.isPaired, a.evidence, a.label) <
             std::make_tuple(!b.isCertain, !b.isPaired, b.evidence, b.label);
    });
  }
  return result;
}

std::vector<Candidates>
tenon::compare::findCandidates(const Trace &trace,
                               const std::vector<Label> &labels) {
  return PlaceIndex(trace, labels).find();
}
