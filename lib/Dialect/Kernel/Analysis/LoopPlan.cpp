//===- LoopPlan.cpp - fusion groups as kernel loops over shared rows ------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Kernel/Analysis/LoopPlan.h"
#include "tenon/Dialect/Graph/Analysis/LinearIndex.h"
#include "tenon/Dialect/Graph/Analysis/SizeEstimate.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::kernel;

ArrayRef<SymInt> LoopPlan::rowShape() const {
  return ArrayRef<SymInt>(loops.front().shape).take_front(numRowDims);
}

SymInt LoopPlan::innerSize(unsigned loop) const {
  SymInt size = 1;
  for (const SymInt &dim :
       ArrayRef<SymInt>(loops[loop].shape).drop_front(numRowDims))
    size = size * dim;
  return size;
}

/// Prints every distinct node once, so that shared nodes do not multiply.
static void describeNodes(const Expr &root, raw_ostream &os) {
  llvm::DenseMap<const ExprNode *, unsigned> numbers;
  walk(root, [&](Expr node) {
    unsigned number = numbers.size();
    numbers[node.getPointer()] = number;
    os << static_cast<unsigned>(node.getKind()) << ' ';
    if (node->type)
      os << node->type << ' ';
    os << node->size << ' ' << node->var << ' ' << node->operand << ' '
       << llvm::bit_cast<uint64_t>(node->number) << ' ' << node->integer << ' '
       << static_cast<unsigned>(node->fn) << ' '
       << static_cast<unsigned>(node->reduce);
    for (unsigned var : node->vars)
      os << " v" << var;
    for (const Expr &operand : node->operands)
      os << " %" << numbers[operand.getPointer()];
    os << "\n";
  });
}

std::string LoopPlan::describe() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto print = [&](ArrayRef<SymInt> shape) {
    os << '[';
    llvm::interleaveComma(shape, os);
    os << "]\n";
  };
  for (const Shape &shape : inputShapes)
    print(shape);
  os << "rows " << numRowDims << "\n";
  for (const KernelLoop &loop : loops) {
    os << loop.output << ' ' << loop.inPlaceOf << ' ' << loop.elementType
       << ' ';
    print(loop.shape);
    describeNodes(loop.body, os);
  }
  return text;
}

static bool hasReduce(const Expr &expr) {
  bool found = false;
  walk(expr, [&](Expr node) { found |= node.getKind() == ExprKind::Reduce; });
  return found;
}

bool tenon::kernel::isCheap(const IndexForm &form) {
  unsigned applied = 0, loads = 0;
  bool cheap = true;
  walk(form.body, [&](Expr node) {
    switch (node.getKind()) {
    case ExprKind::Reduce:
      cheap = false;
      break;
    case ExprKind::Load:
      ++loads;
      break;
    case ExprKind::Apply:
      ++applied;
      cheap &= getFacts(node->fn).cost == ScalarCost::Cheap;
      break;
    default:
      break;
    }
  });
  return cheap && applied <= 2 && loads <= 2;
}

ArrayRef<IndexForm> IndexFormCache::get(IndexFormInterface op) {
  auto [it, inserted] = forms.try_emplace(op);
  if (inserted)
    llvm::append_range(it->second, op.getIndexForms());
  return it->second;
}

namespace {
class Planner {
public:
  Planner(ArrayRef<Value> inputs, ArrayRef<Value> outputs,
          IndexFormCache &forms)
      : inputs(inputs), outputs(outputs), forms(forms) {}

  FailureOr<LoopPlan> run(ArrayRef<Operation *> ops);

private:
  /// The source of a value: a numbered load, or a form to compose.
  struct Source {
    int load = -1;
    IndexForm form;
  };

  LogicalResult visit(Operation *op);
  Expr compose(const Expr &body, Operation *op);
  Expr composeLoads(const Expr &root, Operation *op,
                    llvm::DenseMap<const ExprNode *, Expr> &done);
  Expr instantiate(const IndexForm &form, ArrayRef<Expr> indices);
  Expr extractReduces(const IndexForm &form);
  unsigned addKernelLoop(KernelLoop loop);
  unsigned countUses(Value value) const;
  bool isRecomputed(Value value) const;

  ArrayRef<Value> inputs, outputs;
  IndexFormCache &forms;
  llvm::DenseMap<Value, Source> sources;
  llvm::DenseSet<Operation *> members;
  LoopPlan plan;
  /// The next name of a bound variable. Smaller names are axes of tensors.
  unsigned nextVar = 0;
};
} // namespace

unsigned Planner::addKernelLoop(KernelLoop loop) {
  plan.loops.push_back(std::move(loop));
  return plan.numInputs + plan.loops.size() - 1;
}

