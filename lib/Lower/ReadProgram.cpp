//===- ReadProgram.cpp - from the program dialect to tables ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramLowering.h"
#include "tenon/Dialect/Program/IR/Program.h"
#include "tenon/Lower/ProgramModule.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::lower;
using graph::DimsAttr;
using graph::SymInt;

namespace {
class Reader {
public:
  explicit Reader(LoweredProgram &program) : program(program) {}
  void run(program::EntryOp entry);

private:
  void addBuffer(Operation *op);
  void addStep(Operation *op);
  void readCall(program::CallOp call, Step &step);
  void readPlugin(program::PluginOp call, Step &step);
  void addCheck(program::CheckOp op);

  LoweredProgram &program;
  llvm::DenseMap<Value, unsigned> numbers;
};
} // namespace

static SymInt getSize(DimsAttr size) { return size.getEntry(0); }

template <typename List>
static void copy(std::optional<ArrayRef<int64_t>> from, List &to) {
  if (from)
    to.assign(from->begin(), from->end());
}

void Reader::addBuffer(Operation *op) {
  Buffer buffer;
  auto declare = [&](BufferKind kind, auto value, auto &list) {
    buffer.kind = kind;
    buffer.index = list.size();
    auto type = cast<RankedTensorType>(value.getType());
    buffer.bytes = countBytes(type);
    list.push_back({value.getName().str(), type});
  };
  auto own = [&](BufferKind kind, auto value) {
    buffer.kind = kind;
    buffer.bytes = getSize(value.getBytes());
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](program::InputOp input) {
        declare(BufferKind::Input, input, program.inputs);
        std::optional<uint32_t> donated = input.getDonates();
        program.donations.push_back(donated ? *donated : -1);
      })
      .Case([&](program::OutputOp output) {
        declare(BufferKind::Output, output, program.outputs);
      })
      .Case([&](program::ParameterOp param) {
        declare(BufferKind::Param, param, program.params);
      })
      .Case([&](program::ConstantOp constant) {
        buffer.kind = BufferKind::Constant;
        buffer.data = constant.getValue();
        buffer.bytes =
            countBytes(cast<RankedTensorType>(constant.getValue().getType()));
      })
      .Case(
          [&](program::PreparedOp value) { own(BufferKind::Prepared, value); })
      .Case([&](program::ArenaOp value) { own(BufferKind::Arena, value); })
      .Case([&](program::FindingsOp value) {
        buffer.kind = BufferKind::Check;
        buffer.bytes = getSize(value.getBytes());
      });
  numbers[op->getResult(0)] = program.buffers.size();
  program.buffers.push_back(std::move(buffer));
}

void Reader::readCall(program::CallOp call, Step &step) {
  step.kind = StepKind::Library;
  backend::Site &site = step.site;
  site.library = call.getLibrary();
  site.kind = call.getPrimitive();
  for (auto [number, attribute] : llvm::enumerate(call.getTypes())) {
    auto type = cast<RankedTensorType>(cast<TypeAttr>(attribute).getValue());
    backend::SiteOperand &operand = site.operands.emplace_back();
    operand.elementType = type.getElementType();
    operand.shape = graph::getShape(type);
    if (std::optional<ArrayAttr> orders = call.getOrders()) {
      auto order = cast<DenseI32ArrayAttr>((*orders)[number]).asArrayRef();
      operand.order.assign(order.begin(), order.end());
    }
  }
  site.hasBias = call.getHasBias();
  if (std::optional<ArrayAttr> posts = call.getPosts())
    for (program::PostAttr post : posts->getAsRange<program::PostAttr>())
      site.posts.push_back({post.getKind(), post.getAlpha().convertToFloat(),
                            post.getBeta().convertToFloat()});
  copy(call.getStrides(), site.strides);
  copy(call.getDilations(), site.dilations);
  copy(call.getPadsBegin(), site.padsBegin);
  copy(call.getPadsEnd(), site.padsEnd);
  copy(call.getWindow(), site.window);
  site.groups = call.getGroups();
  site.constantWeight = call.getConstantWeight();
  site.tf32 = call.getTf32();
  auto getNumber = [](std::optional<llvm::APFloat> number) {
    return number ? number->convertToFloat() : 0.0f;
  };
  site.alpha = getNumber(call.getAlpha());
  site.beta = getNumber(call.getBeta());
  site.k = getNumber(call.getK());
  site.epsilon = getNumber(call.getEpsilon());
  if (std::optional<SymbolRefAttr> reference = call.getReference())
    step.reference = reference->getLeafReference().str();
}

