// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
// Real problems differ too much for one method. Most are small and first fit is optimal at once;
// whole graphs have ten thousands of buffers and first fit by size is within one percent; between
// them are tight problems that only a search solves, and the search either goes straight to a plan
// or gets lost for ever, depending on a detail of the order. So: try the cheap ways first, stop as
// soon as the lower bound is met, and search in many short runs with different orders instead of
// one long one.
#include "planner/solver.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>

#include "planner/first_fit.h"
#include "planner/model.h"
#include "planner/order.h"

namespace hostnpu::planner {
namespace {

using Clock = std::chrono::steady_clock;

/// The measures by how often they led the search to a plan.
constexpr Measure kSearchMeasures[] = {Measure::kArea,        Measure::kConflicts, Measure::kWidth,
                                       Measure::kCrowdLength, Measure::kCrowdArea, Measure::kVolume,
                                       Measure::kLength,      Measure::kSize};

/// The ways to place blocks at once.
struct Way {
  Measure measure;
  bool best_fit;
};
constexpr Way kWays[] = {{Measure::kSize, false},      {Measure::kArea, false},
                         {Measure::kSize, true},       {Measure::kCrowdArea, false},
                         {Measure::kConflicts, true},  {Measure::kLength, false},
                         {Measure::kConflicts, false}, {Measure::kCrowdLength, false}};

class Portfolio {
 public:
  /// `padding`: by how much the model's heights may be too large, see RoundSizes.
  Portfolio(const Problem& problem, const Model& model, int64_t padding,
            const SolveOptions& options)
      : problem_(problem),
        model_(model),
        padding_(padding),
        options_(options),
        deadline_(Clock::now() + std::chrono::microseconds(static_cast<int64_t>(
                                     std::clamp(options.time_limit_seconds, 0.0, 1e9) * 1e6))),
        proved_(model.lower_bound) {}

  Solution Run() {
    // Large problems can pay for a few ways only; the first three are the best of them.
    const bool is_large = model_.blocks.size() > 4096;
    const size_t before_core = is_large ? 1 : 3;
    // In a chain, where no more than two live together, every other block stands on the ground and
    // those between them on top: never higher than two that live together are.
    const bool is_chain = model_.most_alive <= 2;
    Keep(FirstFit(model_, OrderBlocks(model_, is_chain ? Measure::kTrack : kWays[0].measure, 0),
                  !is_chain && kWays[0].best_fit));
    Greedy(is_chain ? 0 : 1, before_core);
    if (!Done() && options_.effort > 0) FromCore();
    Greedy(before_core, is_large ? 3 : std::size(kWays));
    if (!Done() && model_.blocks.size() <= Search::kMaxBlocks) {
      search_.emplace(model_, options_.switches);
      const bool only_capacity_counts = options_.exact && problem_.capacity != kUnlimited;
      if (options_.effort > 0 && !only_capacity_counts) Improve();
      if (options_.exact && !Done()) Prove();
    }
    Solution solution;
    solution.lower_bound = proved_ - padding_;
    solution.nodes = core_nodes_ + (search_.has_value() ? search_->nodes() : 0);
    solution.plan = Publish();
    solution.verdict = solution.plan.height <= problem_.capacity  ? Verdict::kFits
                       : solution.lower_bound > problem_.capacity ? Verdict::kImpossible
                                                                  : Verdict::kGaveUp;
    return solution;
  }

 private:
  /// Exact mode with a capacity asks for a plan that fits; everything else for the lowest plan.
  bool Done() const {
    if (best_.height <= proved_) return true;
    if (!options_.exact || problem_.capacity == kUnlimited) return false;
    return best_.height <= problem_.capacity || proved_ > problem_.capacity;
  }

  void Keep(Placement placement) {
    if (placement.height < best_.height) best_ = std::move(placement);
  }

  /// First fit in the ways [begin, end), until one reaches the target.
  void Greedy(size_t begin, size_t end) {
    for (size_t i = begin; i < end && !Done(); ++i) {
      Keep(FirstFit(model_, OrderBlocks(model_, kWays[i].measure, 0), kWays[i].best_fit));
    }
  }

