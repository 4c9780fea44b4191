//===- Interpreter.cpp - op-by-op evaluation of graphs --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Interpret/Interpreter.h"
#include "ConstantElements.h"
#include "FormEvaluators.h"
#include "IndexChecks.h"
#include "NearTies.h"
#include "OpSpecialization.h"
#include "tenon/Dialect/Graph/IR/SizeConditions.h"
#include "tenon/Dialect/Graph/IR/StateOps.h"
#include "tenon/Interpret/States.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace tenon::graph;
using namespace tenon::interpret;

using Results = SmallVector<Tensor>;

namespace {
class Evaluator {
public:
  Evaluator(const Options &options, Statistics *statistics,
            States *states = nullptr)
      : options(options), statistics(statistics), states(states) {}

  /// Evaluates the ops of `block` and returns the tensors of `wanted`.
  FailureOr<Results> runBlock(Block &block, ArrayRef<Tensor> arguments,
                              const Symbols &symbols, ValueRange wanted) {
    Environment environment;
    for (auto [argument, tensor] : llvm::zip(block.getArguments(), arguments))
      environment.values[argument] = tensor;
    for (Operation &op : block)
      for (Value operand : op.getOperands())
        ++environment.uses[operand];
    for (Value value : wanted)
      ++environment.uses[value];

    if (options.checkIndices)
      dead = findDeadOps(block, wanted);
    bool isTop = depth == 1;
    size_t count = std::distance(block.begin(), block.end()), number = 0;
    for (Operation &op : block) {
      ++number;
      // Ops without operands are evaluated at their first use, so that weights
      // take up memory only while they are needed. Reads of states are not
      // delayed, because states change.
      if (op.hasTrait<OpTrait::IsTerminator>() ||
          (op.getNumOperands() == 0 && !isa<ReadStateOp>(op)))
        continue;
      if (failed(runInBlock(&op, environment, symbols)))
        return failure();
      if (isTop && options.progress)
        options.progress(&op, number, count);
    }
    Results results;
    for (Value value : wanted) {
      FailureOr<Tensor> tensor = lookup(value, environment, symbols);
      if (failed(tensor))
        return failure();
      results.push_back(*tensor);
    }
    return results;
  }

  /// Evaluates a whole block with a terminator.
  FailureOr<Results> runRegion(Block &block, ArrayRef<Tensor> arguments,
                               Symbols &symbols, Location loc,
                               ArrayRef<std::string> names) {
    if (block.getNumArguments() != arguments.size())
      return emitError(loc) << "expected " << block.getNumArguments()
                            << " inputs, but got " << arguments.size();
    std::string error;
    if (failed(bindSymbols(block.getArgumentTypes(), arguments, names, symbols,
                           error)))
      return emitError(loc) << error;
    if (++depth > 100)
      return emitError(loc) << "expected calls nested at most 100 deep";
    FailureOr<Results> results = runBlock(block, arguments, symbols,
                                          block.getTerminator()->getOperands());
    --depth;
    return results;
  }

  FailureOr<Results> runOp(Operation *op, ArrayRef<Tensor> operands,
                           const Symbols &symbols) {
    ElementsAttr constant;
    if (matchPattern(op, m_Constant(&constant)))
      return single(evaluateConstant(op, constant, options.domain));
    if (auto parameter = dyn_cast<ParameterOp>(op))
      return single(runParameter(parameter));
    if (isa<ReadStateOp, WriteStateOp>(op))
      return runStateAccess(op, operands);
    if (auto call = dyn_cast<CallOpInterface>(op))
      return runCall(call, operands, symbols);
    if (op->getNumRegions() != 0)
      return runOpWithRegion(op, operands, symbols);

    FailureOr<SpecializedOp> special = specialize(op, operands, symbols);
    if (failed(special))
      return failure();
    if (options.checkIndices && !dead.contains(op) &&
        failed(checkIndices(special->op, operands)))
      return failure();
    if (options.trackErrors && choosesExtreme(op) && operands[0].errors())
      return runChoice(special->op, operands);
    if (auto primitive = dyn_cast<IndexFormInterface>(special->op))
      return runForms(op, primitive, operands);
    if (auto composite = dyn_cast<DecomposableInterface>(special->op))
      return runDecomposition(*special, composite, operands);
    if (auto opaque = dyn_cast<ReferenceInterface>(special->op))
      return runReference(op, opaque, operands);
    if (isa<CollectiveInterface>(special->op))
      return op->emitOpError("needs the ranks of a mesh, which this function "
                             "does not have");
    return op->emitError() << "expected an op with an index form, a "
                              "decomposition or a reference function";
  }

private:
  struct Environment {
    llvm::DenseMap<Value, Tensor> values;
    llvm::DenseMap<Value, unsigned> uses;
  };

