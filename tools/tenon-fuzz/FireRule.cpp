//===- FireRule.cpp - one rule in a model, as a compile applies it --------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FireRule.h"
#include "Compare.h"

#include "tenon/Optimize/Passes.h"
#include "tenon/ProofKernel/Kernel.h"
#include "tenon/Prove/Prove.h"
#include "tenon/Support/ParseModule.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::fuzz;
using rule::RuleOp;

/// A rule may match its own target.
static constexpr unsigned kFirings = 8;

RuleFile::RuleFile(RuleOp given, const std::string &folder,
                   std::shared_ptr<prove::SolverMemory> memory)
    : path(folder + "/drawn.mlir"), memory(std::move(memory)) {
  given.setSymName("drawn");
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  os << given << "\n";
  os.close();
  std::remove(rule::getCertificatePath(path).c_str());
  if (code)
    return;
  module = parseModuleFile(path, given.getContext());
  if (module)
    rule = *module->getOps<RuleOp>().begin();
}

const rule::Certificate &RuleFile::prove() {
  prove::ProveOptions options;
  options.refute = false;
  options.memory = memory;
  setCertificate(prove::proveRule(rule, options));
  return certificate;
}

void RuleFile::setCertificate(rule::Certificate proved) {
  certificate = std::move(proved);
  if (isProved())
    if (llvm::Error error = rule::writeCertificates(
            rule::getCertificatePath(path), {certificate})) {
      llvm::errs() << "tenon-fuzz: error: " << llvm::toString(std::move(error))
                   << "\n";
      certificate = {};
    }
}

const std::string &RuleFile::check() const {
  if (!wrong) {
    prove::Solver solver(prove::defaultRlimit, memory);
    wrong = prove::checkCertificate(solver, rule, certificate);
  }
  return *wrong;
}

OwningOpRef<ModuleOp> fuzz::fireByPass(const RuleFile &file, ModuleOp model) {
  optimize::GraphApplyRulesOptions options;
  options.rules.push_back(file.getPath());
  options.fp = FpMode::Finite;
  options.maxFirings = kFirings;
  optimize::OptimizeServices services;
  services.judge.kernel = prove::kernelVersion;
  services.judge.check = [&](RuleOp, const rule::Certificate &) {
    return file.check();
  };
  OwningOpRef<ModuleOp> after(model.clone());
  PassManager passes(model.getContext());
  passes.nest<func::FuncOp>().addPass(
      optimize::createGraphApplyRules(options, services));
  // What fires too often is compared as far as it went.
  bool isEndless = false;
  ScopedDiagnosticHandler handler(model.getContext(), [&](Diagnostic &text) {
    isEndless |= StringRef(text.str()).contains("still apply");
    return success(StringRef(text.str()).contains("still apply"));
  });
  bool ended = succeeded(passes.run(*after));
  auto function = after->lookupSymbol<func::FuncOp>("main");
  if (!isEndless && (!ended || !function->hasAttr("rule.log")))
    return {};
  return after;
}

OwningOpRef<ModuleOp>
fuzz::fireUnproved(RuleOp rule, const std::vector<graph::SymInt> &hypotheses,
                   ModuleOp model, bool &matches) {
  rule::ProvedRule assumed{rule, {}, nullptr};
  assumed.certificate.status = rule::Status::Proved;
  assumed.certificate.elements = "real";
  assumed.certificate.hypotheses = hypotheses;
  assumed.certificate.liftProved = true;
  rule::RulePattern pattern(assumed, rule::RulePattern::Check::Nothing);
  OwningOpRef<ModuleOp> after(model.clone());
  rule::BlockView view(
      after->lookupSymbol<func::FuncOp>("main").getBody().front());
  matches = false;
  bool fired = pattern.visitMatches(view, [&](const rule::RuleMatch &match) {
    if (!rule::checkConditions(rule, match, view))
      return false;
    matches = true;
    return succeeded(rule::applyMatch(rule, match));
  });
  return fired ? std::move(after) : OwningOpRef<ModuleOp>();
}

std::string fuzz::compareModels(const MatchedModel &model, ModuleOp after,
                                unsigned floatClass, unsigned draws,
                                std::mt19937_64 &random, uint64_t &compared) {
  for (unsigned draw = 0; draw < draws; ++draw) {
    CompareOptions options;
    options.seed = random();
    options.bitForBit = floatClass == rule::Exact;
    options.finite = floatClass & rule::NeedsFinite;
    auto inputs = drawMatchedInputs(model, random);
    if (failed(inputs))
      continue;
    options.inputs = std::move(*inputs);
    Comparison comparison;
    compareFunctions(model.getMain(), after.lookupSymbol<func::FuncOp>("main"),
                     options, comparison);
    compared += !comparison.isInvalid;
    if (!comparison.difference.empty())
      return comparison.difference;
  }
  return "";
}
