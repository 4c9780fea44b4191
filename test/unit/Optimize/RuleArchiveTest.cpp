//===- RuleArchiveTest.cpp - archives that no tool wrote ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Optimize/RuleArchive.h"
#include "tenon/Dialect/Rule/IR/Rule.h"
#include "tenon/EGraph/Saturate.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

#include "gtest/gtest.h"

using namespace tenon;
using namespace tenon::optimize;

namespace {
/// A folder of one rule with a certificate, and its archive.
class RuleArchive : public testing::Test {
protected:
  void SetUp() override {
    context.loadDialect<graph::GraphDialect, rule::RuleDialect>();
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("rules", folder));
    write("a.mlir", R"(
rule.rule @twice_transposed(%x: [n, m]) -> [n, m]
  source {
    %0 = graph.transpose %x perm = [1, 0]
    %1 = graph.transpose %0 perm = [1, 0]
    rule.yield %1
  }
  target {
    rule.yield %x
  }
)");
    auto module =
        mlir::parseSourceFile<mlir::ModuleOp>(path("a.mlir"), &context);
    rule::Certificate certificate;
    certificate.name = "twice_transposed";
    certificate.status = rule::Status::Proved;
    certificate.statement =
        rule::hashStatement(*module->getOps<rule::RuleOp>().begin());
    certificate.elements = "any";
    certificate.hypotheses = std::vector<graph::SymInt>{
        graph::SymInt::symbol("n"), graph::SymInt::symbol("m")};
    ASSERT_FALSE(rule::writeCertificates(path("a.proved.json"), certificate));
    ASSERT_FALSE(writeRuleArchive(&context, folder, {}, path("archive")));
    archive = read("archive");
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  std::string path(llvm::StringRef name) const {
    return (folder + "/" + name).str();
  }
  void write(llvm::StringRef name, llvm::StringRef text) const {
    std::error_code error;
    llvm::raw_fd_ostream(path(name), error) << text;
    ASSERT_FALSE(error);
  }
  std::string read(llvm::StringRef name) const {
    return (*llvm::MemoryBuffer::getFile(path(name)))->getBuffer().str();
  }
  /// Reads the archive with other contents, whose hash is right. Returns the
  /// error, or "".
  std::string load(llvm::StringRef bytecode, RuleSet *rules = nullptr) {
    llvm::StringRef header = llvm::StringRef(archive).take_front(80).rtrim();
    std::string line =
        header.take_front(header.rfind(' ') + 1).str() +
        llvm::utohexstr(llvm::xxh3_64bits(bytecode), /*LowerCase=*/true, 16);
    line.resize(79, ' ');
    write("edited", line + "\n" + bytecode.str());
    mlir::MLIRContext other(mlir::MLIRContext::Threading::DISABLED);
    other.loadDialect<graph::GraphDialect, rule::RuleDialect>();
    RuleQuery query;
    query.ops = {"graph.transpose"};
    llvm::Expected<RuleSet> result = readRuleArchive(
        rules ? &context : &other, path("edited"), folder, query, {});
    if (!result)
      return llvm::toString(result.takeError());
    if (rules)
      *rules = std::move(*result);
    return "";
  }
  /// The same of a module that is given as text, whose rules get `certificate`.
  std::string loadText(llvm::StringRef text, llvm::StringRef certificate = "") {
    mlir::ParserConfig config(&context, /*verifyAfterParse=*/false);
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, config);
    EXPECT_TRUE(module);
    mlir::Builder builder(&context);
    module->walk([&](rule::RuleOp rule) {
      rule->setAttr("rule.certificate", builder.getStringAttr(certificate));
      rule->setAttr("rule.witness", builder.getStringAttr(""));
    });
    std::string bytecode;
    llvm::raw_string_ostream os(bytecode);
    EXPECT_TRUE(succeeded(mlir::writeBytecodeToFile(*module, os)));
    return load(bytecode);
  }

