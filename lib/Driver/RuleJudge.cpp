//===- RuleJudge.cpp - who decides rules ----------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Driver/RuleJudge.h"
#include "tenon/Driver/DataFolders.h"
#include "tenon/ProofKernel/Kernel.h"
#include "tenon/Prove/FileWork.h"
#include "tenon/Prove/Prove.h"
#include "tenon/Support/File.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"

#include <mutex>

using namespace tenon;
using namespace llvm;

namespace {
/// Hashes of what the kernel accepted, one per line of a file.
class ProofMemory {
public:
  static ProofMemory &get() {
    static ProofMemory memory;
    return memory;
  }

  bool contains(StringRef hash) {
    std::lock_guard<std::mutex> lock(mutex);
    return hashes.contains(hash);
  }

  void add(StringRef hash) {
    std::lock_guard<std::mutex> lock(mutex);
    hashes.insert(hash);
    if (path.empty())
      return;
    sys::fs::create_directories(sys::path::parent_path(path));
    std::error_code error;
    raw_fd_ostream os(path, error, sys::fs::OF_Append);
    if (error)
      return;
    // One write: several processes may append.
    os.SetBufferSize(128);
    os << hash << '\n';
    os.flush();
    os.clear_error();
  }

private:
  ProofMemory() : path(findPath()) {
    // Neither a folder nor a device, which may never end.
    if (sys::fs::exists(path) && !sys::fs::is_regular_file(path))
      path.clear();
    if (path.empty())
      return;
    auto buffer = readInputFile(path);
    if (!buffer) {
      consumeError(buffer.takeError());
      return;
    }
    SmallVector<StringRef> lines;
    (*buffer)->getBuffer().split(lines, '\n');
    for (StringRef line : lines)
      if (line.size() == 64)
        hashes.insert(line);
  }

  static std::string findPath() {
    if (const char *named = std::getenv("TENON_PROOF_CACHE"))
      return named;
    SmallString<128> folder(findCacheFolder());
    if (folder.empty())
      return "";
    sys::path::append(folder, "proofs");
    return folder.str().str();
  }

  std::string path;
  std::mutex mutex;
  StringSet<> hashes;
};
} // namespace

namespace {
/// The work of one compile.
struct Work {
  prove::FileWork ofFiles;
  /// The answers to questions that rules share.
  std::shared_ptr<prove::SolverMemory> memory =
      std::make_shared<prove::SolverMemory>();
};
} // namespace

/// Of all that the kernel looks at.
static std::string getHash(rule::RuleOp rule,
                           const rule::Certificate &certificate) {
  std::string text;
  raw_string_ostream(text) << prove::kernelVersion << '\n'
                           << prove::getSolverVersion() << '\n'
                           << rule::hashStatement(rule) << '\n'
                           << prove::getMeanings(rule) << '\n'
                           << certificate.toJSON();
  std::array<uint8_t, 32> hash = SHA256::hash(ArrayRef<uint8_t>(
      reinterpret_cast<const uint8_t *>(text.data()), text.size()));
  return toHex(hash, /*LowerCase=*/true);
}

static std::string check(rule::RuleOp rule,
                         const rule::Certificate &certificate, Work &work) {
  std::string hash = getHash(rule, certificate);
  if (ProofMemory::get().contains(hash))
    return "";
  if (work.ofFiles.isSpent(rule))
    return prove::fileWorkSpent.str();
  prove::Solver solver(prove::defaultRlimit, work.memory);
  std::string wrong = prove::checkCertificate(solver, rule, certificate);
  work.ofFiles.add(rule, solver.getWork());
  if (wrong.empty())
    ProofMemory::get().add(hash);
  return wrong;
}

static rule::Certificate proveRule(rule::RuleOp rule, Work &work) {
  if (work.ofFiles.isSpent(rule))
    return prove::getRefusal(rule);
  uint64_t done = 0;
  prove::ProveOptions options;
  options.memory = work.memory;
  rule::Certificate certificate = prove::proveRule(rule, options, &done);
  work.ofFiles.add(rule, done);
  return certificate;
}

optimize::RuleJudge tenon::makeRuleJudge() {
  auto work = std::make_shared<Work>();
  optimize::RuleJudge judge;
  judge.prove = [work](rule::RuleOp rule) { return proveRule(rule, *work); };
  judge.check = [work](rule::RuleOp rule, const rule::Certificate &known) {
    return check(rule, known, *work);
  };
  judge.kernel = prove::kernelVersion;
  return judge;
}