void Reader::readPlugin(program::PluginOp op, Step &step) {
  step.kind = StepKind::Plugin;
  backend::PluginCall &call = step.plugin;
  call.backend = op.getBackend().str();
  call.file = op.getFile().str();
  call.version = op.getVersion().str();
  call.patternsHash = op.getPatternsHash();
  call.pattern = op.getPattern().str();
  call.numResults = op.getNumResults();
  call.items = getSize(op.getItems());
  for (auto [number, attribute] : llvm::enumerate(op.getTypes())) {
    auto type = cast<RankedTensorType>(cast<TypeAttr>(attribute).getValue());
    call.operands.push_back({type.getElementType(), graph::getShape(type),
                             op.getLifted()[number], op.getConstant()[number]});
  }
  if (std::optional<ArrayAttr> symbols = op.getSymbols())
    for (auto [number, symbol] :
         llvm::enumerate(symbols->getAsValueRange<StringAttr>()))
      call.symbols.push_back({symbol.str(), op.getValues()->getEntry(number)});
}

void Reader::addStep(Operation *op) {
  Step &step = program.steps.emplace_back();
  for (Value buffer : op->getOperands())
    step.buffers.push_back(numbers.lookup(buffer));
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](program::LaunchOp launch) {
        step.name = launch.getName().str();
        step.kernel = launch.getKernel().getLeafReference().str();
        step.extent = getSize(launch.getExtent());
        step.grain = launch.getGrain();
        step.blockThreads = launch.getBlock().value_or(0);
        step.sharedBytes = launch.getShared().value_or(0);
      })
      .Case([&](program::CallOp call) {
        step.name = call.getName().str();
        readCall(call, step);
      })
      .Case([&](program::PluginOp call) {
        step.name = call.getName().str();
        readPlugin(call, step);
      })
      .Case([&](program::CopyOp copy) {
        step.name = copy.getName().str();
        step.kind = StepKind::Copy;
      });
}

/// The step before has written what it reads.
void Reader::addCheck(program::CheckOp op) {
  CheckedIndices check;
  check.reader = op.getReader().str();
  check.input = op.getInput().value_or("").str();
  check.shape = op.getShape().getEntries();
  for (program::RangeAttr range :
       op.getRanges().getAsRange<program::RangeAttr>())
    check.ranges.push_back({range.getAxis(), range.getBounds().getEntry(0),
                            range.getBounds().getEntry(1)});
  if (std::optional<uint64_t> ignored = op.getIgnored())
    check.ignored = static_cast<int64_t>(*ignored);
  check.parts = op.getParts();
  check.buffer = numbers.lookup(op.getFindings());
  check.step = program.steps.size() - 1;
  program.buffers[check.buffer].index = program.checks.size();
  program.checks.push_back(std::move(check));
}

void Reader::run(program::EntryOp entry) {
  for (StringRef symbol : entry.getSymbols().getAsValueRange<StringAttr>())
    program.symbols.push_back(symbol.str());
  if (std::optional<DimsAttr> scratch = entry.getScratch())
    program.scratchBytes = getSize(*scratch);
  auto addSteps = [&](Region &region) {
    for (Operation &op : region.front()) {
      if (auto check = dyn_cast<program::CheckOp>(op))
        addCheck(check);
      else
        addStep(&op);
    }
  };
  for (Operation &op : entry.getBody().front()) {
    if (auto require = dyn_cast<program::RequireOp>(op)) {
      program.conditions.push_back(
          {getSize(require.getValue()), require.getText().str()});
    } else if (auto prepare = dyn_cast<program::PrepareOp>(op)) {
      addSteps(prepare.getBody());
      program.numPrepareSteps = program.steps.size();
    } else if (auto run = dyn_cast<program::RunOp>(op)) {
      addSteps(run.getBody());
    } else {
      addBuffer(&op);
    }
  }
  setLifetimes(program);
}

FailureOr<LoweredProgram> tenon::lower::readProgram(ModuleOp module) {
  auto targets = module.getOps<program::TargetOp>();
  if (!llvm::hasSingleElement(targets))
    return module.emitError("expected one 'program.target'");
  program::TargetOp target = *targets.begin();
  auto entries = target.getBody().getOps<program::EntryOp>();
  if (!llvm::hasSingleElement(entries))
    return target.emitOpError("expected one 'program.entry'");
  auto take = [&](StringRef name) {
    OwningOpRef<ModuleOp> part = target.lookupSymbol<ModuleOp>(name);
    if (part)
      part->getOperation()->remove();
    return part;
  };
  LoweredProgram program;
  program.name = target.getSymName().str();
  program.isForGpu = target.getDevice() == program::Device::Cuda;
  Reader(program).run(*entries.begin());
  program.kernels = take("kernels");
  program.references = take("references");
  if (!program.kernels)
    program.kernels = ModuleOp::create(module.getLoc());
  return std::move(program);
}
