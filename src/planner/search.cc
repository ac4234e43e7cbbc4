// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
// Any plan can be pressed down until every block stands on the ground, on a pin or on another
// block, and then be rebuilt block by block in the order of offsets. So it is enough to search such
// sequences: at each node the next block goes to the lowest place its placed neighbours leave
// (`raw_`), and never below the block placed last (the floor). Of all plans take the one with the
// smallest sum of offsets; every rule below only drops sequences that cannot be that plan, hence
// the search stays complete:
//   dominance   if an unplaced block fits whole below the chosen offset, it could have sunk there
//   support     a block whose lowest place is below the floor waits for a neighbour that lifts it
//   stacking    blocks of one section exclude each other: the sizes above any level add up
//   division    parts of the time axis that no unplaced block joins do not influence each other
//   symmetry    independent blocks at one offset commute, so one order is enough
//   force       a section that is too full to go without one next at the floor is decided first
// The ideas are those of Moffitt's MiniMalloc paper (ASPLOS 2023), sharpened by the support rule
// and by the stacking bound, which is the one-machine bound of job-shop scheduling.
//
// The order by offsets goes to and fro over the time axis, so a bad choice shows only after many
// others that have nothing to do with it, and a plain search would try all of those again. So each
// failure is traced to the placed blocks that its bounds stand on, and choices that are not among
// them are not changed (`jumps`). The trace leaves out some reasons, hence a run that has jumped
// proves nothing: without a plan it is done again without. Sections that fail often are decided
// first, and their blocks come earlier in the orders of later runs.
#include "planner/search.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/check.h"
#include "planner/failed_states.h"

namespace hostnpu::planner {

/// T holds an offset in units.
template <typename T>
class Search::Machine {
 public:
  Machine(const Model& model, const SearchSwitches& switches, int64_t unit);

  SearchVerdict Run(int64_t capacity, const std::vector<int32_t>& order, const SearchLimit& limit);
  std::vector<double> Trouble() const;
  T offset(int32_t block) const { return offset_[block]; }
  int64_t nodes() const { return nodes_; }
  int64_t work() const { return work_; }

 private:
  static constexpr size_t kLeastRemembered =
      6;  // blocks; smaller parts are solved faster than found
  static constexpr size_t kMostRemembered = 1 << 16;
  static constexpr T kNever = std::numeric_limits<T>::max();
  static constexpr double kTroubleKept = 0.95;  // from run to run

  /// The unplaced blocks of one part of the time axis: list_[begin, end), sections [lower, upper).
  struct Part {
    size_t begin;
    size_t end;
    int32_t lower;
    int32_t upper;
  };
  struct Change {
    int32_t block;
    T raw;
    int32_t cause;
  };
  static constexpr int32_t kNoSection = -1;
  static constexpr int32_t kDeadEnd = -2;
  struct Pin {
    T offset;
    T top;
  };

  /// Calls visit(lower, upper) for each stretch of the block; nearly all have one.
  template <typename Visit>
  void ForEachRange(int32_t block, const Visit& visit) const {
    if (more_ranges_[block].empty()) {
      visit(hull_[block].lower, hull_[block].upper);
    } else {
      for (const SectionRange& range : more_ranges_[block]) visit(range.lower, range.upper);
    }
  }
  void Connect(const Model& model);
  SearchVerdict RunOnce();
  void Reset();
  T Lowest(int32_t block, T from) const;
  void Place(int32_t block);
  void Undo(size_t trail_mark, size_t placed_mark);
  void CountCrossings(int32_t block, int32_t change);
  SearchVerdict Expand(Part part, T floor, int32_t last_rank);
  SearchVerdict Descend(const Part& part, int32_t chosen, T floor, int32_t last_rank);
  std::vector<Part> Divide(const Part& part, size_t begin);
  bool MayBeNext(int32_t block, T floor, int32_t last_rank) const {
    return raw_[block] == floor && !(switches_.symmetry && rank_[block] < last_rank);
  }
  bool Bound(const Part& part, T floor, int32_t last_rank);
  bool Support(const Part& part, T floor, int32_t last_rank);
  bool Stack(const Part& part, T floor);
  bool StackTightSection(const Part& part, T floor);
  int32_t Force(const Part& part, T floor, int32_t last_rank);
  int32_t TightestSection(const Part& part, T floor);
  void CollectCandidates(const Part& part, T floor, int32_t last_rank);
  bool RaiseFloor(const Part& part, T* floor, int32_t* last_rank);
  SearchVerdict TryCandidates(const Part& part, size_t begin, T floor, int32_t last_rank,
                              int32_t forced);
  void SortByRank(size_t begin);
  void Blame(int32_t placed);
  void BlameBound(int32_t block, T floor);
  void BlameSection(int32_t section, T level, T floor);
  void BlameBlock(int32_t block, T floor);
  void BlameAll() { std::fill(culprits_.begin(), culprits_.end(), ~uint64_t{0}); }
  void BlameNone() { std::fill(culprits_.begin(), culprits_.end(), 0); }
  bool IsCulprit(int32_t block) const { return (culprits_[block >> 6] >> (block & 63) & 1) != 0; }
  FailedStates::Key KeyOf(const Part& part, T floor, int32_t last_rank) const;

