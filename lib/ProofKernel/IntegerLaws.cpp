//===- IntegerLaws.cpp - laws of machine integers and casts ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The names in comments refer to the laws in Laws.h.
//
//===----------------------------------------------------------------------===//

#include "LawTerms.h"

#include "llvm/Support/MathExtras.h"

using namespace tenon;
using namespace tenon::prove;
using graph::ScalarFn;

//===----------------------------------------------------------------------===//
// Machine integers
//===----------------------------------------------------------------------===//

/// I3, I4: collects the arguments of nested ands, ors and xors in one sorted
/// list with one constant.
static std::optional<SumForm> joinBits(const Factor &like,
                                       const std::vector<SumForm> &args) {
  auto type = llvm::cast<mlir::IntegerType>(like.argType);
  int64_t ones = type.isUnsigned() ? (int64_t(1) << type.getWidth()) - 1 : -1;
  bool isAnd = like.fn == ScalarFn::And, isXor = like.fn == ScalarFn::Xor;
  int64_t constant = isAnd ? ones : 0;
  std::map<std::string, std::pair<SumForm, unsigned>> parts;
  auto add = [&](const SumForm &arg) {
    if (std::optional<int64_t> value = getWrapped(arg, type))
      constant = isAnd   ? constant & *value
                 : isXor ? constant ^ *value
                         : constant | *value;
    else
      ++parts.try_emplace(arg.str(), arg, 0).first->second.second;
  };
  for (const SumForm &arg : args) {
    const Factor *inner = getOnlyFactor(arg);
    if (inner && isApply(*inner, like.fn) && inner->argType == like.argType)
      llvm::for_each(inner->args, add);
    else
      add(arg);
  }
  if ((isAnd && constant == 0) || (like.fn == ScalarFn::Or && constant == ones))
    return getConstantSum(constant);
  std::vector<SumForm> kept;
  for (auto &[text, part] : parts)
    if (!isXor || part.second % 2 == 1)
      kept.push_back(std::move(part.first));
  if (kept.empty())
    return constant == 0 ? SumForm() : getConstantSum(constant);
  bool negated = isXor && constant == ones;
  if (constant != (isAnd ? ones : 0) && !negated)
    kept.push_back(getConstantSum(constant));
  SumForm result = kept.front();
  if (kept.size() > 1) {
    Factor factor = like;
    factor.args = std::move(kept);
    result = getFactorSum(std::move(factor));
  }
  if (!negated)
    return result;
  // I1.
  result = negate(std::move(result));
  result.terms.push_back(getConstantSum(-1).terms.front());
  return simplify(result) ? std::optional(result) : std::nullopt;
}

