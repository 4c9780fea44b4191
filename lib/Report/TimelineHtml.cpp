//===- TimelineHtml.cpp - the page of a pipeline --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Assets.h"
#include "HtmlText.h"
#include "tenon/Report/TimelineReport.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

#include <algorithm>

using namespace llvm;
using namespace tenon::report;

/// How many tasks are drawn at most, and stages as boxes.
static constexpr size_t kMostTasks = 200000, kMostBoxes = 256;

// Rules in addition to the style of the optimizer's report.
static constexpr StringLiteral ownStyle = R"css(
.lanes { background: var(--panel); border: 1px solid var(--line); border-radius: 10px; padding: 8px 12px; }
.lanes canvas { display: block; width: 100%; touch-action: pan-y; cursor: grab; }
.stages { background: var(--panel); border: 1px solid var(--line); border-radius: 10px; overflow: auto; }
.stages svg { display: block; font-size: 11px; }
.stages rect { fill: var(--fill); stroke: var(--line); }
.stages text { fill: var(--ink); }
.stages path { fill: none; stroke: var(--soft); }
#tip { position: absolute; max-width: 320px; background: var(--ink); color: var(--paper); border-radius: 6px; padding: 4px 8px; font-size: 12px; pointer-events: none; }
.swatch.forward { background: var(--compute); }
.swatch.backward { background: var(--made); }
.swatch.input { background: var(--launch); }
.swatch.weight { background: var(--measured); }
.swatch.sum { background: var(--better); }
td.over { color: var(--worse); font-weight: 600; }
)css";

static unsigned getKind(StringRef kind) {
  StringRef names[] = {"forward", "backward", "backward_input",
                       "backward_weight", "sum"};
  return find(names, kind) - std::begin(names);
}

/// Writes what the script draws, of the first `numLanes` lanes.
static void writeData(const Timeline &timeline, size_t numLanes,
                      raw_ostream &os) {
  std::string text;
  raw_string_ostream stream(text);
  json::OStream out(stream);
  out.object([&] {
    out.attribute("seconds", timeline.seconds);
    out.attributeArray("stages", [&] {
      for (const TimelineStage &stage : timeline.stages)
        out.object([&] { out.attribute("microBatch", stage.microBatch); });
    });
    out.attributeArray("lanes", [&] {
      for (const TimelineLane &lane :
           ArrayRef(timeline.lanes).take_front(numLanes))
        out.object([&] {
          out.attribute("name", lane.name);
          out.attributeArray("tasks", [&] {
            for (const TimelineTask &task : lane.tasks)
              out.array([&] {
                out.value(task.begin);
                out.value(task.end);
                out.value(getKind(task.kind));
                out.value(task.stage);
                out.value(task.microBatch);
              });
          });
        });
    });
    out.attributeArray("messages", [&] {
      size_t left = kMostTasks;
      for (const TimelineMessage &message : timeline.messages)
        if (message.fromLane < numLanes && message.toLane < numLanes &&
            left-- > 0)
          out.array([&] {
            out.value(message.fromLane);
            out.value(message.toLane);
            out.value(message.begin);
            out.value(message.end);
            out.value(message.isGradient ? 1 : 0);
          });
    });
  });
  // Nothing in it may end the element.
  for (char c : text)
    if (c == '<')
      os << "\\u003c";
    else
      os << c;
}

/// The graph of the stages: columns by depth.
static void writeStages(const Timeline &timeline, raw_ostream &os) {
  size_t count = timeline.stages.size();
  std::vector<unsigned> depth(count, 0), row(count, 0), rows;
  for (auto [number, stage] : enumerate(timeline.stages)) {
    for (unsigned read : stage.reads)
      depth[number] = std::max(depth[number], depth[read] + 1);
    if (depth[number] >= rows.size())
      rows.resize(depth[number] + 1, 0);
    row[number] = rows[depth[number]]++;
  }
  unsigned most = *std::max_element(rows.begin(), rows.end());
  constexpr unsigned kWidth = 150, kHeight = 46, kGap = 50, kSpace = 12;
  auto getX = [&](unsigned stage) {
    return kSpace + depth[stage] * (kWidth + kGap);
  };
  auto getY = [&](unsigned stage) {
    return kSpace + row[stage] * (kHeight + kSpace) +
           (most - rows[depth[stage]]) * (kHeight + kSpace) / 2;
  };
  os << "<div class=\"stages\"><svg width=\""
     << 2 * kSpace + rows.size() * (kWidth + kGap) - kGap << "\" height=\""
     << kSpace + most * (kHeight + kSpace)
     << "\" role=\"img\" aria-label=\"The graph of the stages\">\n";
  for (unsigned stage = 0; stage < count; ++stage)
    for (unsigned read : timeline.stages[stage].reads) {
      unsigned x = getX(read) + kWidth, y = getY(read) + kHeight / 2;
      unsigned end = getX(stage), endY = getY(stage) + kHeight / 2;
      os << "<path d=\"M" << x << ' ' << y << " C" << x + kGap / 2 << ' ' << y
         << ' ' << end - kGap / 2 << ' ' << endY << ' ' << end << ' ' << endY
         << "\"/>\n";
    }
  for (auto [number, stage] : enumerate(timeline.stages)) {
    unsigned x = getX(number), y = getY(number);
    os << "<g><title>" << escapeHtml(stage.operators) << "</title><rect x=\""
       << x << "\" y=\"" << y << "\" width=\"" << kWidth << "\" height=\""
       << kHeight << "\" rx=\"6\"/><text x=\"" << x + 8 << "\" y=\"" << y + 18
       << "\">stage " << number << ": "
       << escapeHtml(timeline.lanes[stage.lane].name) << "</text><text x=\""
       << x + 8 << "\" y=\"" << y + 35 << "\">micro-batch " << stage.microBatch
       << "</text></g>\n";
  }
  os << "</svg></div>\n";
}

