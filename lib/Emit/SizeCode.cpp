//===- SizeCode.cpp - size expressions as generated functions ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SizeCode.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

using namespace tenon;
using namespace tenon::emit;
using graph::SymInt;

namespace {
/// A 64-bit value, and whether its computation failed (i1).
struct Checked {
  llvm::Value *value = nullptr;
  llvm::Value *invalid = nullptr;
};

/// Generates the straight-line body. Atoms that occur twice are computed once.
class SizeBuilder {
public:
  SizeBuilder(llvm::IRBuilder<> &builder, llvm::Value *symbolValues,
              llvm::ArrayRef<std::string> symbols)
      : builder(builder), symbolValues(symbolValues), symbols(symbols) {}

  llvm::Expected<Checked> build(const SymInt &size) {
    if (size.isUnknown())
      return llvm::createStringError("size is unknown; expected an expression "
                                     "over the model's dimension symbols");
    Checked sum = constant(0);
    bool first = true;
    for (const auto &[monomial, coefficient] : size.getTerms()) {
      Checked term = constant(coefficient);
      bool unit = coefficient == 1;
      for (const SymInt::AtomRef &atom : monomial.atoms) {
        llvm::Expected<Checked> factor = build(*atom);
        if (!factor)
          return factor.takeError();
        term =
            unit ? *factor
                 : combine(llvm::Intrinsic::smul_with_overflow, term, *factor);
        unit = false;
      }
      sum = first ? term
                  : combine(llvm::Intrinsic::sadd_with_overflow, sum, term);
      first = false;
    }
    return sum;
  }

private:
  Checked constant(int64_t value) {
    return {builder.getInt64(value), builder.getFalse()};
  }

  llvm::Value *either(llvm::Value *a, llvm::Value *b) {
    return builder.CreateOr(a, b);
  }

  Checked combine(llvm::Intrinsic::ID operation, Checked a, Checked b) {
    llvm::Value *pair =
        builder.CreateBinaryIntrinsic(operation, a.value, b.value);
    return {builder.CreateExtractValue(pair, 0),
            either(either(a.invalid, b.invalid),
                   builder.CreateExtractValue(pair, 1))};
  }

  /// Rounds towards minus infinity, unlike sdiv, which rounds towards zero.
  Checked floorDivide(Checked a, Checked b) {
    llvm::Value *zero = builder.getInt64(0);
    llvm::Value *isZero = builder.CreateICmpEQ(b.value, zero);
    // INT64_MIN / -1 overflows and traps, like a division by zero.
    llvm::Value *tooLarge = builder.CreateAnd(
        builder.CreateICmpEQ(a.value, builder.getInt64(INT64_MIN)),
        builder.CreateICmpEQ(b.value, builder.getInt64(-1)));
    llvm::Value *bad = either(isZero, tooLarge);
    llvm::Value *divisor =
        builder.CreateSelect(bad, builder.getInt64(1), b.value);
    llvm::Value *quotient = builder.CreateSDiv(a.value, divisor);
    llvm::Value *rest = builder.CreateSRem(a.value, divisor);
    llvm::Value *roundedUp = builder.CreateAnd(
        builder.CreateICmpNE(rest, zero),
        builder.CreateICmpSLT(builder.CreateXor(rest, divisor), zero));
    return {builder.CreateSub(
                quotient, builder.CreateZExt(roundedUp, builder.getInt64Ty())),
            either(bad, either(a.invalid, b.invalid))};
  }

