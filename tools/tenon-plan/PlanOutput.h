//===- PlanOutput.h - a plan as text and as JSON ----------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_PLAN_PLANOUTPUT_H
#define TENON_TOOLS_TENON_PLAN_PLANOUTPUT_H

#include "Options.h"
#include "tenon/Parallelize/ClusterFile.h"
#include "tenon/Parallelize/IdleTime.h"
#include "tenon/Parallelize/MeasuredRun.h"
#include "tenon/Parallelize/ModelGraph.h"
#include "tenon/Report/TimelineReport.h"

#include "llvm/Support/raw_ostream.h"

/// What a plan is of.
struct Planned {
  const CommandLine &line;
  const tenon::parallelize::ClusterDescription &cluster;
  const tenon::parallelize::ModelGraph &model;
  const tenon::parallelize::Evaluation &plan;
  std::string name;
  /// Why devices wait.
  tenon::parallelize::IdleShares idle;
  /// What the plan is of an iteration of.
  tenon::parallelize::TrainingOptions training;
  /// Where the seconds of operators and links come from, in words.
  std::string costs;

  /// The seconds in which the devices of a stage compute.
  double getBusySeconds(unsigned stage) const;
  /// The share of the iteration in which all devices compute.
  double getBusyShare() const;
  /// The operators of a stage, by name: the first and the last.
  std::string getOperators(unsigned stage) const;
  /// Such as "0-3,6".
  std::string getDevices(unsigned stage) const;
  /// Those of no stage; empty if there are none.
  std::string getIdleDevices() const;
  /// Its `idle`, in words.
  std::string getIdle() const;
  /// How a stage runs, in words.
  std::string getMode(unsigned stage) const;
  /// Those that the device which has the most of them computes in a task.
  int64_t getSamples(const tenon::parallelize::Task &task) const;
};

/// Such as "2 stages on 4 devices, micro-batches of 8: 5.1 ms and ...".
std::string describeRejected(const tenon::parallelize::RejectedPlan &other);
void printPlan(const Planned &planned, llvm::raw_ostream &os);
void writePlanJson(const Planned &planned, llvm::raw_ostream &os);
tenon::report::Timeline makeTimeline(const Planned &planned);
/// Prints what was measured beside what the costs of `graph` predict, which the
/// plan's were fitted from.
void printComparison(const tenon::parallelize::OperatorGraph &graph,
                     const Planned &planned,
                     const tenon::parallelize::MeasuredRun &run,
                     llvm::raw_ostream &os);

#endif // TENON_TOOLS_TENON_PLAN_PLANOUTPUT_H
