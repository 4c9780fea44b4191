//===- SumOfProducts.cpp - blocked evaluation of sums of products ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows and lanes are packed, term by term in lexicographic order, and
// multiplied in tiles. The terms of every element are added in that order, so
// the result equals the naive evaluator's. Terms that conditions omit are
// packed as zeros: adding 0 does not change a sum that starts from 0, if the
// other factor is finite.
//
//===----------------------------------------------------------------------===//

#include "ProductForm.h"
#include "ProductKernels.h"

#include <cmath>

using namespace mlir;
using namespace tenon::graph;
using namespace tenon::interpret;
using namespace tenon::interpret::products;

namespace {
/// The values of one factor's offset and conditions, tabulated by part.
struct FactorTable {
  const Cell *data;
  std::vector<int64_t> outer, lane, term;
  struct Condition {
    std::vector<int64_t> outer, lane, term;
    bool isEqual;
  };
  std::vector<Condition> conditions;
};

struct Group {
  int64_t begin, end; // outer positions with the same lane factor
};

template <typename T> T toNumber(Cell cell) {
  if constexpr (std::is_same_v<T, uint64_t>)
    return static_cast<uint64_t>(cell.integer);
  else
    return static_cast<T>(cell.number);
}

template <typename T> class Evaluator {
public:
  Evaluator(const ConcreteForm &form, const ProductForm &product,
            ArrayRef<Tensor> operands, const Arithmetic &arithmetic,
            Tensor &result)
      : form(form), product(product), arithmetic(arithmetic), result(result) {
    outerCount = laneCount = termCount = 1;
    for (auto [axis, size] : llvm::enumerate(form.shape))
      (axis < product.firstLaneAxis ? outerCount : laneCount) *= size;
    for (int64_t extent : product.extents)
      termCount *= extent;
    tabulate(product.row, operands, row);
    tabulate(product.lane, operands, lane);
    findGroups();
  }

  void run(unsigned threads) {
    int64_t blocks = (laneCount + panelLanes - 1) / panelLanes;
    int64_t chunk = 128;
    auto countTasks = [&] {
      int64_t count = 0;
      for (const Group &group : groups)
        count += (group.end - group.begin + chunk - 1) / chunk;
      return count * blocks;
    };
    while (chunk > 16 && countTasks() < 4 * threads)
      chunk /= 2;
    struct Task {
      int64_t begin, end, block;
    };
    std::vector<Task> tasks;
    for (const Group &group : groups)
      for (int64_t begin = group.begin; begin < group.end; begin += chunk)
        for (int64_t block = 0; block < blocks; ++block)
          tasks.push_back({begin, std::min(begin + chunk, group.end), block});
    parallelFor(threads, tasks.size(), [&](size_t number) {
      const Task &task = tasks[number];
      runTask(task.begin, task.end, task.block * panelLanes);
    });
  }

private:
  /// Returns the values of `part` for `count` settings of the variables, which
  /// `set` assigns.
  template <typename Fn>
  std::vector<int64_t> values(const NumericIndex &part, int64_t count, Fn set) {
    std::vector<int64_t> numbers(count, part.constant);
    if (part.terms.empty())
      return numbers;
    for (int64_t number = 0; number < count; ++number) {
      set(number);
      numbers[number] = evaluateLinear(part, vars);
    }
    return numbers;
  }

  void tabulate(const ProductForm::Factor &factor, ArrayRef<Tensor> operands,
                FactorTable &table) {
    table.data = operands[factor.operand].data();
    unsigned last = form.shape.size();
    for (unsigned var : product.vars)
      last = std::max(last, var + 1);
    vars.assign(last, 0);
    auto setAxes = [&](int64_t rest, size_t begin, size_t end) {
      for (size_t axis = end; axis-- > begin;) {
        vars[axis] = rest % form.shape[axis];
        rest /= form.shape[axis];
      }
    };
    auto setOuter = [&](int64_t number) {
      setAxes(number, 0, product.firstLaneAxis);
    };
    auto setLane = [&](int64_t number) {
      setAxes(number, product.firstLaneAxis, form.shape.size());
    };
    auto setTerm = [&](int64_t rest) {
      for (size_t number = product.vars.size(); number-- > 0;) {
        vars[product.vars[number]] = rest % product.extents[number];
        rest /= product.extents[number];
      }
    };
    auto tabulateIndex = [&](const SplitIndex &index, auto &into) {
      into.outer = values(index.outer, outerCount, setOuter);
      into.lane = values(index.lane, laneCount, setLane);
      into.term = values(index.term, termCount, setTerm);
    };
    tabulateIndex(factor.offset, table);
    for (const SplitCondition &condition : factor.conditions) {
      table.conditions.emplace_back();
      tabulateIndex(condition.index, table.conditions.back());
      table.conditions.back().isEqual = condition.isEqual;
    }
  }

  void findGroups() {
    auto isSame = [&](int64_t a, int64_t b) {
      if (lane.outer[a] != lane.outer[b])
        return false;
      for (const FactorTable::Condition &condition : lane.conditions)
        if (condition.outer[a] != condition.outer[b])
          return false;
      return true;
    };
    for (int64_t begin = 0, end; begin < outerCount; begin = end) {
      for (end = begin + 1; end < outerCount && isSame(begin, end);)
        ++end;
      groups.push_back({begin, end});
    }
  }

  void runTask(int64_t begin, int64_t end, int64_t firstLane) {
    int64_t rows = end - begin;
    int64_t tiles = (rows + tileRows - 1) / tileRows;
    std::vector<T> sums(tiles * tileRows * panelLanes, T(0));
    std::vector<T> panel(blockTerms * panelLanes);
    std::vector<T> packedRows(blockTerms * tileRows);
    int64_t lanes = std::min(panelLanes, laneCount - firstLane);
    for (int64_t first = 0; first < termCount; first += blockTerms) {
      int64_t terms = std::min(blockTerms, termCount - first);
      packPanel(begin, firstLane, lanes, first, terms, panel.data());
      for (int64_t tile = 0; tile < tiles; ++tile) {
        packRows(begin + tile * tileRows, end, first, terms, packedRows.data());
        multiplyTile(terms, packedRows.data(), panel.data(),
                     sums.data() + tile * tileRows * panelLanes);
      }
    }
    for (int64_t number = 0; number < rows; ++number)
      for (int64_t position = 0; position < lanes; ++position)
        result.data()[(begin + number) * laneCount + firstLane + position] =
            finish(sums[number * panelLanes + position]);
  }

  void packPanel(int64_t outer, int64_t firstLane, int64_t lanes,
                 int64_t firstTerm, int64_t terms, T *panel) {
    constexpr int64_t together = packedLanes<T>;
    const int64_t *offsets = lane.lane.data() + firstLane;
    T values[panelLanes];
    bool holds[panelLanes];
    for (int64_t term = 0; term < terms; ++term) {
      std::fill_n(values, panelLanes, T(0));
      int64_t base = lane.outer[outer] + lane.term[firstTerm + term];
      if (lane.conditions.empty()) {
        const Cell *data = lane.data + base;
        for (int64_t position = 0; position < lanes; ++position)
          values[position] = toNumber<T>(data[offsets[position]]);
      } else {
        std::fill_n(holds, lanes, true);
        for (const FactorTable::Condition &condition : lane.conditions) {
          int64_t known =
              condition.outer[outer] + condition.term[firstTerm + term];
          const int64_t *own = condition.lane.data() + firstLane;
          for (int64_t position = 0; position < lanes; ++position)
            holds[position] &= condition.isEqual ? known + own[position] == 0
                                                 : known + own[position] >= 0;
        }
        for (int64_t position = 0; position < lanes; ++position)
          if (holds[position])
            values[position] = toNumber<T>(lane.data[base + offsets[position]]);
      }
      for (int64_t part = 0; part < panelLanes / together; ++part)
        std::copy_n(values + part * together, together,
                    panel + (part * terms + term) * together);
    }
  }

  void packRows(int64_t first, int64_t end, int64_t firstTerm, int64_t terms,
                T *packed) {
    for (int64_t number = 0; number < tileRows; ++number) {
      int64_t outer = first + number;
      if (outer >= end) {
        for (int64_t term = 0; term < terms; ++term)
          packed[term * tileRows + number] = T(0);
        continue;
      }
      for (int64_t term = 0; term < terms; ++term) {
        bool holds = true;
        for (const FactorTable::Condition &condition : row.conditions) {
          int64_t value =
              condition.outer[outer] + condition.term[firstTerm + term];
          holds &= condition.isEqual ? value == 0 : value >= 0;
        }
        packed[term * tileRows + number] =
            holds ? toNumber<T>(
                        row.data[row.outer[outer] + row.term[firstTerm + term]])
                  : T(0);
      }
    }
  }

  Cell finish(T sum) const {
    Cell cell;
    if constexpr (std::is_same_v<T, uint64_t>)
      cell.integer = wrapTo(product.kind, static_cast<int64_t>(sum));
    else
      cell.number = sum;
    Kind kind = product.kind;
    for (Kind to : product.casts) {
      cell = arithmetic.cast(kind, to, cell);
      kind = to;
    }
    return cell;
  }

  const ConcreteForm &form;
  const ProductForm &product;
  const Arithmetic &arithmetic;
  Tensor &result;
  int64_t outerCount, laneCount, termCount;
  FactorTable row, lane;
  std::vector<Group> groups;
  std::vector<int64_t> vars;
};
} // namespace

