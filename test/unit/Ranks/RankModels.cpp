//===- RankModels.cpp - pipelines of tests --------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RankModels.h"
#include "tenon/Differentiate/Passes.h"
#include "tenon/Lower/Passes.h"
#include "tenon/Parallelize/Passes.h"
#include "tenon/Parallelize/PipeProgram.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::ranks;

// Two stages, each with two ops that have parameters.
static constexpr char chain[] = R"(
!x = tensor<?x3xf64, #graph.dims<n, 3>>
!h = tensor<?x4xf64, #graph.dims<n, 4>>
!y = tensor<?x2xf64, #graph.dims<n, 2>>
pipe.program @main(%x: !x) -> !y inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 4 : i64, training, MESH2} {
  %0 = pipe.stage @s0 on 0 (%a = %x : !x) -> !h attributes {micro_batch = 2 : i64, SECONDS} {
    %w = graph.parameter @w0 : tensor<3x4xf64>
    %b = graph.parameter @b0 : tensor<4xf64>
    %1 = graph.matmul %a, %w : (!x, tensor<3x4xf64>) -> !h
    %2 = graph.broadcast %b shape = [n, 4] : (tensor<4xf64>) -> !h
    %3 = graph.add %1, %2 : !h
    %4 = graph.tanh %3 : !h
    pipe.yield %4 : !h
  }
  %1 = pipe.channel %0 axis 0 from 2 to 2 : !h
  %2 = pipe.stage @s1 on 1 (%a = %1 : !h) -> !y attributes {micro_batch = 2 : i64, SECONDS} {
    %w = graph.parameter @w1 : tensor<4x2xf64>
    %v = graph.parameter @v1 : tensor<2x2xf64>
    %1 = graph.matmul %a, %w : (!h, tensor<4x2xf64>) -> !y
    %2 = graph.sigmoid %1 : !y
    %3 = graph.matmul %2, %v : (!y, tensor<2x2xf64>) -> !y
    pipe.yield %3 : !y
  }
  pipe.yield %2 : !y
})";

// Micro-batches of 4 and 2 samples; two stages read the first one, one of them
// with the samples in axis 1.
static constexpr char branches[] = R"(
!b = tensor<?x3xf64, #graph.dims<n, 3>>
!t = tensor<3x?xf64, #graph.dims<3, n>>
pipe.program @main(%x: !b) -> !b inputs ["x"] outputs ["y"] ranks 3
    attributes {mini_batch = 8 : i64, training, MESH4} {
  %0:2 = pipe.stage @s0 on 0 (%a = %x : !b) -> (!b, !t) attributes {micro_batch = 4 : i64, SECONDS} {
    %w = graph.parameter @w0 : tensor<3x3xf64>
    %1 = graph.matmul %a, %w : (!b, tensor<3x3xf64>) -> !b
    %2 = graph.tanh %1 : !b
    %3 = graph.transpose %1 perm = [1, 0] : (!b) -> !t
    pipe.yield %2, %3 : !b, !t
  }
  %1 = pipe.channel %0#0 axis 0 from 4 to 2 : !b
  %2 = pipe.channel %0#0 axis 0 from 4 to 4 : !b
  %3 = pipe.channel %0#1 axis 1 from 4 to 2 : !t
  %4 = pipe.stage @s1 on 1 (%a = %1 : !b, %c = %3 : !t) -> !b attributes {micro_batch = 2 : i64, SECONDS} {
    %w = graph.parameter @w1 : tensor<3x3xf64>
    %1 = graph.matmul %w, %c : (tensor<3x3xf64>, !t) -> !t
    %2 = graph.transpose %1 perm = [1, 0] : (!t) -> !b
    %3 = graph.mul %2, %a : !b
    pipe.yield %3 : !b
  }
  %5 = pipe.channel %4 axis 0 from 2 to 4 : !b
  %6 = pipe.stage @s2 on 2 (%a = %2 : !b, %c = %5 : !b) -> !b attributes {micro_batch = 4 : i64, SECONDS} {
    %w = graph.parameter @w2 : tensor<3x3xf64>
    %1 = graph.sub %a, %c : !b
    %2 = graph.matmul %1, %w : (!b, tensor<3x3xf64>) -> !b
    pipe.yield %2 : !b
  }
  pipe.yield %6 : !b
})";

