// The copies that devices hold as the events of a run make and free them.
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

// Keeps the sum of bytes as copies come and go. Copies in the same memory count once, with the bytes of the first of them: a
// Reshape and its operand, a view and the array that it is a part of, or an array and its version changed in place.
class Occupancy {
 public:
  // `events` must outlive this unchanged.
  Occupancy(const Plan& plan, const std::vector<Event>& events, const Mesh& mesh);

  // Applies the event. Returns whether it makes a copy; `total` is then the memory while the step runs. `alone`: no
  // other step reads, in the meantime, what this one changes in place.
  bool advance(std::size_t event, bool alone);

  // Bytes per device, at the fullest place.
  Formula total() const;
  // That total, if it is a plain number.
  std::optional<Rational> plain_total() const;
  // The first of the fullest places; "" if nothing is placed or the totals are not numbers.
  std::string fullest_place() const;
  // The copies alive, largest first, earlier first on a tie; one for each piece of memory. REQUIRES: sizes are numbers.
  std::vector<CopyId> largest_first() const;

 private:
  // What the bytes of a copy depend on. Copies that are made alike share these lists; for equal ones that they do not share
  // the bytes are computed once more.
  struct Kind {
    const void* shape;
    const void* dims;
    DType dtype;
    friend bool operator==(const Kind&, const Kind&) = default;
  };
  struct KindHash {
    std::size_t operator()(const Kind& kind) const;
  };

  static std::size_t index(CopyId copy) { return static_cast<std::size_t>(copy.value); }
  std::optional<std::size_t> fullest() const;
  CopyId taken_over(std::size_t event) const;
  bool ends_behind(std::size_t event, CopyId copy) const;
  bool same_bytes(CopyId copy, CopyId result);
  CopyId seen_through(const Step& step) const;
  CopyId owner_of(CopyId id) const { return CopyId{static_cast<std::int32_t>(memory_[index(id)])}; }
  const Amount& bytes_of(const Copy& copy);
  void add(CopyId id, CopyId same_memory);
  void remove(CopyId id);
  void count(CopyId id, bool there);

  const Plan& plan_;
  const std::vector<Event>& events_;
  const Mesh& mesh_;
  Places places_;
  std::unordered_map<Kind, Amount, KindHash> kinds_;
  std::vector<const Amount*> bytes_;  // by copy that was made: of its kind
  std::vector<bool> alive_;           // by copy
  std::vector<std::size_t> memory_;   // by copy: the first copy in the same memory
  // By copy that is an array changed at one place: the array as it was before all such changes, whose memory it has in whatever
  // order the places come to it.
  std::vector<CopyId> first_version_;
  std::vector<int> users_;      // by memory: copies in it that are alive
  Amount everywhere_;           // copies that are not placed
  std::vector<Amount> placed_;  // by place: copies placed there
};

}  // namespace shard