static void writeTable(const Timeline &timeline, raw_ostream &os) {
  os << "<table class=\"rows\"><thead><tr><th>stage<th>devices<th>operators<th>"
        "micro-batch<th>how it runs<th>busy<th>memory</tr></thead><tbody>\n";
  for (auto [number, stage] : enumerate(timeline.stages)) {
    const TimelineLane &lane = timeline.lanes[stage.lane];
    double busy = 0;
    for (const TimelineTask &task : lane.tasks)
      if (task.stage == number)
        busy += task.end - task.begin;
    auto inGiB = [](int64_t bytes) {
      return static_cast<double>(bytes) / (int64_t(1) << 30);
    };
    os << "<tr><td>" << number << "<td>" << escapeHtml(lane.name) << "<td>"
       << escapeHtml(stage.operators) << "<td>" << stage.microBatch << "<td>"
       << escapeHtml(stage.mode) << "<td>"
       << format("%.0f%%", 100 * busy / std::max(timeline.seconds, 1e-300))
       << "<td" << (lane.peakBytes > lane.memoryBytes ? " class=\"over\"" : "")
       << ">"
       << format("%.3f of %.3f GiB", inGiB(lane.peakBytes),
                 inGiB(lane.memoryBytes))
       << "</tr>\n";
  }
  os << "</tbody></table>\n";
}

void tenon::report::writeTimelineHtml(const Timeline &timeline,
                                      raw_ostream &os) {
  std::string style = (getStyle() + ownStyle).str();
  std::string title = escapeHtml(timeline.title);
  size_t numLanes = 0, numTasks = 0;
  while (numLanes < timeline.lanes.size() &&
         numTasks + timeline.lanes[numLanes].tasks.size() <= kMostTasks)
    numTasks += timeline.lanes[numLanes++].tasks.size();
  os << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta "
        "charset=\"utf-8\">\n"
     << "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
        "'none'; base-uri 'none'; form-action 'none'; style-src "
     << getHashSource(style) << " 'unsafe-inline'; script-src "
     << getHashSource(getTimelineScript()) << "\">\n"
     << "<meta name=\"viewport\" content=\"width=device-width, "
        "initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light "
        "dark\">\n"
     << "<title>" << title << " - Tenon pipeline</title>\n<style>" << style
     << "</style>\n</head>\n<body>\n<header class=\"top\"><p "
        "class=\"kicker\">Tenon pipeline</p>\n<h1>"
     << title << "</h1></header>\n<main>\n<table class=\"facts\">\n";
  for (const auto &[name, value] : timeline.facts)
    os << "<tr><th>" << escapeHtml(name) << "</th><td>" << escapeHtml(value)
       << "</td></tr>\n";
  os << "</table>\n<section><div class=\"head\"><h2>Timeline</h2><button "
        "id=\"in\">Zoom in</button><button id=\"out\">Zoom out</button><button "
        "id=\"all\">All</button><label><input type=\"checkbox\" "
        "id=\"messages\"> messages</label></div>\n"
     << "<div class=\"legend\"><span><i class=\"swatch forward\"></i> "
        "forward</span><span><i class=\"swatch backward\"></i> "
        "backward</span><span><i class=\"swatch input\"></i> gradients of "
        "inputs</span><span><i class=\"swatch weight\"></i> gradients of "
        "weights</span><span><i class=\"swatch sum\"></i> sum of "
        "gradients</span></div>\n"
     << "<div class=\"lanes\"><canvas id=\"timeline\" tabindex=\"0\" "
        "aria-label=\"The tasks of each lane over time\"></canvas></div>\n";
  if (numLanes < timeline.lanes.size())
    os << "<p class=\"soft\">The first " << numLanes << " of "
       << timeline.lanes.size() << " rows are shown.</p>\n";
  os << "<p class=\"soft\">Drag to move; Shift or Ctrl and the wheel, or + and "
        "-, to zoom.</p></section>\n<section><h2>Stages</h2>\n";
  if (timeline.stages.size() <= kMostBoxes && !timeline.stages.empty())
    writeStages(timeline, os);
  writeTable(timeline, os);
  os << "</section>\n</main>\n<div id=\"tip\" hidden></div>\n<script "
        "type=\"application/json\" id=\"data\">";
  writeData(timeline, numLanes, os);
  os << "</script>\n<script>" << getTimelineScript()
     << "</script>\n</body>\n</html>\n";
}
