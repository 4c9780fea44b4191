//===- RuleArchive.cpp - all rules in one file that loads at once ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Optimize/RuleArchive.h"
#include "tenon/Dialect/Kernel/IR/SharedFiles.h"
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
static constexpr unsigned version = 2;

// In an archive, each rule is in a module of its own, whose attributes choose
// it and are all that is read of rules that can't match.
static constexpr StringLiteral certificateName = "rule.certificate";
static constexpr StringLiteral witnessName = "rule.witness";
static constexpr StringLiteral sourceOpsName = "rule.source_ops";
static constexpr StringLiteral targetOpsName = "rule.target_ops";
static constexpr StringLiteral floatClassName = "rule.float_class";

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
      if (path != file && !llvm::sys::fs::exists(path))
        continue; // a file without certificates
      auto buffer = readInputFile(path);
      if (!buffer)
        return buffer.takeError();
      hashes += llvm::sys::path::filename(path);
      hashes += ' ' + getHash((*buffer)->getBuffer()) + '\n';
    }
  return getHash(hashes);
}

/// Copies a rule to the end of `all`, in a module of its own. Locations become
/// one per rule, in a file without its folder.
static void addRule(const rule::ProvedRule &rule, ModuleOp all) {
  MLIRContext *context = all.getContext();
  OpBuilder builder = OpBuilder::atBlockEnd(all.getBody());
  auto module = ModuleOp::create(builder, UnknownLoc::get(context));
  RuleOp copy = RuleOp(rule.op).clone();
  module.push_back(copy);
  Location loc = copy.getLoc();
  if (auto at = loc->findInstanceOf<FileLineColLoc>())
    loc = FileLineColLoc::get(
        context, llvm::sys::path::filename(at.getFilename().strref()),
        at.getLine(), at.getColumn());
  copy->walk([&](Operation *op) {
    op->setLoc(loc);
    for (Region &region : op->getRegions())
      for (Value argument : region.getArguments())
        argument.setLoc(loc);
  });
  RuleOps ops = getOps(copy);
  module->setAttr(sourceOpsName, builder.getStrArrayAttr(ops.source));
  module->setAttr(targetOpsName, builder.getStrArrayAttr(ops.target));
  module->setAttr(floatClassName,
                  builder.getI64IntegerAttr(rule.certificate.floatClass));
  auto set = [&](StringRef name, const llvm::json::Value &value) {
    copy->setAttr(name,
                  StringAttr::get(context, llvm::formatv("{0}", value).str()));
  };
  llvm::json::Value grants = rule.certificate.toJSON();
  grants.getAsObject()->erase("witness");
  grants.getAsObject()->erase("digest");
  set(certificateName, grants);
  set(witnessName, rule.certificate.witness);
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
  for (const rule::ProvedRule &rule : rules->getRules())
    addRule(rule, *all);
  std::string bytecode;
  llvm::raw_string_ostream os(bytecode);
  if (failed(writeBytecodeToFile(*all, os)))
    return createStringError("can't write the rules as bytecode");
  return writeOutputFile(path, getHeader(judge.kernel, *sources, bytecode) +
                                   bytecode);
}