// Ranks 0 and 1 share the first stage, whose backward tasks compute again.
static constexpr char shared[] = R"(
!b = tensor<?x2xf64, #graph.dims<n, 2>>
!y = tensor<?x3xf64, #graph.dims<n, 3>>
!i = tensor<?xi64, #graph.dims<n>>
pipe.program @main(%x: !i) -> !y inputs ["x"] outputs ["y"] ranks 3
    attributes {mini_batch = 4 : i64, training, MESH4} {
  %0 = pipe.stage @s0 on [0, 1] (%a = %x : !i) -> !b attributes {micro_batch = 2 : i64, recompute, SECONDS} {
    %e = graph.parameter @e : tensor<3x2xf64>
    %w = graph.parameter @w0 : tensor<2x2xf64>
    %1 = graph.gather %e, %a axis = 0 : (tensor<3x2xf64>, !i) -> !b
    %2 = graph.matmul %1, %w : (!b, tensor<2x2xf64>) -> !b
    %3 = graph.tanh %2 : !b
    %4 = graph.mul %3, %1 : !b
    pipe.yield %4 : !b
  }
  %1 = pipe.channel %0 axis 0 from 2 to 4 : !b
  %2 = pipe.stage @s1 on 2 (%a = %1 : !b) -> !y attributes {micro_batch = 4 : i64, SECONDS} {
    %w = graph.parameter @w1 : tensor<2x3xf64>
    %1 = graph.matmul %a, %w : (!b, tensor<2x3xf64>) -> !y
    pipe.yield %1 : !y
  }
  pipe.yield %2 : !y
})";

// Stages of two ranks each, with one sample of a micro-batch for each rank.
static constexpr char pairs[] = R"(
!b = tensor<?x2xf64, #graph.dims<n, 2>>
pipe.program @main(%x: !b) -> !b inputs ["x"] outputs ["y"] ranks 4
    attributes {mini_batch = 4 : i64, training, MESH4} {
  %0 = pipe.stage @s0 on [0, 1] (%a = %x : !b) -> !b attributes {micro_batch = 2 : i64, SECONDS} {
    %w = graph.parameter @w0 : tensor<2x2xf64>
    %1 = graph.matmul %a, %w : (!b, tensor<2x2xf64>) -> !b
    %2 = graph.sigmoid %1 : !b
    pipe.yield %2 : !b
  }
  %1 = pipe.channel %0 axis 0 from 2 to 2 : !b
  %2 = pipe.stage @s1 on [2, 3] (%a = %1 : !b) -> !b attributes {micro_batch = 2 : i64, SECONDS} {
    %w = graph.parameter @w1 : tensor<2x2xf64>
    %1 = graph.matmul %a, %w : (!b, tensor<2x2xf64>) -> !b
    pipe.yield %1 : !b
  }
  pipe.yield %2 : !b
})";

