//===- SharedFilesTest.cpp - what a context reads once --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Kernel/IR/SharedFiles.h"
#include "tenon/Cost/CostDatabase.h"
#include "tenon/Cost/DeviceProfile.h"
#include "tenon/Dialect/Rule/IR/Rule.h"
#include "tenon/Optimize/RuleSet.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"

#include "gtest/gtest.h"

#include <thread>

using namespace mlir;
using namespace tenon;

namespace {
class SharedFiles : public testing::Test {
protected:
  SharedFiles() {
    context.loadDialect<graph::GraphDialect, kernel::KernelDialect,
                        rule::RuleDialect>();
  }

  MLIRContext context;
};
} // namespace

TEST_F(SharedFiles, RulesAreReadOnce) {
  auto share = [&](std::vector<std::string> names) {
    return *optimize::RuleSet::share(&context, {TENON_TEST_RULES}, names, {});
  };
  auto all = share({});
  EXPECT_EQ(all, share({}));
  // These are another object.
  auto one =
      share({rule::RuleOp(all->getRules().front().op).getSymName().str()});
  EXPECT_NE(all, one);
  EXPECT_EQ(one->getRules().size(), 1u);
  MLIRContext other;
  other.loadDialect<graph::GraphDialect, kernel::KernelDialect,
                    rule::RuleDialect>();
  EXPECT_NE(*optimize::RuleSet::share(&other, {TENON_TEST_RULES}, {}, {}), all);
}

TEST_F(SharedFiles, ChangedFilesAreReadAgain) {
  llvm::SmallString<128> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("costs", "json", path));
  llvm::FileRemover remover(path);
  auto fails = [&] {
    auto read = cost::CostDatabase::read(&context, path);
    if (read)
      return false;
    llvm::consumeError(read.takeError());
    return true;
  };
  // A file that was read is not written, but may be replaced.
  auto write = [&](const cost::CostDatabase &costs) {
    std::string other = (path + ".new").str();
    EXPECT_EQ(llvm::toString(costs.write(other)), "");
    EXPECT_FALSE(llvm::sys::fs::rename(other, path));
  };
  // An error is not kept.
  EXPECT_TRUE(fails());
  cost::CostDatabase costs(cost::Device{"cpu:x86-64-v3", "processor", 1, {}});
  costs.add("one", {1, 1, 1, 3, 1});
  write(costs);
  auto first = llvm::cantFail(cost::CostDatabase::read(&context, path));
  EXPECT_EQ(first, llvm::cantFail(cost::CostDatabase::read(&context, path)));
  costs.add("two", {1, 1, 1, 3, 1});
  write(costs);
  auto second = llvm::cantFail(cost::CostDatabase::read(&context, path));
  EXPECT_FALSE(first->lookup("two"));
  EXPECT_TRUE(second->lookup("two"));
  ASSERT_FALSE(llvm::sys::fs::remove(path));
  EXPECT_TRUE(fails());
}

TEST_F(SharedFiles, ProfilesByName) {
  auto get = [&](llvm::StringRef name) {
    return llvm::cantFail(cost::getProfile(&context, name));
  };
  EXPECT_EQ(get("cpu"), get("cpu"));
  EXPECT_NE(get("cpu"), get("h100"));
}

// Bodies of rules, whose values have types by their names, are parsed by
// several threads of one context.
TEST_F(SharedFiles, RulesParsedAtTheSameTime) {
  auto text = [](int size) {
    std::string rank = std::to_string(size);
    return "rule.rule @r(%x: [" + rank + ", m]) -> [" + rank +
           R"(, m]
  source {
    %0 = graph.transpose %x perm = [1, 0]
    %1 = graph.transpose %0 perm = [1, 0]
    rule.yield %1
  }
  target {
    rule.yield %x
  }
)";
  };
  std::vector<int> wrong(4);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 100; ++i) {
        auto module =
            parseSourceString<ModuleOp>(text(thread * 100 + i + 1), &context);
        wrong[thread] += !module;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4));
}
