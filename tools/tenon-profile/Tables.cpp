//===- Tables.cpp - tables of kernel costs --------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tables.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace tenon;

namespace {
/// Calls of one kernel.
struct Group {
  const PlacedCall *call;
  unsigned count = 0;
  double seconds = 0; // of one call
};
} // namespace

static std::vector<Group>
getGroups(const PlacedModel &model,
          function_ref<double(const PlacedCall &)> getSeconds) {
  MapVector<StringRef, Group> groups;
  for (const PlacedCall &call : model.calls) {
    Group &group = groups[call.key];
    group.call = &call;
    ++group.count;
    group.seconds = getSeconds(call);
  }
  std::vector<Group> list;
  for (auto &[key, group] : groups)
    list.push_back(group);
  llvm::sort(list, [](const Group &a, const Group &b) {
    return std::make_pair(-a.seconds * a.count, StringRef(a.call->key)) <
           std::make_pair(-b.seconds * b.count, StringRef(b.call->key));
  });
  return list;
}

static auto microseconds(double seconds) {
  return format("%12.1f", seconds * 1e6);
}

void printMeasured(const PlacedModel &model,
                   const cost::CostDatabase &database) {
  std::vector<Group> groups = getGroups(model, [&](const PlacedCall &call) {
    const cost::Measurement *found = database.lookup(call.key);
    return found ? found->median : 0;
  });
  raw_ostream &os = outs();
  os << "model '" << model.path << "', times in microseconds\n"
     << "count   predicted    measured         sum  kernel\n";
  double measured = 0;
  for (const Group &group : groups) {
    double sum = group.seconds * group.count;
    measured += sum;
    os << format("%5u", group.count) << microseconds(group.call->roofline)
       << microseconds(group.seconds) << microseconds(sum) << "  "
       << group.call->name << "\n";
  }
  double predicted = 0;
  for (const PlacedCall &call : model.calls)
    predicted += call.roofline;
  os << format("%5zu", model.calls.size()) << microseconds(predicted)
     << "            " << microseconds(measured) << "  in all, "
     << groups.size() << " distinct";
  if (measured > 0)
    os << format("; predicted / measured %.2f", predicted / measured);
  os << "\n";
}

void printCosts(const PlacedModel &model, StringRef profile, bool hasDatabase) {
  std::vector<Group> groups = getGroups(
      model, [](const PlacedCall &call) { return call.cost.seconds; });
  raw_ostream &os = outs();
  os << "model '" << model.path << "', profile '" << profile << "'\n";
  unsigned missing = 0;
  for (const Group &group : groups) {
    missing += !group.call->cost.measured;
    os << format("%5u x ", group.count) << group.call->name << ": "
       << group.call->cost.str() << "\n";
  }
  os << format("%5zu kernels: %.1f us", model.calls.size(),
               model.sumOfCosts() * 1e6);
  if (hasDatabase)
    os << "; " << missing << " of " << groups.size()
       << " distinct ones were not measured";
  os << "\n";
}
