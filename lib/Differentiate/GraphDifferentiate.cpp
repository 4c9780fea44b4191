//===- GraphDifferentiate.cpp - gradients of a function -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recompute.h"

#include "tenon/Dialect/Graph/IR/Compose.h"
#include "tenon/Dialect/Graph/IR/StateOps.h"
#include "tenon/Differentiate/Passes.h"
#include "tenon/Differentiate/ReverseMode.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "graph-differentiate"

namespace tenon::differentiate {
#define GEN_PASS_DEF_GRAPHDIFFERENTIATE
#include "tenon/Differentiate/Passes.h.inc"
} // namespace tenon::differentiate

using namespace mlir;
using namespace tenon;
using namespace tenon::differentiate;

namespace {
/// A value of a function with respect to which it is differentiated: an
/// argument or a parameter, which may be read at several places.
struct Variable {
  std::string name;
  std::string number; // '#' and the number of an argument; empty: a parameter
  SmallVector<Value, 1> values;
  bool isArgument = false;
  bool isTrained = true; // an argument, or a parameter that is no buffer
  bool wasNamed = false;
};

enum class Part { All, Inputs, Weights };
} // namespace

static bool isFloatTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && graph::isFloat(tensor.getElementType());
}

/// The floating-point arguments and parameters of `function`, in this order.
static std::vector<Variable> findVariables(func::FuncOp function) {
  std::vector<Variable> variables;
  for (BlockArgument argument : function.getArguments()) {
    if (!isFloatTensor(argument.getType()))
      continue;
    unsigned number = argument.getArgNumber();
    auto name = function.getArgAttrOfType<StringAttr>(number, "graph.name");
    std::string position = "#" + std::to_string(number);
    variables.push_back({name ? name.str() : position,
                         position,
                         {argument},
                         /*isArgument=*/true});
  }
  llvm::StringMap<size_t> parameters;
  for (auto parameter : function.getOps<graph::ParameterOp>()) {
    if (!isFloatTensor(parameter.getType()))
      continue;
    auto [it, isNew] =
        parameters.try_emplace(parameter.getName(), variables.size());
    if (isNew)
      variables.push_back({parameter.getName().str(), "", {}});
    variables[it->second].values.push_back(parameter.getResult());
    variables[it->second].isTrained &= parameter.isTrainable();
  }
  return variables;
}

/// Picks the variables that `names` lists, in its order; without names, all but
/// buffers.
static FailureOr<std::vector<Variable>>
pickVariables(func::FuncOp function, ArrayRef<std::string> names) {
  std::vector<Variable> all = findVariables(function);
  std::vector<Variable> picked;
  if (names.empty()) {
    llvm::copy_if(all, std::back_inserter(picked),
                  [](const Variable &variable) { return variable.isTrained; });
    return picked;
  }
  for (const std::string &name : names) {
    auto isMeant = [&](const Variable &variable) {
      return variable.name == name || variable.number == name;
    };
    auto it = llvm::find_if(all, isMeant);
    if (it != all.end() && std::any_of(std::next(it), all.end(), isMeant))
      return function.emitError()
             << "graph-differentiate: wrt: '" << name << "' of '"
             << function.getName() << "' is an argument and a parameter"
             << (it->number.empty() ? "" : "; the argument is also '")
             << it->number << (it->number.empty() ? "" : "'");
    if (it == all.end()) {
      InFlightDiagnostic error = function.emitError()
                                 << "graph-differentiate: wrt: expected the "
                                    "name of a floating-point argument or "
                                    "parameter of '"
                                 << function.getName() << "'";
      if (!all.empty()) {
        error << " (";
        llvm::interleaveComma(all, error, [&](const Variable &variable) {
          error << variable.name;
        });
        error << ")";
      }
      return error << ", but got '" << name << "'";
    }
    if (llvm::any_of(picked, [&](const Variable &variable) {
          return variable.values.front() == it->values.front();
        }))
      return function.emitError()
             << "graph-differentiate: wrt: '" << name << "' is listed twice";
    picked.push_back(*it);
    picked.back().wasNamed = true;
  }
  return picked;
}