  int32_t count_;
  int32_t section_count_;
  SearchSwitches switches_;
  std::vector<T> size_;
  std::vector<T> alignment_;
  std::vector<SectionRange> hull_;
  std::vector<std::vector<SectionRange>> more_ranges_;  // empty if the hull is the only stretch
  std::vector<std::vector<int32_t>> neighbours_;        // unpinned ones
  std::vector<std::vector<int32_t>> apart_;    // the neighbours by must-not-share, unpinned
  std::vector<std::vector<Pin>> pins_;         // pinned neighbours, by offset
  std::vector<int32_t> free_;                  // unpinned blocks
  std::vector<std::vector<int32_t>> members_;  // unpinned blocks of each section

  T capacity_ = 0;
  std::vector<int32_t> rank_;
  std::vector<T> offset_;
  std::vector<T> raw_;
  std::vector<char> is_placed_;
  std::vector<int32_t> crossings_;  // unplaced hulls and pairs over the border before each section
  std::vector<Change> trail_;
  std::vector<int32_t> placed_;
  std::vector<int32_t> list_;

  std::vector<int32_t> cause_;      // the placed block that raw_ is the top of, or -1
  int32_t floor_cause_ = -1;        // the same for the floor
  std::vector<uint64_t> culprits_;  // placed blocks behind the last failure, a bit each
  bool may_jump_ = false;
  bool has_jumped_ = false;
  std::vector<double> section_trouble_;  // failures; older ones count less
  std::vector<double> block_trouble_;

