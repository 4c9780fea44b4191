//===- RuleSet.cpp - rules that may fire ----------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Optimize/RuleSet.h"
#include "tenon/Dialect/Kernel/IR/SharedFiles.h"
#include "tenon/Support/ParseModule.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Threading.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::optimize;
using rule::Certificate;
using rule::Status;

/// Files are parsed and hashed in parallel. Rules without a certificate are
/// proved one after the other.
struct RuleSet::File {
  OwningOpRef<ModuleOp> module;
  /// Each rule with the hash of its statement.
  std::vector<std::pair<rule::RuleOp, std::string>> rules;
  /// By hash of the statement.
  llvm::StringMap<Certificate> certificates;
};

LogicalResult RuleSet::readFile(MLIRContext *context, const std::string &path,
                                ArrayRef<std::string> names, File &file) {
  if (!llvm::sys::fs::exists(path))
    return emitError(UnknownLoc::get(context))
           << "can't read rules from '" << path << "': no such file or folder";
  file.module = parseModuleFile(path, context);
  if (!file.module)
    return failure();
  for (auto op : file.module->getOps<rule::RuleOp>())
    if (names.empty() || llvm::is_contained(names, op.getSymName()))
      file.rules.push_back({op, rule::hashStatement(op)});
  auto known = rule::readCertificates(rule::getCertificatePath(path));
  if (!known)
    return emitError(file.module->getLoc())
           << llvm::toString(known.takeError());
  file.certificates = std::move(*known);
  return success();
}

LogicalResult RuleSet::addFile(File file, const RuleJudge &judge) {
  llvm::StringMap<unsigned> uses; // two rules may have the same statement
  for (auto &[op, statement] : file.rules)
    ++uses[statement];
  for (auto [op, statement] : file.rules) {
    rule::ProvedRule rule{op, {}, nullptr};
    auto it = file.certificates.find(statement);
    if (it != file.certificates.end() &&
        (!judge.check || it->second.kernel == judge.kernel)) {
      if (--uses[statement] == 0)
        rule.certificate = std::move(it->second);
      else
        rule.certificate = it->second;
      if (judge.check)
        rule.check = std::make_shared<rule::PendingCheck>(judge.check);
    } else if (judge.prove)
      rule.certificate = judge.prove(op);
    else
      rule.certificate.reason =
          "it has no valid certificate, and no prover is there";
    if (rule.certificate.status != Status::Proved)
      return op.emitError() << "rule '" << op.getSymName()
                            << "' can't be used: it is not proved ("
                            << stringify(rule.certificate.status)
                            << "): " << rule.certificate.reason;
    rules.push_back(std::move(rule));
  }
  modules.push_back(std::move(file.module));
  return success();
}

llvm::Expected<std::vector<std::string>>
optimize::listRuleFiles(StringRef folder) {
  std::error_code error;
  std::vector<std::string> found;
  for (llvm::sys::fs::directory_iterator it(folder, error), end;
       it != end && !error; it.increment(error))
    if (llvm::sys::path::extension(it->path()) == ".mlir")
      found.push_back(it->path());
  if (error)
    return llvm::createStringError("can't read folder '" + folder +
                                   "': " + error.message());
  // Sort, because the order of a folder depends on the file system.
  llvm::sort(found);
  return found;
}

RuleOps optimize::getOps(rule::RuleOp rule) {
  RuleOps ops;
  auto add = [](Region &side, SmallVectorImpl<StringRef> &names) {
    llvm::StringSet<> seen;
    for (Operation &op : side.front().without_terminator())
      if (StringRef name = op.getName().getStringRef();
          seen.insert(name).second)
        names.push_back(name);
  };
  add(rule.getSource(), ops.source);
  add(rule.getTarget(), ops.target);
  return ops;
}

llvm::BitVector optimize::findReachable(ArrayRef<RuleOps> rules,
                                        const llvm::StringSet<> &ops) {
  llvm::StringSet<> there = ops;
  llvm::BitVector reachable(rules.size());
  bool changed = true;
  while (changed) {
    changed = false;
    for (auto [number, rule] : llvm::enumerate(rules)) {
      if (reachable.test(number) ||
          !llvm::all_of(rule.source,
                        [&](StringRef name) { return there.contains(name); }))
        continue;
      reachable.set(number);
      changed = true;
      for (StringRef name : rule.target)
        there.insert(name);
    }
  }
  return reachable;
}

FailureOr<std::shared_ptr<const RuleSet>>
RuleSet::share(MLIRContext *context, ArrayRef<std::string> paths,
               ArrayRef<std::string> names, const RuleJudge &judge) {
  auto readOnce = [&]() -> FailureOr<std::shared_ptr<const RuleSet>> {
    FailureOr<RuleSet> rules = load(context, paths, names, judge);
    if (failed(rules))
      return failure();
    return std::make_shared<const RuleSet>(std::move(*rules));
  };
  return kernel::SharedFiles::get(context).read<RuleSet>(
      "rules " + llvm::join(names, " "), paths, readOnce);
}

FailureOr<RuleSet> RuleSet::load(MLIRContext *context,
                                 ArrayRef<std::string> paths,
                                 ArrayRef<std::string> names,
                                 const RuleJudge &judge) {
  Location here = UnknownLoc::get(context);
  std::vector<std::string> files;
  for (const std::string &path : paths) {
    if (!llvm::sys::fs::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    llvm::Expected<std::vector<std::string>> found = listRuleFiles(path);
    if (!found) {
      emitError(here) << llvm::toString(found.takeError());
      return failure();
    }
    files.insert(files.end(), found->begin(), found->end());
  }
  RuleSet set;
  // The parser loads dialects when it encounters them, which must not happen on
  // several threads.
  context->loadAllAvailableDialects();
  std::vector<File> read(files.size());
  // Begin with the largest file, so that no thread is left with it at the end.
  std::vector<std::pair<uint64_t, size_t>> order;
  for (auto [number, file] : llvm::enumerate(files)) {
    uint64_t size = 0;
    if (llvm::sys::fs::file_size(file, size))
      size = 0; // reading it will report the error
    order.push_back({size, number});
  }
  llvm::sort(order, std::greater<>());
  if (failed(failableParallelForEach(context, order, [&](auto sized) {
        return readFile(context, files[sized.second], names,
                        read[sized.second]);
      })))
    return failure();
  size_t count = 0;
  for (const File &file : read)
    count += file.rules.size();
  set.rules.reserve(count);
  for (File &file : read)
    if (failed(set.addFile(std::move(file), judge)))
      return failure();
  for (const std::string &name : names)
    if (llvm::none_of(set.rules, [&](rule::ProvedRule &rule) {
          return rule.op.getSymName() == name;
        })) {
      emitError(here) << "no rule '" << name << "' in the files of rules";
      return failure();
    }
  return set;
}