static bool isFinite(const Tensor &tensor) {
  return llvm::all_of(ArrayRef<Cell>(tensor.data(), tensor.getNumElements()),
                      [](Cell cell) { return std::isfinite(cell.number); });
}

std::optional<LogicalResult> tenon::interpret::evaluateSumOfProducts(
    const ConcreteForm &form, ArrayRef<Tensor> operands,
    const Arithmetic &arithmetic, unsigned threads, Tensor &result) {
  if (result.getNumElements() == 0)
    return std::nullopt;
  std::optional<ProductForm> product = matchProduct(form, operands, arithmetic);
  if (!product)
    return std::nullopt;
  if (!isFloatKind(product->kind)) {
    Evaluator<uint64_t>(form, *product, operands, arithmetic, result)
        .run(threads);
    return success();
  }
  // 0 times infinity is not 0.
  if ((!product->lane.conditions.empty() &&
       !isFinite(operands[product->row.operand])) ||
      (!product->row.conditions.empty() &&
       !isFinite(operands[product->lane.operand])))
    return std::nullopt;
  if (arithmetic.rounds(product->kind))
    Evaluator<float>(form, *product, operands, arithmetic, result).run(threads);
  else
    Evaluator<double>(form, *product, operands, arithmetic, result)
        .run(threads);
  return success();
}