  std::vector<T> bound_;         // scratch of Bound: no plan puts the block lower
  std::vector<T> otherwise_;     // scratch of Support: nor lower than this, unless it is next
  std::vector<T> total_;         // scratch of Force, per section: bytes to come
  std::vector<int32_t> takers_;  // blocks that may be next
  std::vector<T> least_top_;     // scratch per section
  std::vector<T> second_top_;
  std::vector<T> stacked_;
  std::vector<std::pair<T, int32_t>> sorted_;
  int32_t tight_section_ = 0;  // the one that failed last
  FailedStates failed_;
  SearchLimit limit_;
  int64_t nodes_ = 0;
  int64_t work_ = 0;
  int64_t node_end_ = 0;
};

template <typename T>
Search::Machine<T>::Machine(const Model& model, const SearchSwitches& switches, int64_t unit)
    : count_(static_cast<int32_t>(model.blocks.size())),
      section_count_(model.section_count),
      switches_(switches),
      more_ranges_(count_),
      neighbours_(count_),
      apart_(count_),
      pins_(count_) {
  for (int32_t b = 0; b < count_; ++b) {
    const Block& block = model.blocks[b];
    size_.push_back(static_cast<T>(block.size / unit));
    alignment_.push_back(static_cast<T>(std::max<int64_t>(1, block.alignment / unit)));
    hull_.push_back(block.hull);
    if (block.ranges.size() > 1) more_ranges_[b] = block.ranges;
    offset_.push_back(block.pin < 0 ? 0 : static_cast<T>(block.pin / unit));
    if (block.pin < 0) free_.push_back(b);
  }
  Connect(model);
  members_.resize(section_count_);
  for (int32_t b : free_) {
    for (const SectionRange& range : model.blocks[b].ranges) {
      for (int32_t s = range.lower; s < range.upper; ++s) members_[s].push_back(b);
    }
  }
  raw_.resize(count_);
  is_placed_.resize(count_);
  bound_.resize(count_);
  otherwise_.resize(count_);
  rank_.resize(count_);
  cause_.resize(count_);
  culprits_.resize(static_cast<size_t>(count_ + 63) / 64);
  block_trouble_.resize(count_);
  section_trouble_.resize(section_count_);
  total_.resize(section_count_);
  takers_.resize(section_count_);
  least_top_.resize(section_count_);
  second_top_.resize(section_count_);
  stacked_.resize(section_count_);
}

template <typename T>
void Search::Machine<T>::Connect(const Model& model) {
  for (int32_t a = 0; a < count_; ++a) {
    for (int32_t b = a + 1; b < count_; ++b) {
      const bool hulls_meet = hull_[a].lower < hull_[b].upper && hull_[b].lower < hull_[a].upper;
      if (!hulls_meet && model.blocks[a].apart.empty()) continue;
      if (!model.Conflict(a, b)) continue;
      const bool a_free = model.blocks[a].pin < 0;
      const bool b_free = model.blocks[b].pin < 0;
      if (a_free && b_free) {
        neighbours_[a].push_back(b);
        neighbours_[b].push_back(a);
      } else if (a_free) {
        pins_[a].push_back({offset_[b], static_cast<T>(offset_[b] + size_[b])});
      } else if (b_free) {
        pins_[b].push_back({offset_[a], static_cast<T>(offset_[a] + size_[a])});
      }
    }
    for (int32_t other : model.blocks[a].apart) {
      if (model.blocks[a].pin < 0 && model.blocks[other].pin < 0) apart_[a].push_back(other);
    }
  }
  for (std::vector<Pin>& pins : pins_) {
    std::sort(pins.begin(), pins.end(),
              [](const Pin& a, const Pin& b) { return a.offset < b.offset; });
  }
}

template <typename T>
void Search::Machine<T>::Reset() {
  trail_.clear();
  placed_.clear();
  std::fill(cause_.begin(), cause_.end(), -1);
  has_jumped_ = false;
  std::fill(is_placed_.begin(), is_placed_.end(), false);
  crossings_.assign(section_count_ + 1, 0);
  for (int32_t block : free_) {
    raw_[block] = Lowest(block, 0);
    CountCrossings(block, 1);
    is_placed_[block] = true;  // so that each must-not-share pair is counted once
  }
  std::fill(is_placed_.begin(), is_placed_.end(), false);
}

/// The lowest aligned offset at or above `from` that no pinned neighbour is in the way of.
template <typename T>
T Search::Machine<T>::Lowest(int32_t block, T from) const {
  const T alignment = alignment_[block];
  auto align = [alignment](T value) {
    if (alignment == 1) return value;
    const T rest = value % alignment;
    return rest == 0 ? value : static_cast<T>(value + alignment - rest);
  };
  T offset = align(from);
  for (const Pin& pin : pins_[block]) {
    if (pin.offset >= offset + size_[block]) break;
    if (pin.top > offset) offset = align(pin.top);
  }
  return offset;
}

template <typename T>
void Search::Machine<T>::CountCrossings(int32_t block, int32_t change) {
  for (int32_t s = hull_[block].lower + 1; s < hull_[block].upper; ++s) crossings_[s] += change;
  for (int32_t other : apart_[block]) {
    if (is_placed_[other]) continue;
    const int32_t lower = std::min(hull_[block].lower, hull_[other].lower);
    const int32_t upper = std::max(hull_[block].upper, hull_[other].upper);
    for (int32_t s = lower + 1; s < upper; ++s) crossings_[s] += change;
  }
}

template <typename T>
void Search::Machine<T>::Place(int32_t block) {
  offset_[block] = raw_[block];
  is_placed_[block] = true;
  placed_.push_back(block);
  CountCrossings(block, -1);
  const T top = offset_[block] + size_[block];
  for (int32_t other : neighbours_[block]) {
    if (is_placed_[other] || raw_[other] >= top) continue;
    trail_.push_back({other, raw_[other], cause_[other]});
    raw_[other] = Lowest(other, top);
    cause_[other] = block;
  }
}

template <typename T>
void Search::Machine<T>::Undo(size_t trail_mark, size_t placed_mark) {
  while (trail_.size() > trail_mark) {
    raw_[trail_.back().block] = trail_.back().raw;
    cause_[trail_.back().block] = trail_.back().cause;
    trail_.pop_back();
  }
  while (placed_.size() > placed_mark) {
    const int32_t block = placed_.back();
    placed_.pop_back();
    CountCrossings(block, 1);
    is_placed_[block] = false;
  }
}

/// A placed block, and what it stands on, down to the ground.
template <typename T>
void Search::Machine<T>::Blame(int32_t placed) {
  for (; placed >= 0 && !IsCulprit(placed); placed = cause_[placed]) {
    culprits_[placed >> 6] |= uint64_t{1} << (placed & 63);
  }
}

/// What keeps an unplaced block from standing lower.
template <typename T>
void Search::Machine<T>::BlameBound(int32_t block, T floor) {
  Blame(cause_[block]);
  if (raw_[block] <= floor) Blame(floor_cause_);
}

/// The section has no room for its blocks at or above the level.
template <typename T>
void Search::Machine<T>::BlameSection(int32_t section, T level, T floor) {
  section_trouble_[section] += 1;
  BlameNone();
  for (int32_t block : members_[section]) {
    if (!is_placed_[block] && bound_[block] >= level) BlameBound(block, floor);
  }
}

/// There is no room for the block above its lowest place, or what would lift it.
template <typename T>
void Search::Machine<T>::BlameBlock(int32_t block, T floor) {
  block_trouble_[block] += 1;
  BlameNone();
  BlameBound(block, floor);
  if (raw_[block] > floor) return;
  for (int32_t other : neighbours_[block]) {
    if (!is_placed_[other]) BlameBound(other, floor);
  }
}

/// Fills bound_ for blocks that a neighbour must still lift above the floor, and otherwise_ for
/// all.
template <typename T>
bool Search::Machine<T>::Support(const Part& part, T floor, int32_t last_rank) {
  std::fill(least_top_.begin() + part.lower, least_top_.begin() + part.upper, kNever);
  std::fill(second_top_.begin() + part.lower, second_top_.begin() + part.upper, kNever);
  work_ += 8 * static_cast<int64_t>(part.end - part.begin);
  T* const least = least_top_.data();
  T* const second = second_top_.data();
  for (size_t i = part.begin; i < part.end; ++i) {
    const int32_t block = list_[i];
    const T top = std::max(raw_[block], floor) + size_[block];
    ForEachRange(block, [=](int32_t lower, int32_t upper) {
      for (int32_t s = lower; s < upper; ++s) {
        const T before = least[s];
        second[s] = std::min(second[s], std::max(before, top));
        least[s] = std::min(before, top);
      }
    });
  }
  for (size_t i = part.begin; i < part.end; ++i) {
    const int32_t block = list_[i];
    otherwise_[block] = raw_[block];
    if (raw_[block] > floor) continue;
    const T own_top = floor + size_[block];
    T lift = kNever;
    ForEachRange(block, [=, &lift](int32_t lower, int32_t upper) {
      T low = lift;
      for (int32_t s = lower; s < upper; ++s) {
        low = std::min(low, least[s] == own_top ? second[s] : least[s]);
      }
      lift = low;
    });
    for (int32_t other : apart_[block]) {
      if (!is_placed_[other]) lift = std::min<T>(lift, std::max(raw_[other], floor) + size_[other]);
    }
    otherwise_[block] = lift;
    if (MayBeNext(block, floor, last_rank)) continue;
    if (lift > capacity_ - size_[block]) {
      BlameBlock(block, floor);
      return false;
    }
    bound_[block] = lift;
  }
  return true;
}

/// Whether, in every section, the blocks above any level fit between that level and the capacity.
template <typename T>
bool Search::Machine<T>::Stack(const Part& part, T floor) {
  sorted_.clear();
  for (size_t i = part.begin; i < part.end; ++i) sorted_.emplace_back(bound_[list_[i]], list_[i]);
  std::sort(sorted_.begin(), sorted_.end(),
            [](const auto& a, const auto& b) { return a.first > b.first; });
  std::fill(stacked_.begin() + part.lower, stacked_.begin() + part.upper, 0);
  T* const stacked = stacked_.data();
  for (const auto& [bound, block] : sorted_) {
    const T room = capacity_ - bound;
    work_ += 4 + (hull_[block].upper - hull_[block].lower) / 4;
    const T size = size_[block];
    T highest = 0;
    ForEachRange(block, [=, &highest](int32_t lower, int32_t upper) {
      T high = highest;
      for (int32_t s = lower; s < upper; ++s) {
        const T sum = stacked[s] + size;
        stacked[s] = sum;
        high = std::max(high, sum);
      }
      highest = high;
    });
    if (highest <= room) continue;
    for (int32_t s = hull_[block].lower; s < hull_[block].upper; ++s) {
      if (stacked[s] > room) tight_section_ = s;
    }
    BlameSection(tight_section_, bound, floor);
    return false;
  }
  return true;
}

/// Stack for the one section that failed last: it often fails again, and costs little.
template <typename T>
bool Search::Machine<T>::StackTightSection(const Part& part, T floor) {
  if (tight_section_ < part.lower || tight_section_ >= part.upper) return true;
  sorted_.clear();
  for (int32_t block : members_[tight_section_]) {
    if (!is_placed_[block]) sorted_.emplace_back(bound_[block], block);
  }
  std::sort(sorted_.begin(), sorted_.end(),
            [](const auto& a, const auto& b) { return a.first > b.first; });
  T stacked = 0;
  for (const auto& [bound, block] : sorted_) {
    stacked += size_[block];
    if (stacked <= capacity_ - bound) continue;
    BlameSection(tight_section_, bound, floor);
    return false;
  }
  return true;
}

template <typename T>
bool Search::Machine<T>::Bound(const Part& part, T floor, int32_t last_rank) {
  bool below = false;
  for (size_t i = part.begin; i < part.end; ++i) {
    const int32_t block = list_[i];
    below |= raw_[block] < floor;
    bound_[block] = std::max(raw_[block], floor);
    if (bound_[block] <= capacity_ - size_[block]) continue;
    BlameBlock(block, floor);
    return false;
  }
  if (switches_.stacking && !StackTightSection(part, floor)) return false;
  const bool supports = switches_.support && (below || switches_.force);
  if (supports && !Support(part, floor, last_rank)) return false;
  return !switches_.stacking || Stack(part, floor);
}

/// Of the sections that need one of their blocks next, because all of them do not fit above the
/// places they have otherwise, the one with the fewest to choose from; among those with few the one
/// that has made trouble. kDeadEnd: there is none to choose from.
template <typename T>
int32_t Search::Machine<T>::TightestSection(const Part& part, T floor) {
  int32_t best = kNoSection;
  double best_worth = 0;
  for (int32_t s = part.lower; s < part.upper; ++s) {
    if (total_[s] == 0 || least_top_[s] <= capacity_ - total_[s]) continue;
    if (takers_[s] == 0) {
      BlameSection(s, 0, floor);
      return kDeadEnd;
    }
    const double worth = (1 + section_trouble_[s]) / takers_[s];
    if (worth <= best_worth) continue;
    best = s;
    best_worth = worth;
  }
  return best;
}

/// Appends to list_ the blocks of the section returned, one of which must be next.
template <typename T>
int32_t Search::Machine<T>::Force(const Part& part, T floor, int32_t last_rank) {
  std::fill(least_top_.begin() + part.lower, least_top_.begin() + part.upper, kNever);
  std::fill(total_.begin() + part.lower, total_.begin() + part.upper, 0);
  std::fill(takers_.begin() + part.lower, takers_.begin() + part.upper, 0);
  work_ += 8 * static_cast<int64_t>(part.end - part.begin);
  T* const least = least_top_.data();
  T* const total = total_.data();
  int32_t* const takers = takers_.data();
  for (size_t i = part.begin; i < part.end; ++i) {
    const int32_t block = list_[i];
    const T low = otherwise_[block];
    const T size = size_[block];
    const int32_t taker = MayBeNext(block, floor, last_rank) ? 1 : 0;
    ForEachRange(block, [=](int32_t lower, int32_t upper) {
      for (int32_t s = lower; s < upper; ++s) {
        least[s] = std::min(least[s], low);
        total[s] += size;
        takers[s] += taker;
      }
    });
  }
  const int32_t forced = TightestSection(part, floor);
  if (forced < 0) return forced;
  const size_t begin = list_.size();
  for (int32_t block : members_[forced]) {
    if (!is_placed_[block] && MayBeNext(block, floor, last_rank)) list_.push_back(block);
  }
  SortByRank(begin);
  return forced;
}

template <typename T>
void Search::Machine<T>::SortByRank(size_t begin) {
  std::sort(list_.begin() + static_cast<int64_t>(begin), list_.end(), [this](int32_t a, int32_t b) {
    return raw_[a] != raw_[b] ? raw_[a] < raw_[b] : rank_[a] < rank_[b];
  });
}

/// Appends to list_ the blocks that may come next, the lowest first, then by rank.
template <typename T>
void Search::Machine<T>::CollectCandidates(const Part& part, T floor, int32_t last_rank) {
  T least_top = kNever;
  for (size_t i = part.begin; switches_.dominance && i < part.end; ++i) {
    least_top = std::min<T>(least_top, raw_[list_[i]] + size_[list_[i]]);
  }
  const size_t begin = list_.size();
  for (size_t i = part.begin; i < part.end; ++i) {
    const int32_t block = list_[i];
    if (raw_[block] < floor || raw_[block] >= least_top) continue;
    if (raw_[block] == floor && !MayBeNext(block, floor, last_rank)) continue;
    list_.push_back(block);
  }
  SortByRank(begin);
}

/// The next block stands at the lowest of the lowest places at or above the floor, so the floor is
/// there. False if no block may be next.
template <typename T>
bool Search::Machine<T>::RaiseFloor(const Part& part, T* floor, int32_t* last_rank) {
  T next = kNever;
  int32_t lowest = -1;
  for (size_t i = part.begin; i < part.end; ++i) {
    const T raw = raw_[list_[i]];
    if (raw < *floor || raw >= next) continue;
    next = raw;
    lowest = list_[i];
  }
  if (next == kNever) return false;
  floor_cause_ = next > *floor ? cause_[lowest] : placed_.empty() ? -1 : placed_.back();
  if (next > *floor) *last_rank = -1;  // nothing ties with the block placed last
  *floor = next;
  return true;
}

/// What decides whether the part can be solved: the unplaced blocks, and their lowest places as far
/// as these are above the floor.
template <typename T>
FailedStates::Key Search::Machine<T>::KeyOf(const Part& part, T floor, int32_t last_rank) const {
  if (!switches_.memory || part.end - part.begin < kLeastRemembered) return {};
  FailedStates::KeyMaker key(static_cast<uint64_t>(floor), static_cast<uint64_t>(last_rank));
  for (size_t i = part.begin; i < part.end; ++i) {
    const int32_t block = list_[i];
    const uint64_t raw = raw_[block] < floor ? ~uint64_t{0} : static_cast<uint64_t>(raw_[block]);
    key.Add(raw * 0xbf58476d1ce4e5b9u + static_cast<uint64_t>(block));
  }
  return key.Finish();
}

/// Splits list_[begin, end) where nothing crosses a border, and sorts the parts, the smallest
/// first.
template <typename T>
std::vector<typename Search::Machine<T>::Part> Search::Machine<T>::Divide(const Part& part,
                                                                          size_t begin) {
  std::vector<Part> parts;
  const size_t end = list_.size();
  int32_t lower = part.lower;
  for (int32_t s = part.lower + 1; s <= part.upper; ++s) {
    if (s < part.upper && (crossings_[s] != 0 || !switches_.division)) continue;
    if (lower == part.lower && s == part.upper) {  // in one piece: the list may stay
      if (begin < end) parts.push_back({begin, end, lower, s});
      return parts;
    }
    const size_t piece = list_.size();
    for (size_t i = begin; i < end; ++i) {
      const int32_t block = list_[i];
      if (hull_[block].lower >= lower && hull_[block].lower < s) list_.push_back(block);
    }
    if (list_.size() > piece) parts.push_back({piece, list_.size(), lower, s});
    lower = s;
  }
  std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
    return a.end - a.begin != b.end - b.begin ? a.end - a.begin < b.end - b.begin
                                              : a.lower < b.lower;
  });
  return parts;
}

