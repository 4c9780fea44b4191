//===- Commands.h - the commands of tenon-rules ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_RULES_COMMANDS_H
#define TENON_TOOLS_RULES_COMMANDS_H

#include "llvm/ADT/ArrayRef.h"

namespace tenon::tools {

// Each command reads its own arguments, the first of which is its name, has a
// --help, and returns the exit status of the tool.

/// Writes an archive of rules: 0 when it is written.
int runArchive(llvm::ArrayRef<const char *> arguments);
/// Proves all rules of all files: 0 when every one is proved.
int runProve(llvm::ArrayRef<const char *> arguments);
/// Runs both sides of proved rules at random sizes: 0 when they agree.
int runCheck(llvm::ArrayRef<const char *> arguments);
/// Checks the certificates of rules: 0 when every one holds.
int runCheckProof(llvm::ArrayRef<const char *> arguments);
/// Completes rules whose sides are equal in a part of the result: 0 when all
/// are proved.
int runCorrect(llvm::ArrayRef<const char *> arguments);
/// Makes wrong rules of right ones: 0 when they are written.
int runMutate(llvm::ArrayRef<const char *> arguments);
/// Derives rules from others: 0 when all are derived.
int runDerive(llvm::ArrayRef<const char *> arguments);
/// Finds rules between graphs of some ops: 0 when all that were found are
/// written.
int runDiscover(llvm::ArrayRef<const char *> arguments);
int runEqual(llvm::ArrayRef<const char *> arguments);
/// Does again what the optimizer logged: 0 when every step is right.
int runReplay(llvm::ArrayRef<const char *> arguments);

} // namespace tenon::tools

#endif // TENON_TOOLS_RULES_COMMANDS_H
