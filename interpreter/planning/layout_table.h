// All layouts that a term can be had in, and where the tables of its operands meet. Private to the search for the cheapest way.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "interpreter/planning/local_price.h"
#include "interpreter/planning/search/relayout_search.h"
#include "interpreter/planning/term_plan.h"

namespace shard::planning {

struct PlacesHash {
  std::size_t operator()(const Places& places) const { return WideKey{places}.hash(); }
};

// A local computation, by the stops of its operands; or where a source begins. Weights are `ordered` by the objective.
struct Local {
  Places places;
  Weight weight;
  std::vector<std::uint32_t> parts;  // numbers of stops in the tables of the operands
  std::size_t cut = 0;
};

struct LayoutTable {
  const Term* term;
  Combination combination = Combination::Sum;  // of what is unreduced
  // What it is computed of. Of a chain of products there is one for each place where it can be cut, that of the script first.
  struct Cut {
    const Term* term;
    std::vector<std::shared_ptr<const LayoutTable>> operands;
  };
  std::vector<Cut> cuts = {};
  std::vector<std::shared_ptr<const Term>> own_terms =
      {};                          // of parts that the script has not written
  std::vector<Local> locals = {};  // of different places
  std::vector<MadePtr> made = {};  // the locals, if something else than this search made them
  std::vector<Stop> stops = {};    // the quickest first; their sources are locals
};

// What is of any use.
struct Usefulness {
  double most = HUGE_VAL;  // of what the aim's objective counts
  Aim aim = {};
};

// Where tables meet: fills in `locals` of the table, given the stops of what it is computed of.
class Meeting {
 public:
  // `work`: what the budget leaves, which the meeting takes from.
  Meeting(LayoutTable& table, const Usefulness& useful, std::size_t& work)
      : table_(table), useful_(useful), work_(work) {}

  void find(const Product& product, std::size_t cut, LocalPrice& price);
  void find(const Elementwise& elements, std::size_t cut, LocalPrice& price);
  void find(const Reduction& reduction, std::size_t cut, LocalPrice& price);
  void find(const Softmax& softmax, std::size_t cut, LocalPrice& price);

 private:
  bool is_too_much(double weight) const { return weight > useful_.most * (1 + 1e-9); }
  // Of operands that are made independently of each other.
  Weight both(const Weight& a, const Weight& b) const {
    Weight sum = a + b;
    if (useful_.aim.objective == Objective::Timeline) sum.seconds = std::max(a.seconds, b.seconds);
    return sum;
  }
  bool is_held(const Places& first, const Places& second, const Places& result,
               const LocalPrice& price) const {
    return useful_.aim.most_held == HUGE_VAL ||
           price.held(first, second, result) <= useful_.aim.most_held;
  }
  bool works() {
    if (work_ == 0) return false;
    --work_;
    return true;
  }
  void keep(Local local);

  LayoutTable& table_;
  Usefulness useful_;
  std::size_t& work_;
  std::unordered_map<Places, std::size_t, PlacesHash> found_;  // the locals, by their places
};

// The axes at which something is.
AxisMask used_axes(const Places& places);
AxisMask splitting_axes(const Places& places);

}  // namespace shard::planning