/// Solves what is left of `part` without `chosen`, which stands at `floor`.
template <typename T>
SearchVerdict Search::Machine<T>::Descend(const Part& part, int32_t chosen, T floor,
                                          int32_t last_rank) {
  const size_t begin = list_.size();
  for (size_t i = part.begin; i < part.end; ++i) {
    const int32_t block = list_[i];
    if (block != chosen) list_.push_back(block);
  }
  SearchVerdict verdict = SearchVerdict::kFound;
  for (const Part& piece : Divide(part, begin)) {
    verdict = Expand(piece, floor, last_rank);
    if (verdict != SearchVerdict::kFound) break;
  }
  list_.resize(begin);
  return verdict;
}

template <typename T>
SearchVerdict Search::Machine<T>::Expand(Part part, T floor, int32_t last_rank) {
  ++nodes_;
  work_ += static_cast<int64_t>(part.end - part.begin);
  if (nodes_ > node_end_) return SearchVerdict::kGaveUp;
  if (nodes_ % 256 == 0 && std::chrono::steady_clock::now() > limit_.deadline) {
    return SearchVerdict::kGaveUp;
  }
  if (!RaiseFloor(part, &floor, &last_rank)) {
    BlameAll();
    return SearchVerdict::kExhausted;
  }
  if (!Bound(part, floor, last_rank)) return SearchVerdict::kExhausted;
  const FailedStates::Key key = KeyOf(part, floor, last_rank);
  if (failed_.Contains(key)) {
    BlameAll();
    return SearchVerdict::kExhausted;
  }
  const size_t begin = list_.size();
  const bool forces = switches_.force && switches_.support;
  const int32_t forced = forces ? Force(part, floor, last_rank) : kNoSection;
  if (forced == kDeadEnd) return SearchVerdict::kExhausted;
  if (forced == kNoSection) CollectCandidates(part, floor, last_rank);
  const SearchVerdict verdict = TryCandidates(part, begin, floor, last_rank, forced);
  list_.resize(begin);
  if (verdict == SearchVerdict::kExhausted) failed_.Add(key);
  return verdict;
}