// Two stages of each of two ranks, and a value that skips two of them.
static constexpr char turns[] = R"(
!b = tensor<?x2xf64, #graph.dims<n, 2>>
pipe.program @main(%x: !b) -> !b inputs ["x"] outputs ["y"] ranks 2
    attributes {mini_batch = 4 : i64, training, MESH2} {
  %0 = pipe.stage @s0 on 0 (%a = %x : !b) -> !b attributes {micro_batch = 2 : i64, SECONDS} {
    %w = graph.parameter @w0 : tensor<2x2xf64>
    %v = graph.matmul %a, %w : (!b, tensor<2x2xf64>) -> !b
    pipe.yield %v : !b
  }
  %1 = pipe.channel %0 axis 0 from 2 to 2 : !b
  %2 = pipe.stage @s1 on 1 (%a = %1 : !b) -> !b attributes {micro_batch = 2 : i64, SECONDS} {
    %w = graph.parameter @w1 : tensor<2x2xf64>
    %v = graph.matmul %a, %w : (!b, tensor<2x2xf64>) -> !b
    %t = graph.tanh %v : !b
    pipe.yield %t : !b
  }
  %3 = pipe.channel %2 axis 0 from 2 to 2 : !b
  %4 = pipe.stage @s2 on 0 (%a = %3 : !b) -> !b attributes {micro_batch = 2 : i64, SECONDS} {
    %w = graph.parameter @w2 : tensor<2x2xf64>
    %v = graph.matmul %a, %w : (!b, tensor<2x2xf64>) -> !b
    pipe.yield %v : !b
  }
  %5 = pipe.channel %4 axis 0 from 2 to 2 : !b
  %6 = pipe.channel %0 axis 0 from 2 to 2 : !b
  %7 = pipe.stage @s3 on 1 (%a = %5 : !b, %b = %6 : !b) -> !b attributes {micro_batch = 2 : i64, SECONDS} {
    %w = graph.parameter @w3 : tensor<2x2xf64>
    %v = graph.matmul %a, %w : (!b, tensor<2x2xf64>) -> !b
    %s = graph.add %v, %b : !b
    pipe.yield %s : !b
  }
  pipe.yield %7 : !b
})";

// One rank, one stage, and micro-batches of one sample.
static constexpr char single[] = R"(
!b = tensor<?x3xf64, #graph.dims<n, 3>>
pipe.program @main(%x: !b) -> !b inputs ["x"] outputs ["y"] ranks 1
    attributes {mini_batch = 3 : i64, training, MESH2} {
  %0 = pipe.stage @s0 on 0 (%a = %x : !b) -> !b attributes {micro_batch = 1 : i64, SECONDS} {
    %w = graph.parameter @w0 : tensor<3x3xf64>
    %1 = graph.matmul %a, %w : (!b, tensor<3x3xf64>) -> !b
    %2 = graph.softmax %1 axis = 1 : !b
    pipe.yield %2 : !b
  }
  pipe.yield %0 : !b
})";

// Inference without a mini-batch: values pass as a whole, also a scalar.
static constexpr char whole[] = R"(
!b = tensor<4x3xf64>
pipe.program @main(%x: !b) -> (!b, tensor<f64>) inputs ["x"] outputs ["y", "mean"] ranks 2 {
  %0:2 = pipe.stage @s0 on 0 (%a = %x : !b) -> (!b, tensor<f64>) {
    %w = graph.parameter @w : tensor<3x3xf64>
    %1 = graph.matmul %a, %w : (!b, tensor<3x3xf64>) -> !b
    %2 = graph.reduce_mean %1 axes = [0, 1] : (!b) -> tensor<f64>
    pipe.yield %1, %2 : !b, tensor<f64>
  }
  %1 = pipe.stage @s1 on 1 (%a = %0#0 : !b, %c = %x : !b, %m = %0#1 : tensor<f64>) -> !b {
    %1 = graph.mul %a, %c : !b
    %2 = graph.broadcast %m shape = [4, 3] : (tensor<f64>) -> !b
    %3 = graph.sub %1, %2 : !b
    pipe.yield %3 : !b
  }
  pipe.yield %1, %0#1 : !b, tensor<f64>
})";

