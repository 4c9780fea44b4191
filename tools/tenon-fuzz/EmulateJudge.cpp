//===- EmulateJudge.cpp - emulated kernels against the interpreter --------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Judge.h"

#include "tenon/Dialect/Kernel/IR/Targets.h"
#include "tenon/Driver/EmulateProgram.h"
#include "tenon/Driver/Pipelines.h"
#include "tenon/Interpret/TensorConversion.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::fuzz;
using namespace tenon::interpret;

/// Within its bounds, f32 arithmetic whose factors have 10 bits of mantissa.
static constexpr double kTf32Bound = 8192;

Verdict Judge::compareEmulated(ModuleOp module, ArrayRef<Tensor> inputs,
                               ArrayRef<Tensor> expected) {
  Verdict verdict;
  auto fail = [&](Verdict::Kind kind, const Twine &text) {
    verdict.kind = kind;
    verdict.text = text.str();
    return verdict;
  };
  OwningOpRef<ModuleOp> placed = module.clone();
  std::string diagnostic;
  ScopedDiagnosticHandler handler(module.getContext(),
                                  [&](Diagnostic &message) {
                                    diagnostic += message.str() + "\n";
                                    return success();
                                  });
  kernel::setTarget(*placed,
                    kernel::makeTarget(placed->getContext(), "cuda:sm_80",
                                       *options.emulation));
  PlacePipelineOptions place(kernel::getTarget(*placed));
  place.quiet = true;
  // Generated kernels are judged; the interpreter would stand for libraries.
  place.place.plan = "all:cuda";
  PassManager passes(placed.get()->getName());
  buildPreparePipeline(passes, place);
  buildGivePipeline(passes, place);
  if (failed(passes.run(*placed)))
    return fail(Verdict::Refused, "placement: " + diagnostic);
  EmulateOptions emulation;
  emulation.numerics = *options.emulation;
  emulation.archs = options.archs;
  emulation.parameters = randomParameters(options.seed);
  emulate::RunStatistics statistics;
  interpret::States states;
  FailureOr<SmallVector<Tensor>> results =
      emulateProgram(placed->lookupSymbol<func::FuncOp>("main"), inputs, states,
                     emulation, &statistics);
  verdict.kernels = statistics.kernels;
  if (failed(results))
    return fail(Verdict::Mismatch, "emulator: " + diagnostic);
  for (auto [number, pair] : llvm::enumerate(llvm::zip(expected, *results))) {
    auto &[reference, actual] = pair;
    Tensor bounded = reference;
    if (emulation.numerics.mayRoundFactors())
      for (int64_t i = 0; i < bounded.getNumElements(); ++i)
        bounded.errors()[i] *= kTf32Bound;
    std::string wrong =
        compareElements(bounded, toData(actual, Domain()), verdict);
    if (!wrong.empty())
      return fail(Verdict::Mismatch, "output " + Twine(number) + " " + wrong);
  }
  return verdict;
}
