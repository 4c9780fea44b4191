//===- RankFileTest.cpp - judges one file -------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For a disagreement that was found: TENON_RANK_FILE is a module with programs
// of ranks, such as the random edits write to TENON_RANK_DUMP. The test says
// what the proof and the interpreter say, and fails if these differ.
//
//===----------------------------------------------------------------------===//

#include "RankModels.h"
#include "Reference.h"
#include "tenon/Parallelize/CheckRanks.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tenon;
using namespace tenon::ranks;

TEST(RankFile, IsJudgedAlike) {
  const char *path = std::getenv("TENON_RANK_FILE");
  if (!path)
    GTEST_SKIP() << "TENON_RANK_FILE is not set";
  MLIRContext context(MLIRContext::Threading::DISABLED);
  loadDialects(context);
  auto module = parseSourceFile<ModuleOp>(path, &context);
  ASSERT_TRUE(module);
  pipe::ProgramOp program = *module->getOps<pipe::ProgramOp>().begin();
  FailureOr<Reference> reference = Reference::build(program, 1);
  ASSERT_TRUE(succeeded(reference));
  TaskMemo memo;
  std::string difference = reference->compare(*module, memo, 1, 100);
  std::string reason;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    reason += (reason.empty() ? "" : "; ") + diagnostic.str();
    return success();
  });
  bool isAccepted = succeeded(parallelize::checkRanks(program));
  llvm::errs() << "the proof: " << (isAccepted ? "accepted" : reason)
               << "\nthe interpreter: "
               << (difference.empty() ? "equal" : difference) << "\n";
  EXPECT_EQ(isAccepted, difference.empty());
}