  static FailureOr<Results> single(FailureOr<Tensor> tensor) {
    if (failed(tensor))
      return failure();
    return Results{*tensor};
  }

  FailureOr<Tensor> lookup(Value value, Environment &environment,
                           const Symbols &symbols) {
    auto it = environment.values.find(value);
    if (it == environment.values.end()) {
      Operation *op = value.getDefiningOp();
      if (!op || op->getNumOperands() != 0)
        return emitError(value.getLoc())
               << "expected a value of the same block";
      FailureOr<Results> results = runOp(op, {}, symbols);
      if (failed(results))
        return failure();
      for (auto [result, tensor] : llvm::zip(op->getResults(), *results))
        environment.values[result] = tensor;
      it = environment.values.find(value);
    }
    Tensor tensor = it->second;
    if (--environment.uses[value] == 0)
      environment.values.erase(it);
    return tensor;
  }

  LogicalResult runInBlock(Operation *op, Environment &environment,
                           const Symbols &symbols) {
    Results operands;
    for (Value operand : op->getOperands()) {
      FailureOr<Tensor> tensor = lookup(operand, environment, symbols);
      if (failed(tensor))
        return failure();
      operands.push_back(*tensor);
    }
    FailureOr<Results> results = runOp(op, operands, symbols);
    if (failed(results))
      return failure();
    for (auto [result, tensor] : llvm::zip(op->getResults(), *results))
      if (environment.uses.lookup(result) != 0)
        environment.values[result] = tensor;
    return success();
  }

  FailureOr<Tensor> runParameter(ParameterOp op) {
    auto type = cast<RankedTensorType>(op.getResult().getType());
    if (!type.hasStaticShape())
      return op.emitError() << "expected a static shape, but got " << type;
    if (!options.parameters)
      return op.emitError() << "expected weights for '" << op.getName()
                            << "', but no weights were given";
    return options.parameters(op, op.getName(), type, options.domain);
  }

  FailureOr<Results> runStateAccess(Operation *op, ArrayRef<Tensor> operands) {
    auto read = dyn_cast<ReadStateOp>(op);
    StringRef name = read ? read.getState() : cast<WriteStateOp>(op).getState();
    auto state = states ? states->find(name) : States::iterator();
    if (!states || state == states->end())
      return op->emitError() << "expected a value of state '" << name
                             << "', but the evaluation has no such state";
    if (read)
      return Results{state->second};
    state->second = operands[0];
    return Results();
  }

  FailureOr<Results> runCall(CallOpInterface call, ArrayRef<Tensor> operands,
                             const Symbols &symbols) {
    auto callee = dyn_cast_or_null<FunctionOpInterface>(call.resolveCallable());
    if (!callee || callee.isExternal())
      return call.emitError("expected a function with a body");
    std::vector<std::string> names;
    for (size_t number = 0; number < operands.size(); ++number)
      names.push_back("argument " + std::to_string(number));
    // The callee has its own symbols.
    Symbols own;
    return runRegion(callee.getFunctionBody().front(), operands, own,
                     call.getLoc(), names);
  }