  llvm::Expected<Checked> build(const SymInt::Atom &atom) {
    auto known = atoms.find(atom.text);
    if (known != atoms.end())
      return known->second;
    Checked result;
    if (atom.kind == SymInt::AtomKind::Symbol) {
      auto position = llvm::find(symbols, atom.name);
      if (position == symbols.end())
        return llvm::createStringError("dimension symbol '" + atom.name +
                                       "' is not bound by the model's inputs");
      llvm::Value *address = builder.CreateConstInBoundsGEP1_64(
          builder.getInt64Ty(), symbolValues, position - symbols.begin());
      result = {builder.CreateLoad(builder.getInt64Ty(), address),
                builder.getFalse()};
    } else {
      llvm::Expected<Checked> lhs = build(*atom.lhs);
      if (!lhs)
        return lhs.takeError();
      llvm::Expected<Checked> rhs = build(*atom.rhs);
      if (!rhs)
        return rhs.takeError();
      if (atom.kind == SymInt::AtomKind::FloorDiv)
        result = floorDivide(*lhs, *rhs);
      else
        result = {
            builder.CreateBinaryIntrinsic(atom.kind == SymInt::AtomKind::Max
                                              ? llvm::Intrinsic::smax
                                              : llvm::Intrinsic::smin,
                                          lhs->value, rhs->value),
            either(lhs->invalid, rhs->invalid)};
    }
    atoms[atom.text] = result;
    return result;
  }

  llvm::IRBuilder<> &builder;
  llvm::Value *symbolValues;
  llvm::ArrayRef<std::string> symbols;
  llvm::StringMap<Checked> atoms;
};
} // namespace

/// The limit on sizes that one function computes. LLVM needs more than linear
/// time for longer straight-line code.
static constexpr size_t kMostSizes = 256;

static llvm::Function *createFunction(llvm::Module &module,
                                      llvm::StringRef name) {
  llvm::LLVMContext &context = module.getContext();
  auto *pointer = llvm::PointerType::getUnqual(context);
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(context),
                                       {pointer, pointer}, false);
  auto *function = llvm::Function::Create(
      type, llvm::GlobalValue::InternalLinkage, name, module);
  // These attributes allow stores to share the loads of symbols.
  function->addParamAttr(0, llvm::Attribute::NoAlias);
  function->addParamAttr(1, llvm::Attribute::NoAlias);
  return function;
}

/// Writes the code for `sizes` into an empty function.
static llvm::Error fillFunction(llvm::Function *function,
                                llvm::ArrayRef<SymInt> sizes,
                                llvm::ArrayRef<std::string> symbols) {
  llvm::IRBuilder<> builder(
      llvm::BasicBlock::Create(function->getContext(), "entry", function));
  SizeBuilder sizeBuilder(builder, function->getArg(0), symbols);
  for (const auto &[position, size] : llvm::enumerate(sizes)) {
    llvm::Expected<Checked> value = sizeBuilder.build(size);
    if (!value)
      return value.takeError();
    llvm::Value *result = builder.CreateSelect(
        value->invalid, builder.getInt64(INT64_MAX), value->value);
    builder.CreateStore(
        result, builder.CreateConstInBoundsGEP1_64(
                    builder.getInt64Ty(), function->getArg(1), position));
  }
  builder.CreateRetVoid();
  return llvm::Error::success();
}

llvm::Expected<llvm::Function *>
tenon::emit::addSizesFunction(llvm::Module &module, llvm::StringRef name,
                              llvm::ArrayRef<SymInt> sizes,
                              llvm::ArrayRef<std::string> symbols) {
  llvm::Function *function = createFunction(module, name);
  if (sizes.size() <= kMostSizes) {
    if (llvm::Error error = fillFunction(function, sizes, symbols)) {
      function->eraseFromParent();
      return error;
    }
    return function;
  }
  llvm::IRBuilder<> builder(
      llvm::BasicBlock::Create(module.getContext(), "entry", function));
  for (size_t first = 0; first < sizes.size(); first += kMostSizes) {
    llvm::Function *part =
        createFunction(module, (name + "." + llvm::Twine(first)).str());
    part->addFnAttr(llvm::Attribute::NoInline);
    llvm::ArrayRef<SymInt> own =
        sizes.slice(first, std::min(kMostSizes, sizes.size() - first));
    if (llvm::Error error = fillFunction(part, own, symbols)) {
      function->eraseFromParent();
      part->eraseFromParent();
      return error;
    }
    builder.CreateCall(
        part, {function->getArg(0),
               builder.CreateConstInBoundsGEP1_64(builder.getInt64Ty(),
                                                  function->getArg(1), first)});
  }
  builder.CreateRetVoid();
  return function;
}