  /// Where a plan has to be no higher.
  int64_t Target() const {
    return options_.exact && problem_.capacity != kUnlimited ? problem_.capacity : proved_;
  }

  /// The crowded part of the problem, see FromCore.
  struct Core {
    Core(const Model& whole, int64_t least_bytes, const SearchSwitches& switches)
        : model(CoreOf(whole, least_bytes, &chosen)), search(model, switches) {}
    std::vector<int32_t> chosen;  // its blocks in the whole model
    Model model;
    Search search;
  };

  /// Most sections of a large problem have room to spare, and only the blocks of the fullest ones,
  /// the core, must stand just so. They are few enough to search for a place within the target; the
  /// others then find theirs around them by first fit. If some do not, a larger core is searched.
  void FromCore() {
    constexpr double kParts[] = {0.97, 0.9, 0.8, 0.65, 0.5};  // of the fullest section
    for (const double part : kParts) {
      const auto least = static_cast<int64_t>(part * static_cast<double>(model_.lower_bound));
      Core core(model_, least, options_.switches);
      const size_t blocks = core.chosen.size();
      if (blocks > Search::kMaxBlocks) return;
      Placement found;
      const bool is_placed = SearchCore(&core, &found);
      core_work_ += core.search.work();
      core_nodes_ += core.search.nodes();
      if (!is_placed) return;  // a larger core is no easier
      FillIn(core.chosen, found);
      if (Done() || blocks == model_.blocks.size()) return;
    }
  }

  /// A short search for each measure.
  bool SearchCore(Core* core, Placement* found) {
    const auto nodes = static_cast<int64_t>(2 * core->model.blocks.size() + 200);
    const int64_t target = Target();
    for (const Measure measure : kSearchMeasures) {
      if (core_work_ + core->search.work() >= options_.effort / 4) return false;
      const SearchVerdict verdict =
          core->search.Run(target, OrderBlocks(core->model, measure, 0, core->search.Trouble()),
                           {nodes, Deadline()}, found);
      if (verdict == SearchVerdict::kExhausted) proved_ = std::max(proved_, target + 1);
      if (verdict != SearchVerdict::kGaveUp) return verdict == SearchVerdict::kFound;
    }
    return false;
  }

  /// Places the blocks outside the core around it.
  void FillIn(const std::vector<int32_t>& chosen, const Placement& core) {
    Model rest = model_;
    for (size_t i = 0; i < chosen.size(); ++i) rest.blocks[chosen[i]].pin = core.offsets[i];
    for (size_t i = 0; i < 3 && !Done(); ++i) {
      Keep(FirstFit(rest, OrderBlocks(rest, kWays[i].measure, 0), kWays[i].best_fit));
    }
  }

  /// One short search for each measure, until one finds a plan within `capacity`.
  SearchVerdict TryAll(int64_t capacity, int64_t nodes, uint64_t seed) {
    for (Measure measure : kSearchMeasures) {
      if (search_->work() >= budget_end_) return SearchVerdict::kGaveUp;
      Placement found;
      const std::vector<int32_t> order = OrderBlocks(model_, measure, seed, search_->Trouble());
      const SearchVerdict verdict = search_->Run(capacity, order, {nodes, Deadline()}, &found);
      if (verdict == SearchVerdict::kGaveUp) continue;
      if (verdict == SearchVerdict::kFound) Keep(std::move(found));
      if (verdict == SearchVerdict::kExhausted) proved_ = std::max(proved_, capacity + 1);
      return verdict;
    }
    return SearchVerdict::kGaveUp;
  }

  Clock::time_point Deadline() const {
    return options_.exact ? deadline_ : Clock::time_point::max();
  }

  bool TimeIsUp() const { return options_.exact && Clock::now() > deadline_; }

