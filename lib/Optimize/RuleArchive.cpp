//===- RuleArchive.cpp - all rules in one file that loads at once ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Optimize/RuleArchive.h"
#include "tenon/Support/File.h"
#include "tenon/Support/Json.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Threading.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::optimize;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using rule::Certificate;
using rule::RuleOp;

// A line of text, padded to keep the bytecode aligned: "tenon-rules VERSION",
// the versions of the kernel and of certificates, and the hashes of the sources
// and of the bytecode.
static constexpr size_t headerSize = 80;
static constexpr unsigned version = 1;

// Attributes of rules in an archive.
static constexpr StringLiteral certificateName = "rule.certificate";
static constexpr StringLiteral witnessName = "rule.witness";
static constexpr StringLiteral sourceOpsName = "rule.source_ops";
static constexpr StringLiteral targetOpsName = "rule.target_ops";

static std::string getHash(StringRef bytes) {
  // Against stale and damaged files; what is true is for the kernel to say.
  return llvm::utohexstr(llvm::xxh3_64bits(bytes), /*LowerCase=*/true, 16);
}

static std::string getHeader(int64_t kernel, StringRef sources,
                             StringRef bytecode) {
  std::string header =
      llvm::formatv("tenon-rules {0} {1} {2} {3} {4}", version, kernel,
                    Certificate::version, sources, getHash(bytecode));
  header.resize(headerSize - 1, ' ');
  return header + '\n';
}

/// A hash of the names and contents of the files of rules and certificates.
static Expected<std::string> hashSources(StringRef folder) {
  Expected<std::vector<std::string>> files = listRuleFiles(folder);
  if (!files)
    return files.takeError();
  std::string hashes;
  for (const std::string &file : *files)
    for (const std::string &path : {file, rule::getCertificatePath(file)}) {
      if (!llvm::sys::fs::exists(path))
        continue; // a file without certificates
      auto buffer = readInputFile(path);
      if (!buffer)
        return buffer.takeError();
      hashes += llvm::sys::path::filename(path);
      hashes += ' ' + getHash((*buffer)->getBuffer()) + '\n';
    }
  return getHash(hashes);
}

static ArrayAttr getOpNames(Region &region) {
  llvm::StringSet<> seen;
  SmallVector<StringRef> names;
  for (Operation &op : region.front().without_terminator())
    if (StringRef name = op.getName().getStringRef(); seen.insert(name).second)
      names.push_back(name);
  return Builder(region.getContext()).getStrArrayAttr(names);
}

/// Adds what the reader needs to choose rules, and shortens locations to one
/// per rule, in a file without its folder.
static void prepareRule(RuleOp rule, const Certificate &certificate,
                        StringRef file) {
  MLIRContext *context = rule.getContext();
  Location loc = rule.getLoc();
  if (auto at = loc->findInstanceOf<FileLineColLoc>())
    loc = FileLineColLoc::get(context, file, at.getLine(), at.getColumn());
  rule->walk([&](Operation *op) {
    op->setLoc(loc);
    for (Region &region : op->getRegions())
      for (Value argument : region.getArguments())
        argument.setLoc(loc);
  });
  auto set = [&](StringRef name, const llvm::json::Value &value) {
    rule->setAttr(name,
                  StringAttr::get(context, llvm::formatv("{0}", value).str()));
  };
  llvm::json::Value grants = certificate.toJSON();
  grants.getAsObject()->erase("witness");
  grants.getAsObject()->erase("digest");
  set(certificateName, grants);
  set(witnessName, certificate.witness);
  rule->setAttr(sourceOpsName, getOpNames(rule.getSource()));
  rule->setAttr(targetOpsName, getOpNames(rule.getTarget()));
}

