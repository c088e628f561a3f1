// All layouts that a term can be had in, and where the tables of its operands meet. Private to the search for the cheapest way.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "interpreter/planning/local_price.h"
#include "interpreter/planning/search/relayout_search.h"
#include "interpreter/planning/term_plan.h"

namespace shard::planning {

struct PlacesHash {
  std::size_t operator()(const Places& places) const { return WideKey{places}.hash(); }
};

// A local computation, by the stops of its operands; or where a source begins.
struct Local {
  Places places;
  Weight weight;
  std::vector<std::uint32_t> parts;  // numbers of stops in the tables of the operands
};

struct LayoutTable {
  const Term* term;
  Combination combination = Combination::Sum;  // of what is unreduced
  std::vector<LayoutTable> operands = {};
  std::vector<Local> locals = {};  // of different places
  std::vector<MadePtr> made = {};  // the locals, if something else than this search made them
  std::vector<Stop> stops = {};    // the quickest first; their sources are locals
};

// Where tables meet: fills in `locals` of the table, given its operands' stops.
class Meeting {
 public:
  // `work`: what the budget leaves, which the meeting takes from.
  Meeting(LayoutTable& table, LocalPrice& price, double most_seconds, std::size_t& work)
      : table_(table), price_(price), most_seconds_(most_seconds), work_(work) {}

  void find(const Product& product);
  void find(const Elementwise& elements);
  void find(const Reduction& reduction);
  void find(const Softmax& softmax);

 private:
  struct Found;
  bool is_too_long(double seconds) const { return seconds > most_seconds_ * (1 + 1e-9); }
  bool works() {
    if (work_ == 0) return false;
    --work_;
    return true;
  }
  void keep(Found& found, const Places& places, const Weight& weight,
            std::vector<std::uint32_t> parts);

  LayoutTable& table_;
  LocalPrice& price_;
  double most_seconds_;
  std::size_t& work_;
};

// The axes at which something is.
AxisMask used_axes(const Places& places);
AxisMask splitting_axes(const Places& places);

}  // namespace shard::planning
