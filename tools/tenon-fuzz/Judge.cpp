//===- Judge.cpp - compiled code against the interpreter ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Judge.h"
#include "RandomInputs.h"

#include "tenon/Artifact/InputSpec.h"
#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Interpret/TensorConversion.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::fuzz;
using namespace tenon::interpret;

std::vector<std::string> Judge::inputArguments(ModuleOp module) const {
  return listInputArguments(module.lookupSymbol<func::FuncOp>("main"),
                            options.seed);
}

Judge::Process Judge::run(const std::string &tool,
                          std::vector<std::string> arguments) {
  std::string program = options.tools + "/" + tool;
  std::string log = options.scratch + "/log.txt";
  llvm::sys::fs::remove(log); // it would be appended to
  std::vector<StringRef> refs = {program};
  refs.insert(refs.end(), arguments.begin(), arguments.end());
  std::optional<StringRef> redirects[] = {StringRef(""), StringRef(log),
                                          StringRef(log)};
  std::string error;
  Process process;
  process.status = llvm::sys::ExecuteAndWait(program, refs, std::nullopt,
                                             redirects, /*SecondsToWait=*/120,
                                             /*MemoryLimit=*/0, &error);
  if (auto buffer = llvm::MemoryBuffer::getFile(log))
    process.output = (*buffer)->getBuffer().str();
  process.output += error;
  return process;
}

static std::string describe(const Tensor &expected, int64_t number,
                            double actual) {
  std::string text;
  llvm::raw_string_ostream os(text);
  int64_t rest = number;
  SmallVector<int64_t> index(expected.getRank());
  for (int64_t axis = expected.getRank() - 1; axis >= 0; --axis) {
    index[axis] = rest % expected.getShape()[axis];
    rest /= expected.getShape()[axis];
  }
  os << "at [";
  llvm::interleaveComma(index, os);
  os << "]: expected ";
  if (isa<FloatType>(expected.getElementType()))
    os << llvm::format("%.9g +- %.3g", expected.data()[number].number,
                       expected.errors()[number]);
  else
    os << expected.data()[number].integer;
  os << llvm::format(", but got %.9g", actual);
  return text;
}

std::string tenon::fuzz::compareElements(const Tensor &expected,
                                         const artifact::TensorData &actual,
                                         Verdict &verdict) {
  if (actual.dtype != getDType(expected.getElementType()) ||
      ArrayRef<int64_t>(actual.shape) != expected.getShape())
    return "expected " +
           artifact::formatType(getDType(expected.getElementType()),
                                expected.getShape().vec()) +
           ", but got " + artifact::formatType(actual.dtype, actual.shape);
  std::string wrong;
  for (int64_t number = 0; number < expected.getNumElements(); ++number) {
    ++verdict.elements;
    // A result that is an input has no errors.
    if (expected.excluded() && expected.excluded()[number]) {
      ++verdict.excluded;
      continue;
    }
    if (!isa<FloatType>(expected.getElementType())) {
      if (actual.getInteger(number) != expected.data()[number].integer &&
          wrong.empty())
        wrong = describe(expected, number, actual.getInteger(number));
      continue;
    }
    double x = actual.get(number), y = expected.data()[number].number;
    // The reference itself is computed in f64.
    double bound = expected.errors()
                       ? expected.errors()[number] *
                             (actual.dtype == artifact::DType::F64 ? 2 : 1)
                       : 0;
    bool agrees = std::isnan(y)   ? std::isnan(x)
                  : std::isinf(y) ? x == y
                                  : std::fabs(x - y) <= bound;
    if (!agrees && wrong.empty())
      wrong = describe(expected, number, x);
  }
  return wrong;
}

/// Where two results differ in bits; any NaN equals any other.
static std::string findDifference(const Tensor &expected, const Tensor &actual,
                                  Domain domain) {
  bool isNumber = isa<FloatType>(expected.getElementType()) &&
                  domain.kind != Domain::Kind::Field;
  for (int64_t number = 0; number < expected.getNumElements(); ++number) {
    Cell x = expected.data()[number], y = actual.data()[number];
    bool areNan = isNumber && x.number != x.number && y.number != y.number;
    if (x.integer == y.integer || areNan)
      continue;
    return llvm::formatv("element {0}: {1} naively, but {2} by loops", number,
                         isNumber ? x.number : static_cast<double>(x.integer),
                         isNumber ? y.number : static_cast<double>(y.integer))
        .str();
  }
  return "";
}

