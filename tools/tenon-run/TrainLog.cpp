//===- TrainLog.cpp - what training tells -------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TrainLog.h"

#include "ProgressLine.h"

#include "tenon/Artifact/File.h"
#include "tenon/Artifact/Json.h"
#include "tenon/Artifact/OutputFile.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <sstream>
#include <unistd.h>

using namespace tenon::artifact;

namespace tenon::run {

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

static std::string formatLine(const TrainRecord &record) {
  return concat("{\"step\":", record.step, ",\"",
                record.isEvaluation ? "eval_loss" : "loss",
                "\":", formatJsonNumber(record.loss),
                ",\"ms\":", formatJsonNumber(record.milliseconds), "}\n");
}

Status TrainLog::readRecords(const std::string &path, int64_t last) {
  Expected<std::vector<uint8_t>> bytes = readFile(path);
  if (!bytes)
    return bytes.takeError();
  std::istringstream lines(std::string(bytes->begin(), bytes->end()));
  std::string line;
  for (int64_t number = 1; std::getline(lines, line); ++number) {
    // A run that was killed may have left part of a line at the end.
    if (lines.eof())
      break;
    Expected<JsonValue> value = parseJson(line);
    TrainRecord record;
    const JsonValue *step = value ? value->find("step") : nullptr;
    const JsonValue *loss = value ? value->find("loss") : nullptr;
    const JsonValue *evaluated = value ? value->find("eval_loss") : nullptr;
    const JsonValue *time = value ? value->find("ms") : nullptr;
    if (!step || !step->isInteger() || !time || !(loss || evaluated))
      return makeError("'", path, "': line ", number,
                       ": expected a record of a training");
    record.step = step->integer;
    record.isEvaluation = !loss;
    record.loss = (loss ? loss : evaluated)->number;
    record.milliseconds = time->number;
    if (record.step <= last)
      records.push_back(record);
  }
  return Status::success();
}

Status TrainLog::open(const std::string &name, int64_t step) {
  path = name;
  if (path.empty())
    return Status::success();
  if (step > 0 && ::access(path.c_str(), F_OK) == 0)
    if (Status read = readRecords(path, step); !read)
      return makeError("--metrics: ", read.error());
  std::string text;
  for (const TrainRecord &record : records)
    text += formatLine(record);
  // Atomically: what an earlier run wrote is kept if this fails.
  if (Status rewritten = writeFile(path, text.data(), text.size()); !rewritten)
    return makeError("--metrics: ", rewritten.error());
  file = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (file < 0)
    return makeError("--metrics: cannot write '", path,
                     "': ", std::strerror(errno));
  written = milliseconds();
  return Status::success();
}

TrainLog::~TrainLog() {
  if (file >= 0)
    ::close(file);
}

Status TrainLog::flush() {
  size_t begin = 0;
  while (file >= 0 && begin < pending.size()) {
    ssize_t count =
        ::write(file, pending.data() + begin, pending.size() - begin);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return makeError("--metrics: cannot write '", path,
                       "': ", std::strerror(count < 0 ? errno : EIO));
    begin += static_cast<size_t>(count);
  }
  pending.clear();
  written = milliseconds();
  return Status::success();
}

Status TrainLog::add(const TrainRecord &record) {
  records.push_back(record);
  if (file < 0)
    return Status::success();
  pending += formatLine(record);
  return milliseconds() - written < 1000 ? Status::success() : flush();
}

//===----------------------------------------------------------------------===//
// Page
//===----------------------------------------------------------------------===//

namespace {
struct Point {
  double x, y;
};

/// A chart of lines over steps, as SVG.
class Chart {
public:
  Chart(std::string title, bool fromZero)
      : title(std::move(title)), fromZero(fromZero) {}

  void add(const char *style, std::vector<Point> points) {
    if (!points.empty())
      lines.emplace_back(style, std::move(points));
  }
  std::string render() const;

private:
  static constexpr double width = 900, height = 320, left = 70, bottom = 30;

