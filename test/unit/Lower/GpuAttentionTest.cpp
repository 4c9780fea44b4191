//===- GpuAttentionTest.cpp - attention as GPU kernels --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuAttentionCase.h"

#include "gtest/gtest.h"

using tenon::lower::GpuAttentionCase;

namespace {
using Case = GpuAttentionCase;

/// With each kind of arithmetic.
void forEachType(const std::function<void(Case)> &body) {
  for (const char *type : {"f32", "tf32", "f16", "bf16"}) {
    SCOPED_TRACE(type);
    Case one;
    one.tf32 = std::string(type) == "tf32";
    one.type = one.tf32 ? "f32" : type;
    body(one);
  }
}

TEST(GpuAttentionTest, TakesManyDepths) {
  forEachType([](Case one) {
    for (auto [depth, valueDepth] :
         {std::pair(32, 32), std::pair(64, 64), std::pair(80, 80),
          std::pair(128, 128), std::pair(64, 32), std::pair(48, 112)}) {
      SCOPED_TRACE(depth);
      one.heads = one.kvHeads = 1;
      one.depth = depth;
      one.valueDepth = valueDepth;
      one.run();
    }
  });
}

// Depths that no access of 16 bytes divides, and the largest.
TEST(GpuAttentionTest, TakesOddAndLongDepths) {
  forEachType([](Case one) {
    one.heads = one.kvHeads = 1;
    one.queries = 19;
    one.keys = 37;
    for (auto [depth, valueDepth] :
         {std::pair(1, 1), std::pair(33, 17), std::pair(10, 6),
          std::pair(20, 12), std::pair(256, 256), std::pair(160, 200),
          std::pair(40, 256), std::pair(256, 40)}) {
      SCOPED_TRACE(depth);
      one.depth = depth;
      one.valueDepth = valueDepth;
      one.run();
    }
  });
}

TEST(GpuAttentionTest, TakesManySizes) {
  forEachType([](Case one) {
    one.heads = one.kvHeads = 1;
    one.depth = one.valueDepth = 16;
    for (auto [queries, keys] :
         {std::pair(1, 1), std::pair(1, 100), std::pair(100, 1),
          std::pair(64, 64), std::pair(128, 192), std::pair(65, 63),
          std::pair(3, 129)}) {
      SCOPED_TRACE(std::to_string(queries) + " " + std::to_string(keys));
      one.queries = queries;
      one.keys = keys;
      for (bool causal : {false, true}) {
        one.causal = causal;
        one.run();
      }
    }
  });
}

// Queries beyond the keys see none: NaN.
TEST(GpuAttentionTest, HidesTheFuture) {
  forEachType([](Case one) {
    one.depth = one.valueDepth = 32;
    one.causal = true;
    for (auto [queries, keys] : {std::pair(150, 150), std::pair(140, 60),
                                 std::pair(20, 200), std::pair(200, 20)}) {
      SCOPED_TRACE(std::to_string(queries) + " " + std::to_string(keys));
      one.queries = queries;
      one.keys = keys;
      one.run();
    }
  });
}

TEST(GpuAttentionTest, AddsMasks) {
  forEachType([](Case one) {
    one.batch = {2};
    one.heads = one.kvHeads = 3;
    one.queries = 21;
    one.keys = 75;
    one.depth = one.valueDepth = 16;
    for (const std::vector<int64_t> &shape :
         {std::vector<int64_t>{2, 3, 21, 75}, std::vector<int64_t>{21, 75},
          std::vector<int64_t>{2, 1, 1, 75}, std::vector<int64_t>{3, 1, 75},
          std::vector<int64_t>{2, 1, 21, 1}, std::vector<int64_t>{75},
          std::vector<int64_t>{1}, std::vector<int64_t>{1, 3, 21, 75},
          std::vector<int64_t>{}}) {
      SCOPED_TRACE(testing::PrintToString(shape));
      one.mask = shape;
      one.hides = shape.size() > 1 ? Case::Hides::Some : Case::Hides::Nothing;
      for (bool causal : {false, true}) {
        one.causal = causal;
        one.run();
      }
    }
  });
}

TEST(GpuAttentionTest, HidesWhatMasksHide) {
  forEachType([](Case one) {
    one.queries = 20;
    one.depth = one.valueDepth = 16;
    one.mask = {20, 75};
    one.hides = Case::Hides::All;
    one.run();
    // All keys are hidden by a number that is finite: none is.
    one.hides = Case::Hides::Nothing;
    one.maskOffset = one.type == "f32" ? -3.4028234e38 : -30000;
    one.run();
  });
}

TEST(GpuAttentionTest, SharesKeysBetweenHeads) {
  forEachType([](Case one) {
    one.batch = {2};
    one.heads = 6;
    one.depth = one.valueDepth = 16;
    for (int64_t kvHeads : {1, 2, 3})
      for (int64_t queries : {1, 5, 40}) {
        SCOPED_TRACE(std::to_string(kvHeads) + " " + std::to_string(queries));
        one.kvHeads = kvHeads;
        one.queries = queries;
        one.keys = 50;
        for (bool causal : {false, true}) {
          one.causal = causal;
          one.mask.reset();
          one.run();
          one.mask = {2, 6, queries, 50};
          one.run();
        }
      }
  });
}

TEST(GpuAttentionTest, HasManyAxesOfBatches) {
  Case one;
  one.depth = one.valueDepth = 16;
  one.queries = one.keys = 9;
  one.batch = {};
  one.run();
  one.batch = {2, 3, 2};
  one.run();
  for (const std::vector<int64_t> &shape :
       {std::vector<int64_t>{2, 3, 2, 2, 9, 9},
        std::vector<int64_t>{2, 1, 2, 1, 9, 9},
        std::vector<int64_t>{3, 1, 1, 1, 9}}) {
    one.mask = shape;
    one.run();
  }
}

TEST(GpuAttentionTest, TakesSizesWhenItRuns) {
  forEachType([](Case one) {
    one.symbolic = true;
    one.depth = one.valueDepth = 16;
    for (bool causal : {false, true})
      for (auto [queries, keys] :
           {std::pair(70, 75), std::pair(1, 300), std::pair(130, 128),
            std::pair(1, 1), std::pair(5, 0), std::pair(0, 5)}) {
        SCOPED_TRACE(std::to_string(queries) + " " + std::to_string(keys));
        one.causal = causal;
        one.queries = queries;
        one.keys = keys;
        one.heads = one.kvHeads = 2;
        one.mask.reset();
        one.run();
        one.heads = 4;
        one.mask = {1, 1, 1, keys};
        if (keys > 1)
          one.run();
      }
  });
}

TEST(GpuAttentionTest, KeepsInfinitiesAndScales) {
  forEachType([](Case one) {
    one.depth = one.valueDepth = 16;
    one.hasInfinity = true;
    one.run();
    one.hasInfinity = false;
    for (double scale : {-1.0, 0.0, 8.0}) {
      one.scale = scale;
      one.run();
    }
  });
}

// Few queries and many keys: blocks share the keys, and are joined.
TEST(GpuAttentionTest, SplitsKeys) {
  forEachType([](Case one) {
    one.depth = one.valueDepth = 32;
    one.keys = 530;
    for (int64_t queries : {1, 4, 70}) {
      SCOPED_TRACE(queries);
      one.queries = queries;
      one.mask.reset();
      EXPECT_EQ(one.countKernels(), 2u);
      one.mask = {530};
      EXPECT_EQ(one.countKernels(), 2u);
      one.causal = true;
      EXPECT_EQ(one.countKernels(), 2u);
      one.hides = Case::Hides::All;
      one.run();
      one.hides = Case::Hides::Some;
      one.causal = false;
    }
    // Where there are blocks enough, they need not share.
    one.mask.reset();
    one.heads = one.kvHeads = 110;
    one.queries = 1;
    one.keys = 130;
    EXPECT_EQ(one.countKernels(), 1u);
    // A batch of any size may be one.
    one.symbolic = one.countsQueries = true;
    one.heads = one.kvHeads = 3;
    EXPECT_EQ(one.countKernels(), 2u);
  });
}

// As models have them: transposes become a part of the kernel.
TEST(GpuAttentionTest, ReadsWhatHeadsAreInsideOf) {
  forEachType([](Case one) {
    one.interleaved = true;
    one.heads = one.kvHeads = 3;
    one.depth = one.valueDepth = 16;
    for (const std::vector<int64_t> &batch :
         {std::vector<int64_t>{2}, std::vector<int64_t>{},
          std::vector<int64_t>{2, 2}})
      for (bool symbolic : {false, true}) {
        one.batch = batch;
        one.symbolic = symbolic;
        one.run();
        EXPECT_EQ(one.countTransposes(), 0u);
      }
    one.batch = {2};
    one.causal = true;
    one.valueDepth = 20;
    one.mask = {2, 3, one.queries, one.keys};
    one.run();
    // Blocks share the keys of a head.
    one.queries = 4;
    one.keys = 530;
    one.mask.reset();
    one.countsQueries = true;
    EXPECT_EQ(one.countKernels(), 2u);
    one.symbolic = false;
    EXPECT_EQ(one.countKernels(), 2u);
    // The queries of heads that share keys are one matrix.
    one.heads = 6;
    one.run();
    EXPECT_EQ(one.countTransposes(), 2u);
  });
}

TEST(GpuAttentionTest, LeavesToDecomposition) {
  Case one;
  one.queries = one.keys = 5;
  one.depth = 257;
  EXPECT_FALSE(one.isKept());
  EXPECT_GT(one.countKernels(), 0u);
  one.depth = 16;
  one.valueDepth = 257;
  EXPECT_FALSE(one.isKept());
  one.valueDepth = 16;
  EXPECT_TRUE(one.isKept());
  one.type = "f64";
  EXPECT_FALSE(one.isKept());
  one.type = "f32";
  one.strict = true;
  EXPECT_FALSE(one.isKept());
  EXPECT_GT(one.countKernels(), 0u);
}

} // namespace
