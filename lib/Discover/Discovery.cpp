//===- Discovery.cpp - levels, candidates and proofs ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decision.h"
#include "tenon/Discover/EnumerationWorkers.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::discover;

namespace {
class Search {
public:
  Search(MLIRContext *context, OpSet &set, const DiscoveryOptions &options,
         const Prover &prover, const Advance &advance,
         ArrayRef<Terms::InputKind> kinds)
      : options(options), advance(advance),
        terms(context, set, kinds,
              {interpret::Domain::Kind::Field, options.seed}),
        equations(terms), open(terms), fingerprints(terms, options.seed),
        enumerator(terms, equations, open),
        workers(terms, enumerator, fingerprints),
        decision(terms, equations, open, prover, report) {
    for (size_t kind = 0; kind < kinds.size(); ++kind)
      addClass(terms.getInput(kind, 0));
  }

  /// Returns why it ended early, or an empty string.
  std::string run();
  DiscoveryReport report;

private:
  struct Class {
    ValueId first;
    Fingerprints::Sketch sketch;
    std::optional<uint64_t> hash; // `distinguish`, once it is needed
  };

  void addClass(ValueId value);
  std::string runLevel(unsigned numOps, bool isLast);
  Class *findClass(const Fingerprints::Sketch &sketch, uint64_t hash);
  void compareWithOthers(ValueId value, std::vector<Candidate> &candidates,
                         std::vector<ValueId> &fresh);
  void findSymmetries(ValueId value, std::vector<Candidate> &candidates);

  void findSplits(std::vector<Candidate> &candidates);
  void sortCandidates(std::vector<Candidate> &candidates) const;

  const DiscoveryOptions &options;
  const Advance &advance;
  Terms terms;
  Equations equations, open;
  Fingerprints fingerprints;
  Enumerator enumerator;
  EnumerationWorkers workers;
  Decision decision;
  std::map<uint64_t, std::vector<Class>> classes;
  LevelReport level;
};
} // namespace

void Search::addClass(ValueId value) {
  enumerator.addRepresentative(value);
  fingerprints.keep(value);
  Fingerprints::Sketch sketch = fingerprints.sketch(value);
  uint64_t hash = sketch.hash;
  classes[hash].push_back({value, std::move(sketch), std::nullopt});
}

Search::Class *Search::findClass(const Fingerprints::Sketch &sketch,
                                 uint64_t hash) {
  auto found = classes.find(sketch.hash);
  if (found == classes.end())
    return nullptr;
  for (Class &other : found->second) {
    if (!other.hash)
      other.hash = fingerprints.distinguish(other.first, other.sketch);
    if (*other.hash == hash)
      return &other;
  }
  return nullptr;
}

void Search::compareWithOthers(ValueId value,
                               std::vector<Candidate> &candidates,
                               std::vector<ValueId> &fresh) {
  Fingerprints::Sketch sketch = fingerprints.sketch(value);
  uint64_t hash = fingerprints.distinguish(value, sketch);
  Class *same = findClass(sketch, hash);
  if (!same) {
    fresh.push_back(value);
    uint64_t key = sketch.hash;
    classes[key].push_back({value, std::move(sketch), hash});
    return;
  }
  Renaming renaming;
  for (auto [from, to] : llvm::zip_equal(same->sketch.inputs, sketch.inputs))
    renaming.push_back({from, to});
  if (std::optional<ValueId> first = terms.substitute(same->first, renaming))
    candidates.push_back({{value}, {*first}});
}