  std::string title;
  bool fromZero;
  std::vector<std::pair<std::string, std::vector<Point>>> lines;
};
} // namespace

static std::string formatShort(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

/// Returns a step of 1, 2 or 5 times a power of ten, of which `range` has about
/// five.
static double getTickStep(double range) {
  double power = std::pow(10, std::floor(std::log10(range / 5)));
  double times = range / 5 / power;
  return power * (times < 1.5 ? 1 : times < 3.5 ? 2 : times < 7.5 ? 5 : 10);
}

std::string Chart::render() const {
  if (lines.empty())
    return "";
  double minX = INFINITY, maxX = -INFINITY, minY = fromZero ? 0 : INFINITY,
         maxY = -INFINITY;
  for (const auto &[style, points] : lines)
    for (const Point &point : points) {
      minX = std::min(minX, point.x);
      maxX = std::max(maxX, point.x);
      minY = std::min(minY, point.y);
      maxY = std::max(maxY, point.y);
    }
  // Constants have a chart, too.
  if (maxX <= minX)
    maxX = minX + 1;
  if (maxY <= minY)
    maxY = minY + std::max(1e-6, std::abs(minY) * 0.1);
  auto toX = [&](double x) {
    return left + (x - minX) / (maxX - minX) * (width - left - 10);
  };
  auto toY = [&](double y) {
    return height - bottom -
           (y - minY) / (maxY - minY) * (height - bottom - 10);
  };
  std::string svg = concat("<h2>", title, "</h2>\n<svg viewBox=\"0 0 ", width,
                           " ", height, "\" role=\"img\">\n");
  double stepY = getTickStep(maxY - minY), stepX = getTickStep(maxX - minX);
  for (double y = std::ceil(minY / stepY) * stepY; y <= maxY; y += stepY)
    svg += concat("<path class=\"grid\" d=\"M", left, " ", toY(y), "H",
                  width - 10, "\"/><text x=\"", left - 8, "\" y=\"", toY(y) + 4,
                  "\" text-anchor=\"end\">",
                  formatShort(std::abs(y) < stepY / 2 ? 0 : y), "</text>\n");
  for (double x = std::ceil(minX / stepX) * stepX; x <= maxX; x += stepX)
    svg += concat("<text x=\"", toX(x), "\" y=\"", height - 8,
                  "\" text-anchor=\"middle\">", formatShort(x), "</text>\n");
  for (const auto &[style, points] : lines) {
    svg += concat("<polyline class=\"", style, "\" points=\"");
    for (const Point &point : points)
      svg += concat(formatShort(toX(point.x)), ",", formatShort(toY(point.y)),
                    " ");
    svg += "\"/>\n";
    if (style == "eval")
      for (const Point &point : points)
        svg += concat("<circle class=\"eval\" r=\"3\" cx=\"", toX(point.x),
                      "\" cy=\"", toY(point.y), "\"/>\n");
  }
  return svg + "</svg>\n";
}

/// Means of neighbours, so that a line has at most `most` points.
static std::vector<Point> condense(const std::vector<Point> &points,
                                   size_t most) {
  size_t group = (points.size() + most - 1) / most;
  if (group <= 1)
    return points;
  std::vector<Point> means;
  for (size_t begin = 0; begin < points.size(); begin += group) {
    size_t end = std::min(points.size(), begin + group);
    Point sum{0, 0};
    for (size_t i = begin; i < end; ++i) {
      sum.x += points[i].x;
      sum.y += points[i].y;
    }
    means.push_back({sum.x / (end - begin), sum.y / (end - begin)});
  }
  return means;
}

static std::string escapeHtml(const std::string &text) {
  std::string out;
  for (char c : text)
    out += c == '&'   ? "&amp;"
           : c == '<' ? "&lt;"
           : c == '>' ? "&gt;"
                      : std::string(1, c);
  return out;
}

std::string TrainLog::renderHtml(const std::string &title) const {
  std::vector<Point> losses, evaluations, times;
  for (const TrainRecord &record : records) {
    auto step = static_cast<double>(record.step);
    (record.isEvaluation ? evaluations : losses).push_back({step, record.loss});
    if (!record.isEvaluation)
      times.push_back({step, record.milliseconds});
  }
  Chart loss("Loss", /*fromZero=*/false), time("Milliseconds a step", true);
  loss.add("each", condense(losses, 2000));
  loss.add("mean", condense(losses, 60));
  loss.add("eval", evaluations);
  time.add("mean", condense(times, 500));
  std::string page = concat(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>",
      escapeHtml(title),
      "</title>\n<style>\n"
      "body { font: 15px sans-serif; max-width: 60em; margin: 2em auto; }\n"
      "svg { width: 100%; } text { fill: currentColor; font-size: 12px; }\n"
      "polyline { fill: none; stroke-width: 1.5; }\n"
      ".grid { stroke: currentColor; opacity: .15; }\n"
      ".each { stroke: #7aa6d8; opacity: .5; } .mean { stroke: #2b6cb0; }\n"
      ".eval { stroke: #c05621; } circle.eval { fill: #c05621; }\n"
      "</style></head><body>\n<h1>",
      escapeHtml(title), "</h1>\n");
  if (!losses.empty())
    page += concat(
        "<p>", losses.size(), " steps; loss ", formatShort(losses.front().y),
        " at step ", losses.front().x, ", ", formatShort(losses.back().y),
        " at step ", losses.back().x, ". Light: each step; dark: means",
        evaluations.empty() ? "" : "; orange: evaluations", ".</p>\n");
  return page + loss.render() + time.render() + "</body></html>\n";
}

} // namespace tenon::run
