//===- Candidates.h - finds values by where they came from ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_COMPARE_CANDIDATES_H
#define TENON_COMPARE_CANDIDATES_H

#include "tenon/Compare/Trace.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tenon::compare {

/// A value of the reference, under one of its names.
struct Label {
  Origin origin;
  int64_t elements = 0;
  /// Of the type; a float is never the counterpart of an integer.
  bool isFloat = true;
  /// Whether it is the result of an op of the model, and not of an op that the
  /// model's op is made of.
  bool isOwn = true;
  /// Of the labels of its places with as many elements: whether it is the one
  /// that the others lead to.
  bool isLast = true;
  /// Whether it depends on the inputs. Artifacts also compute what depends on
  /// their sizes alone.
  bool isOfInputs = true;
};

/// Why a label may be what a traced value is, the strongest first.
enum class Evidence {
  Same,        // the same places, op and number of the result
  SamePlace,   // the same places
  SharedPlace, // a place in common: one of the two was made of several ops
  SameKind     // no place in common with anything, but the op is the same
};

struct Candidate {
  size_t label;
  Evidence evidence;
  /// Whether the value is the label's whatever its elements are: if they
  /// differ, something is wrong with them, and not with the choice.
  bool isCertain = false;
  /// Of several that are the same, both here and there: whether it is the one
  /// at the same position among them.
  bool isPaired = false;
};

struct Candidates {
  /// The likeliest first.
  std::vector<Candidate> list;
  /// Whether labels have a place of the value, also if none of them is like it.
  bool hasPlace = false;
};

/// For every value of `trace`, which of `labels` it may be. If the places of
/// each of the two are lines of one file, and the names of these files differ,
/// lines alone count: these are two versions of a model. They do not count if
/// most of them have other ops.
std::vector<Candidates> findCandidates(const Trace &trace,
                                       const std::vector<Label> &labels);

} // namespace tenon::compare

#endif // TENON_COMPARE_CANDIDATES_H