/// Inputs that may trade places are an equation of a graph with itself.
void Search::findSymmetries(ValueId value, std::vector<Candidate> &candidates) {
  Fingerprints::Sketch sketch = fingerprints.sketch(value);
  unsigned begin = 0;
  for (unsigned end : sketch.ties) {
    for (unsigned place = begin; place + 1 < end; ++place) {
      ValueId a = sketch.inputs[place], b = sketch.inputs[place + 1];
      std::optional<ValueId> swapped =
          terms.substitute(value, {{a, b}, {b, a}});
      if (!swapped || *swapped == value)
        continue;
      Candidate candidate{{value}, {*swapped}};
      if (terms.compare(value, *swapped) < 0)
        std::swap(candidate.source, candidate.target);
      if (decision.follows(candidate))
        continue;
      // One order of all inputs, without ties.
      Fingerprints::Sketch one = sketch, other = sketch;
      std::swap(other.inputs[place], other.inputs[place + 1]);
      for (Fingerprints::Sketch *each : {&one, &other}) {
        each->ties.clear();
        for (unsigned n = 1; n <= each->inputs.size(); ++n)
          each->ties.push_back(n);
      }
      if (fingerprints.distinguish(value, one) ==
          fingerprints.distinguish(value, other))
        candidates.push_back(std::move(candidate));
    }
    begin = end;
  }
}

/// Of graphs of one size, those that others save more of come first, and then
/// those with more inputs: the rest are often instances of them.
void Search::sortCandidates(std::vector<Candidate> &candidates) const {
  auto measure = [&](const Candidate &candidate) {
    unsigned trees = 0;
    for (ValueId value : candidate.source)
      trees += terms.isInput(value) ? 0 : terms.getOp(value).treeSize;
    return std::tuple(terms.countOps(candidate.source),
                      terms.countOps(candidate.target), trees,
                      ~terms.listInputs(candidate.source).size());
  };
  llvm::sort(candidates, [&](const Candidate &a, const Candidate &b) {
    if (measure(a) != measure(b))
      return measure(a) < measure(b);
    for (bool isSource : {true, false})
      for (auto [x, y] : llvm::zip_equal(isSource ? a.source : a.target,
                                         isSource ? b.source : b.target))
        if (int order = terms.compare(x, y))
          return order < 0;
    return false;
  });
}

std::string Search::runLevel(unsigned numOps, bool isLast) {
  Stopwatch watch;
  double decisions = report.proofSeconds + report.derivationSeconds;
  level = LevelReport();
  level.numOps = numOps;
  uint64_t generated = enumerator.generated, rewritten = enumerator.rewritten,
           leftOpen = enumerator.leftOpen;
  struct Kept {
    std::string graph;
    bool collides, hasTies;
  };
  std::vector<Kept> kept;
  std::string error = workers.enumerate(
      numOps,
      [&](uint64_t hash, ArrayRef<EnumerationWorkers::Record> same) {
        bool collides = same.size() > 1 || classes.count(hash);
        for (const EnumerationWorkers::Record &record : same)
          if (collides || !isLast || record.hasTies)
            kept.push_back({record.graph.str(), collides, record.hasTies});
      },
      [&](double share) {
        advance(Twine(numOps) + " ops: " +
                    Twine(enumerator.generated - generated) + " graphs",
                share);
      });
  if (!error.empty())
    return error;
  level.generated = enumerator.generated - generated;
  level.rewritten = enumerator.rewritten - rewritten;
  level.leftOpen = enumerator.leftOpen - leftOpen;

  // The numbers of terms decide between what is alike otherwise.
  llvm::sort(kept,
             [](const Kept &a, const Kept &b) { return a.graph < b.graph; });
  std::vector<ValueId> colliding, alone, tied;
  for (const Kept &each : kept) {
    ValueId value = workers.add(each.graph);
    (each.collides ? colliding : alone).push_back(value);
    if (each.hasTies)
      tied.push_back(value);
  }
  kept = {};
  auto comesFirst = [&](ValueId a, ValueId b) {
    return terms.compare(a, b) < 0;
  };
  std::vector<Candidate> candidates;
  std::vector<ValueId> fresh;
  llvm::sort(colliding, comesFirst);
  for (ValueId value : colliding)
    compareWithOthers(value, candidates, fresh);
  for (ValueId value : tied)
    findSymmetries(value, candidates);
  level.candidates = candidates.size();
  sortCandidates(candidates);
  for (const Candidate &candidate : decision.decide(
           candidates, level, Twine(numOps).str() + " ops", advance)) {
    // It stays beside the graph that it does not equal; one that differs from
    // it in the order of inputs alone is there already.
    ValueId source = candidate.source.front();
    if (terms.substitute(source, terms.canonicalize(source)) == source)
      fresh.push_back(source);
  }
  fresh.insert(fresh.end(), alone.begin(), alone.end());
  llvm::sort(fresh, comesFirst);
  fresh.erase(llvm::unique(fresh), fresh.end());
  level.representatives = fresh.size();
  if (!isLast)
    for (ValueId value : fresh) {
      auto found = classes.find(fingerprints.sketch(value).hash);
      if (found == classes.end()) {
        addClass(value);
        continue;
      }
      enumerator.addRepresentative(value);
      fingerprints.keep(value);
    }
  level.seconds = watch.seconds() + decisions - report.proofSeconds -
                  report.derivationSeconds;
  report.enumerationSeconds += level.seconds;
  report.levels.push_back(level);
  return "";
}