// Inference over micro-batches of 4, 6 and 12 samples; a value has several rows
// of a sample, another one has samples in axis 1.
static constexpr char uneven[] = R"(
!b = tensor<?x3xf64, #graph.dims<n, 3>>
!t = tensor<3x?xf64, #graph.dims<3, n>>
!r = tensor<?xf64, #graph.dims<3 * n>>
!i = tensor<?xi64, #graph.dims<n>>
pipe.program @main(%x: !b) -> (!b, !i) inputs ["x"] outputs ["y", "i"] ranks 4
    attributes {mini_batch = 12 : i64, MESH4} {
  %0:3 = pipe.stage @s0 on 0 (%a = %x : !b) -> (!t, !r, !i) attributes {micro_batch = 4 : i64, SECONDS} {
    %1 = graph.tanh %a : !b
    %2 = graph.transpose %1 perm = [1, 0] : (!b) -> !t
    %3 = graph.reshape %a shape = [3 * n] : (!b) -> !r
    %4 = graph.argmax %1 axis = 1 : (!b) -> !i
    pipe.yield %2, %3, %4 : !t, !r, !i
  }
  %5 = pipe.channel %0#0 axis 1 from 4 to 6 : !t
  %6 = pipe.channel %0#1 axis 0 rows 3 from 4 to 6 : !r
  %7 = pipe.channel %0#2 axis 0 from 4 to 12 : !i
  %8 = pipe.stage @s1 on [1, 2] (%a = %5 : !t, %b = %6 : !r) -> !b attributes {micro_batch = 6 : i64, SECONDS} {
    %w = graph.parameter @w : tensor<3x3xf64>
    %1 = graph.transpose %a perm = [1, 0] : (!t) -> !b
    %2 = graph.reshape %b shape = [n, 3] : (!r) -> !b
    %3 = graph.matmul %1, %w : (!b, tensor<3x3xf64>) -> !b
    %4 = graph.add %3, %2 : !b
    pipe.yield %4 : !b
  }
  %9 = pipe.stage @s2 on 3 (%a = %7 : !i) -> !i attributes {micro_batch = 12 : i64, SECONDS} {
    %1 = graph.add %a, %a : !i
    pipe.yield %1 : !i
  }
  pipe.yield %8, %9 : !b, !i
})";

// Five samples by 3, of which two ranks have 2 and 1 or 1 each, and by 2, of
// which the last one has 1.
static constexpr char odd[] = R"(
!b = tensor<?x2xf64, #graph.dims<n, 2>>
pipe.program @main(%x: !b) -> !b inputs ["x"] outputs ["y"] ranks 3
    attributes {mini_batch = 5 : i64, training, MESH4} {
  %0 = pipe.stage @s0 on [0, 1] (%a = %x : !b) -> !b attributes {micro_batch = 3 : i64, SECONDS} {
    %w = graph.parameter @w0 : tensor<2x2xf64>
    %1 = graph.matmul %a, %w : (!b, tensor<2x2xf64>) -> !b
    %2 = graph.sigmoid %1 : !b
    pipe.yield %2 : !b
  }
  %1 = pipe.channel %0 axis 0 from 3 to 2 : !b
  %2 = pipe.stage @s1 on 2 (%a = %1 : !b) -> !b attributes {micro_batch = 2 : i64, SECONDS} {
    %w = graph.parameter @w1 : tensor<2x2xf64>
    %1 = graph.matmul %a, %w : (!b, tensor<2x2xf64>) -> !b
    pipe.yield %1 : !b
  }
  pipe.yield %2 : !b
})";

// The loss is a result: a mean, of an error and of what the first stage
// computes, with a penalty on the first stage's weight.
static constexpr char ownLoss[] = R"(
!b = tensor<?x2xf64, #graph.dims<n, 2>>
!s = tensor<f64>
pipe.program @main(%x: !b, %y: !b) -> (!s, !b, !s) inputs ["x", "y"] outputs ["loss", "p", "sum"] ranks 2
    attributes {mini_batch = 3 : i64, training, MESH2} {
  %0 = pipe.stage @s0 on 0 (%a = %x : !b) -> !b attributes {micro_batch = 2 : i64, SECONDS} {
    %w = graph.parameter @w0 : tensor<2x2xf64>
    %1 = graph.matmul %a, %w : (!b, tensor<2x2xf64>) -> !b
    %2 = graph.tanh %1 : !b
    pipe.yield %2 : !b
  }
  %1 = pipe.channel %0 axis 0 from 2 to 2 : !b
  %2:3 = pipe.stage @s1 on 1 (%a = %1 : !b, %t = %y : !b) -> (!s, !b, !s) attributes {micro_batch = 2 : i64, SECONDS} {
    %v = graph.parameter @w0 : tensor<2x2xf64>
    %w = graph.parameter @w1 : tensor<2x2xf64>
    %1 = graph.matmul %a, %w : (!b, tensor<2x2xf64>) -> !b
    %2 = graph.mse_loss %1, %t mean : (!b, !b) -> !s
    %3 = graph.reduce_mean %a axes = [0, 1] : (!b) -> !s
    %4 = graph.add %2, %3 : !s
    %5 = graph.mul %v, %v : tensor<2x2xf64>
    %6 = graph.reduce_sum %5 axes = [0, 1] : (tensor<2x2xf64>) -> !s
    %7 = graph.add %4, %6 : !s
    %8 = graph.reduce_sum %1 axes = [0, 1] : (!b) -> !s
    pipe.yield %7, %1, %8 : !s, !b, !s
  }
  pipe.yield %2#0, %2#1, %2#2 : !s, !b, !s
})";

