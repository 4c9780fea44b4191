//===- Thunks.cpp - the functions that an artifact exports ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Thunks.h"
#include "tenon/Artifact/RuntimeFunctions.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <type_traits>

namespace {
/// A function of the runtime, and whether its first argument is the artifact,
/// which the function of ABI.h does not have.
struct RuntimeFunction {
  const char *name; // without prefix
  bool takesArtifact;
  llvm::FunctionType *(*getType)(llvm::LLVMContext &);
};
} // namespace

/// Returns the LLVM type of a C value; only integers and pointers occur.
template <typename T> static llvm::Type *getType(llvm::LLVMContext &context) {
  if constexpr (std::is_void_v<T>) {
    return llvm::Type::getVoidTy(context);
  } else if constexpr (std::is_pointer_v<T>) {
    return llvm::PointerType::getUnqual(context);
  } else {
    static_assert(std::is_integral_v<T>, "a thunk passes words");
    return llvm::Type::getIntNTy(context, 8 * sizeof(T));
  }
}

template <typename Function> struct Signature;
template <typename R, typename... P> struct Signature<R(P...)> {
  static llvm::FunctionType *get(llvm::LLVMContext &context) {
    return llvm::FunctionType::get(getType<R>(context),
                                   {getType<P>(context)...}, false);
  }
};

#define OF_ARTIFACT(RESULT, NAME, PARAMETERS, RUNTIME_PARAMETERS, ARGUMENTS)   \
  {#NAME, true, Signature<decltype(tenon_runtime_##NAME)>::get},
#define OF_INSTANCE(RESULT, NAME, PARAMETERS, ARGUMENTS)                       \
  {#NAME, false, Signature<decltype(tenon_runtime_##NAME)>::get},
static const RuntimeFunction functions[] = {
    TENON_RUNTIME_FUNCTIONS(OF_ARTIFACT, OF_INSTANCE)};
#undef OF_ARTIFACT
#undef OF_INSTANCE

llvm::SmallVector<std::string, 0>
tenon::emit::getExports(llvm::StringRef prefix) {
  llvm::SmallVector<std::string, 0> names;
  for (const RuntimeFunction &function : functions)
    names.push_back((prefix + "_" + function.name).str());
  return names;
}

std::string tenon::emit::renameFunctions(llvm::StringRef abi,
                                         llvm::StringRef prefix) {
  static constexpr llvm::StringLiteral guard = "TENON_FUNCTIONS_OF_tenon";
  // The text before the guard is the same for all artifacts.
  auto [types, rest] = abi.split(("#ifndef " + guard).str());
  std::string text = (types + "#ifndef " + guard + rest).str();
  llvm::SmallVector<std::string, 0> from = getExports("tenon");
  llvm::SmallVector<std::string, 0> to = getExports(prefix);
  from.push_back(guard.str());
  to.push_back(("TENON_FUNCTIONS_OF_" + prefix).str());
  auto isPartOfName = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  for (auto [before, after] : llvm::zip_equal(from, to))
    for (size_t at = types.size();
         (at = text.find(before, at)) != std::string::npos;) {
      size_t end = at + before.size();
      if (isPartOfName(text[at - 1]) ||
          (end < text.size() && isPartOfName(text[end]))) {
        at = end;
        continue;
      }
      text.replace(at, before.size(), after);
      at += after.size();
    }
  return text;
}

void tenon::emit::addThunks(llvm::Module &module, llvm::StringRef prefix,
                            bool shared, llvm::Constant *artifact) {
  llvm::LLVMContext &context = module.getContext();
  if (shared && prefix != "tenon") {
    llvm::Constant *text = llvm::ConstantDataArray::getString(context, prefix);
    new llvm::GlobalVariable(module, text->getType(), /*isConstant=*/true,
                             llvm::GlobalValue::ExternalLinkage, text,
                             "tenon_symbol_prefix");
  }
  for (const RuntimeFunction &entry : functions) {
    llvm::FunctionType *type = entry.getType(context);
    llvm::FunctionCallee callee = module.getOrInsertFunction(
        std::string("tenon_runtime_") + entry.name, type);
    // The callee is linked into the same library, so it needs no table of
    // addresses.
    llvm::cast<llvm::Function>(callee.getCallee())
        ->setVisibility(llvm::GlobalValue::HiddenVisibility);
    llvm::ArrayRef<llvm::Type *> parameters = type->params();
    if (entry.takesArtifact)
      parameters = parameters.drop_front();
    auto *thunk = llvm::Function::Create(
        llvm::FunctionType::get(type->getReturnType(), parameters, false),
        llvm::GlobalValue::ExternalLinkage, (prefix + "_" + entry.name).str(),
        module);
    llvm::IRBuilder<> builder(
        llvm::BasicBlock::Create(context, "entry", thunk));
    llvm::SmallVector<llvm::Value *> arguments;
    if (entry.takesArtifact)
      arguments.push_back(artifact);
    for (llvm::Argument &argument : thunk->args())
      arguments.push_back(&argument);
    llvm::CallInst *call = builder.CreateCall(callee, arguments);
    call->setTailCall();
    if (type->getReturnType()->isVoidTy())
      builder.CreateRetVoid();
    else
      builder.CreateRet(call);
  }
}

void tenon::emit::addReferenceToRuntime(llvm::Module &module,
                                        llvm::StringRef name) {
  llvm::Type *pointer = llvm::PointerType::getUnqual(module.getContext());
  auto *runtime = new llvm::GlobalVariable(module, pointer, /*isConstant=*/true,
                                           llvm::GlobalValue::ExternalLinkage,
                                           /*Initializer=*/nullptr, name);
  runtime->setVisibility(llvm::GlobalValue::HiddenVisibility);
  auto *reference = new llvm::GlobalVariable(
      module, pointer, /*isConstant=*/true, llvm::GlobalValue::InternalLinkage,
      runtime, name + ".reference");
  llvm::appendToCompilerUsed(module, {reference});
}