  /// Evaluates an op by the graph in its region.
  FailureOr<Results> runOpWithRegion(Operation *op, ArrayRef<Tensor> operands,
                                     const Symbols &symbols) {
    Region &region = op->getRegion(0);
    if (op->getNumRegions() != 1 || !region.hasOneBlock() ||
        region.getNumArguments() != operands.size() ||
        region.front().getTerminator()->getNumOperands() != op->getNumResults())
      return op->emitError() << "expected one block with an argument per "
                                "operand and a yielded value per result";
    std::vector<std::string> names;
    for (size_t number = 0; number < operands.size(); ++number)
      names.push_back("operand " + std::to_string(number));
    Symbols own = symbols;
    return runRegion(region.front(), operands, own, op->getLoc(), names);
  }

  FailureOr<Results> runForms(Operation *op, IndexFormInterface primitive,
                              ArrayRef<Tensor> operands) {
    Results results;
    for (const IndexForm &form : primitive.getIndexForms()) {
      if (statistics)
        statistics->usedOpaqueFunctions |= !isFieldForm(form.body);
      std::string error;
      FailureOr<Tensor> result =
          evaluateForm(form, operands, {}, options, error);
      if (failed(result))
        return op->emitError(error);
      results.push_back(*result);
    }
    return results;
  }

  FailureOr<Results> runDecomposition(SpecializedOp &special,
                                      DecomposableInterface composite,
                                      ArrayRef<Tensor> operands) {
    OpBuilder builder(special.op);
    SmallVector<Value> values = composite.decompose(builder);
    if (values.size() != special.op->getNumResults())
      return special.op->emitError("can't be decomposed");
    special.op->erase();
    ++depth;
    FailureOr<Results> results = runBlock(*special.block, operands, {}, values);
    --depth;
    return results;
  }

  /// The choice is made on exact numbers.
  FailureOr<Results> runChoice(Operation *op, ArrayRef<Tensor> operands) {
    FailureOr<Results> results = runOp(op, {operands[0].withoutErrors()}, {});
    if (succeeded(results))
      excludeNearTies(op, operands[0], *results);
    return results;
  }

  FailureOr<Results> runReference(Operation *op, ReferenceInterface opaque,
                                  ArrayRef<Tensor> operands) {
    if (statistics)
      statistics->usedOpaqueFunctions = true;
    if (options.domain.kind == Domain::Kind::Field)
      return op->emitError() << "has only a reference function, which is not "
                                "defined in the field domain";
    SmallVector<ReferenceTensor> inputs, outputs;
    for (const Tensor &tensor : operands) {
      ReferenceTensor &input = inputs.emplace_back();
      input.elementType = tensor.getElementType();
      input.shape.assign(tensor.getShape().begin(), tensor.getShape().end());
      ArrayRef<Cell> cells(tensor.data(), tensor.getNumElements());
      for (Cell cell : cells) {
        if (isa<FloatType>(input.elementType))
          input.floats.push_back(cell.number);
        else
          input.integers.push_back(cell.integer);
      }
    }
    Results results;
    for (Value value : opaque->getResults()) {
      auto type = cast<RankedTensorType>(value.getType());
      FailureOr<Tensor> result =
          Tensor::allocate(type.getElementType(), type.getShape());
      if (failed(result)) {
        (void)outOfMemory(op, type);
        return failure();
      }
      results.push_back(*result);
      ReferenceTensor &output = outputs.emplace_back();
      output.elementType = type.getElementType();
      output.shape.assign(type.getShape().begin(), type.getShape().end());
      if (isa<FloatType>(output.elementType))
        output.floats.resize(result->getNumElements());
      else
        output.integers.resize(result->getNumElements());
    }
    if (failed(opaque.evaluateReference(inputs, outputs)))
      return op->emitError("can't be evaluated on these operands");
    Arithmetic arithmetic(options.domain);
    for (auto [result, output] : llvm::zip(results, outputs))
      for (int64_t number = 0; number < result.getNumElements(); ++number)
        result.data()[number] = arithmetic.constant(
            kindOf(output.elementType),
            output.floats.empty() ? 0 : output.floats[number],
            output.integers.empty() ? 0 : output.integers[number]);
    if (options.trackErrors)
      boundReference(operands, results);
    return results;
  }