static constexpr RankModel models[] = {
    {"chain", chain, "1f1b", "loss=mean-squared optimizer=adam"},
    {"zero-bubble", chain, "zero-bubble",
     "loss=binary-cross-entropy optimizer=sgd momentum=0.9"},
    {"branches", branches, "gpipe",
     "loss=mean-squared optimizer=sgd momentum=0.5 weight-decay=0.1"},
    {"list", branches, "list", "loss=mean-squared optimizer=lion"},
    {"shared", shared, "1f1b",
     "loss=cross-entropy optimizer=adamw weight-decay=0.01"},
    {"pairs", pairs, "kfkb",
     "loss=mean-squared schedule=cosine steps=100 warmup=2"},
    {"turns", turns, "interleaved", "loss=mean-squared freeze=w1"},
    {"single", single, "gpipe", "loss=cross-entropy optimizer=adam"},
    {"odd", odd, "1f1b", "loss=mean-squared optimizer=adam"},
    {"own-loss", ownLoss, "1f1b", "loss=result optimizer=sgd momentum=0.9"},
    {"whole", whole, nullptr, nullptr},
    {"uneven", uneven, "forward", nullptr},
};

ArrayRef<RankModel> tenon::ranks::getRankModels() { return models; }

void tenon::ranks::loadDialects(MLIRContext &context) {
  context.loadDialect<func::FuncDialect, graph::GraphDialect, pipe::PipeDialect,
                      program::ProgramDialect>();
}

static void replaceAll(std::string &text, StringRef what, StringRef by) {
  for (size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

OwningOpRef<ModuleOp> tenon::ranks::buildRanks(MLIRContext &context,
                                               const RankModel &model) {
  std::string text = model.text;
  replaceAll(text, "SECONDS", "seconds = array<f64: 1.0, 1.0, 1.0>");
  for (const char *count : {"2", "4"})
    replaceAll(text, std::string("MESH") + count,
               std::string("mesh = #pipe.mesh<\"device\" = ") + count +
                   ", memory_bytes = [65536], link_seconds = [1.0e-6], "
                   "link_bytes_per_second = [1.0e9]>");
  auto module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return {};
  if (model.schedule) {
    parallelize::PipeScheduleOptions options;
    options.schedule = model.schedule;
    PassManager passes(&context);
    passes.addPass(parallelize::createPipeSchedule(options));
    if (failed(passes.run(*module)))
      return {};
  }
  pipe::ProgramOp program = *module->getOps<pipe::ProgramOp>().begin();
  if (model.train) {
    auto options =
        differentiate::parseTrainOptions(model.train, program.getLoc());
    if (failed(options) || failed(parallelize::emitRanks(program, &*options)))
      return {};
  } else if (failed(parallelize::emitRanks(program, nullptr))) {
    return {};
  }
  PassManager passes(&context);
  passes.addPass(lower::createProgramPlanArena());
  if (failed(passes.run(*module)))
    return {};
  return module;
}