/// Places each of list_[begin, end) in turn. Which of a forced section comes first says nothing of
/// blocks of other sections at the same offset, so the last rank stays then.
template <typename T>
SearchVerdict Search::Machine<T>::TryCandidates(const Part& part, size_t begin, T floor,
                                                int32_t last_rank, int32_t forced) {
  const size_t end = list_.size();
  const int32_t floor_cause = floor_cause_;
  std::vector<uint64_t> culprits(culprits_.size());
  for (size_t i = begin; i < end; ++i) {
    const int32_t block = list_[i];
    const size_t trail_mark = trail_.size();
    const size_t placed_mark = placed_.size();
    Place(block);
    const SearchVerdict verdict =
        Descend(part, block, offset_[block], forced >= 0 ? last_rank : rank_[block]);
    if (verdict == SearchVerdict::kFound) return verdict;
    Undo(trail_mark, placed_mark);
    if (verdict == SearchVerdict::kGaveUp) return verdict;
    if (may_jump_ && !IsCulprit(block)) {
      has_jumped_ = true;
      return verdict;
    }
    for (size_t w = 0; w < culprits.size(); ++w) culprits[w] |= culprits_[w];
  }
  // Every choice failed: because of what made each of them fail, and of what left no other choice.
  culprits_ = std::move(culprits);
  for (size_t i = begin; i < end; ++i) {
    culprits_[list_[i] >> 6] &= ~(uint64_t{1} << (list_[i] & 63));
  }
  floor_cause_ = floor_cause;
  Blame(floor_cause);
  if (forced >= 0) {
    for (int32_t block : members_[forced]) {
      if (!is_placed_[block]) BlameBound(block, floor);
    }
  } else {
    for (size_t i = part.begin; i < part.end; ++i) {
      if (raw_[list_[i]] >= floor) Blame(cause_[list_[i]]);
    }
  }
  return SearchVerdict::kExhausted;
}

