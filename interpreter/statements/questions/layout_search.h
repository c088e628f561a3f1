// The layouts of a block that take the least time and fit the memory.
// `strategies.h` has the layouts of strategies with a name, `block_pricer.h` what a block takes with layouts in its holes,
// `decided_sides.h` those of sides of branches that are not taken.
#pragma once

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/holes/layout_choices.h"
#include "interpreter/planning/holes/elimination.h"
#include "interpreter/statements/questions/block_pricer.h"

namespace shard {

// Statements that a second of `--plan-time` plans. A search is measured in them and not in seconds: it finds the same on any host.
inline constexpr double kStatementsPerSecond = 4'000;
// What proves a best layout takes up to so many times that.
inline constexpr double kProofs = 10;

struct FoundLayouts {
  struct Found {
    HoleRows rows;
    PricedBlock priced;
    std::size_t alike = 0;  // others that take as long and as much memory
  };
  std::vector<Found> best;         // that fit, best first
  std::optional<Found> too_large;  // the fastest that does not fit
  std::optional<Found> smallest;   // in memory, of all
  std::size_t too_large_count = 0;
  std::size_t priced = 0;
  double candidates = 0;  // kMostCounted: or more
  bool proven = false;
  std::optional<double> at_least;  // seconds
  bool out_of_work = false;
  double plan_time_for_all = 0;  // seconds of `--plan-time` with which all are priced
};
// Layouts are counted up to here.
inline constexpr double kMostCounted = 1'000'000;

// Less is better: the time, and of layouts that take as long the memory; both up to the rounding of sums.
std::pair<double, double> rank_of(const PricedBlock& priced);

// The rows of these holes.
std::vector<std::size_t> rows_at(const HoleRows& rows, const std::set<std::size_t>& holes);

class LayoutSearch {
 public:
  // `limit`: bytes of a device. `seconds`: of --plan-time.
  // `mirrors`: those of equal_axes.h.
  LayoutSearch(const OpenBlock& block, BlockPricer& pricer,
               std::vector<std::vector<std::size_t>> mirrors, double limit, std::size_t count,
               double seconds)
      : block_(block),
        pricer_(pricer),
        mirrors_(std::move(mirrors)),
        limit_(limit),
        count_(count),
        work_(seconds * kStatementsPerSecond),
        variables_(variables_of(block)) {}

  // A few layouts are all priced. Of more, tables of what each statement takes by the layouts that it depends on, and the cheapest
  // choices of their sum; the first that fits is the best there is. Where the tables would take too long, the best is looked for
  // from `starts` on, by changing an array, or else a dimension in all of them.
  // No layout takes less than `at_least` seconds: what takes as much is the best there is.
  // REQUIRES: the block has a time at `starts.front()`.
  FoundLayouts search(std::vector<HoleRows> starts, double at_least = 0);

  // Of this layout; priced once, and with it those that are the same but for the names of axes.
  const PricedBlock& price(const HoleRows& rows);

 private:
  // What a statement takes: seconds, and its part of each row of memory (PricedBlock::memory_rows).
  struct TableEntry {
    double time = 0;
    std::vector<double> bytes = {};
  };
  // By the rows of its holes.
  using StatementTable = std::map<std::vector<std::size_t>, TableEntry>;

  void remember(const HoleRows& rows, const PricedBlock& priced);
  bool price_all();
  double count_layouts() const;

  void add_to_tables(const HoleRows& rows, const PricedBlock& priced);
  bool solve_tables();
  void fill_tables(const std::vector<DecidedHoles>& decided);
  bool add_entry(const DecidedHoles& part, std::size_t entry, HoleRows& rows) const;
  planning::ChoiceProblem problem_of(const std::vector<DecidedHoles>& decided) const;
  void add_agreements(planning::ChoiceProblem& problem) const;
  bool are_listed_below(double seconds) const;
  std::optional<HoleRows> price_choices(planning::CheapestChoices& choices, double most_work);
  void price_tighter(planning::ChoiceProblem problem, double most_work);
  bool price_below(planning::CheapestChoices& choices, double most_work);
  void find_smallest(planning::ChoiceProblem problem);

  void descend(HoleRows rows);
  void descend_from_best();
  void look_for_less_memory();
  bool improve(HoleRows& rows, const std::vector<HoleRows>& others);
  std::set<std::string> open_dimensions() const;
  std::vector<HoleRows> with_other_dimension(const HoleRows& rows) const;
  std::vector<HoleRows> with_moved_axis(const HoleRows& rows) const;
  std::optional<HoleRows> with_axis_moved(HoleRows rows, const std::string& axis,
                                          const std::string& from, const std::string& to) const;
  std::vector<HoleRows> with_other_array(const HoleRows& rows) const;
  std::optional<double> predicted(const HoleRows& rows) const;
  std::pair<double, double> rank(const PricedBlock& priced) const;
  // Whether what was found takes as little as any layout can.
  bool is_least() const;
  void raise_bound(double seconds) { bound_ = std::max(bound_.value_or(0), seconds); }
  bool has_work() const { return static_cast<double>(pricer_.work()) < work_; }

  void rank_all(FoundLayouts& found) const;

  const OpenBlock& block_;
  BlockPricer& pricer_;
  std::vector<std::vector<std::size_t>> mirrors_;
  double limit_;
  std::size_t count_;
  double work_;
  std::size_t spent_ = 0;  // work of pricing
  std::size_t runs_ = 0;   // layouts that were priced, and none that is the same as another one
  std::vector<OpenVariable> variables_;
  std::map<HoleRows, PricedBlock> known_;
  std::vector<StatementTable> tables_;
  std::size_t memory_rows_ = 0;
  bool finds_rows_ = false;
  bool rows_hold_ = true;     // no row was more than the memory
  bool rows_differ_ = false;  // of one entry
  bool adds_up_ = true;       // the time of each layout is the sum of these
  bool is_complete_ = true;   // no table lacks an entry for a mistake elsewhere
  std::optional<double> bound_;
  double least_ = std::numeric_limits<double>::infinity();  // seconds, of what fits
  double smallest_memory_ = std::numeric_limits<double>::infinity();
  bool proven_ = false;
};

}  // namespace shard
