// What people type who come from other programs, from interpreter/driver/habits.def.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace shard {

struct Habit {
  enum class Kind { Spelling, Served, Answered };
  Kind kind;
  std::string_view typed;    // a pattern
  std::string_view becomes;  // what is run, or the answer
};
std::span<const Habit> habits();

// A habit and what is to be run for it, or answered to it.
struct FoundHabit {
  Habit::Kind kind;
  std::string text;
};
// The first whose pattern the line fits, blanks around it aside. `is_known`: whether the session has something of that name: then a
// line that begins with it is none.
std::optional<FoundHabit> find_habit(std::string_view line,
                                     const std::function<bool(std::string_view name)>& is_known);

}  // namespace shard
