//===- Fingerprints.h - what small graphs compute -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TASO (Jia and others, SOSP 2019, section 2.1) compares graphs by what they
// compute of fixed random tensors, and tries all orders of the inputs. Here a
// graph has one fingerprint for all orders: inputs are distinguished by what
// the graph computes when one of them alone differs from the others.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DISCOVER_FINGERPRINTS_H
#define TENON_DISCOVER_FINGERPRINTS_H

#include "tenon/Discover/Terms.h"

namespace tenon::discover {

class Fingerprints {
public:
  /// The tensors are drawn from `seed`.
  Fingerprints(Terms &terms, uint64_t seed);

  /// What a graph computes of few choices of inputs. Graphs that are equal up
  /// to the names of inputs, and up to inputs on which nothing depends, have
  /// equal sketches; others seldom do.
  struct Sketch {
    uint64_t hash = 0;
    /// The inputs on which the result depends, those first whose effect has the
    /// least hash. `ties` holds the ends of runs of inputs with equal effects.
    llvm::SmallVector<ValueId, 6> inputs;
    llvm::SmallVector<unsigned, 6> ties;
  };
  /// `value` is an instance of an op whose operands were kept (`keep`), up to
  /// the names of their inputs.
  Sketch sketch(ValueId value);
  /// Lets values be operands of others, up to the names of their inputs.
  void keep(ValueId value);

  /// What the graph computes of different tensors, one per input, which are
  /// given in the order of `inputs`, within a run of ties in the order that
  /// makes the hash least. Returns the hash, and sorts `inputs` in that order.
  uint64_t distinguish(ValueId value, Sketch &sketch);

private:
  /// Values when all inputs of a kind are equal, and when one of them differs,
  /// in the order in which the value reads its inputs.
  struct Samples {
    interpret::Tensor base;
    llvm::SmallVector<interpret::Tensor, 4> changed;
  };
  Samples sample(ValueId value);
  const Samples &find(ValueId value);
  interpret::Tensor draw(unsigned kind, uint64_t number);
  void drawPools();
  interpret::Tensor
  evaluate(ValueId value,
           llvm::DenseMap<OpId, llvm::SmallVector<interpret::Tensor>> &known,
           const Renaming &places);
  interpret::Tensor evaluateResult(ValueId value,
                                   llvm::ArrayRef<interpret::Tensor> operands);

  Terms &terms;
  uint64_t seed;
  /// By values in canonical form.
  llvm::DenseMap<ValueId, Samples> kept;
  /// Of operands, which are never forgotten (`Terms::rollBack`), as those of
  /// generated graphs are.
  llvm::DenseMap<ValueId, ValueId> canonicalForms;
  std::map<std::pair<unsigned, uint64_t>, interpret::Tensor> drawn;
  /// Numbers below and above 0, in the domain's order.
  std::vector<uint64_t> negative, positive;
};

} // namespace tenon::discover

#endif // TENON_DISCOVER_FINGERPRINTS_H
