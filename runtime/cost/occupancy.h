// The copies that devices hold, as the events of a run make and free them.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/algebra/formula.h"
#include "runtime/machine/mesh.h"
#include "runtime/plan/places.h"
#include "runtime/plan/plan.h"

namespace shard {

// The operand that the step may change in place; invalid if there is none.
CopyId changed_in_place(const Step& step);

// Their bytes, whose sums are kept as they come and go. Copies in the same memory count once: a Reshape and its operand,
// what is changed in place and what it was.
class Occupancy {
 public:
  // `events` stays as it is while this is used.
  Occupancy(const Plan& plan, const std::vector<Event>& events, const Mesh& mesh);

  // The event happens. Whether it makes a copy: what is there while it runs is then `total`. `alone`: no other step reads
  // meanwhile what this one changes in place.
  bool advance(std::size_t event, bool alone);

  // Bytes per device, at the place that has most.
  Formula total() const;
  // The same where they are a plain number.
  std::optional<Rational> plain_total() const;
  // The first place that has most; without a name if nothing is placed, or where that is not known.
  std::string fullest_place() const;
  // The largest first and the earlier first among equals; of several in the same memory one. REQUIRES: numbers.
  std::vector<CopyId> largest_first() const;

 private:
  static std::size_t index(CopyId copy) { return static_cast<std::size_t>(copy.value); }
  std::optional<std::size_t> fullest() const;
  CopyId taken_over(std::size_t event) const;
  CopyId seen_through(const Step& step) const;
  const Amount& bytes_of(const Copy& copy);
  void add(CopyId id, CopyId same_memory);
  void remove(CopyId id);
  void count(CopyId id, bool there);

  const Plan& plan_;
  const std::vector<Event>& events_;
  const Mesh& mesh_;
  Places places_;
  std::unordered_map<std::string, Amount> kinds_;
  std::vector<Amount> bytes_;        // by copy
  std::vector<bool> alive_;          // by copy
  std::vector<std::size_t> memory_;  // by copy: the first copy in the same memory
  std::vector<int> users_;           // by that: copies in it that are alive
  Amount everywhere_;                // of what is not placed
  std::vector<Amount> placed_;       // by place: of what is
};

}  // namespace shard
