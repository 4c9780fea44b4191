//===- PlanMemory.cpp - the memory that a model needs -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanMemory.h"
#include "LoadedModel.h"

#include "tenon/Artifact/Json.h"
#include "tenon/Artifact/OutputFile.h"

#include <algorithm>
#include <cstdio>

using namespace tenon::artifact;

namespace tenon::run {

static void print(const tenon_memory_plan &plan) {
  std::printf("%llu bytes\n", static_cast<unsigned long long>(plan.bytes));
  for (int32_t i = 0; i < plan.num_uses; ++i)
    std::printf("  %12llu  %s\n",
                static_cast<unsigned long long>(plan.uses[i].bytes),
                plan.uses[i].what);
  if (plan.in_place_bytes > 0)
    std::printf("  and weights that are read in place: %llu\n",
                static_cast<unsigned long long>(plan.in_place_bytes));
  if (plan.num_open_entries > 0)
    std::printf("  not counted: %d entries with open sizes\n",
                plan.num_open_entries);
  if (plan.num_plugin_steps > 0)
    std::printf("  not counted: what plug-ins have for themselves (%d steps)\n",
                plan.num_plugin_steps);
}

static std::string toJson(const tenon_memory_plan &plan, int32_t rank) {
  std::string text =
      concat("    {\"rank\": ", rank, ", \"bytes\": ", plan.bytes,
             ", \"in_place_bytes\": ", plan.in_place_bytes,
             ",\n     \"open_entries\": ", plan.num_open_entries,
             ", \"plugin_steps\": ", plan.num_plugin_steps, ", \"uses\": {");
  for (int32_t i = 0; i < plan.num_uses; ++i)
    text += concat(i > 0 ? ", " : "", quoteJson(plan.uses[i].what), ": ",
                   plan.uses[i].bytes);
  return text + "}}";
}

Status printMemory(const CommandLine &line) {
  LoadedModel model;
  if (Status status = model.open(line); !status)
    return status;
  if (!model.library.planMemory)
    return makeError("--plan-memory: '", line.artifact,
                     "' can't tell: compile the model again");
  // All entries use the same memory.
  if (!line.entry.empty())
    if (Status status = model.library.manifest.selectEntry(line.entry); !status)
      return status;
  std::string text;
  int32_t ranks = model.library.manifest.ranks;
  tenon_load_options options = model.getLoadOptions(line);
  for (int32_t rank = 0; rank < std::max(ranks, 1); ++rank) {
    tenon_memory_plan plan = {};
    plan.struct_size = sizeof plan;
    if (model.library.planMemory(&options, rank, &plan) != 0)
      return model.error("--plan-memory: ");
    if (ranks > 0)
      std::printf("rank %d: ", rank);
    print(plan);
    text += concat(rank > 0 ? ",\n" : "", toJson(plan, rank));
  }
  if (line.json.empty())
    return Status::success();
  text = concat("{\n  \"schema_version\": 1,\n  \"memory\": [\n", text,
                "\n  ]\n}\n");
  return writeFile(line.json, text.data(), text.size());
}

} // namespace tenon::run