unsigned Planner::countUses(Value value) const {
  unsigned uses = 0;
  for (OpOperand &use : value.getUses())
    uses += members.contains(use.getOwner());
  return uses;
}

/// Whether some consumer reads elements of the value more than once (matmul,
/// overlapping windows, broadcasting).
bool Planner::isRecomputed(Value value) const {
  double elements = estimateElements(getShape(value));
  for (Operation *user : value.getUsers()) {
    auto indexed = dyn_cast<IndexFormInterface>(user);
    if (!indexed || !members.contains(user) || isa<ElementwiseInterface>(user))
      continue;
    for (const IndexForm &form : forms.get(indexed)) {
      double iterations = estimateElements(form.shape);
      walk(form.body, [&](Expr node) {
        if (node.getKind() == ExprKind::Reduce)
          for (const Expr &extent : ArrayRef<Expr>(node->operands).drop_back(2))
            if (extent.getKind() == ExprKind::Size)
              iterations *= estimateSize(extent->size);
      });
      if (iterations > elements)
        return true;
    }
  }
  return false;
}

/// A composed form has no reductions, and thus no bound variables.
Expr Planner::instantiate(const IndexForm &form, ArrayRef<Expr> indices) {
  // Return early, because chains of elementwise ops would be rebuilt at every
  // op.
  bool isSame = true;
  for (auto [number, index] : llvm::enumerate(indices))
    isSame &= index.getKind() == ExprKind::Var && index->var == number;
  return isSame ? form.body : substituteVars(form.body, indices);
}

/// Replaces the loads of `op`'s operands by their sources. Each node of the
/// op's form is visited once, so that a shared load is composed once.
Expr Planner::composeLoads(const Expr &root, Operation *op,
                           llvm::DenseMap<const ExprNode *, Expr> &done) {
  return rewrite(root, [&](Expr node) -> Expr {
    if (node.getKind() != ExprKind::Load)
      return {};
    auto [it, inserted] = done.try_emplace(node.getPointer());
    if (!inserted)
      return it->second;
    SmallVector<Expr, 4> indices;
    for (const Expr &index : node->operands)
      indices.push_back(composeLoads(index, op, done));
    const Source &source = sources[op->getOperand(node->operand)];
    Expr result = source.load >= 0
                      ? Expr::load(source.load, indices, node->type)
                      : instantiate(source.form, indices);
    done[node.getPointer()] = result;
    return result;
  });
}

Expr Planner::compose(const Expr &body, Operation *op) {
  llvm::DenseMap<const ExprNode *, Expr> done;
  return composeLoads(renameBound(body, nextVar), op, done);
}

/// Variables of `expr` that no reduction inside it binds.
static llvm::SmallBitVector freeVars(const Expr &expr, unsigned rank,
                                     bool &onlyResultVars) {
  llvm::SmallBitVector used(rank);
  llvm::DenseSet<unsigned> bound;
  walk(expr, [&](Expr node) {
    for (unsigned var : node->vars)
      bound.insert(var);
  });
  onlyResultVars = true;
  walk(expr, [&](Expr node) {
    if (node.getKind() != ExprKind::Var || bound.contains(node->var))
      return;
    if (node->var < rank)
      used.set(node->var);
    else
      onlyResultVars = false;
  });
  return used;
}

/// Makes a kernel loop of every reduction below the root that depends only on a
/// prefix of the result index, so that it is computed once per row.
Expr Planner::extractReduces(const IndexForm &form) {
  unsigned rank = form.shape.size();
  return rewrite(form.body, [&](Expr node) -> Expr {
    if (node.getKind() != ExprKind::Reduce)
      return {};
    bool onlyResultVars;
    llvm::SmallBitVector used = freeVars(node, rank, onlyResultVars);
    unsigned count = used.count();
    if (!onlyResultVars ||
        (count > 0 && used.find_last() != static_cast<int>(count) - 1))
      return node;
    KernelLoop loop;
    loop.shape.assign(form.shape.begin(), form.shape.begin() + count);
    loop.elementType = node->type;
    loop.body = node;
    unsigned load = addKernelLoop(std::move(loop));
    SmallVector<Expr, 4> indices;
    for (unsigned var = 0; var < count; ++var)
      indices.push_back(Expr::var(var));
    return Expr::load(load, indices, node->type);
  });
}