  /// First halves the distance between the bound and the best plan with short searches. Then asks
  /// for ever lower plans as long as the effort lasts: boldly after a success, modestly after a
  /// failure, each time with other orders and a little more patience.
  void Improve() {
    const auto blocks = static_cast<int64_t>(model_.blocks.size());
    improve_begin_ = search_->work();
    int64_t nodes = 2 * blocks + 200;
    for (int64_t low = proved_; best_.height - low > best_.height / 64 && HasBudget();) {
      const int64_t target = low + (best_.height - low) / 2;
      if (TryAll(target, nodes, 0) != SearchVerdict::kFound) low = target + 1;
    }
    double part = 0.25;  // of the distance between the best plan and the bound
    for (uint64_t seed = 1; HasBudget(); ++seed) {
      const auto gap = static_cast<double>(best_.height - proved_);
      const int64_t step = std::max<int64_t>(1, static_cast<int64_t>(gap * part));
      const SearchVerdict verdict = TryAll(best_.height - step, nodes, seed);
      if (verdict == SearchVerdict::kFound) {
        part = std::min(1.0, part * 2);
      } else {
        part = std::max(0.05, part / 2);
        nodes += nodes / 4;
      }
    }
    budget_end_ = kUnlimited;
  }

  /// The whole effort is for plans that are 2 % or more above the bound; a plan from which less can
  /// be gained is worth so much less of it, down to a tenth.
  bool HasBudget() {
    const double gap = static_cast<double>(best_.height - proved_) / static_cast<double>(proved_);
    const double worth = std::clamp(gap / 0.02, 0.1, 1.0);
    budget_end_ =
        improve_begin_ + static_cast<int64_t>(worth * static_cast<double>(options_.effort));
    return search_->work() < budget_end_ && !Done() && !TimeIsUp();
  }

  /// Searches at one capacity in rounds of growing length until found, refuted, or out of time.
  SearchVerdict Insist(int64_t capacity, Clock::time_point end) {
    // The time to a plan has a heavy tail: many runs with different seeds find one sooner than few
    // long ones. Every sixteenth round takes the measures as they are and is patient, for proofs.
    double nodes = 4000;
    for (uint64_t seed = 0; Clock::now() < end; ++seed) {
      const bool plain = seed % 16 == 15;
      const SearchVerdict verdict =
          TryAll(capacity, static_cast<int64_t>(plain ? 16 * nodes : nodes), plain ? 0 : seed);
      if (verdict != SearchVerdict::kGaveUp) return verdict;
      nodes *= 1.04;
    }
    return SearchVerdict::kGaveUp;
  }

  void Prove() {
    if (problem_.capacity != kUnlimited) {
      Insist(problem_.capacity, deadline_);
      return;
    }
    int64_t low = proved_;
    while (low < best_.height && Clock::now() < deadline_) {
      const auto slice = (deadline_ - Clock::now()) / 2;
      const int64_t target = low + (best_.height - 1 - low) / 2;
      if (Insist(target, Clock::now() + slice) != SearchVerdict::kFound) low = target + 1;
    }
  }

  Plan Publish() const {
    Plan plan;
    plan.offsets.reserve(problem_.buffers.size());
    for (size_t i = 0; i < problem_.buffers.size(); ++i) {
      const int32_t block = model_.block_of_buffer[i];
      const int64_t pin = std::max<int64_t>(0, model_.group_pin[i]);
      plan.offsets.push_back(block < 0 ? pin : best_.offsets[block]);
      if (problem_.buffers[i].size == 0) continue;
      plan.height = std::max(plan.height, plan.offsets.back() + problem_.buffers[i].size);
    }
    return plan;
  }

  const Problem& problem_;
  const Model& model_;
  const int64_t padding_;
  const SolveOptions& options_;
  Clock::time_point deadline_;
  int64_t proved_;
  Placement best_{{}, kUnlimited};
  std::optional<Search> search_;
  int64_t core_work_ = 0;
  int64_t core_nodes_ = 0;
  int64_t improve_begin_ = 0;        // in work
  int64_t budget_end_ = kUnlimited;  // of Improve, in work
};

}  // namespace

base::Result<Solution> Solve(const Problem& problem, const SolveOptions& options) {
  HOSTNPU_ASSIGN_OR_RETURN(Model model, BuildModel(problem));
  const int64_t least = model.lower_bound;
  const int64_t padding = options.exact ? 0 : RoundSizes(&model);
  Solution solution = Portfolio(problem, model, padding, options).Run();
  solution.lower_bound = std::max(solution.lower_bound, least);
  return solution;
}

}  // namespace hostnpu::planner
