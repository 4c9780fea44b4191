//===- Attention.cpp - selection of GPU kernels for attention -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../RowWork.h"
#include "AttentionCore.h"

#include "tenon/Dialect/Graph/Analysis/SizeEstimate.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

namespace {
/// The number of elements of a query or a value beyond which tiles do not fit.
constexpr int64_t kMostDepth = 256;
constexpr int64_t kMatrixRows = 64, kScalarRows = 32, kFewRows = 16;
/// The number of blocks that smaller current data-center GPUs run efficiently
/// at the same time.
constexpr int64_t kBlocksAtOnce = 108;
constexpr int64_t kMostSplits = 32;
/// The assumed number of keys if it is known only at run time, as in text
/// generation, and the minimum number of keys for a block.
constexpr int64_t kGuessedKeys = 1024, kLeastKeys = 64;
} // namespace

SymInt AttentionForm::matrices() const {
  SymInt count = kvHeads;
  for (const SymInt &size : batch)
    count = count * size;
  return count;
}

std::optional<AttentionForm>
tenon::lower::matchAttention(AttentionOp op, const LowerOptions &options) {
  if (!options.numerics.mayReassociate())
    return std::nullopt;
  AttentionForm form;
  form.type = getElementTypeOrSelf(op.getQ().getType());
  if (!form.type.isF32() && !form.type.isF16() && !form.type.isBF16())
    return std::nullopt;
  Shape q = getShape(op.getQ()), k = getShape(op.getK()),
        v = getShape(op.getV());
  for (Value operand : op->getOperands())
    for (const SymInt &size : getShape(operand))
      if (size.isUnknown())
        return std::nullopt;
  std::optional<int64_t> depth = q.back().getConstant();
  if (!depth)
    depth = k.back().getConstant();
  std::optional<int64_t> valueDepth = v.back().getConstant();
  if (!depth || !valueDepth || *depth < 1 || *valueDepth < 1 ||
      *depth > kMostDepth || *valueDepth > kMostDepth)
    return std::nullopt;
  form.depth = *depth;
  form.valueDepth = *valueDepth;
  size_t rank = q.size();
  form.batch.assign(q.begin(), q.end() - 3);
  form.heads = q[rank - 3];
  form.kvHeads = k[rank - 3];
  form.queries = q[rank - 2];
  form.keys = k[rank - 2];
  // Empty tensors are handled by the decomposition.
  for (const SymInt &size : {form.keys, form.kvHeads})
    if (size.getConstant() == 0)
      return std::nullopt;
  form.scale = op.getScale().convertToDouble();
  form.causal = op.getCausal();
  if (op.getMask())
    form.mask = getShape(op.getMask());
  return form;
}

Value tenon::lower::emitRowPosition(GpuKernelBuilder &kernel,
                                    const AttentionForm &form,
                                    bool isInterleaved, Value matrix,
                                    Value count, Value row) {
  if (!isInterleaved)
    return kernel.add(kernel.mul(matrix, count), row);
  Value heads = ExprEmitter(kernel.builder, kernel.loc, kernel.context)
                    .emitSize(form.kvHeads);
  Value inBatch = kernel.add(kernel.mul(kernel.div(matrix, heads), count), row);
  return kernel.add(kernel.mul(inBatch, heads), kernel.rem(matrix, heads));
}

static int64_t chooseSplits(const AttentionForm &form,
                            const AttentionTile &tile) {
  int64_t matrices = estimateSize(form.matrices());
  int64_t tiles = llvm::divideCeil(estimateSize(form.rows()), tile.rows);
  std::optional<int64_t> rows = form.rows().getConstant();
  // A step of text generation may have a batch of any size, so choose splits
  // for a batch of one: with so few rows, splitting costs little compared to
  // reading the keys.
  if (rows && *rows <= tile.rows)
    matrices =
        form.matrices()
            .evaluate([](StringRef) { return std::optional<int64_t>(1); })
            .value_or(1);
  int64_t blocks = std::max<int64_t>(matrices, 1) * tiles;
  // Merging splits takes a launch and a round trip through memory.
  if (2 * blocks > kBlocksAtOnce)
    return 1;
  int64_t keys = form.keys.getConstant().value_or(kGuessedKeys);
  int64_t splits =
      std::min({int64_t(llvm::divideCeil(2 * kBlocksAtOnce, blocks)),
                keys / std::max(tile.keys, kLeastKeys), kMostSplits});
  return std::max<int64_t>(splits, 1);
}

AttentionTile tenon::lower::chooseAttentionTile(const AttentionForm &form,
                                                const LowerOptions &options) {
  AttentionTile tile;
  bool isWide = form.type.isF32();
  if (!isWide || options.numerics.mayRoundFactors())
    tile.keys = getMatrixAttentionKeys(form.depth, form.valueDepth,
                                       byteWidth(form.type));
  tile.useTensorCores = tile.keys > 0;
  if (tile.useTensorCores) {
    tile.rows = kMatrixRows;
    tile.threads = 128 * getMatrixAttentionColumnWarps(form.valueDepth);
    // f16 has as many mantissa bits as tf32.
    tile.splitsWeights =
        !isWide && !(options.numerics.mayRoundFactors() && form.type.isF16());
  } else {
    std::optional<int64_t> rows = form.rows().getConstant();
    bool few = rows && *rows <= kFewRows;
    tile.rows = few ? kFewRows : kScalarRows;
    tile.keys = getScalarAttentionKeys(form.depth, form.valueDepth, tile.rows);
    if (tile.keys == 0) {
      tile.rows = kFewRows;
      tile.keys =
          getScalarAttentionKeys(form.depth, form.valueDepth, tile.rows);
    }
    // Each half of a warp has four rows.
    tile.threads = tile.rows / 4 * 16;
  }
  tile.splits = chooseSplits(form, tile);
  return tile;
}

std::string tenon::lower::describeAttention(const AttentionForm &form,
                                            const AttentionTile &tile) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto list = [&](ArrayRef<SymInt> shape) {
    for (const SymInt &size : shape)
      os << size.str() << ", ";
  };
  os << "attention " << form.type << " [";
  list(form.batch);
  list({form.heads, form.kvHeads, form.queries, form.keys});
  os << form.depth << ", " << form.valueDepth << "] scale "
     << llvm::format_hex(llvm::bit_cast<uint64_t>(form.scale), 18);
  if (form.causal)
    os << " causal";
  if (form.mask) {
    os << " mask [";
    list(*form.mask);
    os << "]";
  }
  os << " interleaved " << form.interleaved.q << form.interleaved.k
     << form.interleaved.v << form.interleaved.result;
  os << " tile " << tile.useTensorCores << " " << tile.rows << " " << tile.keys
     << " " << tile.splits << " " << tile.splitsWeights;
  return text;
}
