//===- LowerProgram.cpp - from a placed function to kernels and steps -----===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InPlace.h"
#include "Origins.h"
#include "ProgramLowering.h"
#include "tenon/Dialect/Graph/Analysis/Views.h"
#include "tenon/Dialect/Graph/IR/SizeConditions.h"
#include "tenon/Dialect/Graph/IR/StateOps.h"
#include "tenon/Dialect/Graph/Transforms/Entries.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

/// Checks that every size is determined by the sizes of the inputs.
LogicalResult ProgramLowering::checkSizes(Type type, Location loc) {
  for (auto [axis, size] : llvm::enumerate(getShape(type))) {
    if (size.isUnknown())
      return emitError(loc) << "axis " << axis << " of " << type
                            << " has no known size at run time";
    std::string unbound;
    size.visitSymbols([&](StringRef symbol) {
      if (!llvm::is_contained(target.getSymbols(), symbol))
        unbound = symbol.str();
    });
    if (!unbound.empty())
      return emitError(loc) << "dimension '" << unbound
                            << "' is not the size of an axis of any input";
  }
  return success();
}

LogicalResult ProgramLowering::checkSizes(Operation *op) {
  for (Type type : op->getResultTypes())
    if (failed(checkSizes(type, op->getLoc())))
      return failure();
  WalkResult inside = op->walk([&](Operation *inner) {
    for (Type type : inner->getResultTypes())
      if (failed(checkSizes(type, inner->getLoc())))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(inside.wasInterrupted());
}

/// Returns the name of an argument or a result that callers use.
static std::string getName(DictionaryAttr attributes, StringRef prefix,
                           unsigned number) {
  if (attributes)
    if (auto name = attributes.getAs<StringAttr>("graph.name"))
      return name.str();
  return (prefix + Twine(number)).str();
}

LogicalResult ProgramLowering::declareArguments() {
  for (BlockArgument argument : function.getArguments()) {
    unsigned number = argument.getArgNumber();
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type)
      return function.emitError()
             << "argument " << number << " is not a ranked tensor";
    for (auto [axis, size] : llvm::enumerate(getShape(type)))
      if (size.isUnknown())
        return function.emitError() << "axis " << axis << " of argument "
                                    << number << " is dynamic and has no name";
    // Other ops may not mention all symbols of the argument.
    if (failed(checkSizes(type, function.getLoc())))
      return failure();
    DictionaryAttr attributes = function.getArgAttrDict(number);
    if (FlatSymbolRefAttr state = getArgumentState(function, number)) {
      bufferOf[argument] = target.getState(state.getValue());
      if (!bufferOf[argument])
        return function.emitError() << "argument " << number << " is the state "
                                    << state << ", which does not exist";
      continue;
    }
    std::optional<int32_t> donated;
    if (auto donate =
            function.getArgAttrOfType<IntegerAttr>(number, "graph.donate"))
      donated = static_cast<int32_t>(donate.getInt());
    bufferOf[argument] = target.addInput(
        function.getLoc(), ::getName(attributes, "arg", number), type, donated);
  }
  return success();
}

/// Declares the outputs, then the states that are written.
LogicalResult ProgramLowering::declareResults() {
  unsigned numOutputs = 0;
  for (unsigned number = 0; number < countUncheckedResults(function);
       ++number) {
    auto type = dyn_cast<RankedTensorType>(function.getResultTypes()[number]);
    if (!type)
      return function.emitError()
             << "result " << number << " is not a ranked tensor";
    Destination &destination = destinations.emplace_back();
    destination.result = number;
    DictionaryAttr attributes = function.getResultAttrDict(number);
    FlatSymbolRefAttr state = getResultState(function, number);
    if (state) {
      destination.name = state.getValue().str();
      destination.buffer = target.getState(state.getValue());
      if (!destination.buffer)
        return function.emitError() << "result " << number << " is the state "
                                    << state << ", which does not exist";
    } else {
      destination.name = ::getName(attributes, "result", number);
      destination.buffer =
          target.addOutput(function.getLoc(), destination.name, type);
    }
    for (BlockArgument argument : function.getArguments()) {
      Value buffer = bufferOf[argument];
      auto input = buffer.getDefiningOp<program::InputOp>();
      if (buffer == destination.buffer ||
          (!state && input && input.getDonates() == numOutputs))
        destination.aliases.push_back(argument);
    }
    numOutputs += !state;
  }
  return success();
}

/// Whether nothing behind the kernel reads what the destination has before.
/// `inputs`: the operands by which the kernel itself reads it.
bool ProgramLowering::mayWrite(OpResult result, const Destination &destination,
                               SmallVectorImpl<unsigned> &inputs) {
  auto producer = cast<kernel::CallOp>(result.getOwner());
  if (!waitingChecks.empty() &&
      isa<program::StateOp>(destination.buffer.getDefiningOp()))
    return false;
  for (BlockArgument argument : destination.aliases) {
    if (isReadAfter(argument, producer))
      return false;
    llvm::append_range(inputs, findOperands(producer, argument));
  }
  return true;
}

/// Returns whether a call is a product of oneDNN that is added to the input:
/// then the product is added where the input is.
static bool addsInPlace(const backend::LibraryCall &built, unsigned input) {
  if (built.plugin || built.library != program::Library::OneDnn ||
      !isa<program::MatmulAttr>(built.primitive) ||
      built.operands.size() != 4 || built.postOps.size() != 1 ||
      built.postOps.front().getKind() != program::PostOpKind::Add ||
      llvm::count(built.inputs, input) != 1 || built.inputs[2] != input)
    return false;
  const backend::CallOperand &sum = built.operands[2],
                             &result = built.operands[3];
  return sum.elementType == result.elementType && sum.shape == result.shape &&
         sum.order == result.order;
}

/// Returns true if the producer of a result may write it directly to its
/// destination. A result that reuses an argument's memory is written directly
/// only if nothing reads the argument later, and if its producer reads each
/// element before it writes it, or adds to it. A state must not change before
/// all indices of the run have been checked.
bool ProgramLowering::writesStraight(
    OpResult result, const Destination &destination,
    const std::optional<backend::LibraryCall> &built,
    SmallVectorImpl<Overwrite> &overwrites) {
  auto producer = cast<kernel::CallOp>(result.getOwner());
  SmallVector<unsigned> inputs;
  if (!mayWrite(result, destination, inputs))
    return false;
  if (inputs.empty())
    return true;
  if (inputs.size() > 1)
    return false;
  if (built) {
    if (!addsInPlace(*built, inputs[0]))
      return false;
    overwrites.push_back({result.getResultNumber(), inputs[0]});
    return true;
  }
  FailureOr<kernel::LoopPlan> plan = planKernel(producer);
  if (failed(plan))
    return false;
  // On a GPU, other threads may be at a later kernel loop of the same row.
  if (options.isForGpu())
    plan->numRowDims = cast<RankedTensorType>(result.getType()).getRank();
  int number = static_cast<int>(result.getResultNumber());
  for (auto [loop, planned] : llvm::enumerate(plan->loops))
    if (planned.output == number && canOverwrite(*plan, loop, inputs[0])) {
      overwrites.push_back({result.getResultNumber(), inputs[0]});
      return true;
    }
  return false;
}

/// Returns the name and the location of the op in the model.
static std::string describe(kernel::CallOp call) {
  std::string name = call.getPattern().str();
  std::string where;
  call.getLoc()->walk([&](Location loc) {
    if (auto named = dyn_cast<NameLoc>(loc)) {
      where = named.getName().str();
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return where.empty() ? name : where + " (" + name + ")";
}

/// Returns true if the computed function contains a size that is known only
/// from a run's inputs.
static bool dependsOnSizes(kernel::CallOp call) {
  auto isSymbolic = [](Attribute attribute) {
    auto dims = dyn_cast_or_null<DimsAttr>(attribute);
    return dims && !dims.getExpressions().empty();
  };
  WalkResult result = call.walk([&](Operation *op) {
    for (NamedAttribute attribute : op->getAttrDictionary())
      if (isSymbolic(attribute.getValue()))
        return WalkResult::interrupt();
    for (Type type : op->getResultTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        if (isSymbolic(tensor.getEncoding()))
          return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return result.wasInterrupted();
}

/// Returns a text that identifies what a generated kernel computes at load. If
/// it is empty, the kernel is called again for every entry.
static std::string describePlan(kernel::CallOp call) {
  if (!kernel::isGeneratedCode(call.getBackend()))
    return {};
  FailureOr<kernel::LoopPlan> plan = planKernel(call);
  return succeeded(plan) ? plan->describe() : std::string();
}

LogicalResult ProgramLowering::visitCall(kernel::CallOp call) {
  addChecksBefore(call);
  bool prepares =
      !dependsOnSizes(call) && llvm::all_of(call.getInputs(), [&](Value input) {
        return prepared.contains(input);
      });
  Step step{describe(call), call.getLoc(), {}, prepares};
  for (Value input : call.getInputs())
    step.buffers.push_back(bufferOf[input]);
  SmallVector<Value> *known = nullptr;
  if (prepares) {
    prepared.insert_range(call.getOutputs());
    if (std::string plan = describePlan(call); !plan.empty())
      known = &target.getPreparedResults(plan, step.buffers);
    if (known && !known->empty()) {
      for (auto [result, buffer] : llvm::zip_equal(call.getOutputs(), *known))
        bufferOf[result] = buffer;
      return success();
    }
  }
  std::optional<backend::LibraryCall> built;
  if (!kernel::isGeneratedCode(call.getBackend())) {
    FailureOr<backend::LibraryCall> described = describeLibraryCall(call);
    if (failed(described))
      return failure();
    built = std::move(*described);
  }
  SmallVector<Overwrite> overwrites;
  SmallVector<std::pair<Value, unsigned>> copied;
  for (OpResult result : call.getOutputs()) {
    auto type = cast<RankedTensorType>(result.getType());
    std::string origin = describeOrigin(call, result.getResultNumber());
    auto destination = destinationOf.find(result);
    Value buffer;
    if (prepares) {
      buffer = target.addPrepared(step.loc, type);
    } else if (destination != destinationOf.end() &&
               writesStraight(result, destinations[destination->second], built,
                              overwrites)) {
      buffer = destinations[destination->second].buffer;
      destinationOf.erase(destination);
      if (auto output = buffer.getDefiningOp<program::OutputOp>();
          output && !origin.empty())
        output.setOrigin(origin);
    } else {
      buffer = target.addArena(step.loc, type, false, origin);
      // Behind the call, so that the result does not live to the end.
      SmallVector<unsigned> inputs;
      if (destination != destinationOf.end() &&
          mayWrite(result, destinations[destination->second], inputs))
        copied.push_back({result, destination->second});
    }
    bufferOf[result] = buffer;
    step.buffers.push_back(buffer);
    if (known)
      known->push_back(buffer);
  }
  // If the caller passed the same memory for both, there is nothing to copy.
  for (const Overwrite &overwrite : overwrites) {
    Value to = step.buffers[call.getInputs().size() + overwrite.result];
    Value &from = step.buffers[overwrite.input];
    if (from != to)
      target.addCopy(step.loc, "copy for " + step.name, from, to);
    from = to;
  }
  if (failed(built ? buildLibraryCall(call, std::move(*built), step)
                   : buildGeneratedKernel(call, step, overwrites)))
    return failure();
  for (auto [result, number] : copied) {
    copyTo(destinations[number], bufferOf[result]);
    bufferOf[result] = destinations[number].buffer;
    destinationOf.erase(result);
  }
  return success();
}

void ProgramLowering::copyTo(const Destination &destination, Value source) {
  target.addCopy(function.getLoc(), "copy to " + destination.name, source,
                 destination.buffer);
  auto arena = source.getDefiningOp<program::ArenaOp>();
  auto output = destination.buffer.getDefiningOp<program::OutputOp>();
  if (arena && output && arena.getOriginAttr())
    output.setOriginAttr(arena.getOriginAttr());
}

LogicalResult ProgramLowering::visit(Operation *op) {
  if (failed(checkSizes(op)))
    return failure();
  if (auto call = dyn_cast<kernel::CallOp>(op))
    return visitCall(call);
  if (auto parameter = dyn_cast<ParameterOp>(op)) {
    FailureOr<Value> buffer =
        target.getParameter(op, parameter.getNameAttr().getValue(),
                            cast<RankedTensorType>(parameter.getType()));
    if (failed(buffer))
      return failure();
    bufferOf[parameter.getResult()] = *buffer;
    prepared.insert(parameter.getResult());
    return success();
  }
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    bufferOf[constant.getResult()] =
        target.getConstant(constant.getLoc(), constant.getValue());
    prepared.insert(constant.getResult());
    return success();
  }
  if (OpOperand *viewed = getViewedOperand(op)) {
    Value result = op->getResult(0);
    Value buffer = bufferOf.lookup(viewed->get());
    bufferOf[result] = buffer;
    if (prepared.contains(viewed->get()))
      prepared.insert(result);
    return success();
  }
  return op->emitOpError() << "is not placed on any backend";
}

/// Copies the results that could not be computed in their destination.
void ProgramLowering::finishResults() {
  Operation *terminator = function.getBody().front().getTerminator();
  Location loc = function.getLoc();
  SmallVector<Value> sources;
  // Arguments whose memory is overwritten by another value here.
  llvm::DenseMap<Value, Value> writerOf;
  for (const Destination &destination : destinations) {
    Value source = bufferOf[terminator->getOperand(destination.result)];
    sources.push_back(source);
    if (source != destination.buffer)
      for (BlockArgument alias : destination.aliases)
        writerOf[bufferOf[alias]] = destination.buffer;
  }
  // Copy them elsewhere before anything is written.
  for (auto [destination, source] : llvm::zip_equal(destinations, sources)) {
    Value writer = writerOf.lookup(source);
    if (!writer || writer == destination.buffer || source == destination.buffer)
      continue;
    Value kept = target.addArena(loc, program::getTensorType(source), false);
    std::string name =
        llvm::TypeSwitch<Operation *, std::string>(source.getDefiningOp())
            .Case<program::InputOp, program::StateOp>(
                [](auto op) { return op.getName().str(); });
    target.addCopy(loc, "keep " + name, source, kept);
    source = kept;
  }
  for (auto [destination, source] : llvm::zip_equal(destinations, sources)) {
    if (source == destination.buffer)
      continue;
    copyTo(destination, source);
  }
}

/// Returns the symbols in the sizes of the inputs, in the order of the inputs.
static SmallVector<std::string> collectSymbols(func::FuncOp function) {
  SmallVector<std::string> symbols;
  llvm::StringSet<> bound;
  for (Type type : function.getArgumentTypes())
    for (const SymInt &size : getShape(type))
      if (std::optional<StringRef> symbol = size.getSymbol())
        if (bound.insert(*symbol).second)
          symbols.push_back(symbol->str());
  return symbols;
}

/// Moves the kernels that write states behind the last one that reads the old
/// value, if they can wait: then they write in place.
void ProgramLowering::delayStateWrites() {
  Operation *terminator = function.getBody().front().getTerminator();
  for (const Destination &destination : destinations) {
    Value value = getStorage(terminator->getOperand(destination.result));
    auto producer = value.getDefiningOp<kernel::CallOp>();
    if (!producer || !isa<program::StateOp>(destination.buffer.getDefiningOp()))
      continue;
    Operation *last = producer;
    for (BlockArgument argument : destination.aliases)
      last = findLastReader(argument, last);
    if (last != producer && last != terminator &&
        llvm::none_of(producer->getUsers(), [&](Operation *user) {
          return user == last || user->isBeforeInBlock(last);
        }))
      producer->moveAfter(last);
  }
}

LogicalResult ProgramLowering::run() {
  if (!function.getBody().hasOneBlock())
    return function.emitError() << "expected a function of one block";
  target.beginEntry(function.getLoc(), function.getName(),
                    collectSymbols(function));
  if (failed(declareArguments()) || failed(declareResults()))
    return failure();
  Operation *terminator = function.getBody().front().getTerminator();
  // Try states before outputs, because copying to the caller's memory is
  // cheaper.
  for (bool forStates : {true, false})
    for (auto [number, destination] : llvm::enumerate(destinations)) {
      if (isa<program::StateOp>(destination.buffer.getDefiningOp()) !=
          forStates)
        continue;
      // If a result is a view of a kernel's result, the kernel writes it.
      Value source = getStorage(terminator->getOperand(destination.result));
      destinationOf.try_emplace(source, number);
    }
  delayStateWrites();
  collectChecks();
  for (Operation &op : function.getBody().front().without_terminator())
    if (failed(visit(&op)))
      return failure();
  addOtherChecks();
  finishResults();
  for (const SizeCondition &condition : collectSizeConditions(function))
    target.addRequirement(function.getLoc(), condition.text, condition.value);
  target.finishEntry();
  return success();
}

FailureOr<OwningOpRef<ModuleOp>>
tenon::lower::lowerProgram(ModuleOp module, const LowerOptions &options) {
  SmallVector<func::FuncOp> entries = getEntries(module);
  if (entries.empty())
    return module.emitError() << "expected a public function, such as @main";
  TargetLowering target(module.getLoc(), options);
  for (auto state : module.getOps<StateOp>()) {
    Value source;
    if (std::optional<StringRef> parameter = state.getParameter()) {
      FailureOr<Value> buffer =
          target.getParameter(state, *parameter, state.getTensorType());
      if (failed(buffer))
        return failure();
      source = *buffer;
    }
    target.addState(state.getLoc(), state.getSymName(), state.getTensorType(),
                    state.getValueAttr(), state.getTransient(), source);
  }
  for (auto ranks : module.getOps<program::RanksOp>())
    target.addRanks(ranks);
  for (func::FuncOp entry : entries)
    if (failed(ProgramLowering(entry, target).run()))
      return failure();
  return target.finish();
}