std::optional<SumForm> Laws::rewriteInteger(Normalizer &normalizer,
                                            const Factor &factor,
                                            std::vector<SumForm> args) {
  auto type = llvm::cast<mlir::IntegerType>(factor.argType);
  unsigned width = type.getWidth();
  auto getConstant = [&](const SumForm &form) {
    return getWrapped(form, type);
  };
  switch (factor.fn) {
  case ScalarFn::Abs:
    // A1, A2: these also hold for the minimum integer, which is its own
    // negative.
    if (type.isUnsigned() || isOnly(args[0], ScalarFn::Abs))
      return args[0];
    if (!takeSign(args[0]))
      return std::nullopt;
    return applyTo(factor, std::move(args[0]));
  case ScalarFn::Sign:
    if (isOnly(args[0], ScalarFn::Sign))
      return args[0]; // A4
    return std::nullopt;
  case ScalarFn::Not: {
    // I1.
    SumForm result = negate(std::move(args[0]));
    result.terms.push_back(getConstantSum(-1).terms.front());
    return simplify(result) ? std::optional(result) : std::nullopt;
  }
  case ScalarFn::And:
  case ScalarFn::Or:
  case ScalarFn::Xor:
    return joinBits(factor, args);
  case ScalarFn::ShiftLeft: {
    // I2.
    std::optional<int64_t> by = getConstant(args[1]);
    if (!by || *by < 0 || *by > 62)
      return std::nullopt;
    if (*by >= width)
      return SumForm();
    return normalizer.multiply(getConstantSum(int64_t(1) << *by), args[0]);
  }
  case ScalarFn::ShiftRight:
    if (getConstant(args[1]) == 0)
      return args[0];
    return std::nullopt;
  case ScalarFn::Div:
  case ScalarFn::Mod:
  case ScalarFn::Fmod: {
    std::optional<int64_t> by = getConstant(args[1]);
    if (by == -1)
      return factor.fn == ScalarFn::Div ? negate(std::move(args[0]))
                                        : SumForm(); // I6
    // I5. A remainder with the divisor's sign is a bit operation for all
    // integers.
    bool isPower = by && *by > 1 && llvm::isPowerOf2_64(*by);
    if (!isPower || (factor.fn != ScalarFn::Mod && !type.isUnsigned()))
      return std::nullopt;
    Factor bits = factor;
    if (factor.fn != ScalarFn::Div) {
      bits.fn = ScalarFn::And;
      return joinBits(bits, {args[0], getConstantSum(*by - 1)});
    }
    bits.fn = ScalarFn::ShiftRight;
    bits.args = {args[0], getConstantSum(llvm::Log2_64(*by))};
    return getFactorSum(std::move(bits));
  }
  default:
    return std::nullopt;
  }
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

/// Whether `to` can represent every number of `from`.
static bool holdsAll(mlir::Type from, mlir::Type to) {
  auto toInteger = llvm::dyn_cast<mlir::IntegerType>(to);
  auto toFloat = llvm::dyn_cast<mlir::FloatType>(to);
  if (auto integer = llvm::dyn_cast<mlir::IntegerType>(from)) {
    unsigned bits = integer.getWidth() - !integer.isUnsigned();
    if (toFloat)
      return toFloat.getFPMantissaWidth() >= bits && !(to.isF16() && bits > 15);
    return toInteger &&
           toInteger.getWidth() - !toInteger.isUnsigned() >= bits &&
           (integer.isUnsigned() || !toInteger.isUnsigned());
  }
  auto real = llvm::dyn_cast<mlir::FloatType>(from);
  return real && toFloat &&
         (from == to || (toFloat.getWidth() > real.getWidth()));
}

static bool isMachineInteger(mlir::Type type) {
  return llvm::isa<mlir::IntegerType>(type) && hasArithmetic(type);
}

std::optional<SumForm> Laws::cast(Normalizer &normalizer, const SumForm &arg,
                                  mlir::Type from, mlir::Type to) {
  if (!hasArithmetic(from) || !hasArithmetic(to))
    return std::nullopt;
  if (from == to)
    return arg;
  bool narrows = isMachineInteger(from) && isMachineInteger(to) &&
                 to.getIntOrFloatBitWidth() <= from.getIntOrFloatBitWidth();
  auto castFactor = [&](const Factor &factor) -> std::optional<SumForm> {
    Factor result;
    result.kind = Factor::Kind::Cast;
    result.type = to;
    result.argType = from;
    result.args = {getFactorSum(factor)};
    if (factor.kind == Factor::Kind::Cast && hasArithmetic(factor.argType)) {
      // C2, C3. A cast from floats saturates, but a cast from integers wraps.
      bool wraps = graph::isFloat(from) && isMachineInteger(factor.argType) &&
                   isMachineInteger(to) && !holdsAll(factor.argType, to);
      bool between = !wraps && (holdsAll(factor.argType, from) ||
                                (narrows && isMachineInteger(factor.argType)));
      if (between && factor.argType == to)
        return factor.args.front();
      if (between) {
        result.argType = factor.argType;
        result.args = factor.args;
      }
    }
    return getFactorSum(std::move(result));
  };
  if (!narrows) {
    const Factor *only = getOnlyFactor(arg);
    if (only && only->kind == Factor::Kind::Cast)
      return castFactor(*only);
    return std::nullopt;
  }
  // C4.
  SumForm sum;
  for (const Term &term : arg.terms) {
    SumForm product;
    product.terms.push_back(term);
    product.terms.front().factors.clear();
    std::optional<SumForm> result = std::move(product);
    for (const Factor &factor : term.factors) {
      std::optional<SumForm> one = castFactor(factor);
      // The operand of a cast may have cases, which would have to be moved out.
      if (!one || one->terms.size() != 1 || !getProduct(*one))
        return std::nullopt;
      result = normalizer.multiply(*result, *one);
      if (!result)
        return std::nullopt;
    }
    llvm::append_range(sum.terms, result->terms);
  }
  return simplify(sum) ? std::optional(sum) : std::nullopt;
}
