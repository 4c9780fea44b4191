//===- FormEvaluators.cpp - common parts of form evaluators ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormEvaluators.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <thread>

using namespace mlir;
using namespace tenon::graph;
using namespace tenon::interpret;

FailureOr<ConcreteForm> tenon::interpret::concretize(const IndexForm &form,
                                                     const Symbols &symbols,
                                                     std::string &error) {
  auto lookup = [&](StringRef name) -> std::optional<int64_t> {
    auto it = symbols.find(name);
    if (it == symbols.end())
      return std::nullopt;
    return it->second;
  };
  bool known = true;
  auto evaluate = [&](const SymInt &size) -> int64_t {
    if (std::optional<int64_t> value = size.evaluate(lookup))
      return *value;
    if (known)
      error = "size '" + size.str() + "' is not known";
    known = false;
    return 0;
  };
  ConcreteForm concrete;
  concrete.elementType = form.elementType;
  for (const SymInt &size : form.shape) {
    concrete.shape.push_back(evaluate(size));
    if (known && concrete.shape.back() < 0) {
      error = "size '" + size.str() + "' of the result is negative: " +
              std::to_string(concrete.shape.back());
      return failure();
    }
  }
  concrete.body = rewrite(form.body, [&](Expr node) -> Expr {
    if (node.getKind() != ExprKind::Size || node->size.isConstant())
      return {};
    return Expr::index(evaluate(node->size));
  });
  if (!known)
    return failure();
  return concrete;
}

bool tenon::interpret::isFieldForm(const Expr &body) {
  bool exact = true;
  walk(body, [&](Expr node) {
    bool isFloat = node->type && isa<FloatType>(node->type);
    switch (node.getKind()) {
    case ExprKind::Apply:
      if (!isa<FloatType>(node->operands[0]->type))
        return;
      switch (node->fn) {
      case ScalarFn::Add:
      case ScalarFn::Sub:
      case ScalarFn::Mul:
      case ScalarFn::Neg:
      case ScalarFn::Div:
      case ScalarFn::Equal:
        return;
      default:
        exact = false;
      }
      return;
    case ExprKind::Reduce:
      exact &= !isFloat || node->reduce == ReduceKind::Sum ||
               node->reduce == ReduceKind::Prod;
      return;
    case ExprKind::Cast:
      exact &= isFloat || !isa<FloatType>(node->operands[0]->type);
      return;
    case ExprKind::Constant:
      exact &= !isFloat || std::isfinite(node->number);
      return;
    default:
      return;
    }
  });
  return exact;
}

std::string tenon::interpret::describeOutside(unsigned operand,
                                              ArrayRef<int64_t> index,
                                              ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "reads operand " << operand << " at [";
  llvm::interleaveComma(index, os);
  os << "], outside of its shape [";
  llvm::interleaveComma(shape, os);
  os << "]";
  return text;
}

void tenon::interpret::parallelFor(unsigned threads, size_t count,
                                   llvm::function_ref<void(size_t)> task) {
  threads = std::min<size_t>(std::max(threads, 1u), count);
  if (threads <= 1) {
    for (size_t number = 0; number < count; ++number)
      task(number);
    return;
  }
  std::atomic<size_t> next{0};
  auto work = [&] {
    for (size_t number; (number = next.fetch_add(1)) < count;)
      task(number);
  };
  std::vector<std::thread> workers;
  for (unsigned thread = 1; thread < threads; ++thread)
    workers.emplace_back(work);
  work();
  for (std::thread &worker : workers)
    worker.join();
}

Tensor tenon::interpret::toDomain(const Tensor &tensor, Domain domain) {
  if (!isa<FloatType>(tensor.getElementType()) ||
      domain.kind == Domain::Kind::F64)
    return tensor;
  Arithmetic arithmetic(domain);
  Kind kind = kindOf(tensor.getElementType());
  FailureOr<Tensor> result =
      Tensor::allocate(tensor.getElementType(), tensor.getShape());
  if (failed(result))
    llvm::report_fatal_error("out of memory");
  for (int64_t number = 0; number < tensor.getNumElements(); ++number)
    result->data()[number] =
        arithmetic.constant(kind, tensor.data()[number].number, 0);
  return *result;
}

std::optional<Domain> Domain::parse(StringRef text) {
  if (text == "f64")
    return Domain{Kind::F64, 0};
  if (text == "f32")
    return Domain{Kind::F32, 0};
  uint64_t seed;
  if (text.consume_front("field:") && !text.getAsInteger(10, seed))
    return Domain{Kind::Field, seed};
  return std::nullopt;
}

/// The default number of threads.
static unsigned defaultThreads() {
  if (const char *text = std::getenv("OMP_NUM_THREADS"))
    if (int count = std::atoi(text); count > 0)
      return count;
  return std::max(1u, std::thread::hardware_concurrency());
}

FailureOr<Tensor> tenon::interpret::evaluateForm(const IndexForm &form,
                                                 ArrayRef<Tensor> operands,
                                                 const Symbols &symbols,
                                                 const Options &options,
                                                 std::string &error) {
  FailureOr<ConcreteForm> concrete = concretize(form, symbols, error);
  if (failed(concrete))
    return failure();
  uint64_t count = 1;
  for (int64_t size : concrete->shape)
    count = llvm::SaturatingMultiply<uint64_t>(count, size);
  if (options.stepsLeft && count > *options.stepsLeft) {
    *options.stepsLeft = 0;
    error = "the evaluation takes too many steps";
    return failure();
  }
  FailureOr<Tensor> result =
      Tensor::allocate(concrete->elementType, concrete->shape);
  if (failed(result)) {
    error = "expected a result that fits into memory";
    return failure();
  }
  Arithmetic arithmetic(options.domain);
  LogicalResult status = success();
  unsigned threads = options.threads ? options.threads : defaultThreads();
  if (options.trackErrors)
    status = evaluateBounded(*concrete, operands, *result, error);
  else if (options.naive)
    status = evaluateNaive(*concrete, operands, arithmetic, options.stepsLeft,
                           *result, error);
  else if (std::optional<LogicalResult> product = evaluateSumOfProducts(
               *concrete, operands, arithmetic, threads, *result))
    status = *product;
  else
    status =
        evaluateLoops(*concrete, operands, arithmetic, threads, *result, error);
  if (failed(status))
    return failure();
  return result;
}
