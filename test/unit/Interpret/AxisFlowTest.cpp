//===- AxisFlowTest.cpp - axis flow of every op ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FlowCheck.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

#include <map>
#include <set>

using namespace mlir;
using namespace tenon;
using namespace tenon::interpret;
using graph::AxisAccess;
using graph::AxisFlow;

static MLIRContext &getContext() {
  static auto *context = [] {
    auto *made = new MLIRContext;
    made->loadDialect<graph::GraphDialect, func::FuncDialect>();
    return made;
  }();
  return *context;
}

static std::string print(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  op->print(os);
  return text;
}

static bool computes(Operation *op) {
  return isa<graph::IndexFormInterface, graph::DecomposableInterface,
             graph::ReferenceInterface>(op);
}

/// The examples of the reference, one or more for every op.
static void readExamples(std::vector<OwningOpRef<ModuleOp>> &modules) {
  auto buffer = llvm::MemoryBuffer::getFile(TENON_REFERENCE_PAGE);
  ASSERT_TRUE(static_cast<bool>(buffer)) << TENON_REFERENCE_PAGE;
  StringRef text = (*buffer)->getBuffer(), begin = "```mlir\n";
  for (size_t at = 0; (at = text.find(begin, at)) != StringRef::npos;) {
    at += begin.size();
    StringRef example = text.slice(at, text.find("```", at));
    modules.push_back(parseSourceString<ModuleOp>(example, &getContext()));
    EXPECT_TRUE(modules.back()) << example.str();
  }
}

/// Modules that show how every op is written.
static std::vector<OwningOpRef<ModuleOp>> readModules() {
  std::vector<std::string> paths;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator it(TENON_TEST_MODELS, code), end;
       it != end && !code; it.increment(code))
    if (StringRef(it->path()).ends_with("-parse.mlir"))
      paths.push_back(it->path());
  llvm::sort(paths);
  std::vector<OwningOpRef<ModuleOp>> modules;
  for (const std::string &path : paths) {
    modules.push_back(parseSourceFile<ModuleOp>(path, &getContext()));
    EXPECT_TRUE(modules.back()) << path;
  }
  readExamples(modules);
  return modules;
}

TEST(AxisFlow, PartsJoinedAreTheWhole) {
  std::map<std::string, unsigned> checked;
  std::set<std::string> seen;
  unsigned checks = 0, instances = 0;
  uint64_t seed = 1;
  for (OwningOpRef<ModuleOp> &module : readModules())
    module->walk([&](Operation *op) {
      if (!computes(op))
        return;
      std::string name = op->getName().getStringRef().str();
      seen.insert(name);
      for (unsigned repeat = 0; repeat < 2; ++repeat) {
        FlowInstance instance(op, ++seed);
        if (!instance.isValid())
          continue;
        ++instances;
        for (unsigned result = 0; result < op->getNumResults(); ++result) {
          std::optional<AxisFlow> flow = graph::getAxisFlow(op, result);
          ASSERT_TRUE(flow) << name;
          for (unsigned axis = 0; axis < flow->axes.size(); ++axis)
            EXPECT_EQ(instance.checkAxis(result, axis, flow->axes[axis]), "")
                << flow->str() << print(op);
          if (auto primitive = dyn_cast<graph::IndexFormInterface>(op))
            for (const graph::ReducedAxis &reduced : flow->reduced)
              EXPECT_EQ(instance.checkReduced(primitive.getIndexForms()[result],
                                              reduced),
                        "")
                  << flow->str() << print(op);
        }
        checked[name] += instance.getNumChecks();
        checks += instance.getNumChecks();
      }
    });
  RecordProperty("instances", instances);
  EXPECT_GE(instances, 200u);
  EXPECT_GE(checks, 400u);
  for (RegisteredOperationName name :
       getContext().getRegisteredOperationsByDialect("graph"))
    if (name.hasInterface<graph::IndexFormInterface>() ||
        name.hasInterface<graph::DecomposableInterface>() ||
        name.hasInterface<graph::ReferenceInterface>())
      EXPECT_GT(checked[name.getStringRef().str()], 0u)
          << name.getStringRef().str();
}

//===----------------------------------------------------------------------===//
// Wrong flows
//===----------------------------------------------------------------------===//