  /// How often the rule fires on a matrix that is transposed twice.
  unsigned countFirings(const RuleSet &rules) {
    context.loadDialect<mlir::func::FuncDialect>();
    auto module = mlir::parseSourceString<mlir::ModuleOp>(R"(
      func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
        %0 = graph.transpose %x perm = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
        %1 = graph.transpose %0 perm = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
        return %1 : tensor<2x3xf32>
      })",
                                                          &context);
    egraph::EGraph graph(&context);
    std::string reason;
    auto function = *module->getOps<mlir::func::FuncOp>().begin();
    EXPECT_TRUE(succeeded(graph.addBody(function.getBody(), reason))) << reason;
    std::vector<rule::RulePattern> patterns;
    patterns.emplace_back(rules.getRules().front(),
                          rule::RulePattern::Check::Nothing);
    return egraph::saturate(graph, patterns, {}).rules.front().fired;
  }

  mlir::MLIRContext context;
  llvm::SmallString<128> folder;
  std::string archive;
};
} // namespace

TEST_F(RuleArchive, IsRead) {
  RuleSet rules;
  EXPECT_EQ(load(llvm::StringRef(archive).drop_front(80), &rules), "");
  ASSERT_EQ(rules.getRules().size(), 1u);
  const rule::ProvedRule &rule = rules.getRules().front();
  EXPECT_TRUE(succeeded(mlir::verify(rule.op)));
  EXPECT_TRUE(rule.op->getDiscardableAttrs().empty());
  EXPECT_EQ(rule.certificate.hypotheses.get(),
            (std::vector<graph::SymInt>{graph::SymInt::symbol("n"),
                                        graph::SymInt::symbol("m")}));
}

TEST_F(RuleArchive, OtherModules) {
  constexpr llvm::StringLiteral none = "it holds no rules";
  EXPECT_EQ(loadText("module {}"), "");
  EXPECT_EQ(loadText("module { module {} }"), none);
  EXPECT_EQ(loadText("module { module attributes {rule.source_ops = [1], "
                     "rule.target_ops = [], rule.float_class = 0} {} }"),
            none);
  EXPECT_EQ(loadText("module { module attributes {rule.source_ops = [], "
                     "rule.target_ops = [], rule.float_class = 0 : i128} {} }"),
            none);
  constexpr llvm::StringLiteral chosen =
      "module { module attributes {rule.source_ops = [\"graph.transpose\"], "
      "rule.target_ops = [], rule.float_class = 0} {0} }";
  auto fill = [&](llvm::StringRef body) {
    return llvm::StringRef(chosen).split("{0}").first.str() + body.str() + " }";
  };
  EXPECT_EQ(loadText(fill("{}")), "a module without its rule");
  EXPECT_EQ(loadText(fill("{ module {} }")), "a module without its rule");
  std::string rule =
      fill("{ rule.rule @r(%x: [n]) -> [n] "
           "source { rule.yield %x } target { rule.yield %x } }");
  for (llvm::StringRef certificate : {"", "{", "[]", "{\"elements\": \"any\"}"})
    EXPECT_EQ(loadText(rule, certificate), "the certificate is damaged");
}

TEST_F(RuleArchive, SizesThatAreNone) {
  std::string bytecode = archive.substr(80);
  size_t at = bytecode.find("[\"n\",\"m\"]");
  ASSERT_NE(at, std::string::npos);
  bytecode.replace(at, 9, "[\"?\",\"*\"]");
  RuleSet rules;
  EXPECT_EQ(load(bytecode, &rules), "");
  ASSERT_EQ(rules.getRules().size(), 1u);
  for (const graph::SymInt &size :
       rules.getRules().front().certificate.hypotheses.get())
    EXPECT_TRUE(size.isUnknown());

  // They are true of no sizes.
  EXPECT_EQ(countFirings(rules), 0u);
  ASSERT_EQ(load(llvm::StringRef(archive).drop_front(80), &rules), "");
  EXPECT_EQ(countFirings(rules), 1u);
}

TEST_F(RuleArchive, CutBytecode) {
  llvm::StringRef bytecode = llvm::StringRef(archive).drop_front(80);
  for (size_t size = 0; size < bytecode.size(); size += 7)
    EXPECT_NE(load(bytecode.take_front(size)), "") << size;
}
