//===- Certificate.h - proof results of rules -----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The prover writes certificates, and the optimizer reads them: a rule fires
// only with a certificate whose hash is that of the rule's statement, and whose
// witness the proof kernel accepts. Certificates are JSON files next to the
// rules (see docs/rules.md).
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_RULE_IR_CERTIFICATE_H
#define TENON_DIALECT_RULE_IR_CERTIFICATE_H

#include "tenon/Dialect/Rule/IR/Rule.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <map>
#include <memory>

namespace tenon::rule {

enum class Status { Proved, Refuted, Unknown, Unsupported, Error };
llvm::StringRef stringify(Status status);

/// How the floating-point results of the two sides can differ: a set of flags.
/// If it is empty, both sides do the same operations on the same values in the
/// same order.
enum FloatClass : unsigned {
  Exact = 0,
  /// Sums or products are regrouped, or a product is distributed over a sum.
  Reassociates = 1,
  /// Uses 0 * x = 0 or x - x = 0, which infinities and NaN break.
  NeedsFinite = 2,
  /// An intermediate may overflow or cancel although the source's did not:
  /// inputs were found for which the target's error is more than 100 times the
  /// source's.
  ChangesRange = 4
};
/// "exact", or the flags' names separated by commas.
std::string stringifyFloatClass(unsigned floatClass);

/// Inputs for which the two sides differ, or for which the source is defined
/// and the target is not: then `source` is empty, and `target` says why. If
/// both are empty, it consists only of sizes.
struct Counterexample {
  /// The symbols' values, by name.
  std::vector<std::pair<std::string, int64_t>> symbols;
  /// Operand names and their elements in row-major order, as text.
  std::vector<std::pair<std::string, std::string>> operands;
  unsigned result = 0;
  std::vector<int64_t> index;
  std::string source, target;

  /// A description in one or two sentences, for messages.
  std::string str() const;
};

/// Sizes that are parsed when they are first asked for, since most certificates
/// are of rules that match nothing. May be used by several threads.
class SizeList {
public:
  SizeList(std::vector<graph::SymInt> sizes = {});
  /// A text that states no size becomes an unknown one, of which nothing is
  /// known to hold.
  static SizeList fromTexts(std::vector<std::string> texts);

  const std::vector<graph::SymInt> &get() const;

private:
  struct State;
  std::shared_ptr<State> state;
};

struct Certificate {
  /// Increased when the meaning of a certificate, or of anything it depends on,
  /// changes: rules with older certificates are then proved again.
  static constexpr int64_t version = 5;

  std::string name;
  Status status = Status::Unknown;
  /// Why the rule is not proved; empty if it is.
  std::string reason;
  /// The SHA-256 of the statement (hashStatement).
  std::string statement;
  /// The proof that the proof kernel checks, the kernel's version, and the
  /// SHA-256 of the ops' meanings (tenon/ProofKernel). Without a witness, the
  /// rule is not proved.
  llvm::json::Value witness = nullptr;
  int64_t kernel = 0;
  std::string meanings;
  /// The solver with its version, and the deterministic resource count that it
  /// used to check the witness.
  std::string solver;
  uint64_t rlimit = 0;
  unsigned obligations = 0;
  std::vector<std::string> conditions;
  /// The assumptions of the proof about the rule's symbols, beside its
  /// conditions: each value is at least 0, and defined if those before it are.
  /// A match fires only if they are known to hold
  /// (tenon/ProofKernel/CheckOps.h).
  SizeList hypotheses;
  /// The element types that f32 represents in the statement. "real":
  /// floating-point types; "ring": also integers, for which the statement was
  /// proved as well; "any": also integers, proved without any law.
  std::string elements;
  /// The class for the types of the statement.
  unsigned floatClass = Exact;
  /// The inputs for which ChangesRange was found, by the tested element type;
  /// "f32" represents the types of the statement.
  std::map<std::string, std::string> rangeChanges;
  /// The operands that may have leading axes, and why this is or is not proved.
  std::vector<std::string> lifted;
  bool liftProved = false;
  std::string liftReason;
  /// The hypotheses for operands with leading axes, in which `liftSymbol`
  /// stands for the product of these axes.
  SizeList liftHypotheses;
  std::string liftSymbol;
  std::optional<Counterexample> counterexample;

  /// The class for elements of these floating-point types. 16-bit types are
  /// rounded after every op, so a different division into ops rounds
  /// differently: for them nothing is exact.
  unsigned getFloatClass(llvm::ArrayRef<mlir::Type> types) const;

  /// The JSON includes a digest of all members, to detect edits by hand.
  llvm::json::Value toJSON() const;
  static std::optional<Certificate> fromJSON(llvm::json::Value value);
  /// The same of JSON without a digest.
  static std::optional<Certificate> fromUndigested(llvm::json::Value value);
};

/// Reads the certificates of a file of rules, by statement hash. Returns an
/// empty map if the file does not exist. Fails if `writeCertificates` did not
/// write the file.
llvm::Expected<llvm::StringMap<Certificate>>
readCertificates(llvm::StringRef path);
llvm::Error writeCertificates(llvm::StringRef path,
                              llvm::ArrayRef<Certificate> certificates);
/// How to print text that is hashed: independent of a tool's printing options.
mlir::OpPrintingFlags getHashedPrinting();
/// The path of the certificates of a file of rules: `m.mlir` ->
/// `m.proved.json`.
std::string getCertificatePath(llvm::StringRef rulePath);

} // namespace tenon::rule

#endif // TENON_DIALECT_RULE_IR_CERTIFICATE_H