/// Fails if a value that depends on `sources` may reach a result through a
/// state: that dependence has no cotangent.
static LogicalResult checkStates(ArrayRef<Operation *> ops,
                                 ArrayRef<Value> sources) {
  llvm::DenseSet<Value> active = findActiveValues(ops, sources);
  llvm::StringSet<> written;
  for (Operation *op : ops) {
    auto write = dyn_cast<graph::WriteStateOp>(op);
    if (write && llvm::any_of(op->getOperands(), [&](Value operand) {
          return active.contains(operand);
        }))
      written.insert(write.getState());
    if (auto read = dyn_cast<graph::ReadStateOp>(op);
        read && written.contains(read.getState()))
      return op->emitOpError("can't be differentiated: the state was written "
                             "before by a value that depends on an argument "
                             "or parameter");
  }
  return success();
}

/// Erases ops whose results are not used, last first.
static void eraseUnused(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

namespace {
class GraphDifferentiatePass
    : public tenon::differentiate::impl::GraphDifferentiateBase<
          GraphDifferentiatePass> {
public:
  using GraphDifferentiateBase::GraphDifferentiateBase;

  void runOnOperation() override {
    auto source = getOperation().lookupSymbol<func::FuncOp>(function);
    if (!source || source.isExternal()) {
      getOperation().emitError() << "graph-differentiate: function: expected "
                                    "the name of a function with a body, but "
                                    "got '"
                                 << function << "'";
      return signalPassFailure();
    }
    if (failed(checkSource(source)))
      return signalPassFailure();
    LogicalResult result =
        split ? (succeeded(
                     addGradient(source, Part::Weights, "_backward_weights")) &&
                         succeeded(addGradient(source, Part::Inputs,
                                               "_backward_inputs"))
                     ? success()
                     : failure())
              : addGradient(source, Part::All, "_gradient");
    if (failed(result))
      signalPassFailure();
  }

private:
  LogicalResult checkSource(func::FuncOp source) {
    if (std::string wrong = checkRecompute(recompute); !wrong.empty())
      return source.emitError() << "graph-differentiate: " << wrong;
    if (failed(pickVariables(source, wrt)))
      return failure();
    unsigned number = source.getNumResults();
    if (of >= number)
      return source.emitError()
             << "graph-differentiate: of: expected the number of a result of '"
             << source.getName() << "', below " << number << ", but got "
             << unsigned(of);
    if (Type type = source.getResultTypes()[of]; !isFloatTensor(type))
      return source.emitError() << "graph-differentiate: of: expected a result "
                                   "of a floating-point type, but result #"
                                << unsigned(of) << " is of type " << type;
    auto writes = source.getOps<graph::WriteStateOp>();
    if (split && !writes.empty())
      return (*writes.begin())
          ->emitOpError("can't be in a function that is split: its "
                        "backward passes would run it again");
    if (!source.getBody().hasOneBlock())
      return source.emitError() << "graph-differentiate: expected a function "
                                   "of one block";
    return success();
  }

  LogicalResult addGradient(func::FuncOp source, Part part, StringRef suffix) {
    std::string name = (source.getName() + suffix).str();
    if (SymbolTable::lookupSymbolIn(getOperation(), name))
      return source.emitError()
             << "graph-differentiate: '" << name << "' exists already";
    func::FuncOp gradient = source.clone();
    gradient.setName(name);
    gradient.setPublic();
    OpBuilder(getOperation().getContext())
        .setInsertionPointAfter(source.getOperation());
    source->getBlock()->getOperations().insertAfter(source->getIterator(),
                                                    gradient);
    if (succeeded(build(gradient, part)))
      return success();
    gradient.erase();
    return failure();
  }

  LogicalResult build(func::FuncOp gradient, Part part) {
    // The names were checked in the source.
    FailureOr<std::vector<Variable>> variables = pickVariables(gradient, wrt);
    if (part != Part::All)
      llvm::erase_if(*variables, [&](const Variable &variable) {
        return variable.isArgument != (part == Part::Inputs);
      });
    Block &block = gradient.front();
    Operation *end = block.getTerminator();
    SmallVector<Operation *> ops;
    for (Operation &op : block.without_terminator())
      ops.push_back(&op);
    Value result = end->getOperand(of);
    OpBuilder builder(end);
    graph::Compose compose(builder, gradient.getLoc());
    Value seed;
    if (cast<RankedTensorType>(result.getType()).getRank() == 0)
      seed = compose.fullLike(1, result);
    else
      seed = block.addArgument(result.getType(), gradient.getLoc());

    SmallVector<Value> sources;
    for (const Variable &variable : *variables)
      llvm::append_range(sources, variable.values);
    if (failed(checkStates(ops, sources)))
      return failure();
    CotangentMap cotangents;
    cotangents[result] = seed;
    if (failed(pullBack(builder, ops, sources, cotangents)))
      return failure();

    SmallVector<Value> returned;
    if (part == Part::All)
      llvm::append_range(returned, end->getOperands());
    size_t kept = returned.size();
    SmallVector<std::string> names;
    for (const Variable &variable : *variables) {
      Value sum;
      for (Value value : variable.values)
        if (Value cotangent = cotangents.lookup(value))
          sum = sum ? compose.add(sum, cotangent) : cotangent;
      if (!sum && variable.wasNamed)
        return gradient.emitError()
               << "graph-differentiate: result #" << unsigned(of)
               << " does not depend on '" << variable.name
               << "' in a differentiable way";
      if (!sum)
        sum = compose.fullLike(0, variable.values.front());
      returned.push_back(sum);
      names.push_back(variable.name);
      LDBG() << gradient.getName() << ": gradient of " << variable.name;
    }
    numGradients += names.size();
    finish(gradient, returned, kept, names);
    unsigned added = 0;
    LogicalResult recomputed =
        differentiate::recompute(gradient, ops, recompute, added);
    numRecomputed += added;
    return recomputed;
  }

  /// Returns `returned`: the first `kept` are results of the source.
  void finish(func::FuncOp gradient, ArrayRef<Value> returned, size_t kept,
              ArrayRef<std::string> names) {
    Block &block = gradient.front();
    MLIRContext *context = &getContext();
    SmallVector<Attribute> attributes;
    ArrayAttr own = gradient.getAllResultAttrs();
    llvm::StringSet<> taken;
    for (size_t number = 0; own && number < kept; ++number)
      if (auto name =
              cast<DictionaryAttr>(own[number]).getAs<StringAttr>("graph.name"))
        taken.insert(name.getValue());
    auto makeUnique = [&](std::string name) {
      std::string unique = name;
      for (unsigned number = 2; !taken.insert(unique).second; ++number)
        unique = name + "_" + std::to_string(number);
      return unique;
    };
    for (size_t number = 0; number < returned.size(); ++number) {
      if (number < kept) {
        attributes.push_back(own ? own[number] : DictionaryAttr::get(context));
        continue;
      }
      StringRef name = names[number - kept];
      SmallVector<NamedAttribute, 1> named;
      if (name.consume_front("#"))
        ; // an argument without a name
      else
        named.emplace_back(
            StringAttr::get(context, "graph.name"),
            StringAttr::get(context, makeUnique((name + "_gradient").str())));
      attributes.push_back(DictionaryAttr::get(context, named));
    }
    // A cotangent is a further argument.
    if (ArrayAttr arguments = gradient.getAllArgAttrs()) {
      SmallVector<Attribute> extended = llvm::to_vector(arguments.getValue());
      extended.resize(block.getNumArguments(), DictionaryAttr::get(context));
      gradient.setArgAttrsAttr(ArrayAttr::get(context, extended));
    }
    gradient.removeResAttrsAttr();
    gradient.setFunctionType(FunctionType::get(
        context, block.getArgumentTypes(), TypeRange(ValueRange(returned))));
    gradient.setAllResultAttrs(ArrayAttr::get(context, attributes));
    block.getTerminator()->setOperands(returned);
    eraseUnused(block);
  }
};
} // namespace