/// Ops whose flows are changed below. Every change makes them wrong, although
/// some cuts do not show it.
static const char *const kPlanted = R"(
func.func @f(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>, %i: tensor<4x4xi64>,
             %image: tensor<4x4x8x8xf32>, %kernel: tensor<4x4x3x3xf32>,
             %row: tensor<4xf32>) {
  %0 = graph.add %x, %y : tensor<4x4xf32>
  %1 = graph.matmul %x, %y : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = graph.transpose %x perm = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = graph.softmax %x axis = 1 : tensor<4x4xf32>
  %4 = graph.reshape %x shape = [16] : (tensor<4x4xf32>) -> tensor<16xf32>
  %5 = graph.slice %image starts = [0, 0, 1, 1] sizes = [4, 4, 7, 3] steps = [1, 1, 1, 2]
      : (tensor<4x4x8x8xf32>) -> tensor<4x4x7x3xf32>
  %6 = graph.concat %x, %y axis = 0 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %7 = graph.broadcast %row shape = [4, 4] : (tensor<4xf32>) -> tensor<4x4xf32>
  return
}
)";

/// Changes of the access to an operand of rank `rank`.
static std::vector<AxisAccess> changeAccess(const AxisAccess &access,
                                            unsigned rank) {
  std::vector<AxisAccess> changed;
  AxisAccess unread;
  changed.push_back(unread);
  if (access.kind != AxisAccess::Kind::Sliced) {
    for (unsigned axis = 0; axis < rank; ++axis) {
      AxisAccess slice;
      slice.kind = AxisAccess::Kind::Sliced;
      slice.axis = axis;
      changed.push_back(slice);
    }
    return changed;
  }
  for (unsigned axis = 0; axis < rank; ++axis)
    if (axis != access.axis) {
      changed.push_back(access);
      changed.back().axis = axis;
    }
  changed.push_back(access);
  changed.back().low = access.low + 1;
  changed.back().high = access.high + 1;
  return changed;
}

TEST(AxisFlow, WrongFlowsAreFound) {
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(kPlanted, &getContext());
  ASSERT_TRUE(module);
  unsigned planted = 0;
  module->walk([&](Operation *op) {
    if (!computes(op))
      return;
    AxisFlow flow = *graph::getAxisFlow(op);
    for (unsigned axis = 0; axis < flow.axes.size(); ++axis)
      for (unsigned operand = 0; operand < op->getNumOperands(); ++operand) {
        const AxisAccess &access = flow.axes[axis].operands[operand];
        unsigned rank =
            cast<RankedTensorType>(op->getOperand(operand).getType()).getRank();
        for (const AxisAccess &wrong : changeAccess(access, rank)) {
          graph::ResultAxisFlow changed = flow.axes[axis];
          changed.operands[operand] = wrong;
          ++planted;
          bool isFound = false;
          for (uint64_t seed = 1; seed <= 40 && !isFound; ++seed)
            isFound =
                !FlowInstance(op, seed).checkAxis(0, axis, changed).empty();
          EXPECT_TRUE(isFound) << print(op) << "\naxis " << axis
                               << " of operand " << operand << "\n"
                               << flow.str();
        }
      }
  });
  EXPECT_GE(planted, 30u);
}

TEST(AxisFlow, WrongReductionsAreFound) {
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(R"(
    func.func @f(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) {
      %0 = graph.matmul %x, %y : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      return
    })",
                                                             &getContext());
  ASSERT_TRUE(module);
  module->walk([&](graph::IndexFormInterface op) {
    AxisFlow flow = *graph::getAxisFlow(op.getOperation());
    ASSERT_EQ(flow.reduced.size(), 1u);
    graph::IndexForm form = op.getIndexForms().front();
    graph::ReducedAxis right = flow.reduced.front();
    auto check = [&](const graph::ReducedAxis &reduced) {
      return FlowInstance(op, 1).checkReduced(form, reduced);
    };
    EXPECT_EQ(check(right), "");
    graph::ReducedAxis wrong = right;
    wrong.kind = graph::ReduceKind::Max;
    EXPECT_NE(check(wrong), "");
    for (unsigned operand : {0u, 1u}) {
      wrong = right;
      wrong.axes[operand].second = 1 - wrong.axes[operand].second;
      EXPECT_NE(check(wrong), "");
    }
  });
}