template <typename T>
SearchVerdict Search::Machine<T>::Run(int64_t capacity, const std::vector<int32_t>& order,
                                      const SearchLimit& limit) {
  capacity_ = static_cast<T>(capacity);
  for (int32_t i = 0; i < count_; ++i) rank_[order[i]] = i;
  limit_ = limit;
  node_end_ = limit.nodes > std::numeric_limits<int64_t>::max() - nodes_
                  ? std::numeric_limits<int64_t>::max()
                  : nodes_ + limit.nodes;
  for (double& trouble : section_trouble_) trouble *= kTroubleKept;
  for (double& trouble : block_trouble_) trouble *= kTroubleKept;
  may_jump_ = switches_.jumps;
  SearchVerdict verdict = RunOnce();
  if (verdict == SearchVerdict::kExhausted && has_jumped_) {
    may_jump_ = false;
    verdict = RunOnce();
  }
  return verdict;
}

template <typename T>
SearchVerdict Search::Machine<T>::RunOnce() {
  failed_.Reset(switches_.memory && free_.size() >= kLeastRemembered ? kMostRemembered : 1);
  Reset();
  list_ = free_;
  const Part all{0, list_.size(), 0, section_count_};
  return Descend(all, -1, 0, -1);
}

template <typename T>
std::vector<double> Search::Machine<T>::Trouble() const {
  std::vector<double> trouble = block_trouble_;
  double most = 0;
  for (int32_t block = 0; block < count_; ++block) {
    double worst = 0;
    ForEachRange(block, [&](int32_t lower, int32_t upper) {
      for (int32_t s = lower; s < upper; ++s) worst = std::max(worst, section_trouble_[s]);
    });
    trouble[block] += worst;
    most = std::max(most, trouble[block]);
  }
  for (double& one : trouble) one = most > 0 ? one / most : 0;
  return trouble;
}