/// Reads an attribute of names. Fails if it is none.
static bool readNames(ModuleOp module, StringRef attribute,
                      SmallVectorImpl<StringRef> &names) {
  auto list = module->getAttrOfType<ArrayAttr>(attribute);
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
  ArchiveReader(MLIRContext *context, StringRef bytecode,
                const RuleJudge &judge)
      : context(context), config(context, /*verifyAfterParse=*/false),
        reader(llvm::MemoryBufferRef(bytecode, "rules"), config,
               /*lazyLoad=*/true),
        judge(judge) {}

  FailureOr<RuleSet> read(const RuleQuery &query);

private:
  FailureOr<llvm::DenseSet<Operation *>> choose(Block &modules,
                                                const RuleQuery &query) const;
  LogicalResult readRule(ModuleOp module, rule::ProvedRule &rule) const;

  MLIRContext *context;
  ParserConfig config;
  BytecodeReader reader;
  const RuleJudge &judge;
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

LogicalResult ArchiveReader::readRule(ModuleOp module,
                                      rule::ProvedRule &rule) const {
  auto op = llvm::hasSingleElement(*module.getBody())
                ? dyn_cast<RuleOp>(module.getBody()->front())
                : RuleOp();
  if (!op)
    return module.emitError("a module without its rule");
  auto grants = op->getAttrOfType<StringAttr>(certificateName);
  auto witness = op->getAttrOfType<StringAttr>(witnessName);
  std::optional<Certificate> certificate;
  if (grants && witness) {
    Expected<llvm::json::Value> value = llvm::json::parse(grants.getValue());
    if (value)
      certificate = Certificate::fromUndigested(std::move(*value));
    else
      llvm::consumeError(value.takeError());
  }
  if (!certificate)
    return op.emitError("the certificate is damaged");
  op->removeDiscardableAttr(certificateName);
  op->removeDiscardableAttr(witnessName);
  rule.op = op;
  rule.certificate = std::move(*certificate);
  if (judge.check)
    rule.check = std::make_shared<rule::PendingCheck>(
        [checker = judge.check, witness](RuleOp rule,
                                         const Certificate &certificate) {
          return check(rule, certificate, witness, checker);
        });
  return success();
}

/// Returns the modules of the rules that can fire.
FailureOr<llvm::DenseSet<Operation *>>
ArchiveReader::choose(Block &modules, const RuleQuery &query) const {
  std::vector<Operation *> allowed;
  std::vector<RuleOps> opsOf;
  for (Operation &op : modules) {
    auto module = dyn_cast<ModuleOp>(op);
    RuleOps ops;
    IntegerAttr floatClass;
    if (module)
      floatClass = module->getAttrOfType<IntegerAttr>(floatClassName);
    if (!floatClass || !floatClass.getType().isInteger(64) ||
        !readNames(module, sourceOpsName, ops.source) ||
        !readNames(module, targetOpsName, ops.target))
      return failure();
    if ((floatClass.getInt() & ~query.floatClass) != 0)
      continue;
    allowed.push_back(module);
    opsOf.push_back(std::move(ops));
  }
  llvm::DenseSet<Operation *> chosen;
  llvm::BitVector reachable = findReachable(opsOf, query.ops);
  for (unsigned number : reachable.set_bits())
    chosen.insert(allowed[number]);
  return chosen;
}

FailureOr<RuleSet> ArchiveReader::read(const RuleQuery &query) {
  Block top;
  if (failed(reader.readTopLevel(&top)) || !llvm::hasSingleElement(top))
    return failure();
  auto all = dyn_cast<ModuleOp>(top.front());
  if (!all || !reader.isMaterializable(all) || failed(reader.materialize(all)))
    return failure();
  FailureOr<llvm::DenseSet<Operation *>> chosen = choose(*all.getBody(), query);
  if (failed(chosen) || failed(reader.finalize([&](Operation *op) {
        return chosen->contains(op) || chosen->contains(op->getParentOp());
      })))
    return failure();
  std::vector<OwningOpRef<ModuleOp>> modules;
  for (Operation &op : llvm::make_early_inc_range(*all.getBody())) {
    op.remove();
    modules.emplace_back(cast<ModuleOp>(op));
  }
  std::vector<rule::ProvedRule> rules(modules.size());
  if (failed(failableParallelForEachN(
          context, 0, modules.size(), [&](size_t number) {
            return readRule(*modules[number], rules[number]);
          })))
    return failure();
  return RuleSet(std::move(modules), std::move(rules));
}

Expected<std::shared_ptr<const RuleSet>>
optimize::shareRuleArchive(MLIRContext *context, StringRef path,
                           StringRef folder, const RuleQuery &query,
                           const RuleJudge &judge) {
  auto readOnce = [&]() -> Expected<std::shared_ptr<const RuleSet>> {
    Expected<RuleSet> rules =
        readRuleArchive(context, path, folder, query, judge);
    if (!rules)
      return rules.takeError();
    return std::make_shared<const RuleSet>(std::move(*rules));
  };
  SmallVector<StringRef> ops(query.ops.keys());
  llvm::sort(ops);
  return kernel::SharedFiles::get(context).read<RuleSet>(
      "archive " + std::to_string(query.floatClass) + " " +
          llvm::join(ops, " "),
      {path.str(), folder.str()}, readOnce);
}

Expected<RuleSet> optimize::readRuleArchive(MLIRContext *context,
                                            StringRef path, StringRef folder,
                                            const RuleQuery &query,
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
  std::string reason = "it holds no rules";
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    reason = diagnostic.str();
    return success();
  });
  FailureOr<RuleSet> rules =
      ArchiveReader(context, bytecode, judge).read(query);
  if (failed(rules))
    return createStringError(reason);
  return std::move(*rules);
}