std::string Search::run() {
  for (unsigned numOps = 1; numOps <= options.maxOps; ++numOps)
    if (std::string error = runLevel(numOps, numOps == options.maxOps);
        !error.empty())
      return error;
  std::vector<Candidate> candidates;
  findSplits(candidates);
  sortCandidates(candidates);
  level = LevelReport();
  level.candidates = candidates.size();
  decision.decide(candidates, level, "siblings", advance);
  report.splits = level;
  decision.findBasis();
  return "";
}

/// Two graphs are the parts of one that is split: siblings that merge. Their
/// results are what the parts are rewritten to.
void Search::findSplits(std::vector<Candidate> &candidates) {
  if (!terms.getOpSet().has("split"))
    return;
  for (unsigned numOps = 1; numOps < options.maxOps; ++numOps)
    for (ValueId value : enumerator.getRepresentatives(numOps))
      for (const OpChoice &choice : terms.choose("split", value)) {
        const Terms::Op *op = terms.add(choice, value);
        if (!op || op->numResults != 2)
          continue;
        ValueId first = op->firstResult;
        SmallVector<ValueId, 2> parts = {equations.normalize(first),
                                         equations.normalize(first + 1)};
        if (parts[0] == first || parts[1] == first + 1 ||
            llvm::any_of(parts, [&](ValueId p) { return terms.isInput(p); }) ||
            terms.countOps(parts) > options.maxOps)
          continue;
        SmallVector<ValueId, 8> bound = terms.listInputs(parts);
        if (llvm::all_of(terms.listInputs(value), [&](ValueId input) {
              return llvm::is_contained(bound, input);
            }))
          candidates.push_back({parts, {first, first + 1}});
      }
}

/// Square matrices and, for ops on images, images and kernels, for attention
/// heads: small, with sizes that can be split, and as many channels in as out.
static std::vector<Terms::InputKind> chooseInputs(const OpSet &set) {
  std::vector<Terms::InputKind> kinds = {{{4, 4}, "mk"}};
  if (set.has("conv") || set.has("max_pool") || set.has("avg_pool"))
    kinds.push_back({{2, 2, 4, 4}, "bchw"});
  if (set.has("conv"))
    kinds.push_back({{2, 2, 3, 3}, "ocrt"});
  if (set.has("attention") || set.has("attention.causal"))
    kinds.push_back({{2, 4, 4}, "hsd"});
  if (set.has("layer_norm") || set.has("rms_norm") || set.has("broadcast"))
    kinds.push_back({{4}, "k"});
  return kinds;
}

FailureOr<DiscoveryReport>
tenon::discover::discover(MLIRContext *context, const DiscoveryOptions &options,
                          const Prover &prover, const Advance &advance,
                          std::string &error) {
  context->getOrLoadDialect<rule::RuleDialect>();
  OpSet set;
  error = set.add(context, options.ops);
  if (!error.empty())
    return failure();
  Search search(context, set, options, prover, advance, chooseInputs(set));
  error = search.run();
  if (!error.empty())
    return failure();
  return std::move(search.report);
}
