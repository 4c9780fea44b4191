//===- Candidates.h - matching values by their origin ---------------------===//
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
  /// Whether its type is a float; a float is never the counterpart of an
  /// integer.
  bool isFloat = true;
  /// Whether it is the result of an op of the model, and not of an op in the
  /// decomposition of a model's op.
  bool isOwn = true;
  /// Among the labels with the same places and number of elements: whether it
  /// is the final one, which the others lead to.
  bool isLast = true;
  /// Whether it depends on the values of the inputs. Artifacts also compute
  /// values that depend only on their sizes.
  bool isOfInputs = true;
};

/// Why a label may correspond to a traced value, the strongest evidence first.
enum class Evidence {
  Same,        // the same places, op and result number
  SamePlace,   // the same places
  SharedPlace, // a common place: one of the two was made of several ops
  SameKind     // no common place with any label, but the same op
};

struct Candidate {
  size_t label;
  Evidence evidence;
  /// Whether the value is the label's regardless of its elements: if they
  /// differ, the elements are wrong, and not the match.
  bool isCertain = false;
  /// If several values and labels are equal: whether the two have the same
  /// position among them.
  bool isPaired = false;
};

struct Candidates {
  /// The most likely first.
  std::vector<Candidate> list;
  /// Whether labels share a place with the value, even if none of them matches
  /// it.
  bool hasPlace = false;
};

/// Returns, for every value of `trace`, the candidates among `labels`. If the
/// places of both are lines of one file each, and the names of these files
/// differ, they are taken for two versions of a model, and only line numbers
/// are compared. Line numbers are ignored if most of them have different ops.
std::vector<Candidates> findCandidates(const Trace &trace,
                                       const std::vector<Label> &labels);

} // namespace tenon::compare

#endif // TENON_COMPARE_CANDIDATES_H