Verdict Judge::compareEvaluators(ModuleOp module) {
  Verdict verdict;
  auto function = module.lookupSymbol<func::FuncOp>("main");
  auto fail = [&](Verdict::Kind kind, const std::string &text) {
    verdict.kind = kind;
    verdict.text = text;
    return verdict;
  };
  std::string error;
  auto inputs = drawInputs(function, options.seed, error);
  if (failed(inputs))
    return fail(Verdict::Mismatch, "input: " + error);
  const std::pair<const char *, Domain> domains[] = {
      {"f64", {Domain::Kind::F64, 0}},
      {"f32", {Domain::Kind::F32, 0}},
      {"field", {Domain::Kind::Field, options.seed}}};
  for (const auto &[name, domain] : domains) {
    SmallVector<Tensor> converted;
    for (const Tensor &input : *inputs)
      converted.push_back(toDomain(input, domain));
    FailureOr<SmallVector<Tensor>> results[2];
    std::string diagnostic;
    for (bool naive : {false, true}) {
      interpret::Options interpretation;
      interpretation.domain = domain;
      interpretation.naive = naive;
      interpretation.parameters = randomParameters(options.seed);
      ScopedDiagnosticHandler handler(module.getContext(),
                                      [&](Diagnostic &message) {
                                        diagnostic += message.str() + "\n";
                                        return success();
                                      });
      results[naive] = evaluate(function, converted, interpretation);
    }
    if (failed(results[0]) != failed(results[1]))
      return fail(Verdict::Mismatch,
                  "only one evaluator fails: " + shorten(diagnostic));
    if (failed(results[0])) {
      // Some ops have no meaning in the field.
      if (domain.kind == Domain::Kind::Field)
        continue;
      return fail(isDynamic(function) ? Verdict::Invalid : Verdict::Refused,
                  "interpreter: " + shorten(diagnostic));
    }
    for (auto [number, pair] :
         llvm::enumerate(llvm::zip(*results[1], *results[0]))) {
      auto &[expected, actual] = pair;
      verdict.elements += expected.getNumElements();
      std::string difference = findDifference(expected, actual, domain);
      if (!difference.empty())
        return fail(Verdict::Mismatch,
                    "domain " + std::string(name) + ", result " +
                        std::to_string(number) + ", " + difference);
    }
  }
  return verdict;
}

Verdict Judge::judge(ModuleOp module) {
  if (options.evaluators)
    return compareEvaluators(module);
  Verdict verdict;
  auto function = module.lookupSymbol<func::FuncOp>("main");
  MLIRContext *context = module.getContext();
  auto fail = [&](Verdict::Kind kind, const Twine &text) {
    verdict.kind = kind;
    verdict.text = text.str();
    return verdict;
  };
  std::string error;
  auto inputs = drawInputs(function, options.seed, error);
  if (failed(inputs))
    return fail(Verdict::Mismatch, "input: " + error);
  interpret::Options interpretation;
  interpretation.parameters = randomParameters(options.seed);
  interpretation.trackErrors = true;
  std::string diagnostic;
  FailureOr<SmallVector<Tensor>> expected;
  {
    ScopedDiagnosticHandler handler(context, [&](Diagnostic &message) {
      diagnostic += message.str() + "\n";
      return success();
    });
    expected = evaluate(function, *inputs, interpretation);
  }
  if (failed(expected))
    return fail(isDynamic(function) ? Verdict::Invalid : Verdict::Refused,
                "interpreter: " + shorten(diagnostic));
  if (expected->empty())
    return verdict;
  if (options.emulation)
    return compareEmulated(module, *inputs, *expected);

  std::string model = options.scratch + "/case.mlir";
  std::string library = options.scratch + "/case.so";
  {
    std::error_code code;
    llvm::raw_fd_ostream os(model, code);
    if (code)
      return fail(Verdict::Refused, model + ": " + code.message());
    module.print(os);
  }
  std::vector<std::string> arguments = {model, "-o", library};
  // The machine runs the highest of the default levels; lower ones need their
  // turn.
  if (options.seed % 2 == 0)
    arguments.push_back("--target=cpu:x86-64-v3");
  arguments.insert(arguments.end(), options.compileFlags.begin(),
                   options.compileFlags.end());
  Process compiler = run("tenon-compile", arguments);
  if (compiler.status == 1)
    return fail(Verdict::Refused, "compiler: " + shorten(compiler.output));
  if (compiler.status != 0)
    return fail(Verdict::Mismatch, "tenon-compile ends with " +
                                       Twine(compiler.status) + ": " +
                                       shorten(compiler.output));
  arguments = inputArguments(module);
  arguments.insert(arguments.begin(), library);
  std::vector<std::string> files;
  for (unsigned number = 0; number < expected->size(); ++number) {
    files.push_back(options.scratch + "/out" + std::to_string(number) + ".pb");
    llvm::sys::fs::remove(files.back());
    auto name = function.getResultAttrOfType<StringAttr>(number, "graph.name");
    arguments.push_back("--output");
    arguments.push_back(name.str() + "=@" + files.back());
  }
  Process runner = run("tenon-run", arguments);
  if (runner.status != 0)
    return fail(Verdict::Mismatch, "tenon-run ends with " +
                                       Twine(runner.status) + ": " +
                                       shorten(runner.output));
  for (unsigned number = 0; number < expected->size(); ++number) {
    auto actual = artifact::readTensorFile(files[number]);
    std::string name =
        "output " +
        function.getResultAttrOfType<StringAttr>(number, "graph.name").str();
    if (!actual)
      return fail(Verdict::Mismatch, name + ": " + actual.error());
    std::string wrong = compareElements((*expected)[number], *actual, verdict);
    if (!wrong.empty())
      return fail(Verdict::Mismatch, name + " " + wrong);
  }
  return verdict;
}
