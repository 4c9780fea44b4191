//===- MlirOptions.cpp - MLIR's options on Tenon's command lines ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Driver/MlirOptions.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/Timing.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Debug.h"

using namespace mlir;
using namespace tenon;

#if !LLVM_ENABLE_ABI_BREAKING_CHECKS
static llvm::cl::list<std::string> &getDebugTypes() {
  static llvm::cl::list<std::string> types(
      "debug-only", llvm::cl::CommaSeparated, llvm::cl::value_desc("flag"),
      llvm::cl::desc("Say on standard error what passes do and why"));
  return types;
}
#endif

void tenon::registerDebugOnly() {
#if !LLVM_ENABLE_ABI_BREAKING_CHECKS
  getDebugTypes();
#endif
}

llvm::Error tenon::enableDebugOnly() {
#if !LLVM_ENABLE_ABI_BREAKING_CHECKS
  if (getDebugTypes().empty())
    return llvm::Error::success();
#ifdef NDEBUG
  return llvm::createStringError(
      "--debug-only: expected a build with assertions");
#else
  std::vector<const char *> types;
  for (const std::string &type : getDebugTypes())
    types.push_back(type.c_str());
  llvm::DebugFlag = true;
  llvm::setCurrentDebugTypes(types.data(), types.size());
#endif
#endif
  return llvm::Error::success();
}

std::vector<std::string> tenon::takeMlirOptions(std::vector<char *> &argv) {
  std::vector<std::string> taken;
  std::vector<char *> kept;
  bool isDone = false;
  for (char *argument : argv) {
    StringRef text = argument;
    isDone |= text == "--";
    if (!isDone &&
        (text.starts_with("--mlir-") || text.starts_with("--debug-only")))
      taken.push_back(argument);
    else
      kept.push_back(argument);
  }
  argv = std::move(kept);
  return taken;
}

llvm::Error tenon::parseMlirOptions(const std::vector<std::string> &arguments) {
  registerMLIRContextCLOptions();
  registerAsmPrinterCLOptions();
  registerPassManagerCLOptions();
  registerDefaultTimingManagerCLOptions();
  registerDebugOnly();
  std::vector<const char *> argv = {"tenon-compile"};
  for (const std::string &argument : arguments)
    argv.push_back(argument.c_str());
  std::string wrong;
  llvm::raw_string_ostream os(wrong);
  if (!llvm::cl::ParseCommandLineOptions(static_cast<int>(argv.size()),
                                         argv.data(), "", &os)) {
    // LLVM has said what is wrong with a value.
    StringRef text = StringRef(wrong).trim();
    text.consume_front("tenon-compile: ");
    return llvm::createStringError(text.empty() ? "wrong use of an MLIR option"
                                                : text);
  }
  return enableDebugOnly();
}

LogicalResult tenon::applyMlirOptions(PassManager &passes) {
  if (failed(applyPassManagerCLOptions(passes)))
    return failure();
  applyDefaultTimingPassManagerCLOptions(passes);
  return success();
}