  const Options &options;
  Statistics *statistics;
  /// Null if there are no states.
  States *states;
  /// Dead ops of the current block; computed only if indices are checked.
  llvm::DenseSet<Operation *> dead;
  unsigned depth = 0;
};
} // namespace

/// Sizes that an artifact refuses are refused here, too: what ops demand of the
/// model's symbols.
static LogicalResult checkSizes(func::FuncOp function, const Symbols &symbols) {
  if (symbols.empty())
    return success();
  for (const tenon::graph::SizeCondition &condition :
       tenon::graph::collectSizeConditions(function)) {
    std::optional<int64_t> value =
        condition.value.evaluate([&](StringRef name) -> std::optional<int64_t> {
          auto it = symbols.find(name.str());
          return it == symbols.end() ? std::nullopt
                                     : std::optional<int64_t>(it->second);
        });
    if (value && *value < 0)
      return function.emitError()
             << "the inputs' sizes do not fit the model: " << condition.text;
  }
  return success();
}

static FailureOr<Results> evaluateFunction(func::FuncOp function,
                                           ArrayRef<Tensor> inputs,
                                           const Options &options,
                                           Statistics *statistics,
                                           States *states) {
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return function.emitError("expected a body of one block");
  std::vector<std::string> names;
  for (unsigned number = 0; number < function.getNumArguments(); ++number) {
    auto name = function.getArgAttrOfType<StringAttr>(number, "graph.name");
    names.push_back(name ? "input '" + name.str() + "'"
                         : "input " + std::to_string(number));
  }
  Symbols symbols;
  FailureOr<Results> results =
      Evaluator(options, statistics, states)
          .runRegion(function.getBody().front(), inputs, symbols,
                     function.getLoc(), names);
  if (failed(results) || failed(checkSizes(function, symbols)))
    return failure();
  return results;
}

FailureOr<Results> tenon::interpret::evaluate(func::FuncOp function,
                                              ArrayRef<Tensor> inputs,
                                              const Options &options,
                                              Statistics *statistics) {
  return evaluateFunction(function, inputs, options, statistics,
                          /*states=*/nullptr);
}

FailureOr<Results> tenon::interpret::evaluateEntry(func::FuncOp function,
                                                   ArrayRef<Tensor> inputs,
                                                   States &states,
                                                   const Options &options,
                                                   Statistics *statistics) {
  Results all(inputs.begin(), inputs.end());
  unsigned own = countOwnArguments(function);
  if (inputs.size() != own)
    return function.emitError()
           << "expected " << own << " inputs, but got " << inputs.size();
  for (unsigned number = own; number < function.getNumArguments(); ++number) {
    auto state = states.find(getArgumentState(function, number).getValue());
    if (state == states.end())
      return function.emitError()
             << "expected a value of state "
             << getArgumentState(function, number) << ", but got none";
    all.push_back(state->second);
  }
  // A failed run must not change any state.
  States changed = states;
  FailureOr<Results> results =
      evaluateFunction(function, all, options, statistics, &changed);
  if (failed(results))
    return failure();
  Results given;
  for (auto [number, tensor] : llvm::enumerate(*results)) {
    if (FlatSymbolRefAttr state = getResultState(function, number))
      changed[state.getValue()] = tensor;
    else
      given.push_back(tensor);
  }
  states = std::move(changed);
  return given;
}

FailureOr<Results> tenon::interpret::evaluateBlock(Block &block,
                                                   ArrayRef<Tensor> arguments,
                                                   Symbols &symbols,
                                                   const Options &options,
                                                   Statistics *statistics) {
  std::vector<std::string> names;
  for (size_t number = 0; number < arguments.size(); ++number)
    names.push_back("argument " + std::to_string(number));
  return Evaluator(options, statistics)
      .runRegion(block, arguments, symbols, block.getTerminator()->getLoc(),
                 names);
}

FailureOr<Results> tenon::interpret::evaluateOp(Operation *op,
                                                ArrayRef<Tensor> operands,
                                                const Symbols &symbols,
                                                const Options &options,
                                                Statistics *statistics) {
  return Evaluator(options, statistics).runOp(op, operands, symbols);
}