Search::Search(const Model& model, const SearchSwitches& switches)
    : model_(model), switches_(switches), unit_(0) {
  HOSTNPU_CHECK(model.blocks.size() <= kMaxBlocks);
  for (const Block& block : model.blocks) {
    unit_ = std::gcd(unit_, block.size);
    if (block.pin > 0) unit_ = std::gcd(unit_, block.pin);
    if (block.alignment > 1) unit_ = std::gcd(unit_, block.alignment);
  }
  if (unit_ == 0) unit_ = 1;
}

Search::~Search() = default;

std::vector<double> Search::Trouble() const {
  if (narrow_ != nullptr) return narrow_->Trouble();
  if (wide_ != nullptr) return wide_->Trouble();
  return std::vector<double>(model_.blocks.size(), 0.0);
}

int64_t Search::nodes() const { return nodes_; }

int64_t Search::work() const { return work_; }

template <typename T>
SearchVerdict Search::RunOn(std::unique_ptr<Machine<T>>* machine, int64_t capacity,
                            const std::vector<int32_t>& order, const SearchLimit& limit,
                            Placement* found) {
  if (*machine == nullptr) *machine = std::make_unique<Machine<T>>(model_, switches_, unit_);
  const int64_t nodes_before = (*machine)->nodes();
  const int64_t work_before = (*machine)->work();
  const SearchVerdict verdict = (*machine)->Run(capacity / unit_, order, limit);
  nodes_ += (*machine)->nodes() - nodes_before;
  work_ += (*machine)->work() - work_before;
  if (verdict != SearchVerdict::kFound) return verdict;
  found->offsets.resize(model_.blocks.size());
  found->height = 0;
  for (size_t b = 0; b < model_.blocks.size(); ++b) {
    found->offsets[b] = static_cast<int64_t>((*machine)->offset(static_cast<int32_t>(b))) * unit_;
    found->height = std::max(found->height, found->offsets[b] + model_.blocks[b].size);
  }
  return verdict;
}

SearchVerdict Search::Run(int64_t capacity, const std::vector<int32_t>& order,
                          const SearchLimit& limit, Placement* found) {
  if (capacity < model_.lower_bound) return SearchVerdict::kExhausted;
  // Twice the capacity and all sizes must stay within T: a top may pass the capacity by one block.
  int64_t reach = 0;
  for (const Block& block : model_.blocks) reach += block.size + block.alignment;
  capacity = std::min(capacity, 2 * reach + model_.lower_bound);
  const int64_t largest = std::numeric_limits<int32_t>::max() / 4;
  if (capacity / unit_ < largest && reach / unit_ < largest) {
    return RunOn(&narrow_, capacity, order, limit, found);
  }
  return RunOn(&wide_, capacity, order, limit, found);
}

}  // namespace hostnpu::planner
