//===- Certificate.h - what is known of a rule ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The prover writes certificates, the optimizer reads them: a rule fires only
// with a certificate whose hash is that of the rule's statement, and whose
// witness the kernel of proofs accepts. Certificates lie beside the rules as
// JSON (see docs/rules.md).
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_RULE_IR_CERTIFICATE_H
#define TENON_DIALECT_RULE_IR_CERTIFICATE_H

#include "tenon/Dialect/Rule/IR/Rule.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <map>

namespace tenon::rule {

enum class Status { Proved, Refuted, Unknown, Unsupported, Error };
llvm::StringRef stringify(Status status);

/// How the floating-point results of the two sides can differ: a set of flags.
/// The empty set: the same operations on the same values in the same order.
enum FloatClass : unsigned {
  Exact = 0,
  /// Sums or products are regrouped, or a product is distributed over a sum.
  Reassociates = 1,
  /// Uses 0 * x = 0 or x - x = 0, which infinities and NaN break.
  NeedsFinite = 2,
  /// An intermediate may overflow or cancel where the source's did not: the
  /// target's error was seen to be more than 100 times the source's.
  ChangesRange = 4
};
/// "exact", or the flags' names joined by commas.
std::string stringifyFloatClass(unsigned floatClass);

/// A place where the two sides differ, or sizes at which the source has a
/// meaning and the target has none: then `source` is empty, and `target` says
/// why. With both empty, sizes alone.
struct Counterexample {
  /// The symbols' values, by name.
  std::vector<std::pair<std::string, int64_t>> symbols;
  /// Operand names and their elements, row-major, as text.
  std::vector<std::pair<std::string, std::string>> operands;
  unsigned result = 0;
  std::vector<int64_t> index;
  std::string source, target;

  /// In a sentence or two, for people.
  std::string str() const;
};

struct Certificate {
  /// Raised when the meaning of a certificate or of what it rests on changes:
  /// older ones are then proved again.
  static constexpr int64_t version = 4;

  std::string name;
  Status status = Status::Unknown;
  /// Why not proved; empty when proved.
  std::string reason;
  /// SHA-256 of the statement (hashStatement).
  std::string statement;
  /// What the kernel of proofs is given to see that the rule is true, the
  /// kernel's version, and the SHA-256 of what the ops mean
  /// (tenon/ProofKernel). Without a witness, the rule is not proved.
  llvm::json::Value witness = nullptr;
  int64_t kernel = 0;
  std::string meanings;
  /// The solver and its version, and what the check of the witness took of its
  /// deterministic resource count.
  std::string solver;
  uint64_t rlimit = 0;
  unsigned obligations = 0;
  std::vector<std::string> conditions;
  /// What the elements of f32 that the statement names stand for. "real":
  /// floating-point types; "ring": integers too, for which the statement was
  /// proved as well; "any": likewise, and without any law.
  std::string elements;
  /// For the types of the statement.
  unsigned floatClass = Exact;
  /// Where ChangesRange was seen, by the element type that was tried: "f32"
  /// stands for the types of the statement.
  std::map<std::string, std::string> rangeChanges;
  /// Operands that may have leading axes, and why that is proved; or why not.
  std::vector<std::string> lifted;
  bool liftProved = false;
  std::string liftReason;
  std::optional<Counterexample> counterexample;

  /// The class where elements of these floating-point types stand. The 16-bit
  /// types are rounded after every op, so that ops which are cut elsewhere
  /// round elsewhere: for them nothing is exact.
  unsigned getFloatClass(llvm::ArrayRef<mlir::Type> types) const;

  /// With a digest of all members, by which an edit by hand shows.
  llvm::json::Value toJSON() const;
  static std::optional<Certificate> fromJSON(const llvm::json::Value &value);
};

/// Certificates of a file of rules by statement hash. Missing file: empty.
/// Fails where the file is not what `writeCertificates` writes.
llvm::Expected<llvm::StringMap<Certificate>>
readCertificates(llvm::StringRef path);
llvm::Error writeCertificates(llvm::StringRef path,
                              llvm::ArrayRef<Certificate> certificates);
/// How text is printed that is hashed: the same whatever a tool was told of
/// printing.
mlir::OpPrintingFlags getHashedPrinting();
/// Where the certificates of a file of rules lie: `m.mlir` -> `m.proved.json`.
std::string getCertificatePath(llvm::StringRef rulePath);

} // namespace tenon::rule

#endif // TENON_DIALECT_RULE_IR_CERTIFICATE_H
