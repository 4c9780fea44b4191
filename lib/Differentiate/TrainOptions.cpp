//===- TrainOptions.cpp - checks of the options of --graph-train ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Differentiate/Passes.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/GlobPattern.h"

#include <cmath>
#include <variant>

using namespace mlir;
using namespace tenon;
using namespace tenon::differentiate;

OptimizerOptions
tenon::differentiate::getOptimizerOptions(const GraphTrainOptions &options) {
  OptimizerOptions optimizer;
  optimizer.optimizer = options.optimizer;
  optimizer.learningRate = options.learningRate;
  optimizer.momentum = options.momentum;
  optimizer.beta1 = options.beta1;
  optimizer.beta2 = options.beta2;
  optimizer.epsilon = options.epsilon;
  optimizer.schedule = options.schedule;
  optimizer.warmup = options.warmup;
  optimizer.steps = options.steps;
  return optimizer;
}

static std::string checkNumbers(const GraphTrainOptions &options) {
  constexpr double most = std::numeric_limits<double>::max();
  // A count is a number of type int64_t.
  using Value = std::variant<double, int64_t>;
  struct Range {
    StringRef option;
    Value value;
    bool isRight; // false for NaN
    StringRef expected;
  };
  StringRef fraction = "a number from 0 to below 1",
            positive = "a number above 0", natural = "a number of at least 0";
  auto isFraction = [](double value) { return value >= 0 && value < 1; };
  auto isPositive = [](double value) { return value > 0 && value <= most; };
  auto isNatural = [](double value) { return value >= 0 && value <= most; };
  const Range ranges[] = {
      {"learning-rate", options.learningRate, isPositive(options.learningRate),
       positive},
      {"momentum", options.momentum, isFraction(options.momentum), fraction},
      {"beta1", options.beta1, isFraction(options.beta1), fraction},
      {"beta2", options.beta2, isFraction(options.beta2), fraction},
      {"epsilon", options.epsilon, isPositive(options.epsilon), positive},
      {"weight-decay", options.weightDecay, isNatural(options.weightDecay),
       natural},
      {"clip", options.clip, isNatural(options.clip), natural},
      {"batch-norm-momentum", options.batchNormMomentum,
       options.batchNormMomentum >= 0 && options.batchNormMomentum <= 1,
       "a number from 0 to 1"},
      {"accumulate", options.accumulate, options.accumulate >= 1,
       "a number of at least 1"},
      {"loss-scale", options.lossScale,
       options.lossScale == 0 ||
           (options.lossScale >= 1 &&
            options.lossScale <= std::numeric_limits<float>::max() &&
            std::exp2(std::floor(std::log2(options.lossScale))) ==
                options.lossScale),
       "0 or a power of 2 from 1 to 2^127"},
      {"loss-scale-growth", options.lossScaleGrowth,
       options.lossScaleGrowth >= 1, "a number of at least 1"},
      {"warmup", options.warmup, options.warmup >= 0, natural}};
  for (const Range &range : ranges)
    if (!range.isRight) {
      std::string text;
      llvm::raw_string_ostream os(text);
      os << range.option << ": expected " << range.expected << ", but got ";
      if (const auto *count = std::get_if<int64_t>(&range.value))
        os << *count;
      else
        os << llvm::format("%g", std::get<double>(range.value));
      return text;
    }
  return "";
}

/// Options of tasks alone, and of train steps alone.
static std::string checkTasks(const GraphTrainOptions &options) {
  if (!(options.share > 0 && std::isfinite(options.share)))
    return llvm::formatv("share: expected a number above 0, but got {0}",
                         options.share);
  for (int64_t count : options.readers)
    if (count < 0 || count > 65536)
      return llvm::formatv(
          "readers: expected numbers from 0 to 65536, but got {0}", count);
  if (!options.tasks) {
    bool hasOption = options.splitBackward || !options.judged ||
                     options.share != 1 || !options.readers.empty() ||
                     !options.gradients.empty() || !options.shared.empty();
    return hasOption ? "tasks: split-backward, judged, share, readers, "
                       "gradients and shared need it"
                     : "";
  }
  if (options.lossScale != 0)
    return "loss-scale: a stage does not see whether all gradients are finite";
  if (options.recompute != "none" && options.recompute != "sqrt")
    return "recompute: of a task, expected none or sqrt";
  return "";
}

std::string
tenon::differentiate::checkTrainOptions(const GraphTrainOptions &options) {
  if (std::string wrong = checkNumbers(options); !wrong.empty())
    return wrong;
  if (std::string wrong = checkTasks(options); !wrong.empty())
    return wrong;
  if (std::string wrong = checkRecompute(options.recompute); !wrong.empty())
    return wrong;
  if (options.schedule != Schedule::Constant && options.steps <= options.warmup)
    return llvm::formatv("steps: expected a number above that of warmup ({0}) "
                         "for the schedule {1}, but got {2}",
                         options.warmup, getName(options.schedule),
                         options.steps);
  if (options.schedule == Schedule::Constant && options.steps != 0)
    return "steps: a constant schedule has none";
  if (options.lossScale == 0 &&
      options.lossScaleGrowth != GraphTrainOptions().lossScaleGrowth)
    return "loss-scale-growth: expected a loss-scale, too";
  if (options.optimizer != Optimizer::Sgd && options.momentum != 0)
    return ("momentum: " + getName(options.optimizer) + " has none").str();
  for (auto [option, patterns] :
       {std::pair("freeze", ArrayRef<std::string>(options.freeze)),
        std::pair("include", ArrayRef<std::string>(options.include)),
        std::pair("no-decay", ArrayRef<std::string>(options.noDecay))})
    for (const std::string &text : patterns)
      if (auto pattern = llvm::GlobPattern::create(text); !pattern)
        return llvm::formatv("{0}: '{1}': {2}", option, text,
                             llvm::toString(pattern.takeError()));
  return "";
}