LogicalResult Planner::visit(Operation *op) {
  SmallVector<IndexForm> own;
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
    if (!elements || !elements.isSplat())
      return failure();
    Type type = elements.getElementType();
    Expr body =
        isa<FloatType>(type)
            ? Expr::constant(
                  elements.getSplatValue<APFloat>().convertToDouble(), type)
            : Expr::constantInt(
                  type.isUnsignedInteger()
                      ? elements.getSplatValue<APInt>().getZExtValue()
                      : elements.getSplatValue<APInt>().getSExtValue(),
                  type);
    if (isBool(type))
      body = Expr::constantInt(elements.getSplatValue<APInt>().getZExtValue(),
                               type);
    own.push_back({getShape(op->getResult(0)), type, body});
  } else if (auto indexed = dyn_cast<IndexFormInterface>(op)) {
    llvm::append_range(own, forms.get(indexed));
  } else {
    return failure();
  }
  for (auto [result, form] : llvm::zip(op->getResults(), own)) {
    IndexForm composed = form;
    composed.body = compose(form.body, op);
    auto *output = llvm::find(outputs, result);
    bool isOutput = output != outputs.end();
    unsigned uses = countUses(result);
    if (!isOutput && uses == 0)
      continue;
    bool isReduce = composed.body.getKind() == ExprKind::Reduce;
    // Composed operands have no reductions: those would be kernel loops.
    bool mayReduce = hasReduce(form.body);
    if (!isReduce && mayReduce && hasReduce(composed.body))
      composed.body = extractReduces(composed);
    bool stores = isOutput || isReduce ||
                  (mayReduce && hasReduce(composed.body)) ||
                  (!isCheap(composed) && (uses > 1 || isRecomputed(result)));
    Source &source = sources[result];
    if (!stores) {
      source.form = std::move(composed);
      continue;
    }
    KernelLoop loop;
    loop.shape = composed.shape;
    loop.elementType = composed.elementType;
    loop.body = composed.body;
    loop.output = isOutput ? output - outputs.begin() : -1;
    source.load = addKernelLoop(std::move(loop));
  }
  return success();
}

/// The largest number of leading dimensions that can be rows of all kernel
/// loops.
static unsigned countRowDims(const LoopPlan &plan) {
  unsigned rows = plan.loops.front().shape.size();
  for (const KernelLoop &loop : plan.loops) {
    unsigned common = 0;
    while (common < rows && common < loop.shape.size() &&
           loop.shape[common] == plan.loops.front().shape[common])
      ++common;
    rows = common;
  }
  for (const KernelLoop &loop : plan.loops)
    walk(loop.body, [&](Expr node) {
      if (node.getKind() != ExprKind::Load || node->operand < plan.numInputs)
        return;
      rows = std::min(rows, countOwnIndices(node));
    });
  return rows;
}

/// Whether loads of the reduction are contiguous in a reduction variable, and
/// none in the last variable of the result: then the loop to vectorize is the
/// reduction.
static bool reducesContiguously(const KernelLoop &loop) {
  const Expr &reduce = loop.body;
  bool reduction = false, result = false;
  walk(reduce->operands.back(), [&](Expr node) {
    if (node.getKind() != ExprKind::Load || node->operands.empty())
      return;
    const Expr &last = node->operands.back();
    if (last.getKind() != ExprKind::Var)
      return;
    reduction |= llvm::is_contained(reduce->vars, last->var);
    result |= last->var + 1 == loop.shape.size();
  });
  return reduction && !result;
}

FailureOr<LoopPlan> Planner::run(ArrayRef<Operation *> ops) {
  plan.numInputs = inputs.size();
  for (auto [number, input] : llvm::enumerate(inputs)) {
    sources[input].load = number;
    plan.inputShapes.push_back(getShape(input));
  }
  members.insert(ops.begin(), ops.end());
  for (Operation *op : ops)
    for (Value result : op->getResults())
      nextVar = std::max<unsigned>(nextVar, getShape(result).size());
  for (Operation *op : ops)
    if (failed(visit(op)))
      return failure();
  if (plan.loops.empty())
    return failure();

  unsigned rows = countRowDims(plan);
  // A kernel loop without inner dimensions has no loop inside the row to
  // vectorize, unless it is a contiguous reduction: give it the last row
  // dimension.
  bool wantsInner = false;
  for (const KernelLoop &loop : plan.loops) {
    if (loop.shape.size() > rows)
      continue;
    bool reduction = loop.body.getKind() == ExprKind::Reduce;
    wantsInner |=
        reduction ? !reducesContiguously(loop) : plan.loops.size() == 1;
  }
  if (wantsInner && rows > 0)
    --rows;
  plan.numRowDims = rows;
  return std::move(plan);
}

FailureOr<LoopPlan> tenon::kernel::planLoops(ArrayRef<Operation *> ops,
                                             ArrayRef<Value> inputs,
                                             ArrayRef<Value> outputs,
                                             IndexFormCache *forms) {
  IndexFormCache own;
  return Planner(inputs, outputs, forms ? *forms : own).run(ops);
}