Error optimize::writeRuleArchive(MLIRContext *context, StringRef folder,
                                 const RuleJudge &judge, StringRef path) {
  // Hashed before they are read: of files that change meanwhile, the archive is
  // stale.
  Expected<std::string> sources = hashSources(folder);
  if (!sources)
    return sources.takeError();
  RuleJudge known;
  known.kernel = judge.kernel;
  known.check = judge.check;
  FailureOr<RuleSet> rules = RuleSet::load(context, {folder.str()}, {}, known);
  if (failed(rules))
    return createStringError("can't read all rules of '" + folder + "'");
  OwningOpRef<ModuleOp> all = ModuleOp::create(UnknownLoc::get(context));
  Operation *file = nullptr;
  ModuleOp into;
  for (const rule::ProvedRule &rule : rules->getRules()) {
    RuleOp op = rule.op;
    StringRef name = "rules";
    if (auto at = op.getLoc()->findInstanceOf<FileLineColLoc>())
      name = llvm::sys::path::filename(at.getFilename().strref());
    if (op->getParentOp() != file) {
      file = op->getParentOp();
      OpBuilder builder = OpBuilder::atBlockEnd(all->getBody());
      into = ModuleOp::create(builder, UnknownLoc::get(context));
    }
    RuleOp copy = op.clone();
    into.push_back(copy);
    prepareRule(copy, rule.certificate, name);
  }
  std::string bytecode;
  llvm::raw_string_ostream os(bytecode);
  if (failed(writeBytecodeToFile(*all, os)))
    return createStringError("can't write the rules as bytecode");
  return writeOutputFile(path, getHeader(judge.kernel, *sources, bytecode) +
                                   bytecode);
}

/// Reads an attribute of names. Fails if it is none.
static bool readNames(RuleOp rule, StringRef attribute,
                      SmallVectorImpl<StringRef> &names) {
  auto list = rule->getAttrOfType<ArrayAttr>(attribute);
  for (Attribute entry : list ? list.getValue() : ArrayRef<Attribute>()) {
    auto name = dyn_cast<StringAttr>(entry);
    if (!name)
      return false;
    names.push_back(name.getValue());
  }
  return list != nullptr;
}

namespace {
class ArchiveReader {
public:
  ArchiveReader(MLIRContext *context, const RuleJudge &judge)
      : context(context), judge(judge) {}

  Error read(llvm::MemoryBufferRef bytecode, const llvm::StringSet<> &ops);
  RuleSet take() { return RuleSet(std::move(modules), std::move(rules)); }

private:
  LogicalResult load(llvm::MemoryBufferRef bytecode,
                     const llvm::StringSet<> &ops);
  LogicalResult readRule(RuleOp op, rule::ProvedRule &rule);

  MLIRContext *context;
  const RuleJudge &judge;
  std::vector<OwningOpRef<ModuleOp>> modules;
  std::vector<rule::ProvedRule> rules;
  rule::SizeParser sizes;
};
} // namespace

/// Completes the certificate, and checks it. Most rules never fire, so that
/// their witnesses are not parsed, and what was written from valid rules is not
/// verified again.
static std::string check(RuleOp rule, const Certificate &certificate,
                         StringAttr witness,
                         const rule::CertificateChecker &checker) {
  Expected<llvm::json::Value> value = parseJson(witness.getValue());
  if (!value) {
    llvm::consumeError(value.takeError());
    return "its witness is not JSON";
  }
  if (failed(verify(rule)))
    return "its rule is not valid";
  Certificate whole = certificate;
  whole.witness = std::move(*value);
  return checker(rule, whole);
}

/// By any thread.
LogicalResult ArchiveReader::readRule(RuleOp op, rule::ProvedRule &rule) {
  Expected<llvm::json::Value> value = llvm::json::parse(
      op->getAttrOfType<StringAttr>(certificateName).getValue());
  std::optional<Certificate> certificate;
  if (value)
    certificate = Certificate::fromUndigested(std::move(*value), sizes);
  else
    llvm::consumeError(value.takeError());
  if (!certificate)
    return op.emitError("the certificate is damaged");
  rule.op = op;
  rule.certificate = std::move(*certificate);
  if (judge.check)
    rule.check = std::make_shared<rule::PendingCheck>(
        [checker = judge.check,
         witness = op->getAttrOfType<StringAttr>(witnessName)](
            RuleOp rule, const Certificate &certificate) {
          return check(rule, certificate, witness, checker);
        });
  for (StringRef name :
       {certificateName, witnessName, sourceOpsName, targetOpsName})
    op->removeAttr(name);
  return success();
}

