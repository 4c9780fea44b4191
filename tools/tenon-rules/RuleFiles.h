//===- RuleFiles.h - files of rules and diagnostics about them ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_RULES_RULEFILES_H
#define TENON_TOOLS_RULES_RULEFILES_H

#include "tenon/Dialect/Rule/IR/Certificate.h"
#include "tenon/Dialect/Rule/IR/Rule.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/SourceMgr.h"

#include <deque>

namespace tenon::tools {

/// A file that was read.
struct RuleFile {
  std::string path;
  /// Its contents, without bad rules; lives as long as its reader.
  llvm::StringRef text;
  /// Null after an error, which was reported.
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// Rules that do not parse or verify, which were reported, and left out.
  unsigned numBad = 0;
};

/// Reads files of rules, and prints diagnostics with the lines that they are
/// about.
class RuleFiles {
public:
  RuleFiles();

  /// The files that `paths` name: a folder stands for its *.mlir files, by
  /// name. False after an error.
  static bool expand(const std::vector<std::string> &paths,
                     std::vector<std::string> &files);

  /// The rules of one file. It is an error if it is unreadable, not valid, or
  /// without rules. If a file is not valid, those of its rules that are valid
  /// by themselves are kept.
  RuleFile read(const std::string &path);

  /// The certificates beside a file by statement; none if there is no such
  /// file. False after an error.
  static bool readCertificates(const std::string &path,
                               llvm::StringMap<rule::Certificate> &into);

  mlir::MLIRContext &getContext() { return context; }

private:
  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef text,
                                          llvm::StringRef name, bool quietly);
  void readGoodRules(RuleFile &file, llvm::StringRef name);

  mlir::MLIRContext context;
  llvm::SourceMgr sources;
  /// Texts without bad rules.
  std::deque<std::string> texts;
  mlir::SourceMgrDiagnosticHandler handler;
};

/// One line on a terminal that says how far a command is; nothing elsewhere.
class Progress {
public:
  Progress();
  ~Progress() { clear(); }
  void show(const llvm::Twine &text);
  /// To be called before anything else is printed.
  void clear();

private:
  bool isTerminal, isShown = false;
};

/// An error that is about no line of a file.
void reportError(const llvm::Twine &message);

/// Writes all of `text` to `path` ("-": standard output). False after an error.
bool writeFile(const std::string &path, llvm::StringRef text);

/// False after an error: `path`, which `option` names, can't be written or is
/// one of `inputs`. Called before the work.
bool checkOutput(llvm::StringRef option, const std::string &path,
                 const std::vector<std::string> &inputs);

/// False after an error: two of the files are the same. Empty paths and "-" are
/// no files.
bool checkDistinct(const std::vector<std::string> &outputs);

} // namespace tenon::tools

#endif // TENON_TOOLS_RULES_RULEFILES_H
