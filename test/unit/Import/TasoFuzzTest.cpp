//===- TasoFuzzTest.cpp - damaged files of TASO's rules -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Damaged files get a diagnostic that says where, never a crash or a hang; and
// what is imported from one is valid. TENON_FUZZ_TASO names a further file.
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Rule/IR/Rule.h"
#include "tenon/Import/TasoRules.h"

#include "taso_rules.pb.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

#include <chrono>
#include <cstdlib>
#include <random>

using namespace mlir;
using namespace tenon;

namespace {
class TasoFuzz : public testing::Test {
protected:
  TasoFuzz() : context(MLIRContext::Threading::DISABLED) {
    context.loadDialect<rule::RuleDialect>();
  }

  /// Imports, and checks that failure and diagnostics come together. Returns
  /// the diagnostics.
  std::string check(StringRef bytes) {
    std::string diagnostics;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      diagnostics += diagnostic.str() + "\n";
      return success();
    });
    auto begin = std::chrono::steady_clock::now();
    FailureOr<std::string> text =
        importTasoRules(bytes, UnknownLoc::get(&context), {});
    std::chrono::duration<double> seconds =
        std::chrono::steady_clock::now() - begin;
    // Against hangs; with sanitizers on a busy machine it takes half of this.
    EXPECT_LT(seconds.count(), 60);
    EXPECT_EQ(failed(text), !diagnostics.empty()) << diagnostics;
    if (succeeded(text))
      EXPECT_TRUE(parseSourceString<ModuleOp>(*text, &context)) << *text;
    return diagnostics;
  }

  MLIRContext context;
};
} // namespace

static void addOp(taso::file::Operator *op, int type,
                  ArrayRef<std::pair<int, int>> operands,
                  ArrayRef<std::pair<int, int>> parameters) {
  op->set_type(type);
  for (auto [number, result] : operands) {
    op->add_input()->set_op_id(number);
    op->mutable_input()->rbegin()->set_ts_id(result);
  }
  for (auto [key, value] : parameters) {
    op->add_para()->set_key(key);
    op->mutable_para()->rbegin()->set_value(value);
  }
}

/// Two rules with every kind of op: convolutions of one input are one
/// convolution; products in another order.
static std::string sampleFile() {
  std::string file;
  auto add = [&](taso::file::Rule &rule, int source, int target,
                 int targetResult) {
    taso::file::MapOutput *output = rule.add_mapped_output();
    output->set_src_op_id(source);
    output->set_src_ts_id(0);
    output->set_dst_op_id(target);
    output->set_dst_ts_id(targetResult);
  };
  auto finish = [&](const taso::file::Rule &rule) {
    std::string bytes = rule.SerializeAsString();
    EXPECT_LT(bytes.size(), 1u << 14);
    file += '\x0a';
    file += static_cast<char>((bytes.size() & 127) | 128);
    file += static_cast<char>(bytes.size() >> 7);
    file += bytes;
  };
  std::pair<int, int> conv[] = {{4, 3}, {5, 3}, {6, 1}, {7, 1}, {8, 0}, {9, 2}};
  taso::file::Rule first;
  addOp(first.add_src_op(), 3, {{-7, 0}, {-10, 0}}, conv);
  addOp(first.add_src_op(), 3, {{-7, 0}, {-11, 0}}, conv);
  addOp(first.add_dst_op(), 12, {{-10, 0}, {-11, 0}},
        {{1, 2}, {11, 0}, {10, 4}});
  addOp(first.add_dst_op(), 3, {{-7, 0}, {0, 0}}, conv);
  addOp(first.add_dst_op(), 13, {{1, 0}}, {{2, 2}, {11, 1}});
  add(first, 0, 2, 0);
  add(first, 1, 2, 1);
  finish(first);
  taso::file::Rule second;
  addOp(second.add_src_op(), 18, {{-1, 0}, {-4, 0}}, {{9, 0}});
  addOp(second.add_src_op(), 18, {{0, 0}, {-5, 0}}, {{9, 0}});
  addOp(second.add_src_op(), 16, {{1, 0}, {-6, 0}}, {});
  addOp(second.add_src_op(), 17, {{2, 0}, {1, 0}}, {});
  addOp(second.add_src_op(), 8, {{3, 0}}, {});
  addOp(second.add_dst_op(), 18, {{-4, 0}, {-5, 0}}, {{9, 0}});
  addOp(second.add_dst_op(), 18, {{-1, 0}, {0, 0}}, {{9, 0}});
  addOp(second.add_dst_op(), 16, {{-6, 0}, {1, 0}}, {});
  addOp(second.add_dst_op(), 17, {{1, 0}, {2, 0}}, {});
  addOp(second.add_dst_op(), 8, {{3, 0}}, {});
  add(second, 4, 4, 0);
  finish(second);
  return file;
}

TEST_F(TasoFuzz, SampleIsValid) { EXPECT_EQ(check(sampleFile()), ""); }

TEST_F(TasoFuzz, EveryPrefix) {
  std::string file = sampleFile();
  unsigned valid = 0;
  for (size_t length = 0; length < file.size(); ++length) {
    std::string diagnostics = check(StringRef(file).take_front(length));
    valid += diagnostics.empty();
    if (length > 0 && !diagnostics.empty())
      EXPECT_NE(diagnostics.find("at byte "), std::string::npos) << length;
  }
  // The prefix that is the first rule.
  EXPECT_EQ(valid, 1u);
}

TEST_F(TasoFuzz, EveryBit) {
  std::string file = sampleFile();
  for (size_t byte = 0; byte < file.size(); ++byte)
    for (unsigned bit = 0; bit < 8; ++bit) {
      std::string damaged = file;
      damaged[byte] ^= 1 << bit;
      std::string diagnostics = check(damaged);
      if (!diagnostics.empty())
        EXPECT_EQ(diagnostics.find("rule "), 0u) << diagnostics;
    }
}

TEST_F(TasoFuzz, SeveralBytes) {
  std::string file = sampleFile();
  if (const char *path = std::getenv("TENON_FUZZ_TASO"))
    if (auto buffer = llvm::MemoryBuffer::getFile(path))
      file = (*buffer)->getBuffer().str();
  std::mt19937_64 random(1);
  for (unsigned run = 0; run < 1000; ++run) {
    std::string damaged = file;
    for (unsigned i = 1 + random() % 4; i > 0; --i)
      damaged[random() % damaged.size()] = random() % 24;
    check(damaged);
  }
}

TEST_F(TasoFuzz, LongFiles) {
  // A file with very many rules: the time grows linearly with the file.
  std::string file = sampleFile(), all;
  for (unsigned copy = 0; copy < 1000; ++copy)
    all += file;
  EXPECT_EQ(check(all), "");
}