LogicalResult ArchiveReader::load(llvm::MemoryBufferRef bytecode,
                                  const llvm::StringSet<> &ops) {
  ParserConfig config(context, /*verifyAfterParse=*/false);
  BytecodeReader reader(bytecode, config, /*lazyLoad=*/true);
  Block top;
  if (failed(reader.readTopLevel(
          &top, [](Operation *op) { return isa<ModuleOp>(op); })))
    return failure();
  SmallVector<RuleOp> all;
  std::vector<RuleOps> opsOf;
  bool isComplete = llvm::hasSingleElement(top) && isa<ModuleOp>(top.front());
  // A module of modules of rules.
  top.walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto rule = dyn_cast<RuleOp>(op);
    auto file = dyn_cast_or_null<ModuleOp>(op->getParentOp());
    if (!rule) {
      isComplete &= isa<ModuleOp>(op) && (!file || !file->getParentOp());
      return WalkResult::advance();
    }
    RuleOps &ops = opsOf.emplace_back();
    isComplete &= file && file->getParentOp() &&
                  op->getAttrOfType<StringAttr>(certificateName) &&
                  op->getAttrOfType<StringAttr>(witnessName) &&
                  readNames(rule, sourceOpsName, ops.source) &&
                  readNames(rule, targetOpsName, ops.target);
    all.push_back(rule);
    return WalkResult::skip();
  });
  isComplete &= !all.empty();
  SmallVector<RuleOp> chosen;
  if (isComplete) {
    llvm::BitVector reachable = findReachable(opsOf, ops);
    for (unsigned number : reachable.set_bits())
      chosen.push_back(all[number]);
  }
  llvm::DenseSet<Operation *> kept(chosen.begin(), chosen.end());
  if (failed(
          reader.finalize([&](Operation *op) { return kept.contains(op); })) ||
      !isComplete)
    return failure();
  for (Operation &file :
       llvm::make_early_inc_range(*cast<ModuleOp>(top.front()).getBody())) {
    file.remove();
    modules.emplace_back(cast<ModuleOp>(file));
  }
  rules.resize(chosen.size());
  return failableParallelForEachN(context, 0, chosen.size(), [&](size_t rule) {
    return readRule(chosen[rule], rules[rule]);
  });
}

Error ArchiveReader::read(llvm::MemoryBufferRef bytecode,
                          const llvm::StringSet<> &ops) {
  std::string reason;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (reason.empty())
      reason = diagnostic.str();
    return success();
  });
  if (succeeded(load(bytecode, ops)))
    return Error::success();
  return createStringError(reason.empty() ? "it holds no rules" : reason);
}

Expected<RuleSet> optimize::readRuleArchive(MLIRContext *context,
                                            StringRef path, StringRef folder,
                                            const llvm::StringSet<> &ops,
                                            const RuleJudge &judge) {
  auto buffer = readInputFile(path);
  if (!buffer)
    return buffer.takeError();
  StringRef bytes = (*buffer)->getBuffer();
  Expected<std::string> sources = hashSources(folder);
  if (!sources)
    return sources.takeError();
  StringRef bytecode = bytes.drop_front(std::min(headerSize, bytes.size()));
  std::string expected = getHeader(judge.kernel, *sources, bytecode);
  if (!bytes.starts_with(expected)) {
    // "tenon-rules VERSION KERNEL CERTIFICATES SOURCES", then the contents.
    if (!bytes.starts_with("tenon-rules "))
      return createStringError("it is no archive of rules");
    size_t contents = StringRef(expected).rtrim().rfind(' ');
    if (bytes.starts_with(StringRef(expected).take_front(contents)))
      return createStringError("it is damaged");
    return createStringError("it was made of other rules, certificates or by "
                             "another version");
  }
  ArchiveReader reader(context, judge);
  if (Error error = reader.read(
          llvm::MemoryBufferRef(bytecode, (*buffer)->getBufferIdentifier()),
          ops))
    return std::move(error);
  return reader.take();
}
